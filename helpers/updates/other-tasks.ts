import { acceptedBody, type JsonObject } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { pause } from '../../engine/time/abort.ts'
import { clock } from '../../engine/time/timers.ts'
import type { Loan } from '../loans/lending.ts'
import type { Reading } from '../reads/readings.ts'
import { type Assignment, premise } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { Service } from '../service/service.ts'
import { type Assignee, unassignBody, updateBody } from '../service/update-request.ts'

type TaskText = { text: string; assignment: Assignment | null; answer: Answer }
type TaskTexts = Map<string, TaskText>

const textOf = (seen: TaskTexts, id: string) => seen.get(id)?.text

const rounds = 3

type Among = {
  ids: readonly string[]
  settleMs: number
  stop: AbortSignal
  /** whether another writer explains this new assignment */
  isByOther: (assignment: Assignment | null) => boolean
}

/** The tasks that changed since they were first read. */
export async function suspectsAmong(
  service: Service,
  readings: readonly Reading[],
): Promise<string[]> {
  const before = shownBy(readings)
  const ids = readings.map(({ id }) => id)
  const now = await look(service, ids)
  return ids.filter((id) => textOf(before, id) !== textOf(now, id))
}

/**
 * The tasks that change whenever another one is updated. Tasks may change by themselves: a task counts only
 * if it is still while nothing is sent, changes with every update, and no other writer explains the change.
 * Other clauses must send no updates meanwhile.
 */
export async function fetchChangedAlong(
  service: Service,
  { ids, settleMs, stop, isByOther }: Among,
  update: () => Promise<unknown>,
): Promise<{ changed: Problem[]; restless: string[] }> {
  let suspects = ids
  const problems = new Map<string, Problem>()
  const restless: string[] = []
  for (let round = 1; round <= rounds && suspects.length > 0; round += 1) {
    const first = await look(service, suspects)
    await pause(settleMs, stop)
    const still = await look(service, suspects)
    const moving = suspects.filter((id) => textOf(first, id) !== textOf(still, id))
    restless.push(...moving)
    suspects = suspects.filter((id) => !moving.includes(id))
    await update()
    await pause(settleMs, stop)
    const after = await look(service, suspects)
    suspects = suspects.filter((id) => textOf(still, id) !== textOf(after, id))
    const others = suspects.filter((id) => {
      const [before, now] = [still.get(id)?.assignment, after.get(id)?.assignment ?? null]
      return JSON.stringify(before) !== JSON.stringify(now) && isByOther(now)
    })
    restless.push(...others)
    suspects = suspects.filter((id) => !others.includes(id))
    for (const id of suspects) problems.set(id, problemOf(id, still.get(id), after.get(id)))
  }
  return { changed: suspects.flatMap((id) => problems.get(id) ?? []), restless }
}

const problemOf = (
  id: string,
  before: TaskText | undefined,
  after: TaskText | undefined,
): Problem =>
  problem(`task ${id} changed with the update of another one`, {
    expected: before?.text ?? 'absent',
    got: after?.text ?? 'absent',
    judged: after?.answer,
    again: {
      why: 'one task was updated and another one changed, which may be by another writer unless it comes several times',
    },
    control: before?.answer,
  })

/** One update of a task, of a kind that its state allows; returns when it was answered. */
export async function updateOnce(
  { task: { id }, current }: Loan,
  actor: string,
  to: Assignee | undefined,
): Promise<number> {
  const task = await current.read(id)
  const body = task.assignment || !to ? unassignBody(actor) : updateBody(actor, to)
  premise(await current.put(task, body))
  return clock.now()
}

/** One update of each kind: it is unknown which of them changes other tasks. */
export async function updateInEachWay(
  { task: { id }, current }: Loan,
  actor: string,
  people: readonly Assignee[],
): Promise<void> {
  for (const kind of ['USER', 'TEAM'] as const) {
    const task = await current.read(id)
    const to = people.find(({ type }) => type === kind)
    if (to) await current.put(task, updateBody(actor, to))
  }
  await current.put(await current.read(id), unassignBody(actor))
}

type Body = { id: string; body: JsonObject }

/** How many ids a task shares with the most similar other task: a change of one may affect both. */
export function nearness(id: string, others: readonly string[], bodies: readonly Body[]): number {
  const own = bodies.find((each) => each.id === id)?.body ?? {}
  const keys = Object.keys(own).filter((key) => key.endsWith('_id'))
  return bodies
    .filter((other) => others.includes(other.id) && other.id !== id)
    .map(({ body }) => keys.filter((key) => isSameId(own[key], body[key])).length)
    .reduce((most, count) => Math.max(most, count), 0)
}

async function look(service: Service, ids: readonly string[]): Promise<TaskTexts> {
  return shownBy(
    await Promise.all(ids.map(async (id) => ({ id, answer: await service.readTask(id) }))),
  )
}

const shownBy = (readings: readonly Reading[]): TaskTexts =>
  new Map(
    readings.map(({ id, answer }) => {
      const { assignment, updated_at } = acceptedBody(answer) ?? {}
      const shown = (assignment as Assignment | null) ?? null
      return [id, { text: JSON.stringify([updated_at, shown]), assignment: shown, answer }]
    }),
  )
