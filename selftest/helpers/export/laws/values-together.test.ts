import { expect, test } from 'vitest'
import { valuesTogether } from '../../../../helpers/export/laws/requests.ts'
import type { KnownValue } from '../../../../helpers/export/learn/filters.ts'

/** A field with a value that these events have. */
const known = (field: string, ...events: string[]): KnownValue[] => [
  {
    field,
    value: 'v',
    events: new Map(events.map((event) => [event, 1])),
  } as unknown as KnownValue,
]
const fieldsOf = (all: KnownValue[][]) => valuesTogether(all)?.map(({ field }) => field)

test.each([0, 1, 3])('a value that keeps nothing out is left out, at place %i', (at) => {
  const needed = [
    known('a', 'one', 'two', 'three'),
    known('b', 'one', 'two', 'four'),
    known('c', 'one', 'three', 'four'),
  ]
  const idle = known('idle', 'one', 'two', 'three', 'four')
  expect(fieldsOf(needed.toSpliced(at, 0, idle))).toEqual(['a', 'b', 'c'])
})

test('those are taken of whose fields most keep events out that the others let through', () => {
  const of = (field: string, ...values: KnownValue[][]) =>
    values.flat().map((each, n) => ({ ...each, field, value: `v${n}` }) as KnownValue)
  const all = [
    of('a', known('', 'idle'), known('', 'one', 'two', 'three')),
    of('b', known('', 'idle'), known('', 'one', 'two', 'four')),
    of('c', known('', 'idle'), known('', 'one', 'three', 'four')),
  ]
  expect(valuesTogether(all)?.map(({ value }) => value)).toEqual(['v1', 'v1', 'v1'])
})

test('values are taken that one event has, and of three fields at least', () => {
  const apart = [known('a', 'one'), known('b', 'two'), known('c', 'one', 'two'), known('d', 'two')]
  expect(fieldsOf(apart)).toEqual(['b', 'c', 'd'])
  expect(fieldsOf(apart.slice(0, 3))).toBeUndefined()
})

test('of values that are as good as each other the first are taken', () => {
  const of = (field: string, ...others: string[]) =>
    ['first', 'second'].flatMap((value) =>
      known(field, ...['both', ...others].map((event) => `${event} ${value}`)).map((each) => ({
        ...each,
        value,
      })),
    )
  const all = [of('a', 'x', 'y'), of('b', 'x', 'z'), of('c', 'y', 'z')]
  expect(valuesTogether(all)?.map(({ value }) => value)).toEqual(['first', 'first', 'first'])
})
