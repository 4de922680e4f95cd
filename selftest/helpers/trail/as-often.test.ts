import { describe, expect, test } from 'vitest'
import type { Accepted } from '../../../helpers/history/accepted-updates.ts'
import { compareUpdates } from '../../../helpers/trail/alike.ts'
import { showsWhole } from '../../../helpers/trail/comments.ts'

const comment = (n: number) => `Contract test, please ignore x${n}`

/** One task that goes from one user to the next, and the events that the export shows of it. */
function story(eventsOf: (n: number) => string[][], count = 5) {
  const numbers = Array.from({ length: count }, (_, n) => n)
  const updates = numbers.map(
    (n): Accepted => ({
      task: 't',
      assignment: { assigned_by_id: 'by', assigned_to_id: `user ${n}`, assigned_to_type: 'USER' },
      comment: comment(n),
      at: n,
      exchange: n + 1,
    }),
  )
  const ledger = { before: new Map([['t', null]]), updates }
  const records = numbers.flatMap(eventsOf)
  const files = new Map([['t', { count: records.length, records }]])
  const { compared, shown, problemsOf } = compareUpdates(ledger, { files })
  return { compared: compared.length, shown, problems: compared.flatMap(problemsOf) }
}

describe('how many events an update leaves', () => {
  test.each([
    ['one each', (n: number) => [['task', comment(n)]]],
    [
      'two each',
      (n: number) => [
        ['a', comment(n)],
        ['b', comment(n)],
      ],
    ],
    ['one, which shows the comment before too', (n: number) => [[comment(n - 1), comment(n)]]],
    ['one, as a text in JSON', (n: number) => [[JSON.stringify({ comment: comment(n) })]]],
  ])('%s: nothing is wrong', (_, eventsOf) => {
    expect(story(eventsOf).problems).toEqual([])
  })

  test('one of them twice is told, beside one that is not', () => {
    const { problems } = story((n) =>
      n === 2
        ? [
            ['e', comment(n)],
            ['e', comment(n)],
          ]
        : [['e', comment(n)]],
    )
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({
      sentence: expect.stringContaining('x2": 2; that of most'),
      expected: 'events: 1',
      got: 'events: 2',
    })
  })

  test('the last one is not held against those that another one follows', () => {
    const found = story((n) => [
      ...(n === 4 ? [['of the end', comment(n)]] : []),
      ['e', comment(n)],
    ])
    expect(found).toEqual({ problems: [], compared: 3, shown: 5 })
  })

  test('of too few of a kind, and of events without comments, nothing is compared', () => {
    expect(story((n) => [['e', comment(n)]], 2)).toMatchObject({ compared: 0, shown: 2 })
    expect(story(() => [['e', 'no comment']])).toMatchObject({ compared: 0, shown: 0 })
  })
})

test.each([
  ['as it is', (text: string) => text],
  ['with another line break', (text: string) => text.replace('\n', '\r\n')],
  ['in a text in JSON', (text: string) => JSON.stringify({ detail: { comment: text } })],
])('a comment of two lines is found: %s', (_, written) => {
  const two = 'first line\nand “more”; C:\\new x1'
  expect(showsWhole(['id', written(two)], two)).toBe(true)
  expect(showsWhole(['id', written('first line')], two)).toBe(false)
})
