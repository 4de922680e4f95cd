import { describe, expect, test } from 'vitest'
import {
  lastingColumns,
  type Multiset,
  multisetOf,
  stableColumns,
} from '../../../engine/files/multiset.ts'
import { commonEvents, problemsOfEvents } from '../../../helpers/export/learn/relations.ts'

const set = (text: string): Multiset =>
  multisetOf(
    [...text].map((letter) => [letter]),
    [0],
  )
const size = (found: Multiset) => [...found.values()].reduce((sum, count) => sum + count, 0)

describe('what two sets have in common', () => {
  test('is one set where all events differ', () => {
    const { least, most } = commonEvents(set('abc'), set('bcd'), set('abcde'))
    expect(least).toEqual(most)
    expect(size(most)).toBe(2)
  })

  test('is not known of events that look alike', () => {
    const { least, most } = commonEvents(set('aab'), set('ab'), set('aaab'))
    expect([size(least), size(most)]).toEqual([1, 2])
    const problems = (found: string) =>
      problemsOfEvents('it', set(found), { least, most }).map(({ sentence }) => sentence)
    expect(problems('b')).toEqual([])
    expect(problems('ab')).toEqual([])
    expect(problems('aab')).toEqual(['it: 1 of 3 events do not belong there'])
    expect(problems('a')).toEqual(['it: 1 of 1 events are missing'])
  })

  test('is never more than it can be', () => {
    // The whole was read before events arrived that both sets have.
    const { least, most } = commonEvents(set('ax'), set('bx'), set('ab'))
    expect([size(least), size(most)]).toEqual([1, 1])
  })
})

describe('columns that are the same in two answers', () => {
  const rows = Array.from({ length: 40 }, (_, n) => [`id ${n}`, `type ${n % 3}`, `${n} min ago`])
  const later = rows.map(([id = '', type = ''], n) => [id, type, `${n + 1} min ago`])

  test('are those that do not change', () => {
    expect(stableColumns(rows, rows)).toEqual([0, 1, 2])
    expect(stableColumns(rows, later.toReversed())).toEqual([0, 1])
  })

  test('are not left out for rows that came or went', () => {
    const more = [...rows, ['id 40', 'type 9', '0 min ago'], ['id 41', 'type 9', '0 min ago']]
    expect(stableColumns(rows, more)).toEqual([0, 1, 2])
    expect(stableColumns(more.slice(1), rows)).toEqual([0, 1, 2])
    expect(stableColumns(rows, [...later, ['id 40', 'type 1', '0 min ago']])).toEqual([0, 1])
  })
})

describe('columns that last from the whole to a part', () => {
  const whole = ['a', 'b', 'c', 'd'].map((id, at) => [String(at + 1), id, 'of 4'])
  const part = ['c', 'd'].map((id, at) => [String(at + 1), id, 'of 2'])

  test('are not those that number rows or tell how many there are', () => {
    expect(lastingColumns(whole, part, [0, 1, 2])).toEqual([1])
    expect(lastingColumns(whole, [], [0, 1, 2])).toEqual([1, 2])
  })

  test('are all where rows have only come or gone', () => {
    const more = [...whole.map(([, ...rest]) => rest), ['e', 'of 4']]
    expect(lastingColumns(more.slice(0, 4), more, [0, 1])).toEqual([0, 1])
  })
})
