import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http'
import { listening } from '../engine/http/servers.ts'
import { lendService } from '../helpers/loans/lent-service.ts'

/** Handles a request itself, or returns false to pass it on. */
export type Spoil = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  /** the number of requests so far, with this one */
  count: number,
) => boolean | undefined

/** A staging environment behind our misbehaving proxy. */
export async function lendBehind(spoil: Spoil, given: Parameters<typeof lendService>[0] = {}) {
  const lent = await lendService(given)
  const pass = handOn(lent.baseUrl)
  let count = 0
  const front = createServer((incoming, outgoing) => {
    count += 1
    if (spoil(incoming, outgoing, count) !== true) pass(incoming, outgoing)
  })
  const port = await listening(front)
  const env = { ...lent.env, BASE_URL: `http://127.0.0.1:${port}/v5` }
  return { ...lent, env, front, count: () => count }
}

/** Passes a request on to another address, and its answer back unchanged. */
export function handOn(to: string): RequestListener {
  const { port } = new URL(to)
  return (incoming, outgoing) => {
    const { method, url, headers } = incoming
    const onward = request({ port, method, path: url, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  }
}
