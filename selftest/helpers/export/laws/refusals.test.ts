import { expect, test } from 'vitest'
import { type Cases, type Law, rule } from '../../../../engine/clause/law.ts'
import type { Answer } from '../../../../engine/http/client.ts'
import { outcomeOf, Trouble } from '../../../../engine/outcome.ts'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import {
  fetchReversed,
  problemsOf500,
  problemsOfErrorBody,
  problemsOfReversed,
} from '../../../../helpers/export/laws/invalid-queries.ts'
import { problemsOfZones } from '../../../../helpers/export/laws/zones-and-locales.ts'
import type { Ranges } from '../../../../helpers/export/learn/ranges.ts'

const answerOf = (status: number, text = '') =>
  ({
    exchange: 1,
    method: 'GET',
    path: '/events/export',
    status,
    text,
    headers: { 'content-type': 'application/json' },
  }) as unknown as Answer

const reversed = (status: number) => ({
  what: 'a reversed range',
  answer: answerOf(status),
  control: answerOf(200),
})

/** What comes of cases: how many hold, what is wrong, or what ends the clause. */
async function ruled<Case extends object>(cases: Cases<Case>, law: Law<Case>) {
  try {
    const { problems, decided } = await rule(cases, { law })
    return problems.length > 0 ? problems.map(({ sentence }) => sentence) : decided.length
  } catch (error) {
    return outcomeOf(error).kind
  }
}

test('a 500 to one reversed range hides no 200 to another, and does not pass', async () => {
  const failed = reversed(500)
  expect(await ruled([failed, reversed(400)], problemsOfReversed)).toBe('trouble')
  for (const cases of [
    [failed, reversed(200)],
    [reversed(200), failed],
  ])
    expect(await ruled(cases, problemsOfReversed)).toEqual([
      'GET /events/export responded 200, not 400',
    ])
  expect(await ruled([reversed(422)], problemsOf500)).toBe(1)
  expect(await ruled([failed], problemsOf500)).toEqual([
    'GET /events/export responded 500 twice, to a reversed range, and 200 to a valid one',
  ])
})

/** Ranges of a service without known events, whose answer to a query is given. */
const rangesOf = (statusOf: (query: Query) => number) =>
  ({
    exports: {
      csv: async (query: Query) => ({ answer: answerOf(statusOf(query)) }),
      times: () => [Date.UTC(2025, 0, 1)],
    },
    cuts: async () => [],
    times: async () => ({ columns: [{ unit: 1n }] }),
    few: async () => undefined,
  }) as unknown as Ranges

test('trouble with one reversed range hides no breach of the next', async () => {
  const isReversed = ({ start = '', end = '' }: Query) => start > end
  const asked = (status: number) =>
    fetchReversed(
      rangesOf((query) => {
        if (!isReversed(query)) return 200
        return query.end?.startsWith('2024') ? 503 : status
      }),
      'csv',
    )
  expect(await ruled(await asked(400), problemsOfReversed)).toBe('trouble')
  expect(await ruled(await asked(200), problemsOfReversed)).toHaveLength(3)
})

test('a refusal that does not say that it is JSON decides nothing of its body', async () => {
  const [html, broken] = [answerOf(400, '<p>'), answerOf(400, '{')]
  html.headers = { 'content-type': 'text/html' }
  const trouble = new Trouble('it timed out')
  expect(await ruled([{ answer: html }], problemsOfErrorBody)).toBe('undecided')
  expect(
    await ruled([{ answer: html }, { answer: answerOf(400, '{}') }], problemsOfErrorBody),
  ).toBe(1)
  expect(await ruled([trouble, { answer: broken }], problemsOfErrorBody)).toHaveLength(1)
})

test('a zone with the dates of UTC is passed over where most zones have other dates', () => {
  const filesOf = (...times: string[]) => ({
    files: times.map((time, at) => ({ zone: `zone ${at}`, rows: [['1', time]] })),
  })
  const times = ['10:00', '15:45', '10:00', '19:00']
  expect(problemsOfZones(filesOf(...times))).toMatchObject([
    { sentence: 'the file in zone 2 is as in UTC' },
  ])
  expect(problemsOfZones(filesOf('10:00', '10:00', '10:00', '19:00'))).toEqual([])
  expect(problemsOfZones(filesOf('1 May', '2 May', '1 May', '2 May'))).toEqual([])
})
