import { describe, expect, test } from 'vitest'
import { linesInCommon } from '../../../helpers/trail/lines-around.ts'

const of = { empty: 'ffff', found: '12ab' }
const header = ['id', 'time', 'comment']
const events = [
  ['1', '10:00', 'a'],
  ['2', '10:01', 'b'],
]

describe('the lines that a file of events shares with one without any', () => {
  test.each([
    ['a header', [header], [header, ...events], 1],
    ['no line', [], events, 0],
    ['no line, and a header that only events have', [], [header, ...events], 0],
    ['a narrow line in place of events', [header, ['none', 'found']], [header, ...events], 1],
    [
      'a line as wide as events in place of them',
      [header, ['none', '', '']],
      [header, ...events],
      1,
    ],
    [
      'a title, and a sum behind',
      [['audit'], header, ['no', 'sum']],
      [['audit'], header, ...events, ['sum', '2']],
      3,
    ],
    [
      'a sum as wide as events',
      [header, ['sum', '0', '']],
      [header, ...events, ['sum', '2', '']],
      2,
    ],
    ['a title that names the task', [['for ffff'], header], [['for 12ab'], header, ...events], 2],
    [
      'a title as wide as events that names the task',
      [['task', 'ffff', ''], header],
      [['task', '12ab', ''], header, ...events],
      2,
    ],
    [
      'all that both have, where neither has events',
      [header, ['none', '']],
      [header, ['none', '']],
      2,
    ],
    ['a header alone of one column', [['id'], ['nothing']], [['id'], ['1'], ['2']], 1],
  ])('%s', (_, empty, found, count) => {
    expect(linesInCommon(empty, found, of)).toBe(count)
  })
})
