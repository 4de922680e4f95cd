import { expect, test } from 'vitest'
import type { AcceptedUpdate } from '../../../helpers/history/accepted-updates.ts'
import { compareUpdates } from '../../../helpers/trail/alike.ts'
import { showsWhole } from '../../../helpers/trail/comments.ts'

const comment = (n: number) => `Contract test, please ignore x${n}`

/** A task that is assigned from user to user, and its events in the export. */
function compared(eventsOf: (n: number) => string[][], count = 5, sent = comment) {
  const updates = Array.from({ length: count }, (_, n): AcceptedUpdate => {
    const assignment = {
      assigned_by_id: 'by',
      assigned_to_id: `user ${n}`,
      assigned_to_type: 'USER',
    }
    return { task: 't', assignment, comment: sent(n), at: n, exchange: n + 1 } as AcceptedUpdate
  })
  const records = updates.flatMap((_, n) => eventsOf(n))
  const files = new Map([['t', { count: records.length, records }]])
  const { compared, shown, problemsOf } = compareUpdates(
    { before: new Map([['t', null]]), updates },
    { files },
  )
  const problems = compared.flatMap(problemsOf).map(({ got }) => got)
  return { compared: compared.length, shown, problems }
}

const one = (n: number) => [['e', comment(n)]]
const two = (n: number) => [...one(n), ...one(n)]

test.each<[string, Parameters<typeof compared>, ReturnType<typeof compared>]>([
  ['one event each', [one], { compared: 3, shown: 5, problems: [] }],
  ['two events each', [two], { compared: 3, shown: 5, problems: [] }],
  [
    'the comment before too',
    [(n) => [[comment(n - 1), comment(n)]]],
    { compared: 3, shown: 5, problems: [] },
  ],
  [
    'one of them twice',
    [(n) => (n === 2 ? two(n) : one(n))],
    { compared: 3, shown: 5, problems: ['events: 2'] },
  ],
  // Its predecessor differs.
  [
    'one more for the last',
    [(n) => (n === 4 ? two(n) : one(n))],
    { compared: 3, shown: 5, problems: [] },
  ],
  [
    'one for two updates with one comment',
    [one, 5, (n) => comment(n && n - 1)],
    { compared: 2, shown: 3, problems: [] },
  ],
  ['too few of a kind', [one, 2], { compared: 0, shown: 2, problems: [] }],
  ['no comments', [() => [['e', 'no comment']]], { compared: 0, shown: 0, problems: [] }],
])('of updates that leave %s', (_, given, expected) => {
  expect(compared(...given)).toEqual(expected)
})

test.each([
  ['as it is', (text: string) => text],
  ['with another line break', (text: string) => text.replace('\n', '\r\n')],
  ['in a text in JSON', (text: string) => JSON.stringify({ detail: { comment: text } })],
])('a comment of two lines is found %s', (_, written) => {
  const two = 'first line\nand “more”; C:\\new x1'
  expect(showsWhole(['id', written(two)], two)).toBe(true)
  expect(showsWhole(['id', written('first line')], two)).toBe(false)
})
