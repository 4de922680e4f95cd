import type { Ask, Client, Downloaded, Recorder, Sink } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { Trouble } from '../../engine/outcome.ts'
import type { MetHere } from '../../engine/run/report.ts'
import { statuses } from '../contract/statuses.ts'
import type { Owned } from './judge.ts'
import type { KeyUse } from './key-use.ts'
import { exportPath, kindOf } from './request-paths.ts'

export type Fetched<T> = {
  answer: Downloaded
  result: T
  /** the base of relative addresses in the answer */
  address: URL
  met(owned: Owned): void
}

type Watched = {
  record: Recorder
  met: (met: MetHere) => void
  keyUse: KeyUse
  baseUrl: string
  unreachable: Set<string>
}

export function hearing(record: Recorder) {
  const heard: Exchange[] = []
  const hear: Recorder = (exchange) => {
    heard.push(exchange)
    record(exchange)
  }
  return { hear, heard }
}

export function createDownloads(
  client: Client,
  { record, met, keyUse, baseUrl, unreachable }: Watched,
) {
  const fetchFile = async <T>(
    ask: Ask,
    sink: Sink<T>,
    told: Recorder = record,
  ): Promise<Fetched<T>> => {
    const { hear, heard } = hearing(told)
    const fetched = await client.download(ask, hear, sink)
    return {
      ...fetched,
      address: new URL(`${ask.base ?? baseUrl.replace(/\/+$/, '')}${ask.path}`),
      met: (owned) => met({ ...owned, exchanges: heard.slice(-1) }),
    }
  }

  return {
    async download<T>(query: string, sink: Sink<T>): Promise<Fetched<T>> {
      const ask: Ask = { method: 'GET', path: exportPath(query), kind: kindOf('export', query) }
      let fetched = await fetchFile(ask, sink)
      const { status } = fetched.answer
      const isAgain = status === statuses.badKey && keyUse.isAccepted('export')
      if (status === statuses.failedExport || isAgain) fetched = await fetchFile(ask, sink)
      await keyUse.note('export', fetched.answer, ask, (known) => client.ask(known, record))
      return fetched
    },

    async downloadFrom<T>(
      { origin, pathname, search }: URL,
      sink: Sink<T>,
    ): Promise<Fetched<T> | 'unreachable'> {
      if (unreachable.has(origin)) return 'unreachable'
      const isHome = origin === new URL(baseUrl).origin
      const ask: Ask = { method: 'GET', path: `${pathname}${search}`, base: origin }
      const { hear, heard } = hearing(record)
      try {
        return await fetchFile(isHome ? ask : { ...ask, key: null }, sink, hear)
      } catch (error) {
        // A broken answer, "try again later" and the end of the run are trouble as everywhere.
        const last = heard.at(-1)
        const isUnanswered = last !== undefined && last.status === undefined
        if (isHome || !(error instanceof Trouble) || !isUnanswered) throw error
        unreachable.add(origin)
        return 'unreachable'
      }
    },
  }
}
