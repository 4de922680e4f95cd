// Several values of one array parameter: their encoding is not shown.

import { intersection, isEqual, type Multiset, sizeOf } from '../../../engine/files/multiset.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import { from } from '../../../engine/origin.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { type Encoding, encodings } from '../../service/operations.ts'
import { type Field, filterBy, type Parameter, parameters } from '../ask/query.ts'
import type { Filters, KnownValue } from '../learn/filters.ts'
import { unlessUndecided } from '../learn/ranges.ts'
import { eventsSeen } from '../learn/relations.ts'
import { spanOf, type Window } from '../learn/window.ts'
import { eventsOf } from './words.ts'

type Separate = readonly [KnownValue, KnownValue, ...KnownValue[]]

/** Values of a field without a common event, so that their counts add up. */
export async function needSeparateValues(filters: Filters, field: Field): Promise<Separate> {
  const separate: KnownValue[] = []
  const all = await filters.needKnown(field)
  for (const known of all)
    if (separate.every(({ events }) => sizeOf(intersection(events, known.events)) === 0))
      separate.push(known)
  const [one, other, ...more] = separate
  if (one && other) return [one, other, ...more]
  const values = all.map(({ value }) => value).join(', ')
  throw new NotDecidable(
    'data',
    all.length > 1
      ? `two values of ${field} without a common event are needed: the exports for ${values} have events in common`
      : `two values of ${field} are needed, each with some events of the window: ${values} is known`,
  )
}

/** What two values of a parameter give together, in each encoding. */
export type Two = {
  field: Parameter
  values: readonly [KnownValue, KnownValue]
  sum: number
  given: ReadonlyMap<Encoding, { events: Multiset; answer: Downloaded }>
  /** the encodings that give the events of both */
  understood: Encoding[]
}

/** The other encodings are tried if none of these works. */
const usualForms = 4

async function fetchTwo(field: Parameter, filters: Filters, window: Window): Promise<Two> {
  const [one, other] = await needSeparateValues(filters, field)
  const sum = sizeOf(one.events) + sizeOf(other.events)
  const asked = { ...spanOf(window), ...filterBy(field, one.value, other.value) }
  const given: Two['given'] & Map<Encoding, unknown> = new Map()
  const understood: Encoding[] = []
  for (const [at, encoding] of encodings.entries()) {
    if (at >= usualForms && understood.length > 0) break
    const found = await filters.exports.csv(asked, { encoding })
    const events = eventsSeen(window, found)
    given.set(encoding, { events, answer: found.answer })
    if (sizeOf(events) === sum) understood.push(encoding)
  }
  from(understood, ...[...given.values()].map(({ answer }) => answer))
  return { field, values: [one, other], sum, given, understood }
}

/** The encodings in which two values give the events of both; the service chooses them. */
export const understoodEncodings = async (field: Parameter, filters: Filters, window: Window) =>
  (await fetchTwo(field, filters, window)).understood

/** What to do if no encoding gives the events of both values. */
export function describeNotUnderstood([one, other]: Separate): string {
  const each = `${one.value} gives ${sizeOf(one.events)} events, ${other.value} ${sizeOf(other.events)}`
  return `${each}, and both together not the sum, written as ${encodings.join(', ')}; the encoding of repeated values of ${one.field} is not shown`
}

export async function needParameterWithTwo(filters: Filters): Promise<Parameter> {
  let reason: unknown
  for (const parameter of [...parameters].reverse())
    try {
      await needSeparateValues(filters, parameter)
      return parameter
    } catch (error) {
      reason = error
    }
  throw reason
}

/** What two values of a parameter give together, beside those of the others; how one value is written. */
export type Beside = Two & { all: readonly Two[]; encoding: Encoding }

/** The same for each parameter with two. */
export async function findTwos(filters: Filters, window: Window): Promise<Beside[]> {
  const all: Two[] = []
  for (const parameter of parameters) {
    const two = await fetchTwo(parameter, filters, window).catch(unlessUndecided)
    if (two) all.push(two)
  }
  const { encoding } = filters.form
  const answersOf = ({ given }: Two) => [...given.values()].map(({ answer }) => answer)
  return all.map((two) => from({ ...two, all, encoding }, ...answersOf(two)))
}

export const isUnderstood = ({ understood }: Two): boolean => understood.length > 0

function givesOneAlone({ values, given }: Two, encoding: Encoding): boolean {
  const seen = given.get(encoding)?.events
  return seen !== undefined && values.some(({ events }) => isEqual(events, seen))
}

function problemOfTwo(
  { field, values: [one, other], sum, given }: Two,
  encoding: Encoding,
  how: string,
): Problem {
  const { events, answer } = given.get(encoding) ?? { events: new Map() }
  const alone = `each alone ${sizeOf(one.events)} and ${sizeOf(other.events)}`
  return problem(`two values of ${field} give ${sizeOf(events)} events, and ${alone}, ${how}`, {
    expected: eventsOf(sum),
    got: eventsOf(sizeOf(events)),
    judged: answer,
    control: [one.events, other.events],
  })
}

/**
 * Two values of a parameter do not give the events of both, while two of another one do: in no known
 * encoding, or in the one that works there.
 */
export function problemsOfUnlike(two: Beside): Problem[] {
  const alike = two.all.filter(isUnderstood)
  for (const { field, understood } of alike) {
    const beside = `two of ${field} give those of both`
    const [first = 'repeat'] = understood
    if (!isUnderstood(two)) return [problemOfTwo(two, first, `however they are written; ${beside}`)]
    const alone = understood.find((encoding) => givesOneAlone(two, encoding))
    if (alone) return [problemOfTwo(two, alone, `written as ${alone}; ${beside}`)]
  }
  return []
}

/**
 * Two values of a parameter give the events of one, in the encoding that works for one value, if no
 * parameter accepts two in any encoding.
 */
export function problemsOfOneOfTwo(two: Beside): Problem[] {
  if (two.all.some(isUnderstood) || !givesOneAlone(two, two.encoding)) return []
  return [problemOfTwo(two, two.encoding, 'however they are written')]
}
