import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Exchange } from './exchange.ts'

export type HeaderForm = 'upper case' | 'title case'

export type Ask = {
  method: 'GET' | 'PUT'
  /** relative to the base, percent-encoded, with the query; starts with '/' */
  path: string
  /** besides apikey */
  headers?: Record<string, string>
  /** default: the configured key; null: no apikey header */
  key?: string | null
  /** the same headers, written otherwise: names have no case, and a media type may have parameters */
  headerForm?: HeaderForm
  body?: string
  /** default: settings.baseUrl; only its origin gets the configured key */
  base?: string
  /** sends the configured key to another base too (WRONG_REGION_URL's one clause) */
  sendKeyElsewhere?: true
  /** whether it may be sent twice without harm; default: GET yes, PUT no */
  repeatable?: boolean
  /** what people call such requests; a service may leave a whole kind unanswered; default: the method */
  kind?: string
  /** exported rows are personal data: a larger body is read, and reports keep none of it */
  exported?: true
  /** another way to the service (an egress proxy) */
  via?: Dispatcher
  /** false: returns the first answer, and does not retry after trouble */
  retries?: false
  /** uses the shorter line, because much waits for the result */
  ahead?: true
  /** how long to send it after others that are asked at the same moment */
  behindMs?: number
}

export type Answer = {
  /** the number of its exchange; after retries the last one */
  exchange: number
  method: string
  path: string
  status: number
  /** names in lower case; values of one name joined by ', ' */
  headers: Record<string, string>
  bytes: Buffer
  /** UTF-8; invalid sequences replaced, the byte order mark removed */
  text: string
  validUtf8: boolean
  sent?: string
  attempts: number
  milliseconds: number
}

export type Head = { status: number; headers: Record<string, string> }

export type Reader<T> = (body: AsyncGenerator<Buffer>, head: Head) => Promise<T>

export type Sink<T> = (body: Readable, head: Head) => Promise<T>

export type Downloaded = Omit<Answer, 'bytes' | 'text' | 'validUtf8'> & { bytesRead: number }

export type Recorder = (exchange: Exchange) => void

export type Client = {
  /** asks until there is an answer; every attempt is recorded */
  ask(ask: Ask, record?: Recorder): Promise<Answer>
  /** like ask, but streams the decoded body to a reader */
  download<T>(
    ask: Ask,
    record: Recorder | undefined,
    sink: Sink<T>,
  ): Promise<{ answer: Downloaded; result: T }>
  /** asks all at the same moment, as far as concurrency and pace allow; answers in the given order */
  together(asks: Ask[], record?: Recorder): Promise<PromiseSettledResult<Answer>[]>
  /** sent so far, with attempts and probes */
  readonly requests: number
  close(): Promise<void>
}

export type ClientOptions = {
  /** receives every exchange that has no recorder of its own */
  record?: Recorder
  /** ends everything under way and everything waiting */
  stop?: AbortSignal
  /** the number of the last exchange so far; default: none */
  last?: number
  onRequest?: () => void
  /** called when an attempt was answered, with the name of its kind */
  onAnswer?: (kind: string) => void
  /** the caller does its own waiting: report a dead service at once, and do not probe it */
  tellsSoon?: true
}

const ahead = (ask: Ask): Ask => ({ ...ask, ahead: true })

export const aheadOf = (client: Client): Client => ({
  ask: (ask, record) => client.ask(ahead(ask), record),
  download: (ask, record, sink) => client.download(ahead(ask), record, sink),
  together: (asks, record) => client.together(asks.map(ahead), record),
  get requests() {
    return client.requests
  },
  close: () => client.close(),
})
