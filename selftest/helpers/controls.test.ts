import { expect, test } from 'vitest'
import { matchesAny } from '../../engine/glob.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import type { Breach, Report } from '../../engine/run/report.ts'
import { exchangeBy, placesOf } from '../../reporting/parts/evidence.ts'
import { isLong } from '../long.ts'
import type { Bent } from '../proofs/fault.ts'
import { runAgainst } from '../proofs/prove.ts'

/**
 * Services that accept what they must refuse: they judge everything that a good service refuses. `npm test`
 * tries the first two, which ask for no files.
 */
const lenient: Record<string, { bent: Bent; clauses: string[] }> = {
  'any version is accepted': {
    bent: { stated: { ifMatchIsRequired: () => false, versionMatches: () => true } },
    clauses: ['version.stale.*', 'version.wrong.*', 'version.required*'],
  },
  'any body is accepted': {
    bent: {
      stated: {
        requiredFields: () => [],
        sentFieldIsRight: () => true,
        typeIsAllowed: () => true,
        contentTypeIsRight: () => true,
      },
    },
    clauses: ['assign.required.*', 'assign.type-values*', 'assign.content-type-required'],
  },
  'any key is accepted': {
    bent: { stated: { keyIsRequired: () => false, keyIsValid: () => true } },
    clauses: ['auth.missing-key.*', 'auth.invalid-key.*', 'auth.key-case.*'],
  },
  'the key is accepted in any place': {
    bent: { stated: { keyIsRequired: () => false } },
    clauses: ['auth.*carriers*', 'auth.before-lookup.*', 'auth.invalid-besides.*'],
  },
  'any export is given': {
    bent: { stated: { rangeRefusal: () => undefined }, open: { queryRefusal: () => undefined } },
    clauses: ['export.range.reversed.*', 'export.invalid.*'],
  },
  'any id is accepted': {
    bent: {
      stated: {
        taskFor: ({ tasks }) => tasks[0],
        assessmentFor: ({ assessments }) => assessments[0],
      },
    },
    clauses: ['*.read.not-found', '*.read.malformed-id.status'],
  },
}

const several: Record<string, RegExp> = {
  'auth.other-carriers': /^header authorization, header apikey$|^header x-api-key, header apikey$/,
  'auth.other-carriers.query': /^query apikey, header apikey$/,
  'auth.invalid-besides.*': /header apikey/,
  'export.range.reversed.*': /^query range_start, query range_end$/,
}

const isExpected = (id: string, differs: readonly string[]) =>
  Object.entries(several).some(
    ([glob, places]) => matchesAny(id, [glob]) && places.test(differs.join(', ')),
  )

const refusals = ({ clauses }: Report) =>
  clauses.flatMap(({ id, breaches = [] }) =>
    breaches
      // What another clause met is judged without a control; the owner's own breach has one.
      .filter(({ expected, metBy, control }) => /^4/.test(expected) && !(metBy && !control.length))
      .map((breach) => ({ id, breach })),
  )

/** The names of everything in a request: requests with other values have the same form. */
function formOf({ method, path, requestHeaders, requestBody = '' }: Exchange): string[] {
  const none = { number: 0, start: '', milliseconds: 0, attempt: 1, method: '', path: '' }
  const empty: Exchange = { ...none, requestHeaders: {} }
  return placesOf({ ...empty, method, path, requestHeaders, requestBody }, empty).sort()
}

test.for(Object.entries(lenient).slice(0, isLong ? undefined : 2))(
  'judged and control are one request but for the mistake where %s',
  { timeout: 120_000 },
  async ([, { bent, clauses }]) => {
    const argv = clauses.flatMap((id) => ['--clauses', id])
    const { report } = await runAgainst({ events: 300, ...bent }, argv, { makers: {} })
    const found = refusals(report as Report)
    expect(found.length).toBeGreaterThan(2)
    expect(found.flatMap((one) => problemsIn(one.id, one.breach, report as Report))).toEqual([])
  },
)

function problemsIn(id: string, breach: Breach, report: Report): string[] {
  const { sentence, differs = [] } = breach
  const said = `${id}: ${sentence}: differs in ${differs.join(', ') || 'nothing'}`
  const [one, other] = [breach.judged, breach.control].map(([at = 0]) => exchangeBy(at, report))
  if (!one || !other) return [`${said}: no control`]
  if (differs.length !== 1 && !isExpected(id, differs)) return [said]
  const isNamed = (place: string) =>
    differs.some((each) => place === each || place.startsWith(`${each} `))
  const [a, b] = [formOf(one), formOf(other)]
  const apart = [...a.filter((each) => !b.includes(each)), ...b.filter((each) => !a.includes(each))]
  const unnamed = apart.filter((place) => !isNamed(place))
  return unnamed.length > 0 ? [`${said}: and in form by ${unnamed.join(', ')}`] : []
}
