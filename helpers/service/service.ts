import type { SharedOf } from '../../engine/clause/shared.ts'
import type { Answer, Ask, Client, Downloaded, Recorder, Sink } from '../../engine/http/client.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { assessmentPath, exportPath, taskPath, updatePath } from './operations.ts'
import { spendOne, type WriteBudget } from './write-budget.ts'

/** Who a task goes to. */
export type Assignee = { id: string; type: 'USER' | 'TEAM' }

/** What an assignment update rests on: the task, and the version that is thought current. */
export type Version = { id: string; updated_at: string }

/** How a request departs from the plain one; a query is added to what the operation has. */
export type How = Pick<Ask, 'key' | 'headers' | 'base' | 'sendKeyElsewhere' | 'via'> & {
  query?: string
}

/** The service under test, in the words of its contract. */
export type Service = {
  readTask(id: string, how?: How): Promise<Answer>
  readAssessment(id: string, how?: How): Promise<Answer>
  exportEvents(query: string, how?: How): Promise<Answer>
  /** like exportEvents, but hands the file over as a stream */
  download<T>(query: string, sink: Sink<T>): Promise<{ answer: Downloaded; result: T }>
  /** sends one assignment update as it is: any body, any version or none */
  put(id: string, ifMatch: string | undefined, body: unknown, how?: How): Promise<Answer>
  /** sends several updates of one task at the same moment; answers in the order given */
  putTogether(
    id: string,
    ifMatch: string,
    bodies: readonly unknown[],
  ): Promise<PromiseSettledResult<Answer>[]>
}

/** Finds something out once a run; every clause that asks for it gets the evidence too. */
export type Shared = SharedOf<Service>

/** Speaks to the service through the client; every exchange goes to the recorder. */
export function createService(client: Client, record: Recorder, budget?: WriteBudget): Service {
  // Rule R6: a 500 is judged only when it persists, so what can be asked twice is.
  const get = async (path: string, { query, ...how }: How = {}, exported?: true) => {
    const ask: Ask = { method: 'GET', path: withQuery(path, query), exported, ...how }
    const answer = await client.ask(ask, record)
    return answer.status === 500 ? client.ask(ask, record) : answer
  }

  return {
    readTask: (id, how) => get(taskPath(id), how),
    readAssessment: (id, how) => get(assessmentPath(id), how),
    exportEvents: (query, how) => get(exportPath(query), how, true),
    download: async (query, sink) => {
      const ask: Ask = { method: 'GET', path: exportPath(query) }
      const first = await client.download(ask, record, sink)
      return first.answer.status === 500 ? client.download(ask, record, sink) : first
    },
    put: (id, ifMatch, body, how) =>
      spendOne(budget, id, () => client.ask(updateOf(id, ifMatch, body, how), record)),
    putTogether: (id, ifMatch, bodies) => {
      const asks = bodies.map((body) => updateOf(id, ifMatch, body))
      const send = () => client.together(asks, record)
      return budget ? budget.spend(id, send, asks.length) : send()
    },
  }
}

function updateOf(
  id: string,
  ifMatch: string | undefined,
  body: unknown,
  { query, ...how }: How = {},
): Ask {
  const version = ifMatch === undefined ? undefined : { 'if-match': ifMatch }
  return {
    method: 'PUT',
    path: withQuery(updatePath(id), query),
    ...how,
    headers: { 'content-type': 'application/json', ...version, ...how.headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}

/** The same service for a run that sends no update: what needs one is not decided. */
export function withoutUpdates(service: Service): Service {
  const refuse = async () => {
    throw new NotDecidable('READ_ONLY is set: no update is sent')
  }
  return { ...service, put: refuse, putTogether: refuse }
}

const withQuery = (path: string, query?: string) =>
  query === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`

/** The body that assigns; a comment of undefined is left out. */
export const updateBody = (actor: string, to: Assignee, comment?: string | null) => ({
  update: {
    assigned_by_id: actor,
    assigned_to_id: to.id,
    assigned_to_type: to.type,
    ...(comment === undefined ? {} : { assignment_comment: comment }),
  },
})

/** The body that unassigns; a comment of undefined is left out. */
export const unassignBody = (actor: string, comment?: string | null) => ({
  unassign: {
    assigned_by_id: actor,
    ...(comment === undefined ? {} : { assignment_comment: comment }),
  },
})
