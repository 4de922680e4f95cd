import { expect } from '../engine/clause/matchers.ts'
import { distinct } from '../engine/distinct.ts'
import { describeAnswer, isAccepted, isRefused } from '../engine/http/answers.ts'
import { codesIn, mediaTypeOf, refusalShape } from '../engine/http/shapes.ts'
import { Trouble } from '../engine/outcome.ts'
import { problemUnless } from '../engine/problem.ts'
import { fetchInvalidBesides, type InvalidBesides } from '../helpers/access/export-forms.ts'
import { clausesOf } from '../helpers/clause.ts'
import { needAnswer, needDecidable } from '../helpers/export/ask/decidable.ts'
import {
  fetchMalformedBounds,
  fetchRefusals,
  invalidQueries,
  problemsOfBound,
} from '../helpers/export/laws/invalid-queries.ts'
import { type Controlled, fetchReversedAnswers } from '../helpers/export/laws/range-forms.ts'
import { problemsOfRefusedZones } from '../helpers/export/laws/zones-and-locales.ts'
import { recentHour } from '../helpers/export/learn/spans.ts'
import { problemsOfNonJson } from '../helpers/reads/refusals.ts'
import { needAccepted, premise } from '../helpers/service/answers.ts'

const clause = clausesOf({ section: 'Errors', operation: 'export' })

clause('export.timezone.accepted', {
  should: 'take every zone by its IANA name, where it takes any',
  section: 'Export audit events',
  reading: 'the contract mentions a list of supported languages, and none of zones',
})(async ({ ranges, note }) => {
  const [window, span] = [await ranges.window(), await ranges.few()]
  expect(await problemsOfRefusedZones(ranges.exports, window, span)).toBeNone()
  note('UTC, names of one to three parts, and one with an offset')
})

for (const fileType of ['csv', 'pdf'] as const)
  clause(`export.range.reversed.${fileType}`, {
    must: `answer 400 to a ${fileType.toUpperCase()} with range_start later than range_end`,
  })(async ({ ranges, note }) => {
    const answers = await fetchReversedAnswers(ranges, fileType)
    for (const { answer, control } of answers)
      if (answer.status !== 500) expect(answer).toHaveStatus(400, { control })
    const failed = answers.find(({ answer }) => answer.status === 500)
    if (failed) throw new Trouble(`${sentenceOf500(failed)}; the range may not be the reason`)
    note(`${answers.length} of ${answers.length} reversed ranges: 400`)
  })

clause('export.range.reversed.status', {
  should: 'not answer 500 to a range_start later than range_end: 400 is stated',
})(async ({ ranges, each }) => {
  const [csv, pdf] = [
    await fetchReversedAnswers(ranges, 'csv'),
    await fetchReversedAnswers(ranges, 'pdf'),
  ]
  await each([...csv, ...pdf], problemsOf500, { of: ofStatuses('reversed ranges') })
})

const sentenceOf500 = ({ answer }: Controlled) =>
  `${describeAnswer(answer)} twice, and 200 with the bounds exchanged`

const problemsOf500 = (reversed: Controlled) => {
  const { answer, control } = reversed
  const seen = { expected: '400', got: '500', judged: answer, control }
  return problemUnless(answer.status !== 500, sentenceOf500(reversed), seen)
}

const ofStatuses = (what: string) => (all: readonly { answer: { status: number } }[]) =>
  `${all.length} ${what}: ${distinct(all.map(({ answer }) => answer.status))}`

for (const { name, what, query, repaired } of invalidQueries)
  clause(`export.invalid.${name}`, {
    should: `answer 400 to ${what}`,
  })(async ({ exports, session, note }) => {
    const { answer: plain } = await exports.refusal(recentHour(exports))
    const { answer: control } = await exports.refusal(repaired(exports, session.known.tasks[0]?.id))
    needDecidable(control)
    premise(plain.status === 200, 'clause', describeAnswer(plain), 'export.csv.status')
    const open = `${describeAnswer(control)} to a valid request; which exports are refused is not shown in full`
    premise(isAccepted(control), 'freedom', open)
    const { answer } = await exports.refusal(query(exports))
    needAnswer(answer)
    expect(answer).toHaveStatus(400, { control })
    note(`${control.status} to a valid request, ${answer.status} to ${what}`)
  })

clause('export.range.malformed', {
  should: 'answer no 500 to a bound of a range that is not a datetime',
  reading: 'such a request is invalid, or means something; neither is an unexpected error',
})(async ({ exports, each }) =>
  each(await fetchMalformedBounds(exports), problemsOfBound, {
    of: ofStatuses('malformed bounds'),
  }),
)

clause('export.error-is-json', {
  should: 'give the body of an error, where it says that it is JSON, as JSON',
  reading:
    'the contract states JSON bodies, except for the export; a body that says it is JSON has to be JSON',
})(async ({ exports, each }) => {
  const bodies = (await fetchRefusals(exports)).filter(
    (answer) => isRefused(answer) && answer.text !== '' && /json/.test(mediaTypeOf(answer) ?? ''),
  )
  const none = 'no refusal had a body that says it is JSON; the shape of an error is not shown'
  const of = 'bodies that say that they are JSON'
  await each(bodies, problemsOfNonJson, { none: ['freedom', none], of })
})

for (const [id, observe, shownOf] of [
  ['export.error-body', 'what refusals of an export look like', refusalShape],
  ['export.error-codes', 'which codes and fixed words refusals of an export carry', codesIn],
] as const)
  clause(id, { observe })(async ({ exports }) => {
    const names = ['reversed range', ...invalidQueries.map(({ name }) => name)]
    const answers = await fetchRefusals(exports)
    return Object.fromEntries(answers.map((answer, at) => [names[at], shownOf(answer)]))
  })

clause('auth.invalid-besides.export', {
  must: 'give no file without a valid key, whatever else is wrong with the request',
  section: 'Authentication',
})(async ({ keyProbes, shared, random, each }) => {
  const { control } = await keyProbes.of('export')
  needAccepted(control)
  await each(await fetchInvalidBesides(shared, random, control), problemsOfFile, {
    of: (all) => all.map(({ what, answer }) => `${answer.status} to ${what}`).join(', '),
  })
})

function problemsOfFile({ what, answer }: InvalidBesides) {
  const seen = { expected: '401 and no file', judged: answer }
  return problemUnless(!isAccepted(answer), `${describeAnswer(answer)} to ${what}, not 401`, seen)
}

clause('auth.invalid-besides.export.status', {
  should: 'answer 401 without a valid key, whatever else is wrong with the request',
  section: 'Authentication',
})(async ({ keyProbes, shared, random, note }) => {
  const { control } = await keyProbes.of('export')
  needAccepted(control)
  const answers = await fetchInvalidBesides(shared, random, control)
  for (const { what, answer } of answers) {
    if (answer.status === 429 || answer.status >= 500) needDecidable(answer)
    expect(answer).toHaveStatus(401, { what })
  }
  note(`401 to ${answers.map(({ what }) => what).join(', ')}`)
})

clause('export.validation-order', {
  observe: 'whether a bad key or an invalid request is refused first',
})(async ({ shared, random }) => {
  const [, reversed] = await fetchInvalidBesides(shared, random)
  return { 'bad key, reversed range': reversed?.answer.status ?? 'not asked' }
})

clause('export.unknown-parameter', {
  observe: 'what a parameter that the contract does not name is answered with',
  section: 'Export audit events',
})(async ({ exports }) => {
  const { answer } = await exports.refusal({ ...recentHour(exports), more: 'colour=blue' })
  needDecidable(answer)
  return { status: answer.status }
})
