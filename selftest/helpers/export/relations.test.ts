import { describe, expect, test } from 'vitest'
import { lastingColumns, stableColumns } from '../../../engine/files/multiset.ts'

describe('columns that are the same in two answers', () => {
  const rows = Array.from({ length: 40 }, (_, n) => [`id ${n}`, `type ${n % 3}`, `${n} min ago`])
  const later = rows.map(([id = '', type = ''], n) => [id, type, `${n + 1} min ago`])

  test('are those that agree in both answers', () => {
    expect(stableColumns(rows, rows)).toEqual([0, 1, 2])
    expect(stableColumns(rows, later.toReversed())).toEqual([0, 1])
  })

  test('do not depend on rows that came or went', () => {
    const more = [...rows, ['id 40', 'type 9', '0 min ago'], ['id 41', 'type 9', '0 min ago']]
    expect(stableColumns(rows, more)).toEqual([0, 1, 2])
    expect(stableColumns(more.slice(1), rows)).toEqual([0, 1, 2])
    expect(stableColumns(rows, [...later, ['id 40', 'type 1', '0 min ago']])).toEqual([0, 1])
  })
})

describe('columns that are equal in the whole and a part', () => {
  const whole = ['a', 'b', 'c', 'd'].map((id, at) => [String(at + 1), id, 'of 4'])
  const part = ['c', 'd'].map((id, at) => [String(at + 1), id, 'of 2'])

  test('are not those that number rows or tell how many there are', () => {
    expect(lastingColumns(whole, part, [0, 1, 2])).toEqual([1])
    expect(lastingColumns(whole, [], [0, 1, 2])).toEqual([1, 2])
  })

  test('are all columns if rows only came or went', () => {
    const more = [...whole.map(([, ...rest]) => rest), ['e', 'of 4']]
    expect(lastingColumns(more.slice(0, 4), more, [0, 1])).toEqual([0, 1])
  })
})
