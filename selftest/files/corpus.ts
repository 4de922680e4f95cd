import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An event in the list that all files of the corpus hold. */
export type ListedEvent = {
  id: string
  time: string
  auditee_id: string
  event_type: string
  sub_type: string
  system_source: string
  task_id: string
  tag: string
  comment: string
}

export const bytesOf = (...path: string[]): Buffer =>
  readFileSync(join(import.meta.dirname, ...path))

/** The shared list of events. */
export const listed: readonly ListedEvent[] = JSON.parse(bytesOf('events.json').toString())

/** How many of them, from the first on, the smaller files hold. */
export const few = 120

export const columns = Object.keys(listed[0] ?? {}) as (keyof ListedEvent)[]
