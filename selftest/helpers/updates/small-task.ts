import { setImmediate as turn } from 'node:timers/promises'
import { isObject } from '../../../engine/http/answers.ts'
import type { Answer } from '../../../engine/http/client.ts'
import type { Exchange } from '../../../engine/http/exchange.ts'
import { createHistory } from '../../../helpers/history/history.ts'
import { createCurrentVersion, type UsedVersions } from '../../../helpers/loans/current-version.ts'
import type { Lending, Loan } from '../../../helpers/loans/lending.ts'
import { type Assignment, type Task, taskIn } from '../../../helpers/service/answers.ts'
import type { Service, Shared } from '../../../helpers/service/service.ts'
import type { Assignee } from '../../../helpers/service/update-request.ts'

export const id = '11111111-0000-4000-8000-000000000000'
export const actor = 'aaaaaaaa-0000-4000-8000-000000000000'
const personOf = (type: Assignee['type'], n: number): Assignee => ({
  id: `${String(n).padStart(8, type === 'USER' ? 'b' : 'c')}-0000-4000-8000-000000000000`,
  type,
})
export const [anna, ben, cleo] = [1, 2, 3].map((n) => personOf('USER', n)) as Three
export const [north, south] = [1, 2].map((n) => personOf('TEAM', n)) as Three
type Three = [Assignee, Assignee, Assignee]

export const people = [anna, ben, cleo, north, south]
export const settings = {
  actorId: actor,
  userIds: [anna.id, ben.id, cleo.id],
  teamIds: [north.id, south.id],
  settleMs: 30,
  seed: 1,
  embedded: false,
  notPermitted: [],
} as never

export const heldBy = (to: Assignee | null): Assignment | null =>
  to && { assigned_by_id: actor, assigned_to_id: to.id, assigned_to_type: to.type }

export type SentUpdate = {
  version: string | undefined
  body: Record<string, unknown>
  isCurrent: boolean
}

/** The assignee of a body; undefined: it holds neither object. */
export const askedBy = ({ body }: Pick<SentUpdate, 'body'>): Assignment | null | undefined => {
  if (isObject(body.update)) return body.update as Assignment
  return 'unassign' in body ? null : undefined
}

/**
 * Replaces what the contract says: another status, whether the update is carried out, and a background
 * touch after the answer.
 */
export type Bent =
  | { status?: number; isCarriedOut?: boolean; stored?: Assignment | null; isTouched?: boolean }
  | undefined

/** One task in memory, and a service that updates it by the contract, except for what is bent. */
export function smallTask({
  held = null,
  bend = () => undefined,
  onRead = () => {},
}: {
  held?: Assignee | null
  bend?: (sent: SentUpdate, task: Task) => Bent
  onRead?: (task: Task) => void
} = {}) {
  let changes = 0
  const versionOf = () => new Date(Date.UTC(2026, 0, 1, 0, 0, changes)).toISOString()
  const task: Task = { id, updated_at: versionOf(), assignment: heldBy(held), name: 'a task' }
  const sent: SentUpdate[] = []
  let hearing: (exchange: Exchange) => unknown = () => {}
  const hear = (recorder: typeof hearing) => {
    hearing = recorder
  }
  const exchanges: Exchange[] = []
  const history = createHistory()
  const touch = () => {
    changes += 1
    task.updated_at = versionOf()
  }
  const answered = (method: string, status: number, body: unknown): Answer => {
    const number = exchanges.length + 1
    const path = `/tasks/${id}${method === 'PUT' ? '/update-assignment' : ''}`
    const exchange = { number, method, path, status } as Exchange
    exchanges.push(exchange)
    hearing(exchange)
    const text = JSON.stringify(body)
    const told = { exchange: number, method, path, status, text, headers: {}, attempts: 1 }
    return { ...told, milliseconds: 1, validUtf8: true, bytes: Buffer.from(text) }
  }
  const readTask = async (asked: string) => {
    const end = history.begin({ kind: 'read', task: asked })
    const answer = await answerRead(asked)
    end(answer)
    return answer
  }
  const put = async (of: string, ifMatch: string | undefined, body: unknown) => {
    const end = history.begin({ kind: 'update', task: of, body, ifMatch, isPlain: true })
    const answer = await answerUpdate(of, ifMatch, body)
    end(answer)
    return answer
  }
  const answerRead = async (asked: string) => {
    if (asked !== id) return answered('GET', 404, { message: 'no such task' })
    // A caller that reads without end can still be stopped.
    await turn()
    onRead(task)
    return answered('GET', 200, task)
  }
  const answerUpdate = async (of: string, version: string | undefined, body: unknown) => {
    if (of !== id) return answered('PUT', 404, { message: 'no such task' })
    const one: SentUpdate = {
      version,
      body: isObject(body) ? body : {},
      isCurrent: version === task.updated_at,
    }
    sent.push(one)
    const asked = askedBy(one)
    const isWhole = asked === null || asked?.assigned_to_id !== undefined
    const right = one.isCurrent ? (isWhole ? 200 : 422) : 409
    const bent = bend(one, task)
    const { status = right } = bent ?? {}
    if (bent?.isCarriedOut ?? status < 300) {
      touch()
      task.assignment = bent?.stored === undefined ? (asked ?? null) : bent.stored
    }
    if (status >= 300) return answered('PUT', status, { message: 'refused' })
    const answer = answered('PUT', status, { ...task, assignment: asked ?? null })
    if (bent?.isTouched) touch()
    return answer
  }
  const service: Service = {
    readTask,
    put,
    ahead: () => service,
    putTogether: (task: string, version: string, bodies: unknown[]) =>
      Promise.allSettled(bodies.map((body) => put(task, version, body))),
  } as unknown as Service
  const used: UsedVersions = new Set()
  const stop = new AbortController().signal
  const current = createCurrentVersion(service, used, { settleMs: 30, stop })
  let onLoan = 0
  const lend = async (): Promise<Loan> => {
    onLoan += 1
    const giveBack = async () => {
      onLoan -= 1
    }
    return { task: taskIn(await readTask(id)), current, used, since: 0, giveBack }
  }
  const lending: Lending = { borrow: lend, lend: async (_, __, use) => use(await lend()) }
  const shared = ((_: unknown, find: (at: Service) => unknown) => find(service)) as Shared
  return {
    task,
    sent,
    history,
    exchanges,
    service,
    lend,
    lending,
    shared,
    touch,
    stop,
    hear,
    onLoan: () => onLoan,
  }
}
