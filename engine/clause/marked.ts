import { anewOf, controlsOf, exchangesOf, partsOf, smallerOf } from '../origin.ts'
import { type Again, type Case, type CaseOrWhy, caseOf, isUnasked, type Simpler } from './case.ts'

const marked = new WeakSet<object>()

/** A case of a value with marks, until every body makes its cases itself. */
export function asCase<Value extends object>(given: Value | CaseOrWhy<Value>): CaseOrWhy<Value> {
  const isError = isUnasked(given)
  const recipe = anewOf(given)
  if (isError && !recipe) return given
  if ('derive' in given) return given
  const value = given as Value
  const parts = isError ? [] : partsOf(value)
  const one: Case<Value> = caseOf(value, {
    judged: exchangesOf(...parts),
    control: exchangesOf(...(isError ? [] : controlsOf(value))),
    again: recipe as Again<Value> | undefined,
    simpler: (() => smallerOf(value)) as Simpler<Value>,
  })
  marked.add(one)
  return one
}

export const isMarked = (one: object): boolean => marked.has(one)
