import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, createServer as createTunnel } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { overSockets, type Transport } from '../../../engine/http/transport.ts'
import { Agent } from '../../../engine/undici.ts'
import type { Place } from '../../../program/stand-in/embedded.ts'
import { environmentFor } from '../../../program/stand-in/settings-for.ts'
import { listen, listenTo } from '../../../reference/listen.ts'
import { createMailbox, listenMailbox } from '../../../reference/mail/mailbox.ts'
import { type Open, open } from '../../../reference/rules/open.ts'
import { stated } from '../../../reference/rules/stated.ts'
import type { ExportFile } from '../../../reference/rules/stated-export.ts'
import { createService } from '../../../reference/service.ts'
import { makeWorld, type World } from '../../../reference/world/world.ts'
import { opened } from '../../test-end.ts'
import type { Bent, Surroundings } from '../fault.ts'

// What stands between a run and the service.

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

/** Another region of the service, with a key of its own, or with the key of the one under test. */
export async function anotherRegion({ sameKey }: { sameKey: boolean }): Promise<Surroundings> {
  const { baseUrl, close } = await listen(createService({ world: makeWorld(sameKey ? 1 : 2) }))
  return { env: { WRONG_REGION_URL: baseUrl }, close }
}

/** An egress proxy that uses another address of this machine. */
export async function outsideProxy(): Promise<Surroundings> {
  const server = createTunnel((incoming) => {
    incoming.on('error', () => {})
    incoming.once('data', (head) => {
      const [, host, port] = /^CONNECT ([^:]+):(\d+)/.exec(String(head)) ?? []
      const outgoing = connect({ host, port: Number(port), localAddress: '127.0.0.2' }, () => {
        incoming.write('HTTP/1.1 200 Connected\r\n\r\n')
        incoming.pipe(outgoing).pipe(incoming)
      })
      outgoing.on('error', () => incoming.destroy())
      incoming.on('close', () => outgoing.destroy())
    })
  })
  const { origin, close } = await opened(server)
  return { env: { OUTSIDE_PROXY_URL: origin }, close }
}

type Given = ReturnType<typeof environmentFor> & { MAILBOX_URL: string }

type Lent = Pick<Bent, 'stated' | 'open'> & { change?: (world: World) => void }

/** The settings that an operator gives for the reference service, bent or not, at its own address. */
export const lent =
  (hand: (all: Given) => Record<string, string>, { change, ...bent }: Lent = {}) =>
  async (): Promise<Surroundings> => {
    const world = makeWorld(1, { events: 100 })
    change?.(world)
    const mailbox = createMailbox()
    const service = createService({
      world,
      stated: { ...stated, ...bent.stated },
      open: { ...open, ...bent.open },
      mailer: mailbox.deliver,
    })
    const [{ baseUrl, close }, mails] = await Promise.all([listen(service), listenMailbox(mailbox)])
    const given = hand({ ...environmentFor(service), MAILBOX_URL: mails.url })
    return {
      env: { BASE_URL: baseUrl, API_KEY: world.apiKey, ...given },
      close: async () => void (await Promise.all([close(), mails.close()])),
    }
  }

/** Every task is assigned to the same user or team. */
export const allAssignedTo =
  (type: 'USER' | 'TEAM') =>
  ({ tasks, users: [by, user], teams: [team] }: World) => {
    const to = type === 'USER' ? user : team
    for (const task of tasks)
      task.assignment = {
        assigned_by_id: by?.id ?? '',
        assigned_to_id: to?.id ?? '',
        assigned_to_type: type,
        assignment_comment: null,
      }
  }

const first = (list: string) => list.split(',')[0] ?? ''

/** One task and one user. */
export const oneOfEach = ({ TASK_IDS, USER_IDS, ACTOR_ID }: Given) => ({
  ACTOR_ID,
  TASK_IDS: first(TASK_IDS),
  USER_IDS: first(USER_IDS),
})

type Delivered = ReturnType<Open['delivery']>

/** An answer with the address of a file in a store. */
export type InStore = (address: string, file: ExportFile) => Delivered

/** What the store answers instead of a file. */
type InsteadOfFile = { status: number; content: string }

/**
 * Exports that are fetched from a store of another origin. It needs no key: a client that sends one has
 * leaked it.
 */
export function throughStore(
  answer: InStore,
  given?: InsteadOfFile,
): Pick<Bent, 'open' | 'surroundings'> {
  const files = new Map<string, Promise<ArrayBuffer>>()
  let origin = ''
  return {
    surroundings: async () => {
      const server = createServer(async ({ url = '', headers }, response) => {
        const file = files.get(new URL(url, origin).pathname)
        if (headers.apikey !== undefined) return response.writeHead(400).end('a key')
        if (given) return response.writeHead(given.status).end(given.content)
        if (!file) return response.writeHead(404).end()
        return response.writeHead(200).end(Buffer.from(await file))
      })
      const put = await opened(server)
      origin = put.origin
      return { env: {}, close: put.close }
    },
    open: {
      disposition: () => undefined,
      delivery: ({ file }) => {
        const path = `/files/${files.size}`
        files.set(path, new Response(file.content).arrayBuffer())
        return answer(`${origin}${path}?sig=1`, file)
      },
    },
  }
}

/** What each run begins with. */
export const eachRun = (begin: () => void): Pick<Bent, 'surroundings'> => ({
  surroundings: async () => {
    begin()
    return { env: {}, close: async () => {} }
  },
})

type Rule<Given, Result> = (given: Given) => Result

/** A rule that is another for some of its calls, by their number; each run gets a new one. */
export function eitherOf<Given, Result>(
  usual: Rule<Given, Result>,
  other: Rule<Given, Result>,
  isOther: (asked: number) => boolean,
): Rule<Given, Result> {
  let asked = 0
  return (given) => {
    asked += 1
    return isOther(asked) ? other(given) : usual(given)
  }
}

type Delay = typeof open.delay

/** A service that works on one request at a time, or on one of a kind, for so many milliseconds each. */
export function oneAtATime(
  each: number,
  isOf: (call: Parameters<Delay>[0]) => boolean = () => true,
): Delay {
  let free = 0
  return (call) => {
    if (call.at !== 'end' || !isOf(call)) return 0
    const now = Date.now()
    // Another run may have begun earlier in simulated time.
    if (free > now + 1000 * each) free = now
    free = Math.max(now, free) + each
    return free - now
  }
}
