import { isObject } from '../../engine/http/answers.ts'
import { notKnown } from '../../engine/observation.ts'

/** One place in which two observed values differ; undefined where a side has nothing. */
export type Difference = { path: string; one: unknown; other: unknown }

/**
 * Where two observed values differ, member by member. A value that one of them does not know is not a
 * difference. The order of a list is: columns have an order.
 */
export function differencesIn(one: unknown, other: unknown, path = ''): Difference[] {
  if (one === notKnown || other === notKnown) return []
  if (isObject(one) && isObject(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
    return names.flatMap((name) =>
      differencesIn(one[name], other[name], path === '' ? name : `${path} › ${name}`),
    )
  }
  return canonical(one) === canonical(other) ? [] : [{ path, one, other }]
}

function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, inner) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

export function valueTold(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string' && /^[^"\\\p{Cc}]+$/u.test(value) && value.trim() === value)
    return value
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string'))
    return value.map((item) => valueTold(item)).join(', ')
  return JSON.stringify(value)
}
