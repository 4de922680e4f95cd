import { describeAnswer } from '../../engine/http/answers.ts'
import type { Ask, Client, Downloaded, Recorder, Sink } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { Trouble } from '../../engine/outcome.ts'
import type { MetHere } from '../../engine/run/report.ts'
import type { Owned } from './judge.ts'
import { exportPath, kindOf } from './operations.ts'

/** A file that was streamed. */
export type Fetched<T> = {
  answer: Downloaded
  result: T
  /** the requested address, the base of relative addresses in the answer */
  address: URL
  /** reports a breach in the answer to the owner of its sentence */
  met(owned: Owned): void
}

type Watched = {
  record: Recorder
  met: (met: MetHere) => void
  /** the operations that have accepted the configured key */
  keyed: Set<string>
  baseUrl: string
  /** other origins that were unreachable in this run */
  unreachable: Set<string>
}

/** Fetches exports as streams, also from an address that an answer gives. */
export function createDownloads(
  client: Client,
  { record, met, keyed, baseUrl, unreachable }: Watched,
) {
  const fetchFile = async <T>(
    ask: Ask,
    sink: Sink<T>,
    hear: Recorder = () => {},
  ): Promise<Fetched<T>> => {
    let last: Exchange | undefined
    const seen: Recorder = (exchange) => {
      last = exchange
      hear(exchange)
      record(exchange)
    }
    const fetched = await client.download(ask, seen, sink)
    return {
      ...fetched,
      address: new URL(`${ask.base ?? baseUrl.replace(/\/+$/, '')}${ask.path}`),
      met: (owned) => met({ ...owned, exchanges: last ? [last] : [] }),
    }
  }

  return {
    async download<T>(query: string, sink: Sink<T>): Promise<Fetched<T>> {
      const ask: Ask = { method: 'GET', path: exportPath(query), kind: kindOf('export', query) }
      const first = await fetchFile(ask, sink)
      const isLost = first.answer.status === 401 && keyed.has('export')
      if (first.answer.status !== 401) keyed.add('export')
      if (first.answer.status !== 500 && !isLost) return first
      const again = await fetchFile(ask, sink)
      if (again.answer.status === 401 && isLost)
        throw new Trouble(`${describeAnswer(again.answer)}: the key was accepted before`)
      return again
    },

    /** another origin never gets the key */
    async downloadFrom<T>(
      { origin, pathname, search }: URL,
      sink: Sink<T>,
    ): Promise<Fetched<T> | 'unreachable'> {
      if (unreachable.has(origin)) return 'unreachable'
      const isHome = origin === new URL(baseUrl).origin
      const ask: Ask = { method: 'GET', path: `${pathname}${search}`, base: origin }
      let last: Exchange | undefined
      try {
        return await fetchFile(isHome ? ask : { ...ask, key: null }, sink, (exchange) => {
          last = exchange
        })
      } catch (error) {
        // A broken answer, "try again later" and the end of the run are trouble as everywhere.
        const isUnanswered = last !== undefined && last.status === undefined
        if (isHome || !(error instanceof Trouble) || !isUnanswered) throw error
        unreachable.add(origin)
        return 'unreachable'
      }
    },
  }
}
