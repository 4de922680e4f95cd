import type { TaskMeta } from 'vitest'
import type { Exchange } from '../http/exchange.ts'

/** A clause while it runs: what is made for it may note exchanges, and what to do at its end. */
export class ClauseRun {
  readonly id: string
  readonly operation: string | undefined
  readonly meta: TaskMeta
  readonly evidence: Exchange[] = []
  readonly #atEnd: (() => unknown)[] = []

  constructor(facts: { id: string; operation?: string | undefined }, meta: TaskMeta) {
    this.id = facts.id
    this.operation = facts.operation
    this.meta = meta
    meta.evidence = this.evidence
  }

  onEnd(act: () => unknown): void {
    this.#atEnd.push(act)
  }

  /** What was made last is ended first. */
  async end(): Promise<void> {
    for (const act of this.#atEnd.toReversed()) await act()
  }
}

/** A function for each given, which makes it; one that cannot be made throws the reason. */
type Makers<Givens> = {
  [Name in keyof Givens]: () => Givens[Name] | Promise<Givens[Name]>
}

/** The givens of a run: for each clause its own, until all clauses have ended. */
export type GivensOfRun<Givens> = {
  makersFor(clause: ClauseRun): Makers<Givens>
  close(): Promise<void>
}

/** Makes the named givens, one after another, and no other. */
export async function give<Givens, Name extends keyof Givens>(
  makers: Makers<Givens>,
  names: readonly Name[],
): Promise<Pick<Givens, Name>> {
  const given: Partial<Pick<Givens, Name>> = {}
  for (const name of names) Object.assign(given, { [name]: await makers[name]() })
  return given as Pick<Givens, Name>
}
