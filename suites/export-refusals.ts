import { caseOrWhy, type Some } from '../engine/clause/law.ts'
import { distinct } from '../engine/distinct.ts'
import { isAccepted } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import { codesIn, refusalShape } from '../engine/http/shapes.ts'
import { problemsOfStatus } from '../engine/http/status-problems.ts'
import { fetchInvalidBesides, type InvalidBesides } from '../helpers/access/export-forms.ts'
import { clausesOf } from '../helpers/clause.ts'
import { fileTypes } from '../helpers/contract/parameters.ts'
import { statuses } from '../helpers/contract/statuses.ts'
import { needDecidable } from '../helpers/export/ask/decidable.ts'
import { recentHour } from '../helpers/export/ask/query.ts'
import { statusOf } from '../helpers/export/laws/file-facts.ts'
import {
  type Controlled,
  fetchInvalid,
  fetchMalformedBounds,
  fetchReversed,
  invalidQueries,
  problemsOf500,
  problemsOfErrorBody,
  problemsOfInvalid,
  problemsOfReversed,
  refusalsOf,
} from '../helpers/export/laws/invalid-queries.ts'
import { fetchNamedZones, problemsOfZones } from '../helpers/export/laws/zones-and-locales.ts'
import type { Givens } from '../helpers/givens.ts'
import { needAccepted } from '../helpers/service/answers.ts'

const clause = clausesOf({ section: 'Errors', operation: 'export' })

clause('export.timezone.accepted', {
  should: 'accept and apply every IANA time zone name if any time zone is accepted',
  section: 'Export audit events',
  reading: 'the contract mentions a list of supported languages, and none of time zones',
  law: problemsOfZones,
  of: () => 'UTC, names of one to three parts, and one with an offset',
})(['ranges'], async ({ ranges }) => {
  const [window, span] = [await ranges.window(), await ranges.few()]
  return fetchNamedZones(ranges.exports, window, span)
})

for (const fileType of fileTypes)
  clause(`export.range.reversed.${fileType}`, {
    must: `respond 400 to a ${fileType.toUpperCase()} export whose range_start is later than range_end`,
    law: problemsOfReversed,
    of: (all) => `${all.length} of ${all.length} reversed ranges: ${statuses.invalidExport}`,
  })(['ranges'], ({ ranges }) => fetchReversed(ranges, fileType))

const ofStatuses = (what: string) => (all: readonly Controlled[]) =>
  `${all.length} ${what}: ${distinct(all.map(({ answer }) => answer.status)).join(', ')}`

clause('export.range.reversed.status', {
  should:
    'respond to an export whose range_start is later than range_end with a status other than 500',
  law: problemsOf500,
  of: ofStatuses('reversed ranges'),
})(['ranges'], async ({ ranges }) => [
  ...(await fetchReversed(ranges, 'csv')),
  ...(await fetchReversed(ranges, 'pdf')),
])

for (const { name, ...invalid } of invalidQueries)
  clause(`export.invalid.${name}`, {
    should: `respond 400 to ${invalid.what}`,
    law: problemsOfInvalid,
    of: ([{ what, answer, control }]) =>
      `${control.status} to a valid request, ${answer.status} to ${what}`,
  })(['session', 'exports'], async ({ session, exports }) => [
    await fetchInvalid(exports, invalid, session.known.tasks[0]?.id),
  ])

clause('export.range.malformed', {
  should: 'respond to a range bound that is not a datetime with a status other than 500',
  reading: 'such a request is invalid, or means something; neither is an unexpected error',
  law: problemsOf500,
  of: ofStatuses('malformed bounds'),
})(['exports'], ({ exports }) => fetchMalformedBounds(exports))

clause('export.error-is-json', {
  should: 'return the body of an error response whose Content-Type is JSON as valid JSON',
  reading:
    'the contract states JSON bodies, except for the export; a body that says it is JSON has to be JSON',
  law: problemsOfErrorBody,
  of: 'bodies that are valid JSON',
})(['exports'], ({ exports }) => Promise.all(refusalsOf(exports).map(caseOrWhy)))

for (const [id, observe, shownOf] of [
  ['export.error-body', 'what error responses to an export look like', refusalShape],
  [
    'export.error-codes',
    'which error codes and fixed texts the error responses to an export contain',
    codesIn,
  ],
] as const)
  clause(id, {
    observe,
    look: (all: Some<{ name: string; answer: Answer }>) =>
      Object.fromEntries(all.map(({ name, answer }) => [name, shownOf(answer)])),
  })(['exports'], ({ exports }) => Promise.all(refusalsOf(exports)))

async function fetchWithoutKey({
  random,
  shared,
  keyProbes,
}: Pick<Givens, 'random' | 'shared' | 'keyProbes'>) {
  const { control } = await keyProbes.of('export')
  needAccepted(control)
  return fetchInvalidBesides(shared, random, control)
}

clause('auth.invalid-besides.export', {
  must: 'return no file for an export that has no valid key and a second mistake',
  section: 'Authentication',
  law: problemsOfFile,
  of: (all) => all.map(({ what, answer }) => `${answer.status} to ${what}`).join(', '),
})(['random', 'shared', 'keyProbes'], fetchWithoutKey)

function problemsOfFile({ what, answer }: InvalidBesides) {
  return isAccepted(answer) ? problemsOfStatus(answer, statuses.badKey, { to: `to ${what}` }) : []
}

clause('auth.invalid-besides.export.status', {
  should: 'respond 401 to an export that has no valid key and a second mistake',
  section: 'Authentication',
  law: problemsOfOther,
  of: (all) => `${statuses.badKey} to ${all.map(({ what }) => what).join(', ')}`,
})(['random', 'shared', 'keyProbes'], fetchWithoutKey)

function problemsOfOther({ what, answer }: InvalidBesides) {
  if (answer.status !== 403) needDecidable(answer)
  return problemsOfStatus(answer, statuses.badKey, { what })
}

clause('export.validation-order', {
  observe: 'whether an invalid key or an invalid range determines the response',
  look: ([{ answer }]: Some<InvalidBesides>) => ({ 'bad key, reversed range': answer.status }),
})(['random', 'shared'], async ({ random, shared }) =>
  (await fetchInvalidBesides(shared, random)).slice(1, 2),
)

clause('export.unknown-parameter', {
  observe: 'the status of the response to a parameter beyond the contract',
  section: 'Export audit events',
  look: statusOf,
})(['exports'], async ({ exports }) => {
  const { answer } = await exports.refusal({ ...recentHour(exports), more: 'colour=blue' })
  needDecidable(answer)
  return [answer]
})
