/** A value that knows its exchanges: an answer by itself, other values by a mark. */
export type Origin = object | number | undefined

const origins = new WeakMap<object, readonly number[]>()

/** Marks a derived value (rows, a set of rows, a task) with the exchanges of its sources. */
export function from<T extends object>(value: T, ...of: readonly Origin[]): T {
  origins.set(value, exchangesOf(...of))
  return value
}

type Control = {
  /** the answer to the same request with the mistake repaired */
  control: Origin
  /** where the two requests differ, as "header if-match"; default: what their exchanges show */
  differs?: string[]
}

const controls = new WeakMap<object, Control>()

export function beside<T extends object>(answer: T, control: Control): T {
  controls.set(answer, control)
  return answer
}

export const controlOf = (judged: Origin): Partial<Control> =>
  (typeof judged === 'object' && controls.get(judged)) || {}

/** The numbers of the exchanges of these values, in order. */
export function exchangesOf(...values: readonly Origin[]): number[] {
  const numbers = new Set<number>()
  for (const value of values) collect(value, numbers)
  return [...numbers].sort((a, b) => a - b)
}

function collect(value: Origin, numbers: Set<number>): void {
  if (typeof value === 'number') numbers.add(value)
  if (typeof value !== 'object' || value === null) return
  const marked = origins.get(value)
  if (marked) for (const number of marked) numbers.add(number)
  else if (Array.isArray(value)) for (const element of value) collect(element, numbers)
  else if ('exchanges' in value) collect(value.exchanges as Origin, numbers)
  else if ('exchange' in value && typeof value.exchange === 'number') numbers.add(value.exchange)
}

type Recipe = {
  ask(): Promise<object>
  stoodStill(): Promise<boolean>
  /** why the case is undecided if the new one is clean; left out: that acquits */
  otherwise?: (() => Error) | undefined
}

const recipes = new WeakMap<object, Recipe>()

/** Marks a case, or why it could not be asked for, that can be asked for again if its law suspects it. */
export function anew<T extends object>(
  one: T,
  ask: () => Promise<object>,
  how: Partial<Pick<Recipe, 'stoodStill' | 'otherwise'>> = {},
): T {
  recipes.set(one, { ask, stoodStill: async () => true, ...how })
  return one
}

export const anewOf = (one: object): Recipe | undefined => recipes.get(one)

type Asks = () => Iterable<() => Promise<object>>
const simpler = new WeakMap<object, Asks>()

/** Marks a case with simpler ones to try if it is broken, the best first. */
export function smaller<T extends object>(one: T, asks: Asks): T {
  simpler.set(one, asks)
  return one
}

export const smallerOf = (one: object): (() => Promise<object>)[] => [
  ...(simpler.get(one)?.() ?? []),
]

const isKnown = (value: object) => origins.has(value) || 'exchange' in value || 'exchanges' in value

/** Itself, or its members and their elements. A member `control` is its control. */
export function partsOf(one: object): object[] {
  if (isKnown(one)) return [one]
  const { control: _, ...judged } = one as { control?: unknown }
  const members = Object.values(judged).flatMap((each) =>
    Array.isArray(each) && !isKnown(each) ? each : [each],
  )
  return [one, ...members.filter((each) => typeof each === 'object' && each !== null)]
}

export const controlsOf = (one: object): Origin[] => [
  ...('control' in one && !isKnown(one) ? [one.control as Origin] : []),
  ...partsOf(one).map((part) => controlOf(part).control),
]
