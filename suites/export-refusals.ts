import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { distinct } from '../engine/distinct.ts'
import { describeAnswer, isAccepted, isRefused, jsonIn } from '../engine/http/answers.ts'
import { codesIn, mediaTypeOf, refusalShape } from '../engine/http/shapes.ts'
import { Trouble } from '../engine/outcome.ts'
import { problem } from '../engine/problem.ts'
import { fetchInvalidBesides } from '../helpers/access/export-forms.ts'
import { clause } from '../helpers/clause.ts'
import { needAnswer, needDecidable } from '../helpers/export/ask/decidable.ts'
import {
  fetchFailuresOfBounds,
  fetchRefusals,
  invalidQueries,
} from '../helpers/export/judge/invalid-queries.ts'
import { fetchReversedAnswers } from '../helpers/export/judge/ranges/reversed.ts'
import { problemsOfRefusedZones } from '../helpers/export/judge/zones-and-locales.ts'
import { recentHour } from '../helpers/export/learn/spans.ts'
import { problemsOfNonJson } from '../helpers/reads/refusals.ts'
import { needAccepted, premise } from '../helpers/service/answers.ts'

const operation = 'export'
const law = { section: 'Errors', operation }

describe('Export: what is invalid', () => {
  clause(
    'export.timezone.accepted',
    {
      should: 'take every zone by its IANA name, where it takes any',
      section: 'Export audit events',
      operation,
      reading: 'of languages a list of those supported is spoken of, of zones none',
    },
    async ({ ranges, note }) => {
      const span = await ranges.few()
      expect(await problemsOfRefusedZones(ranges.exports, span)).toBeNone()
      note('UTC, and names of two and of three parts')
    },
  )

  for (const fileType of ['csv', 'pdf'] as const)
    clause(
      `export.range.reversed.${fileType}`,
      {
        must: `answer 400 to a ${fileType.toUpperCase()} with range_start later than range_end`,
        ...law,
      },
      async ({ ranges, note }) => {
        const answers = await fetchReversedAnswers(ranges, fileType)
        const [failed] = answers.filter(({ answer }) => answer.status === 500)
        for (const { answer, control } of answers)
          if (answer.status !== 500) expect(answer).toHaveStatus(400, { control })
        if (failed)
          throw new Trouble(
            `${describeAnswer(failed.answer)} twice, and 200 with the bounds exchanged; the range may not be the reason`,
          )
        note(`${answers.length} of ${answers.length} reversed ranges: 400`)
      },
    )

  clause(
    'export.range.reversed.status',
    {
      should: 'not answer 500 to a range_start later than range_end: 400 is stated',
      ...law,
    },
    async ({ ranges, note }) => {
      const answers = [
        ...(await fetchReversedAnswers(ranges, 'csv')),
        ...(await fetchReversedAnswers(ranges, 'pdf')),
      ]
      const failed = answers.filter(({ answer }) => answer.status === 500)
      expect(
        failed.map(({ answer, control }) =>
          problem(`${describeAnswer(answer)} twice, and 200 with the bounds exchanged`, {
            expected: '400',
            got: '500',
            judged: answer,
            control,
          }),
        ),
      ).toBeNone()
      note(
        `${answers.length} reversed ranges: ${distinct(answers.map(({ answer }) => answer.status))}`,
      )
    },
  )

  for (const { name, what, query, repaired } of invalidQueries)
    clause(
      `export.invalid.${name}`,
      { should: `answer 400 to ${what}`, ...law },
      async ({ exports, session, note }) => {
        const { answer: plain } = await exports.refusal(recentHour(exports))
        const { answer: control } = await exports.refusal(
          repaired(exports, session.known.tasks[0]?.id),
        )
        needDecidable(control)
        premise(plain.status === 200, 'clause', describeAnswer(plain), 'export.csv.status')
        premise(
          isAccepted(control),
          'freedom',
          `${describeAnswer(control)} to a valid request; which exports are refused is not shown in full`,
        )
        const { answer } = await exports.refusal(query(exports))
        needAnswer(answer)
        expect(answer).toHaveStatus(400, { control })
        note(`${control.status} to a valid request, ${answer.status} to ${what}`)
      },
    )

  clause(
    'export.range.malformed',
    {
      should: 'answer no 500 to a bound of a range that is not a datetime',
      ...law,
      reading: 'such a request is invalid, or means something; neither is an unexpected error',
    },
    async ({ exports, note }) => {
      const { problems, statuses } = await fetchFailuresOfBounds(exports)
      expect(problems).toBeNone()
      note(`${statuses.length} malformed bounds answered ${[...new Set(statuses)].join(', ')}`)
    },
  )

  clause(
    'export.error-is-json',
    {
      should: 'give the body of an error, where it says that it is JSON, as JSON',
      ...law,
      reading: 'that bodies are JSON excepts the export; what calls itself JSON is to be it',
    },
    async ({ exports, note }) => {
      const bodies = (await fetchRefusals(exports)).filter(
        (answer) =>
          isRefused(answer) && answer.text !== '' && /json/.test(mediaTypeOf(answer) ?? ''),
      )
      premise(
        bodies.length > 0,
        'freedom',
        'no refusal had a body that says it is JSON; the shape of an error is not shown',
      )
      const others = bodies.filter((answer) => jsonIn(answer) === undefined)
      expect(others.flatMap(problemsOfNonJson)).toBeNone()
      note(`${bodies.length} bodies that say that they are JSON`)
    },
  )

  clause(
    'export.error-body',
    { observe: 'what refusals of an export look like', ...law },
    async ({ exports }) => {
      const answers = await fetchRefusals(exports)
      const names = ['reversed range', ...invalidQueries.map(({ name }) => name)]
      return Object.fromEntries(answers.map((answer, at) => [names[at], refusalShape(answer)]))
    },
  )

  clause(
    'export.error-codes',
    { observe: 'which codes and fixed words refusals of an export carry', ...law },
    async ({ exports }) => {
      const answers = await fetchRefusals(exports)
      const names = ['reversed range', ...invalidQueries.map(({ name }) => name)]
      return Object.fromEntries(answers.map((answer, at) => [names[at], codesIn(answer)]))
    },
  )

  const ofKey = {
    section: 'Authentication',
    operation,
  }

  clause(
    'auth.invalid-besides.export',
    { must: 'give no file without a valid key, whatever else is wrong with the request', ...ofKey },
    async ({ keyProbes, shared, random, note }) => {
      needAccepted((await keyProbes.of('export')).control)
      const answers = await fetchInvalidBesides(shared, random)
      const given = answers.filter(({ answer }) => isAccepted(answer))
      expect(
        given.map(({ what, answer }) =>
          problem(`${describeAnswer(answer)} to ${what}, not 401`, {
            expected: '401 and no file',
            got: String(answer.status),
            judged: answer,
          }),
        ),
      ).toBeNone()
      note(`${answers.map(({ what, answer }) => `${answer.status} to ${what}`).join(', ')}`)
    },
  )

  clause(
    'auth.invalid-besides.export.status',
    { should: 'answer 401 without a valid key, whatever else is wrong with the request', ...ofKey },
    async ({ keyProbes, shared, random, note }) => {
      needAccepted((await keyProbes.of('export')).control)
      const answers = await fetchInvalidBesides(shared, random)
      for (const { what, answer } of answers) {
        if (answer.status === 429 || answer.status >= 500) needDecidable(answer)
        expect(answer).toHaveStatus(401, { what })
      }
      note(`401 to ${answers.map(({ what }) => what).join(', ')}`)
    },
  )

  clause(
    'export.validation-order',
    { observe: 'whether a bad key or an invalid request is refused first', ...law },
    async ({ shared, random }) => {
      const [, reversed] = await fetchInvalidBesides(shared, random)
      return { 'bad key, reversed range': reversed?.answer.status ?? 'not asked' }
    },
  )

  clause(
    'export.unknown-parameter',
    {
      observe: 'what a parameter that the contract does not name is answered with',
      section: 'Export audit events',
      operation,
    },
    async ({ exports }) => {
      const { answer } = await exports.refusal({ ...recentHour(exports), more: 'colour=blue' })
      needDecidable(answer)
      return { status: answer.status }
    },
  )
})
