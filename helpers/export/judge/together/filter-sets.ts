// Which filters are asked for together.

import { intersection, sizeOf } from '../../../../engine/files/multiset.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import { metadataKeys } from '../../../service/operations.ts'
import { describeFilter, type Parameter, parameters } from '../../ask/query.ts'
import type { Filters, Known } from '../../learn/filters.ts'
import { unlessUndecided } from '../../learn/ranges.ts'
import type { Window } from '../../learn/window.ts'
import { needSeparateValues, understoodEncodings } from '../several-values.ts'
import { valuesTogether } from './many-fields.ts'

/** Values of fields that are asked for together; several of one field stand behind one another. */
export type FilterSet = { values: Known[][]; described: string }

/** The one that lets most events through, as far as each of its fields alone tells. */
export const broadestOf = (sets: readonly FilterSet[]): FilterSet =>
  sets.reduce((a, b) => (breadthOf(b) > breadthOf(a) ? b : a))

const breadthOf = ({ values }: FilterSet) =>
  Math.min(...values.map((each) => each.reduce((sum, { events }) => sum + sizeOf(events), 0)))

const setOf = (...values: Known[][]): FilterSet => ({
  values,
  described: values
    .map((each) => describeFilter(each[0]?.field ?? 'tag', ...each.map(({ value }) => value)))
    .join(' and '),
})

/**
 * Every parameter, with two values and more where it is known how they are written, and every key; and
 * values of several that some event has together.
 */
export async function filterSets(filters: Filters, window: Window): Promise<FilterSet[]> {
  const several = async (parameter: Parameter, most: number): Promise<Known[]> => {
    const known = await filters.known(parameter)
    const values = (await needSeparateValues(filters, parameter).catch(unlessUndecided)) ?? []
    if (values.length < 2) return known.slice(0, 1)
    const { declared, encoding } = filters.form
    const isUnderstood =
      declared || (await understoodEncodings(parameter, filters, window)).includes(encoding)
    return values.slice(0, isUnderstood ? most : 1)
  }
  const sets: FilterSet[] = []
  const add = (...values: Known[][]) => {
    const given = values.filter((each) => each.length > 0)
    if (given.length > 0) sets.push(setOf(...given))
  }
  if (filters.form.settled) {
    const types = await several('event_type', 3)
    add(types, unpaired(types, await several('sub_type', 3)))
    const users = await several('auditee_id', 2)
    add(users, unpaired(users, await several('system_source', 2)))
  }
  const ofKeys = await Promise.all(metadataKeys.map((key) => filters.known(key)))
  const ofParameters = filters.form.settled ? await knownOfParameters(filters) : []
  // All of them, and every choice that leaves one of the parameters out.
  const choices = [
    ofParameters,
    ...ofParameters.map((one) => ofParameters.filter((each) => each !== one)),
  ]
  for (const known of [...choices, ofKeys])
    add(...(valuesTogether(known) ?? []).map((each) => [each]))
  const keys = ofKeys.flatMap(([known]) => known ?? [])
  const pairs: Known[][] = []
  while (keys.length > 0) {
    const one = keys.shift() as Known
    const at = keys.findIndex((other) => isDivided(one, other))
    pairs.push([one, ...keys.splice(at === -1 ? keys.length : at, 1)])
  }
  // One of them beside several values of a parameter: a key alone where there is one.
  const types = filters.form.settled ? await several('event_type', 3) : []
  const beside =
    types.length > 1 ? [...pairs].sort(byLength).find((pair) => meets(pair, types)) : []
  for (const pair of pairs) add(...pair.map((each) => [each]), pair === beside ? types : [])
  if (sets.length > 0) return sets
  throw new NotDecidable(...(await filters.why(...parameters, ...metadataKeys)))
}

const byLength = (one: Known[], other: Known[]) => one.length - other.length

/** Whether some events have the values of a pair, and one of several others. */
const meets = (pair: Known[], several: Known[]): boolean =>
  several.some(({ events }) => pair.every((each) => sizeOf(intersection(each.events, events)) > 0))

/** In that order in which values of one place have the fewest events in common: lists are no pairs. */
function unpaired(one: Known[], other: Known[]): Known[] {
  const inPairs = (values: Known[]) =>
    values.reduce(
      (sum, { events }, at) => sum + sizeOf(intersection(events, one[at]?.events ?? new Map())),
      0,
    )
  const turned = other.map((_, at) => [...other.slice(at), ...other.slice(0, at)])
  return turned.sort((a, b) => inPairs(a) - inPairs(b))[0] ?? []
}

const knownOfParameters = (filters: Filters): Promise<Known[][]> =>
  Promise.all(parameters.map((parameter) => filters.known(parameter)))

/** Each has events that the other has not, and some have both. */
function isDivided(one: Known, other: Known): boolean {
  const both = sizeOf(intersection(one.events, other.events))
  return both > 0 && both < sizeOf(one.events) && both < sizeOf(other.events)
}
