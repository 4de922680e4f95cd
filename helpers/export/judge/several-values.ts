// Several values of one array parameter at once.

import { intersection, isEqual, type Multiset, sizeOf } from '../../../engine/files/multiset.ts'
import { describeAnswer, isAccepted } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import { from } from '../../../engine/origin.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { encodings } from '../../service/operations.ts'
import { needDecidable } from '../ask/decidable.ts'
import {
  describeFilter,
  type Encoding,
  type Field,
  filterBy,
  type Parameter,
  parameters,
} from '../ask/query.ts'
import { confirmed } from '../learn/confirmed.ts'
import type { Filters, Known } from '../learn/filters.ts'
import { unlessUndecided } from '../learn/ranges.ts'
import { createEventFetch, eventsSeen, linesOf } from '../learn/relations.ts'
import { spanOf, type Window } from '../learn/window.ts'

/** Values of a parameter no two of which have an event in common, so that their counts add up. */
export async function needSeparateValues(filters: Filters, field: Field): Promise<Known[]> {
  const separate: Known[] = []
  const all = await filters.needKnown(field)
  for (const known of all)
    if (separate.every(({ events }) => haveNothingInCommon(events, known.events)))
      separate.push(known)
  if (separate.length > 1) return separate
  const values = all.map(({ value }) => value).join(', ')
  throw new NotDecidable(
    'data',
    all.length > 1
      ? `two values of ${field} without a common event are needed: the exports for ${values} have events in common`
      : `two values of ${field} are needed, each with some events of the window: ${values} is known`,
  )
}

const haveNothingInCommon = (a: Multiset, b: Multiset) => sizeOf(intersection(a, b)) === 0

/**
 * What is wrong with the export for several values, by counts: those of each alone add up. In another
 * encoding than that of the filters a refusal tells nothing.
 */
export async function problemsOfSeveral(
  values: Known[],
  filters: Filters,
  window: Window,
  encoding?: Encoding,
): Promise<Problem[]> {
  const [{ field }] = values as [Known]
  const how = encoding && { encoding }
  const asked = filterBy(field, ...values.map(({ value }) => value))
  const { answer } = await filters.exports.csv({ ...spanOf(window), ...asked }, how)
  needDecidable(answer)
  if (!isAccepted(answer) && encoding) return []
  if (!isAccepted(answer))
    return [
      problem(`${describeAnswer(answer)}, though each value is accepted alone`, {
        expected: '2xx',
        got: String(answer.status),
        judged: answer,
        control: values.map(({ events }) => events),
      }),
    ]
  return confirmed(filters.exports, window, async (fetch) => {
    const all = await createEventFetch(fetch, window)()
    const among = async (...given: string[]) => {
      // One value alone is understood as it was written before.
      const events = createEventFetch((query) => fetch(query, given.length > 1 ? how : {}), window)
      const found = await events(filterBy(field, ...given))
      return from(intersection(found, all), found)
    }
    const alone: Multiset[] = []
    for (const { value } of values) alone.push(await among(value))
    const found = await among(...values.map(({ value }) => value))
    const sum = alone.reduce((total, each) => total + sizeOf(each), 0)
    if (sizeOf(found) === sum) return []
    return [
      problem(
        `${sizeOf(found)} events for ${describeFilter(field, ...values.map(({ value }) => value))}, ${alone.map(sizeOf).join(' and ')} for each alone`,
        {
          expected: `${sum} events`,
          got: `${sizeOf(found)} events`,
          judged: found,
          control: [...alone, all],
          again: { holds: `n(a) - ${linesOf(window)} === ${sum}` },
        },
      ),
    ]
  })
}

/** The others are tried where none of the first is understood. */
const usualForms = 4

/** What two values give together in each encoding. */
async function fetchPair(field: Parameter, filters: Filters, window: Window) {
  const [one, other] = (await needSeparateValues(filters, field)) as [Known, Known]
  const sum = sizeOf(one.events) + sizeOf(other.events)
  const asked = { ...spanOf(window), ...filterBy(field, one.value, other.value) }
  const given = new Map<Encoding, { events: Multiset; answer: Downloaded }>()
  const understood: Encoding[] = []
  for (const [at, encoding] of encodings.entries()) {
    if (at >= usualForms && understood.length > 0) break
    const found = await filters.exports.csv(asked, { encoding })
    const events = eventsSeen(window, found)
    given.set(encoding, { events, answer: found.answer })
    if (sizeOf(events) === sum) understood.push(encoding)
  }
  return { field, one, other, sum, given, understood }
}

export type Pair = Awaited<ReturnType<typeof fetchPair>>

/** The encodings in which two values give the events of both; which a service takes is its own choice. */
export const understoodEncodings = async (field: Parameter, filters: Filters, window: Window) =>
  (await fetchPair(field, filters, window)).understood

/** What to do where two values give the events of both in no encoding. */
export function describeNotUnderstood([one, other]: Known[]): string {
  const { field = 'event_type', value = '', events = new Map() } = one ?? {}
  const each = `${value} gives ${sizeOf(events)} events, ${other?.value} ${sizeOf(other?.events ?? new Map())}`
  return `${each}, and both together not the sum, written as ${encodings.join(', ')}; the encoding of repeated values of ${field} is not shown`
}

/** A parameter of which two values are known that can be asked for together. */
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

/** What two values give together, of each parameter that has two; of one of them those of both. */
export async function needPairs(filters: Filters, window: Window): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (const parameter of parameters) {
    const pair = await fetchPair(parameter, filters, window).catch(unlessUndecided)
    if (pair) pairs.push(pair)
  }
  if (pairs.some(isUnderstood) && pairs.length > 1) return pairs
  throw new NotDecidable(
    'data',
    'no two array parameters are known with two values each, one of which can be asked for together',
  )
}

/** Whether two values of the parameter give the events of both, written in some way. */
export const isUnderstood = ({ understood }: Pair): boolean => understood.length > 0

/**
 * That two values do not give the events of each, written as those of another parameter are: in no way
 * that we know, or in this one those of one value alone. How arrays are written is not shown, and so it
 * is one way for all.
 */
export function problemsOfUnlikeSeveral(pair: Pair, pairs: readonly Pair[]): Problem[] {
  const alike = pairs.filter(isUnderstood)
  const [like] = alike
  if (like && !isUnderstood(pair)) {
    const [encoding] = like.understood
    return [problemOfPair(pair, { like, encoding, how: 'however they are written' })]
  }
  for (const other of alike)
    for (const encoding of other.understood)
      if (givesOneAlone(pair, encoding))
        return [problemOfPair(pair, { like: other, encoding, how: `written as ${encoding}` })]
  return []
}

function givesOneAlone({ one, other, given }: Pair, encoding: Encoding): boolean {
  const seen = given.get(encoding)?.events
  return seen !== undefined && [one, other].some(({ events }) => isEqual(events, seen))
}

function problemOfPair(
  { field, one, other, sum, given }: Pair,
  { like, encoding = 'repeat', how }: { like: Pair; encoding?: Encoding | undefined; how: string },
): Problem {
  const { events, answer } = given.get(encoding) ?? { events: new Map() }
  return problem(
    `two values of ${field} give ${sizeOf(events)} events, and each alone ${sizeOf(one.events)} and ${sizeOf(other.events)}, ${how}; two of ${like.field} give those of both`,
    {
      expected: `${sum} events`,
      got: `${sizeOf(events)} events`,
      judged: answer,
      control: [one.events, other.events],
    },
  )
}

/**
 * Array parameters of which two values give the events of one of them, in the very form in which one
 * value is understood, and of both in no form that we know.
 */
export async function problemsOfOneOfSeveral(
  filters: Filters,
  window: Window,
): Promise<{ problems: Problem[]; judged: Parameter[] }> {
  const problems: Problem[] = []
  const judged: Parameter[] = []
  let why: unknown
  for (const parameter of parameters) {
    const values = await needSeparateValues(filters, parameter).catch((error) => {
      unlessUndecided(error)
      why = error
    })
    const [one, other] = values ?? []
    if (!one || !other) continue
    judged.push(parameter)
    // Where one of them takes several, the others are judged beside it.
    const understood = await understoodEncodings(parameter, filters, window)
    if (understood.length > 0) return { problems: [], judged: [parameter] }
    const asked = filterBy(parameter, one.value, other.value)
    const found = await filters.exports.csv({ ...spanOf(window), ...asked })
    const seen = eventsSeen(window, found)
    const counted = [one, other].find(({ events }) => isEqual(events, seen))
    if (!counted) continue
    problems.push(
      problem(
        `two values of ${parameter} give the ${sizeOf(seen)} events of ${counted.value} alone, however they are written`,
        {
          expected: `${sizeOf(one.events) + sizeOf(other.events)} events`,
          got: `${sizeOf(seen)} events`,
          judged: found.answer,
          control: [one.events, other.events],
        },
      ),
    )
  }
  if (judged.length === 0) throw why
  return { problems, judged }
}
