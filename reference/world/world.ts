import { createStreams, rowMaker, type Streams, type Table } from './streams.ts'
import {
  assessmentTable,
  entityTable,
  institutionTable,
  taskTable,
  teamTable,
  userTable,
} from './tables.ts'

export type { Assessment, Assignment, Task, Team, User } from './resources.ts'

/** The time in milliseconds since 1970, with fractions; it never goes back. */
export const now = (): number => performance.timeOrigin + performance.now()

export type World = ReturnType<typeof makeWorld>

/**
 * Creates the people, tasks and assessments of one account; deterministic by seed. Its audit events are made
 * on demand: `events` says how many, if not as many as a service makes by itself.
 */
export function makeWorld(seed: number, { events: eventCount }: { events?: number } = {}) {
  const streams = createStreams(seed)
  const apiKey = streams.first.string.alphanumeric({ length: 40, casing: 'mixed' })
  const institutions = rowsOf(institutionTable(), 3, streams)
  const entities = rowsOf(entityTable(institutions), 4, streams)
  const users = rowsOf(userTable(), 8, streams)
  const teams = rowsOf(teamTable(users), 3, streams)
  const assessments = rowsOf(assessmentTable(entities), 8, streams)
  const tasks = rowsOf(taskTable({ assessments, users, teams }), 16, streams)
  return { seed, apiKey, institutions, entities, users, teams, tasks, assessments, eventCount }
}

function rowsOf<Row extends object>(table: Table<Row>, count: number, streams: Streams): Row[] {
  const make = rowMaker(table, streams)
  return Array.from({ length: count }, (_, n) => make(n))
}
