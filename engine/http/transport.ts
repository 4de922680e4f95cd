import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { request } from '../undici.ts'

export type Carried = {
  statusCode: number
  headers: Record<string, string | string[] | undefined>
  body: Readable
}

export type Transport = {
  /** nothing is written before `started` is called */
  send(
    options: Dispatcher.DispatchOptions,
    signal: AbortSignal,
    started: () => void,
  ): Promise<Carried>
  close(): Promise<void>
}

export const overSockets = (agent: Dispatcher): Transport => ({
  send(options, signal, started) {
    const telling = agent.compose((dispatch) => (given, handler) => {
      const start = handler.onRequestStart?.bind(handler)
      handler.onRequestStart = (...all) => {
        started()
        start?.(...all)
      }
      return dispatch(given, handler)
    })
    // A slow reader must not pause the connection: undici 7 fails with `assert(!this.paused)` if it
    // ends.
    const highWaterMark = Number.MAX_SAFE_INTEGER
    return request.call(telling, { ...options, signal, highWaterMark })
  },
  close: () => agent.destroy(),
})
