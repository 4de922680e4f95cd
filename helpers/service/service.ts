import type { SharedOf } from '../../engine/clause/shared.ts'
import { createKnownFiles, type KnownFiles } from '../../engine/files/csv.ts'
import { isInternalError } from '../../engine/http/answers.ts'
import { aheadOf } from '../../engine/http/ask.ts'
import type { Answer, Ask, Client, Recorder, Sink } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { NotDecidable, toChange } from '../../engine/outcome.ts'
import type { MetHere } from '../../engine/run/report.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import { clock } from '../../engine/time/timers.ts'
import type { Resource } from '../contract/fields.ts'
import {
  type Operation,
  operations,
  pathOf as placeOf,
  type ReadOperation,
  resources,
} from '../contract/operations.ts'
import { statuses } from '../contract/statuses.ts'
import type { Assignment } from './answers.ts'
import { problemsOfStrays } from './comments.ts'
import { createDownloads, type Fetched, hearing } from './downloads.ts'
import { problemsOfAccepted, problemsOfAnswer, type RequestFacts, type Wrote } from './judge.ts'
import { createKeyUse, type KeyUse } from './key-use.ts'
import { exportPath, kindOf } from './request-paths.ts'
import {
  type How,
  isPlain,
  isTold,
  operationOf,
  pathOf,
  type SentRequest,
  updateOf,
} from './update-request.ts'
import { spendOne, type WriteBudget } from './write-budget.ts'

export type Version = { id: string; updated_at: string }

export type Service = {
  /** by the id of the operation's resource */
  read(operation: ReadOperation, id: string, how?: How): Promise<Answer>
  readTask(id: string, how?: How): Promise<Answer>
  exportEvents(query: string, how?: How): Promise<Answer>
  download<T>(query: string, sink: Sink<T>): Promise<Fetched<T>>
  /** another origin never gets the key */
  downloadFrom<T>(address: URL, sink: Sink<T>): Promise<Fetched<T> | 'unreachable'>
  put(id: string, ifMatch: string | undefined, body: unknown, how?: How): Promise<Answer>
  /** sent at the same moment; answers in the given order */
  putTogether(
    id: string,
    ifMatch: string,
    bodies: readonly unknown[],
    hows?: readonly How[],
  ): Promise<PromiseSettledResult<Answer>[]>
  times(): number[]
  knownFiles: KnownFiles
  puttingBack(): Service
  ahead(): Service
}

type JudgedAs = { resource: Resource; id: string }

export type Shared = SharedOf<Service>

type TaskHistory = {
  begin(sent: SentRequest): (answer?: Answer, exchange?: Exchange) => void
  lastRead(task: string): Exchange | undefined
  assignedIn(task: string, version: string | undefined): Assignment | null | undefined
  sentTo(comment: string): readonly string[]
  wroteInvalid: Wrote
}

const noHistory: TaskHistory = {
  begin: () => () => {},
  lastRead: () => undefined,
  assignedIn: () => undefined,
  sentTo: () => [],
  wroteInvalid: () => false,
}

type Hooks = {
  baseUrl?: string
  unreachable?: Set<string>
  budget?: WriteBudget
  /** answers about invented ids are not judged as those of a resource; default: all ids are given */
  isGiven?: (resource: Resource, id: string) => boolean
  met?: (met: MetHere) => void
  history?: TaskHistory
  keyUse?: KeyUse
  /** the configured key: a similar one may be valid too */
  apiKey?: string
  notPermitted?: readonly string[]
  knownFiles?: KnownFiles
  times?: () => number[]
}

const isGet = ({ method }: Ask) => method === 'GET'

export function createService(client: Client, record: Recorder, hooks: Hooks = {}): Service {
  const {
    baseUrl = 'http://localhost',
    unreachable = new Set(),
    budget,
    isGiven = () => true,
    met = () => {},
    history = noHistory,
    keyUse = createKeyUse(),
    apiKey = '',
    notPermitted = [],
    knownFiles = createKnownFiles(),
    times = () => [clock.date()],
  } = hooks
  const askPlainly = async (operation: Operation, ask: Ask, of?: JudgedAs, told = record) => {
    const { hear, heard } = hearing(told)
    const isRead = of?.resource === 'task' && isGet(ask)
    const noteRead = isRead ? history.begin({ kind: 'read', task: of.id }) : undefined
    let answer = await client.ask(ask, hear)
    // A 500 counts only if it persists, so repeat what can be repeated.
    const isAgain = isInternalError(answer) && ask.method === 'GET'
    if (isAgain || (answer.status === statuses.badKey && keyUse.isAccepted(operation)))
      answer = await client.ask(ask, hear)
    await keyUse.note(operation, answer, ask, (known) => client.ask(known, record))
    const read = of && history.lastRead(of.id)
    const last = heard.at(-1)
    noteRead?.(answer, last)
    if (of)
      for (const owned of [
        ...problemsOfAnswer(of.resource, of.id, answer, history.wroteInvalid),
        ...problemsOfStrays(history.sentTo, of.id, answer),
      ])
        met({ ...owned, exchanges: [read, last].flatMap((each) => each ?? []) })
    return answer
  }

  const judgedAs = (resource: Resource, id: string): JudgedAs | undefined =>
    isGiven(resource, id) ? { resource, id } : undefined

  const noteAccepted = (sent: RequestFacts, answer: Answer, exchanges: Exchange[]) => {
    for (const owned of problemsOfAccepted(sent, answer, apiKey)) met({ ...owned, exchanges })
    return answer
  }

  const needDeclared = (operation: string) => {
    const reason = `NOT_PERMITTED declares that this key may not use ${operation}`
    if (notPermitted.includes(operation))
      throw new NotDecidable(...toChange('NOT_PERMITTED', reason))
  }

  const get = async (
    operation: Operation,
    path: string,
    { query, path: other, ...how }: How = {},
    of?: JudgedAs,
  ) => {
    needDeclared(operation)
    const exported = operation === 'export' ? true : undefined
    const kind = kindOf(operation, path.split('?')[1])
    const asked = pathOf(path, { query, path: other })
    const ask: Ask = { method: 'GET', path: asked, kind, exported, ...how }
    if (Object.keys(how).length === 0 && !other) return askPlainly(operation, ask, of)
    const { hear, heard } = hearing(record)
    const answer = await client.ask(ask, hear)
    const told = isInternalError(answer) ? await client.ask(ask, hear) : answer
    return noteAccepted({ operation, how: { ...how, query, path: other } }, told, heard.slice(-1))
  }

  const read: Service['read'] = async (operation, id, how) => {
    const { resource } = operations[operation]
    // Another operation by the same id may return something else.
    const judged = operation === `${resource}.read` ? judgedAs(resource, id) : undefined
    return get(operation, placeOf(operation, id), how, judged)
  }

  const files = createDownloads(client, { record, met, keyUse, baseUrl, unreachable })

  const isUnknownId = (id: string) =>
    isUuid(id) && resources.every((resource) => !isGiven(resource, id))

  const put: Service['put'] = (id, ifMatch, body, how) => {
    const operation = operationOf(body)
    needDeclared(operation)
    // An update of an unknown id changes nothing, however often it is sent.
    const ask = { ...updateOf(id, ifMatch, body, how), repeatable: !isGiven('task', id) }
    const of = isTold(body, ifMatch, history.assignedIn(id, ifMatch))
      ? judgedAs('task', id)
      : undefined
    const send = async () => {
      const isSame = isPlain(how)
      const note = history.begin({ kind: 'update', task: id, body, ifMatch, isPlain: isSame })
      const read = [history.lastRead(id)].flatMap((each) => each ?? [])
      const { hear, heard } = hearing(record)
      const asking =
        isSame && !how?.headerForm ? askPlainly(operation, ask, of, hear) : client.ask(ask, hear)
      const answer = await asking.catch((error) => {
        note()
        throw error
      })
      const exchanges = [...read, ...heard]
      note(answer, exchanges.at(-1))
      return noteAccepted({ operation, how, isUnknownId: isUnknownId(id) }, answer, exchanges)
    }
    return spendOne(budget, id, send)
  }

  return {
    read,
    readTask: (id, how) => read('task.read', id, how),
    exportEvents: (query, how) => get('export', exportPath(query), how),
    download: async (query, sink) => {
      needDeclared('export')
      return files.download(query, sink)
    },
    downloadFrom: files.downloadFrom,
    put: async (...given) => put(...given),
    putTogether: async (id, ifMatch, bodies, hows = []) => {
      needDeclared('assign.update')
      const asks = bodies.map((body, at) => updateOf(id, ifMatch, body, hows[at]))
      const send = async () => {
        const notes = bodies.map((body) =>
          history.begin({ kind: 'update', task: id, body, ifMatch, isPlain: true }),
        )
        const { hear, heard } = hearing(record)
        const settled = await client.together(asks, hear)
        const exchangeOf = ({ exchange }: Answer) => heard.find(({ number }) => number === exchange)
        for (const [at, one] of settled.entries())
          if (one.status === 'rejected') notes[at]?.()
          else notes[at]?.(one.value, exchangeOf(one.value))
        return settled
      }
      return budget ? budget.spend(id, send, asks.length) : send()
    },
    knownFiles,
    times,
    puttingBack: () =>
      createService(client, (exchange) => record({ ...exchange, putBack: true }), hooks),
    ahead: () => createService(aheadOf(client), record, hooks),
  }
}
