import { expect, test } from 'vitest'
import { valuesTogether } from '../../../helpers/export/judge/together/many-fields.ts'
import type { Known } from '../../../helpers/export/learn/filters.ts'

/** A field with a value that these events have. */
const known = (field: string, ...events: string[]): Known[] => [
  { field, value: 'v', events: new Map(events.map((event) => [event, 1])) } as unknown as Known,
]
const fieldsOf = (all: Known[][]) => valuesTogether(all)?.map(({ field }) => field)

test('a value that keeps nothing out is left out', () => {
  const all = [
    known('idle', 'one', 'two', 'three', 'four'),
    known('a', 'one', 'two', 'three'),
    known('b', 'one', 'two', 'four'),
    known('c', 'one', 'three', 'four'),
  ]
  expect(fieldsOf(all)).toEqual(['a', 'b', 'c'])
})

test('values are taken that one event has, and of three fields at least', () => {
  const apart = [known('a', 'one'), known('b', 'two'), known('c', 'one', 'two'), known('d', 'two')]
  expect(fieldsOf(apart)).toEqual(['b', 'c', 'd'])
  expect(fieldsOf(apart.slice(0, 3))).toBeUndefined()
})
