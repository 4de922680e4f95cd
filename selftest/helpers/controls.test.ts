import { expect, test } from 'vitest'
import { matchesAny } from '../../engine/glob.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import type { Breach, Report } from '../../engine/run/report.ts'
import { stated } from '../../reference/rules/stated.ts'
import { exchangeBy, placesOf } from '../../reporting/parts/evidence.ts'
import { isLong } from '../long.ts'
import type { Bent } from '../proofs/fault.ts'
import { runClauses } from '../proofs/prove.ts'

/** A service that accepts what it must refuse: it judges everything that a good service refuses. */
const lenient: Bent = {
  events: 300,
  stated: {
    keyIsRequired: () => false,
    keyIsValid: () => true,
    ifMatchIsRequired: () => false,
    versionMatches: () => true,
    requiredFields: () => [],
    sentFieldIsRight: () => true,
    typeIsAllowed: () => true,
    rangeRefusal: () => undefined,
    taskFor: (asked) => stated.taskFor(asked) ?? asked.tasks[0],
    assessmentFor: (asked) => stated.assessmentFor(asked) ?? asked.assessments[0],
  },
  open: { queryRefusal: () => undefined },
}

/** `npm test` tries the first two, which ask for no files. */
const refusing = [
  ['version.stale.*', 'version.wrong.*', 'version.required*'],
  ['assign.required.*', 'assign.type-values*'],
  ['auth.missing-key.*', 'auth.invalid-key.*', 'auth.key-case.*'],
  ['auth.*carriers*', 'auth.before-lookup.*', 'auth.invalid-besides.*'],
  ['export.range.reversed.*', 'export.invalid.*'],
  ['*.read.not-found', '*.read.malformed-id.status'],
].slice(0, isLong ? undefined : 2)

const several: Record<string, RegExp> = {
  'auth.other-carriers': /^header apikey, header (authorization|x-api-key)$/,
  'auth.other-carriers.query': /^header apikey, query apikey$/,
  'auth.invalid-besides.*': /header apikey/,
  'export.range.reversed.*': /^query range_end, query range_start$/,
  'assign.not-found.*': /^(body update assignment_comment, )?header if-match, path$/,
}

const isExpected = (id: string, differs: readonly string[]) =>
  Object.entries(several).some(
    ([glob, places]) => matchesAny(id, [glob]) && places.test(differs.toSorted().join(', ')),
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

test.each(refusing)(
  'judged and control are one request but for the mistake: %s',
  async (...ids) => {
    const report = (await runClauses(lenient, ids)).report as Report
    const found = refusals(report)
    expect(found.length).toBeGreaterThan(2)
    expect(found.flatMap((one) => problemsIn(one.id, one.breach, report))).toEqual([])
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
