import { isAccepted, isObject, type JsonObject, jsonIn } from '../../engine/http/answers.ts'
import type { Client } from '../../engine/http/client.ts'
import { assessmentPath, exportPath, taskPath } from '../../helpers/service/operations.ts'

/** A task of the service, with who has it. */
export type SeenTask = { id: string; name: string; assignee?: { id: string; type: string } }

/** What a service shows of itself to a reader: proposals for settings. */
export type Seen = {
  tasks: SeenTask[]
  assessments: string[]
  users: string[]
  teams: string[]
}

const dayMs = 24 * 60 * 60 * 1000
/** The last one looks at everything: a file that is too large is not read to its end. */
const lookBackDays = [30, 365, undefined]
const mostColumns = 40
const mostTasks = 20
const mostOthers = 20
const uuids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi

/** Looks for ids in an export of the last days, and at the tasks that it names. It sends reads alone. */
export async function discover(client: Client, known: readonly string[]): Promise<Seen> {
  const read = async (path: string): Promise<JsonObject | undefined> => {
    const answer = await client.ask({ method: 'GET', path, retries: false }).catch(() => undefined)
    if (!answer || !isAccepted(answer)) return undefined
    const body = bodyOf(() => jsonIn(answer))
    return isObject(body) ? body : undefined
  }
  const columns = await columnsOf(client)
  const ids = new Set(known)
  const assessments = new Set<string>()
  const others: string[][] = []
  for (const column of columns) {
    const [first = ''] = column
    if (ids.has(first) || (await read(taskPath(first)))) for (const id of column) ids.add(id)
    else if (await read(assessmentPath(first))) for (const id of column) assessments.add(id)
    else others.push(column)
  }
  const tasks: SeenTask[] = []
  const users = new Set<string>()
  const teams = new Set<string>()
  for (const id of [...ids].slice(0, mostTasks)) {
    const task = await read(taskPath(id))
    if (!task) continue
    const { assignment, assessment_id } = task
    if (typeof assessment_id === 'string') assessments.add(assessment_id)
    const seen: SeenTask = { id, name: String(task.name ?? task.c_name ?? '') }
    if (isObject(assignment)) {
      const { assigned_by_id: by, assigned_to_id: to, assigned_to_type: type } = assignment
      if (typeof by === 'string') users.add(by)
      if (typeof to === 'string') {
        ;(type === 'TEAM' ? teams : users).add(to)
        seen.assignee = { id: to, type: String(type) }
      }
    }
    tasks.push(seen)
  }
  // A column that holds a user, and no team, is one of users.
  for (const column of others)
    if (column.some((id) => users.has(id)) && !column.some((id) => teams.has(id)))
      for (const id of column) users.add(id)
  const some = (set: Set<string>) => [...set].slice(0, mostOthers)
  return { tasks, assessments: some(assessments), users: some(users), teams: some(teams) }
}

/** The different ids in each column of the most recent export that holds some. */
async function columnsOf(client: Client): Promise<string[][]> {
  for (const days of lookBackDays) {
    const columns = await columnsSince(client, days)
    if (columns.length > 0) return columns
  }
  return []
}

/** None where the export cannot be read. */
async function columnsSince(client: Client, days: number | undefined): Promise<string[][]> {
  const start = days && new Date(Date.now() - days * dayMs).toISOString()
  const path = exportPath(
    `file_type=csv${start ? `&range_start=${encodeURIComponent(start)}` : ''}`,
  )
  const ask = { method: 'GET', path, retries: false, exported: true } as const
  const answer = await client.ask(ask).catch(() => undefined)
  if (!answer || !isAccepted(answer)) return []
  const { default: papa } = await import('papaparse')
  const { data } = papa.parse<string[]>(answer.text, { skipEmptyLines: true })
  const columns: Set<string>[] = []
  for (const row of data)
    row.slice(0, mostColumns).forEach((cell, at) => {
      for (const [id] of cell.matchAll(uuids)) {
        columns[at] ??= new Set()
        columns[at].add(id)
      }
    })
  return columns.filter(Boolean).map((column) => [...column])
}

/** What cannot be read proposes nothing: judging it is a matter of the clauses. */
function bodyOf(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return undefined
  }
}
