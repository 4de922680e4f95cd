import { exchangesOf, type Origin } from '../origin.ts'
import { NotDecidable, Trouble } from '../outcome.ts'

/** Why a case could not be asked for, in place of the case. */
export type Unasked = NotDecidable | Trouble

export const isUnasked = (value: unknown): value is Unasked =>
  value instanceof NotDecidable || value instanceof Trouble

/** What a law judges at a time, and the exchanges that show it. Made by `caseOf` and `caseFrom` alone. */
export type Case<Value> = {
  /** plain data: answers, reads, files by query */
  readonly came: unknown
  /** makes of what came the value that the law gets; pure */
  readonly derive: (came: never) => Value
  /** the numbers of the exchanges that are judged */
  readonly judged: readonly number[]
  /** those that the judged ones are compared with */
  readonly control: readonly number[]
  /** where the judged request differs from its control, as "header if-match" */
  readonly differs?: readonly string[] | undefined
  /** those that came first: a script sends them before */
  readonly before: readonly number[]
  readonly again?: Again<Value> | undefined
  readonly simpler?: Simpler<Value> | undefined
}

/** How a case is asked for anew if its law suspects it. */
export type Again<Value> = {
  ask(): Promise<CaseOrWhy<Value>>
  /** whether what must not change meanwhile did not; left out: nothing can */
  stoodStill?: (() => Promise<boolean>) | undefined
  /** why the case is undecided if the new one is clean; left out: that acquits */
  otherwise?: (() => Error) | undefined
}

/** Simpler cases to try if this one is broken, the best first. */
export type Simpler<Value> = () => Iterable<() => Promise<CaseOrWhy<Value>>>

export type CaseOrWhy<Value> = Case<Value> | Unasked

type CaseFacts<Value> = {
  /** default: what came, if it knows its exchanges */
  judged?: Origin
  control?: Origin
  differs?: readonly string[] | undefined
  before?: Origin
  again?: Again<Value> | undefined
  simpler?: Simpler<Value> | undefined
}

type JudgedFacts<Value> = CaseFacts<Value> & { judged: Origin }

/** A value that knows its exchanges by itself. */
type Known = { readonly exchange: number } | { readonly exchanges: readonly number[] }

/** A case that is judged as it came; what does not know its exchanges says which are judged. */
export function caseOf<Value extends Known>(came: Value, facts?: CaseFacts<Value>): Case<Value>
export function caseOf<Value>(came: Value, facts: JudgedFacts<Value>): Case<Value>
export function caseOf<Value>(came: Value, facts: CaseFacts<Value> = {}): Case<Value> {
  return caseFrom(came, (value) => value, facts)
}

/** A case whose law gets what `derive` makes of the data that came. */
export function caseFrom<Came, Value>(
  came: Came,
  derive: (came: Came) => Value,
  facts: CaseFacts<Value> = {},
): Case<Value> {
  const judged = exchangesOf(facts.judged ?? (came as Origin))
  const control = exchangesOf(facts.control).filter((number) => !judged.includes(number))
  const isEarlier = (number: number) => !judged.includes(number) && !control.includes(number)
  return {
    came,
    derive,
    judged,
    control,
    differs: facts.differs,
    before: exchangesOf(facts.before).filter(isEarlier),
    again: facts.again,
    simpler: facts.simpler,
  }
}

/** What `further` makes of the value of a case, by the same exchanges. It is not asked for anew. */
export const derivedFrom = <Value, Further>(
  { came, derive, again: _, simpler: __, ...facts }: Case<Value>,
  further: (value: Value) => Further,
): Case<Further> => caseFrom(came, (data) => further(derive(data as never)), facts)

export const valueIn = <Value>({ came, derive }: Case<Value>): Value => derive(came as never)
