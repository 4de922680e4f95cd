import { acceptedBody, isAccepted, isObject, type JsonObject } from '../engine/http/answers.ts'
import type { Client } from '../engine/http/client.ts'
import { clock } from '../engine/time/timers.ts'
import type { Resource } from '../helpers/contract/fields.ts'
import { pathOf, resources } from '../helpers/contract/operations.ts'
import { exportPath, taskPath } from '../helpers/service/request-paths.ts'
import { assignmentIn } from '../helpers/service/task-members.ts'

export type Proposal = { value: string; label: string; hint?: string }

export type Kind = Resource | 'user' | 'team'

export const kinds: readonly Kind[] = [...new Set<Kind>([...resources, 'user', 'team'])]

export type Proposals = Record<Kind, Proposal[]>

/** For each kind of id. */
export const byKind = <T>(make: (kind: Kind) => T): Record<Kind, T> =>
  Object.fromEntries(kinds.map((kind) => [kind, make(kind)])) as Record<Kind, T>

const dayMs = 24 * 60 * 60 * 1000
/** The last attempt covers all time; a file that is too large is not read whole. */
const lookBackDays = [30, 365, undefined]
const mostColumns = 40
const mostShown = 20
const uuids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi

/** Sends only reads. */
export async function discover(client: Client, known: readonly string[]): Promise<Proposals> {
  /** An unreadable answer proposes nothing; the clauses judge it. */
  const read = async (path: string): Promise<JsonObject | undefined> => {
    try {
      return acceptedBody(await client.ask({ method: 'GET', path, retries: false }))
    } catch {
      return undefined
    }
  }
  const resourceOf = async (id: string): Promise<Resource | undefined> => {
    for (const resource of resources)
      if (await read(pathOf(`${resource}.read`, id))) return resource
    return undefined
  }
  const names = byKind(() => new Map<string, string>())
  const { task: tasks, assessment: assessments, user: users, team: teams } = names
  for (const id of known) tasks.set(id, '')
  const others: string[][] = []
  for (const column of await columnsOf(client)) {
    const [first = ''] = column
    const resource = tasks.has(first) ? 'task' : await resourceOf(first)
    if (resource) for (const id of column) names[resource].set(id, '')
    else others.push(column)
  }
  const shown: Proposal[] = []
  for (const id of [...tasks.keys()].slice(0, mostShown)) {
    const task = await read(taskPath(id))
    if (!task) continue
    const { assessment_id, name, c_name } = task
    const assignment: unknown = assignmentIn(task)
    if (typeof assessment_id === 'string') assessments.set(assessment_id, '')
    let hint = 'unassigned'
    if (isObject(assignment)) {
      const { assigned_to_type: type } = assignment
      hint = `assigned to ${type} ${assignment.assigned_to_id}`
      // Some services show names beside these ids.
      for (const role of ['assigned_by', 'assigned_to']) {
        const { [`${role}_id`]: person, [`${role}_name`]: called } = assignment
        const list = role === 'assigned_to' && type === 'TEAM' ? teams : users
        if (typeof person === 'string')
          list.set(person, typeof called === 'string' ? called : (list.get(person) ?? ''))
      }
    }
    shown.push({ ...choiceOf([id, String(name ?? c_name ?? '')]), hint })
  }
  // A column with a user and no team holds users.
  for (const column of others)
    if (column.some((id) => users.has(id)) && !column.some((id) => teams.has(id)))
      for (const id of column) users.set(id, users.get(id) ?? '')
  const proposals = byKind((kind) => [...names[kind]].slice(0, mostShown).map(choiceOf))
  return { ...proposals, task: shown }
}

const choiceOf = ([value, name]: [string, string]) => ({ value, label: `${value} ${name}`.trim() })

/** The different ids in each column of the most recent export that holds some; none if it cannot be read. */
async function columnsOf(client: Client): Promise<string[][]> {
  for (const days of lookBackDays) {
    const start = days && new Date(clock.date() - days * dayMs).toISOString()
    const path = exportPath(
      `file_type=csv${start ? `&range_start=${encodeURIComponent(start)}` : ''}`,
    )
    const ask = { method: 'GET', path, retries: false, exported: true } as const
    const answer = await client.ask(ask).catch(() => undefined)
    if (!answer || !isAccepted(answer)) continue
    const { default: papa } = await import('papaparse')
    const columns: Set<string>[] = []
    for (const row of papa.parse<string[]>(answer.text, { skipEmptyLines: true }).data)
      for (const [at, cell] of row.slice(0, mostColumns).entries())
        for (const [id] of cell.matchAll(uuids)) {
          columns[at] ??= new Set()
          columns[at].add(id)
        }
    const found = columns.filter(Boolean).map((column) => [...column])
    if (found.length > 0) return found
  }
  return []
}
