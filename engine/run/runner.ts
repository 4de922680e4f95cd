import type { ProvidedContext, TaskMeta } from 'vitest'
import type { Departed } from '../http/record/tape.ts'

export type Job = {
  entry: string
  provide: Partial<ProvidedContext>
}

/** A clause as the runner knows it; its facts and outcome are in its meta. */
export type Declared = { id: string; meta: TaskMeta }

export type Ended = Declared & {
  /** from start to end, waiting included */
  tookMs?: number
  /** what stopped its body, or kept it from starting */
  error?: Failure
}

/** An error from the clauses' thread, with its own members. */
export type Failure = { name?: string; message: string; [carried: string]: unknown }

export type Said =
  /** in the order of the suites */
  | { says: 'collected'; clauses: Declared[]; declared: string[]; errors: Failure[] }
  | { says: 'began'; id: string }
  | { says: 'ended'; clause: Ended }
  | { says: 'uncaught'; error: Failure }
  | { says: 'done'; departed?: Departed | undefined }

export type UnderWay = {
  /** resolves once nothing more will be reported */
  done: Promise<void>
  /** Starts no more clauses and aborts those under way, which return their loans. */
  cancel(): void
  terminate(): void
}

/** Runs the clauses of an entry, all at once. */
export type Runner = (job: Job, hear: (said: Said) => void) => UnderWay
