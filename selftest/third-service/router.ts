import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Hooks } from './hooks.ts'
import { type Call, Fault, type Operation, type Reply, type Task } from './model.ts'

const PREFIX = '/v5'
const LARGEST_BODY = 1_000_000

export interface Route {
  op: Operation
  method: 'GET' | 'PUT'
  /** Matched against the path behind the prefix; a first group is the id. */
  path: RegExp
  run(call: Call): Reply | Promise<Reply>
}

export const json = (status: number, payload: unknown): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  payload,
})

/** The front door: finds the route, looks at the key, runs the route, writes the reply. */
export class Router {
  readonly #routes: readonly Route[]
  readonly #apiKey: string
  readonly #hooks: Hooks
  readonly #peek: (id: string) => Task | undefined
  #server: Server | undefined
  #requests = 0

  constructor(
    routes: readonly Route[],
    apiKey: string,
    hooks: Hooks,
    peek: (id: string) => Task | undefined,
  ) {
    this.#routes = routes
    this.#apiKey = apiKey
    this.#hooks = hooks
    this.#peek = peek
  }

  async open(): Promise<string> {
    const server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy())
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    this.#server = server
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}${PREFIX}`
  }

  async close(): Promise<void> {
    const server = this.#server
    server?.closeAllConnections()
    if (server) await new Promise((done) => server.close(done))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#requests += 1
    const url = new URL(`http://desk.invalid${request.url ?? '/'}`)
    const call = callOf(request, url.searchParams, this.#requests)
    let fault: Fault | null = null
    let reply: Reply
    try {
      reply = await this.#route(call, request.method ?? '', url.pathname)
    } catch (error) {
      fault = this.#hooks.run('fault', faultOf(error), { call })
      const { status, kind, message } = fault
      reply = json(status, { fault: kind, says: message, request: call.n })
    }
    const { status, headers, payload } = this.#hooks.run('reply', reply, {
      call,
      fault,
      peek: this.#peek,
    })
    const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload))
    request.resume()
    response.writeHead(status, { ...headers, 'content-length': String(bytes.length) })
    response.end(bytes)
  }

  async #route(call: Call, method: string, pathname: string): Promise<Reply> {
    const path = pathname.startsWith(`${PREFIX}/`) ? pathname.slice(PREFIX.length) : ''
    const fitting = this.#routes.filter((route) => route.path.test(path))
    if (fitting.length === 0) throw new Fault(404, 'NO_SUCH_PLACE', 'nothing is served here')
    const route = fitting.find((one) => one.method === method)
    if (!route) throw new Fault(405, 'METHOD', 'this place is not served by that method')
    call.op = route.op
    call.id = decoded(route.path.exec(path)?.[1] ?? '')
    const ok = call.header('apikey') === this.#apiKey
    if (!this.#hooks.run('keyAccepted', ok, { call, expected: this.#apiKey }))
      throw new Fault(401, 'KEY_NOT_KNOWN', 'give a valid key in the header apikey')
    return route.run(call)
  }
}

function callOf(request: IncomingMessage, query: URLSearchParams, n: number): Call {
  return {
    op: 'none',
    n,
    id: '',
    query,
    header: (name) => {
      const value = request.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    text: async () => {
      const pieces: Buffer[] = []
      let size = 0
      for await (const piece of request as AsyncIterable<Buffer>) {
        size += piece.length
        if (size > LARGEST_BODY) throw new Fault(413, 'BODY_SIZE', 'the body is too large')
        pieces.push(piece)
      }
      return Buffer.concat(pieces).toString('utf8')
    },
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error
  return new Fault(500, 'UNEXPECTED', error instanceof Error ? error.message : String(error))
}
