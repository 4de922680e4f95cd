// Which filters are asked for together.

import { intersection, sizeOf } from '../../../../engine/files/multiset.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import { metadataKeys } from '../../../service/operations.ts'
import { describeFilter, type Parameter, parameters } from '../../ask/query.ts'
import { type Filters, type Known, needSettled } from '../../learn/filters.ts'
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
    add(await several('auditee_id', 2), await several('event_type', 3))
    add(await several('sub_type', 3), await several('system_source', 2))
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
  while (keys.length > 0) {
    const one = keys.shift() as Known
    const at = keys.findIndex((other) => isDivided(one, other))
    add([one], keys.splice(at === -1 ? keys.length : at, 1))
  }
  if (sets.length > 0) return sets
  needSettled(filters, 'event_type')
  throw new NotDecidable(...filters.whyNoValue('event_type'))
}

const knownOfParameters = (filters: Filters): Promise<Known[][]> =>
  Promise.all(parameters.map((parameter) => filters.known(parameter)))

/** Each has events that the other has not, and some have both. */
function isDivided(one: Known, other: Known): boolean {
  const both = sizeOf(intersection(one.events, other.events))
  return both > 0 && both < sizeOf(one.events) && both < sizeOf(other.events)
}
