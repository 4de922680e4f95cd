import type { ProvidedContext, TaskMeta } from 'vitest'
import type { Departed } from '../http/record/tape.ts'

export type Job = {
  entry: string
  provide: Partial<ProvidedContext>
}

export type Declared = { id: string; meta: TaskMeta }

export type Ended = Declared & {
  tookMs?: number
  error?: Failure
}

export type Failure = { name?: string; message: string; [carried: string]: unknown }

export type Said =
  | { says: 'collected'; clauses: Declared[]; declared: string[]; errors: Failure[] }
  | { says: 'began'; id: string }
  | { says: 'ended'; clause: Ended }
  | { says: 'uncaught'; error: Failure }
  | { says: 'done'; departed?: Departed | undefined }

type UnderWay = {
  done: Promise<void>
  /** Starts no more clauses and aborts those under way, which return their loans. */
  cancel(): void
  terminate(): void
}

export type Runner = (job: Job, hear: (said: Said) => void) => UnderWay
