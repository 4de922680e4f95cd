import { expect, test } from 'vitest'
import { linesInCommon } from '../../../helpers/trail/recorded.ts'

const nobody = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
const header = ['id', 'time', 'comment']
const events = [
  ['1', '10:00', 'a'],
  ['2', '10:01', 'b'],
]

test.each([
  ['a header', [header], [header, ...events], 1],
  ['no line, and a header that only events have', [], [header, ...events], 0],
  ['a line in place of events', [header, ['none', '', '']], [header, ...events], 1],
  ['a sum', [header, ['sum', '0', '']], [header, ...events, ['sum', '2', '']], 2],
  ['a title with the task', [[`of ${nobody}`], header], [['of t'], header, ...events], 2],
  ['all, where neither has events', [header, ['none']], [header, ['none']], 2],
])('a file of events shares with one without any: %s', (_, empty, found, count) => {
  expect(linesInCommon(empty, found, 't')).toBe(count)
})
