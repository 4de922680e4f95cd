import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Exchange } from './exchange.ts'

export type HeaderForm = 'upper case' | 'title case'

export type Ask = {
  method: 'GET' | 'PUT'
  /** relative to the base, percent-encoded, with the query; starts with '/' */
  path: string
  headers?: Record<string, string>
  /** null: no key header */
  key?: string | null
  headerForm?: HeaderForm
  body?: string
  base?: string
  /** for the clause that needs WRONG_REGION_URL */
  sendKeyElsewhere?: true
  /** default: GET yes, PUT no */
  repeatable?: boolean
  /** a service may leave a whole kind unanswered; default: the method */
  kind?: string
  /** exported rows are personal data: a larger body is read, and reports keep none of it */
  exported?: true
  via?: Dispatcher
  retries?: false
  ahead?: true
  behindMs?: number
}

export type Answer = {
  exchange: number
  method: string
  path: string
  status: number
  /** names in lower case; values of one name joined by ', ' */
  headers: Record<string, string>
  bytes: Buffer
  /** invalid sequences are replaced */
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
  ask(ask: Ask, record?: Recorder): Promise<Answer>
  download<T>(
    ask: Ask,
    record: Recorder | undefined,
    sink: Sink<T>,
  ): Promise<{ answer: Downloaded; result: T }>
  together(asks: Ask[], record?: Recorder): Promise<PromiseSettledResult<Answer>[]>
  readonly requests: number
  close(): Promise<void>
}

export type ClientOptions = {
  record?: Recorder
  stop?: AbortSignal
  last?: number
  onRequest?: () => void
  onAnswer?: (kind: string) => void
  /** the caller does its own waiting: report a dead service at once */
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
