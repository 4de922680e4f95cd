// What stands between a run and the service.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { overSockets, type Transport } from '../../../engine/http/transport.ts'
import { Agent } from '../../../engine/undici.ts'
import type { Place } from '../../../program/stand-in/embedded.ts'
import { listenTo } from '../../../reference/listen.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { opened } from '../../test-end.ts'

type Send = Transport['send']
type SentRequest = Parameters<Send>[0]
export type Front = (place: Place) => Place

/** Another way to the first service that listens; the others, such as the mailbox, are reached as before. */
export const onTheWay =
  (through: (send: Send) => Send): Front =>
  ({ listenTo, transport }) => {
    if (!transport) throw new Error('a front needs a transport to pass requests on')
    const other = through(transport.send)
    let service: string | undefined
    return {
      transport: {
        ...transport,
        send: (asked, ...more) =>
          (asked.origin === service ? other : transport.send)(asked, ...more),
      },
      listenTo: async (fetch) => {
        const put = await listenTo(fetch)
        service ??= put.origin
        return put
      },
    }
  }

/** On ports: a server takes each request with its headers as they are spelled, and sends it through the front. */
export function frontOnPorts(front: Front): Place {
  const agent = new Agent()
  const inner = front({ transport: overSockets(agent), listenTo: (fetch) => listenTo(fetch, {}) })
  const { send, close } = inner.transport as Transport
  return {
    listenTo: async (fetch) => {
      const behind = await inner.listenTo(fetch)
      const passOn = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
        const gone = new AbortController()
        outgoing.on('close', () => gone.abort())
        const { method, url: path, rawHeaders: raw } = incoming
        const pairs = raw.flatMap((name, at) => (at % 2 ? [] : [[name, raw[at + 1]]]))
        const headers = Object.fromEntries(pairs)
        const body = (await text(incoming)) || null
        const sent = { origin: behind.origin, method, path, headers, body } as SentRequest
        const answer = await send(sent, gone.signal, () => {})
        await pipeline(answer.body, outgoing.writeHead(answer.statusCode, answer.headers))
      }
      const server = createServer((incoming, outgoing) => {
        passOn(incoming, outgoing).catch(() => outgoing.destroy())
      })
      // The answers promise what the service behind it keeps.
      server.keepAliveTimeout = 65_000
      const before = await opened(server)
      const closing = [before.close, behind.close, close]
      return { ...before, close: async () => void (await Promise.all(closing.map((end) => end()))) }
    },
  }
}

const { apiKey } = makeWorld(1, { events: 0 })

/** A router that finds an operation at other paths too; `isOpen`: where the key is not looked at. */
export const atOtherPaths = (
  own: (path: string) => string,
  isOpen: (asked: SentRequest) => boolean = () => false,
): Front =>
  onTheWay((send) => (asked, ...more) => {
    const [head = '', ...query] = asked.path.split('?')
    const path = [own(head), ...query].join('?')
    const isOther = path !== asked.path
    const headers = isOther && isOpen(asked) ? { ...asked.headers, apikey: apiKey } : asked.headers
    return send({ ...asked, path, headers } as SentRequest, ...more)
  })

/** A service that knows a header by a name in lower case alone. */
export const byExactName = (name: string): Front =>
  onTheWay((send) => (asked, ...more) => {
    const isLost = (given: string) => given !== name && given.toLowerCase() === name
    const kept = Object.entries(asked.headers as object).filter(([given]) => !isLost(given))
    return send({ ...asked, headers: Object.fromEntries(kept) }, ...more)
  })

/** A page for every path that the service lacks. */
export const withPageFor = (isOther: (path: string) => boolean, status: number): Front =>
  onTheWay((send) => async (asked, signal, started) => {
    if (!isOther(asked.path.split('?')[0] ?? '')) return send(asked, signal, started)
    started()
    const headers = { 'content-type': 'text/html', location: '/' }
    return {
      statusCode: status,
      headers,
      body: Readable.from([Buffer.from('<!doctype html><p>Hello')]),
    }
  })
