/** A value that knows its exchanges: an answer by itself, other values by a mark. */
export type Origin = object | number | undefined

const origins = new WeakMap<object, readonly number[]>()

/** Marks a derived value (rows, a set of rows, a task) with the exchanges of its sources. */
export function from<T extends object>(value: T, ...of: readonly Origin[]): T {
  origins.set(value, originOf(...of))
  return value
}

export type Control = {
  /** the answer to the same request with the mistake repaired */
  control: Origin
  /** where the two requests differ, as "header if-match"; default: what their exchanges show */
  differs?: string[]
}

const controls = new WeakMap<object, Control>()

/** Marks an answer with its control, which every problem of it then names. */
export function beside<T extends object>(answer: T, control: Control): T {
  controls.set(answer, control)
  return answer
}

export const controlOf = (judged: Origin): Partial<Control> =>
  (typeof judged === 'object' && controls.get(judged)) || {}

export function originOf(...values: readonly Origin[]): number[] {
  const found = new Set<number>()
  for (const value of values) collect(value, found)
  return [...found].sort((a, b) => a - b)
}

function collect(value: Origin, found: Set<number>): void {
  if (typeof value === 'number') found.add(value)
  if (typeof value !== 'object' || value === null) return
  const marked = origins.get(value)
  if (marked) for (const each of marked) found.add(each)
  else if (Array.isArray(value)) for (const each of value) collect(each, found)
  else if ('exchange' in value && typeof value.exchange === 'number') found.add(value.exchange)
}
