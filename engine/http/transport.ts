import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { request } from '../undici.ts'

/** The head of an answer, and its body as it arrives. */
export type Carried = {
  statusCode: number
  headers: Record<string, string | string[] | undefined>
  body: Readable
}

/** Carries requests to services. */
export type Transport = {
  /** `started` is called when the request is given to a connection: nothing of it was written before */
  send(
    options: Dispatcher.DispatchOptions,
    signal: AbortSignal,
    started: () => void,
  ): Promise<Carried>
  close(): Promise<void>
}

/** Carries them over the sockets of an agent. */
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
    // The connection is not held up by a slow reader: undici 7 fails with `assert(!this.paused)` where one
    // ends meanwhile. The agent's `maxResponseSize` bounds what waits here.
    const highWaterMark = Number.MAX_SAFE_INTEGER
    return request.call(telling, { ...options, signal, highWaterMark })
  },
  close: () => agent.destroy(),
})
