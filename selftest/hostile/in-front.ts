import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http'
import { listening } from '../engine/http/servers.ts'
import { lendService } from '../helpers/loans/lent-service.ts'

/** Does something else with a request than hand it on, or does not: then it tells so by false. */
export type Spoil = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  /** of requests so far, this one with them */
  count: number,
) => boolean | undefined

/** Somebody's staging behind a proxy of ours that misbehaves. */
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

/** Hands a request on to another address, and what comes back as it is. */
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
