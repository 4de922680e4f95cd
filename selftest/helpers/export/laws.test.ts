import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isEqual, type Multiset, multisetOf, sizeOf } from '../../../engine/files/multiset.ts'
import { type Bounds, problemsOfEvents } from '../../../helpers/export/laws/file.ts'
import { predicted, readingsOf } from '../../../helpers/export/laws/predict.ts'

const csv = { in: 'csv' } as const

/** An event as it looks in a file, and its values: two fields, two values each. */
type Event = { look: string; has: [boolean, boolean, boolean, boolean] }

const event = (look: fc.Arbitrary<string>): fc.Arbitrary<Event> =>
  fc.record({ look, has: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()) })
const trails = fc.array(event(fc.constantFrom('a', 'b', 'c')), { maxLength: 12 })
const unlike = trails.map((all) => all.map((one, n) => ({ ...one, look: `${n}` })))

const setOf = (all: readonly Event[]): Multiset =>
  multisetOf(
    all.map(({ look }) => [look]),
    [0],
  )
const aloneIn = (all: readonly Event[]) =>
  [
    [0, 1],
    [2, 3],
  ].map((field) => field.map((at) => setOf(all.filter(({ has }) => has[at]))))
const isOfField =
  (at: number) =>
  ({ has }: Event) =>
    Boolean(has[at] || has[at + 1])
const passing = (all: readonly Event[]) => all.filter(isOfField(0)).filter(isOfField(2))

test('what passes all filters lies within the prediction', () => {
  fc.assert(
    fc.property(trails, (all) => {
      const expected = predicted(aloneIn(all), setOf(all))
      expect(problemsOfEvents(csv, setOf(passing(all)), expected)).toEqual([])
      const of = all.filter(({ has }) => has.some(Boolean)).length
      const [every, any] = readingsOf(aloneIn(all), setOf(all)) as [Bounds, Bounds]
      expect(sizeOf(every.least)).toBeLessThanOrEqual(passing(all).length)
      expect(sizeOf(any.most)).toBeGreaterThanOrEqual(of)
      expect(sizeOf(any.least)).toBeLessThanOrEqual(of)
    }),
  )
})

test('of events that all look different the very ones are predicted', () => {
  fc.assert(
    fc.property(unlike, (all) => {
      const { least, most } = predicted(aloneIn(all), setOf(all))
      expect([least, most].map((one) => isEqual(one, setOf(passing(all))))).toEqual([true, true])
    }),
  )
})

test('a file that lacks a needed event, or has one that does not belong there, is a breach', () => {
  fc.assert(
    fc.property(unlike, fc.nat(), (all, n) => {
      const wanted = predicted(aloneIn(all), setOf(all))
      const found = passing(all)
      fc.pre(found.length > 0)
      expect(
        problemsOfEvents(csv, setOf(found.toSpliced(n % found.length, 1)), wanted),
      ).toHaveLength(1)
      const others = all.filter((one) => !found.includes(one))
      const more = setOf([...found, ...others])
      expect(problemsOfEvents(csv, more, wanted)).toHaveLength(others.length > 0 ? 1 : 0)
    }),
  )
})
