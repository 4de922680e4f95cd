import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Exchange } from './exchange.ts'

export type HeaderForm = 'upper case' | 'title case'

export type Ask = {
  method: 'GET' | 'PUT'
  /** relative to the base, already percent-encoded, with the query, starts with '/' */
  path: string
  /** besides apikey */
  headers?: Record<string, string>
  /** left out: the configured key; null: no apikey header */
  key?: string | null
  /** the same headers, written otherwise: names have no case, and a media type may have parameters */
  headerForm?: HeaderForm
  body?: string
  /** left out: settings.baseUrl; the configured key goes to the origin of that one alone */
  base?: string
  /** sends the configured key to another base all the same (WRONG_REGION_URL's one clause) */
  sendKeyElsewhere?: true
  /** may be sent twice without harm; left out: GET yes, PUT no */
  repeatable?: boolean
  /** what people call requests like this one: a service may leave all of a kind unanswered; left out: its method */
  kind?: string
  /** asks for exported rows: more of them is read, and reports keep none, as they are personal data */
  exported?: true
  /** another way to the service (an egress proxy) */
  via?: Dispatcher
  /** false: the first answer is given whatever it is, and trouble is not tried again */
  retries?: false
  /** it stands in a shorter line: much waits for what comes of it */
  ahead?: true
  /** how long it is sent behind others that are asked at the same moment */
  behindMs?: number
}

export type Answer = {
  /** the number of its exchange, the last where it was asked several times */
  exchange: number
  method: string
  path: string
  status: number
  /** lower case names; several of one name joined by ', ' */
  headers: Record<string, string>
  /** decoded */
  bytes: Buffer
  /** utf-8, invalid sequences replaced, the byte order mark kept out */
  text: string
  validUtf8: boolean
  /** the body of the request, where it had one */
  sent?: string
  attempts: number
  /** of the last attempt */
  milliseconds: number
}

export type Head = { status: number; headers: Record<string, string> }

/** Reads a body as it comes. */
export type Reader<T> = (body: AsyncGenerator<Buffer>, head: Head) => Promise<T>

export type Sink<T> = (body: Readable, head: Head) => Promise<T>

export type Downloaded = Omit<Answer, 'bytes' | 'text' | 'validUtf8'> & { bytesRead: number }

export type Recorder = (exchange: Exchange) => void

export type Client = {
  /** asks once, or until it is answered; every attempt is recorded */
  ask(ask: Ask, record?: Recorder): Promise<Answer>
  /** like ask, but hands the decoded body of the answer to a sink, piece by piece */
  download<T>(
    ask: Ask,
    record: Recorder | undefined,
    sink: Sink<T>,
  ): Promise<{ answer: Downloaded; result: T }>
  /** asks all at the same moment, as far as concurrency and pace allow; answers in the order given */
  together(asks: Ask[], record?: Recorder): Promise<PromiseSettledResult<Answer>[]>
  /** sent so far, attempts and probes included */
  readonly requests: number
  close(): Promise<void>
}

export type ClientOptions = {
  /** hears of every exchange that no recorder of its own was given for */
  record?: Recorder
  /** ends everything under way and everything waiting */
  stop?: AbortSignal
  /** the number of the last exchange of the run; left out: there was none */
  last?: number
  /** called at the start of every attempt */
  onRequest?: () => void
  /** who asks has patience of its own: where nobody listens it is told soon, and not asked for by probes */
  tellsSoon?: true
}

const ahead = (ask: Ask): Ask => ({ ...ask, ahead: true })

/** The same client, whose requests stand in a shorter line. */
export const aheadOf = (client: Client): Client => ({
  ask: (ask, record) => client.ask(ahead(ask), record),
  download: (ask, record, sink) => client.download(ahead(ask), record, sink),
  together: (asks, record) => client.together(asks.map(ahead), record),
  get requests() {
    return client.requests
  },
  close: () => client.close(),
})
