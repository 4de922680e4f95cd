import type { ProvidedContext, TaskMeta } from 'vitest'

/** What a runner is to run. */
export type Job = {
  /** the file that imports every suite */
  entry: string
  /** what the clauses are given, by name */
  provide: Partial<ProvidedContext>
  /** whether it only tells which clauses there are */
  listing?: boolean
}

/** A clause as the runner knows it: what it is and what became of it stand in its meta. */
export type Declared = { id: string; meta: TaskMeta }

export type Ended = Declared & {
  /** from its beginning to its end, its waiting with it */
  tookMs?: number
  /** what kept its body from beginning or from ending */
  error?: Failure
}

/** An error as it comes out of the thread of the clauses, with what those of this suite carry. */
export type Failure = { name?: string; message: string; [carried: string]: unknown }

/** What a runner tells while it goes on. */
export type Said =
  /** in the order of the suites */
  | { says: 'collected'; clauses: Declared[]; declared: string[]; errors: Failure[] }
  | { says: 'began'; id: string }
  | { says: 'ended'; clause: Ended }
  /** what nobody caught */
  | { says: 'stumbled'; error: Failure }
  | { says: 'done' }

export type UnderWay = {
  /** once nothing more will be told */
  done: Promise<void>
  /** No other clause begins, and those under way are given up: what they borrowed they give back. */
  cancel(): void
  /** Ends it at once, whatever it is doing. */
  terminate(): void
}

/** Runs the clauses of an entry, all at once. */
export type Runner = (job: Job, hear: (said: Said) => void) => UnderWay
