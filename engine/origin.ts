/** What knows in which exchanges it came: an answer by itself, other values because they were marked. */
export type Origin = object | number | undefined

const origins = new WeakMap<object, readonly number[]>()

/** Marks what was made of others with the exchanges in which these came: rows, sets of them, a task. */
export function from<T extends object>(value: T, ...of: readonly Origin[]): T {
  origins.set(value, originOf(...of))
  return value
}

/** What an answer to a mistaken request is judged beside. */
export type Control = {
  /** the answer to the same request with the mistake repaired */
  control: Origin
  /** where the two requests differ, as "header if-match"; left out: what their exchanges show */
  differs?: string[]
}

const controls = new WeakMap<object, Control>()

/** Marks an answer with its control, which every problem of it names. */
export function beside<T extends object>(answer: T, control: Control): T {
  controls.set(answer, control)
  return answer
}

/** The control of what is judged, where it is an answer that was marked with one. */
export const controlOf = (judged: Origin): Partial<Control> =>
  (typeof judged === 'object' && controls.get(judged)) || {}

/** The numbers of the exchanges in which values came, in the order in which they were asked. */
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
