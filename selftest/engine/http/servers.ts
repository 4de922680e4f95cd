import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
} from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import type { Ask, Client, ClientOptions } from '../../../engine/http/ask.ts'
import type { Exchange } from '../../../engine/http/exchange.ts'
import { openServiceClient } from '../../../helpers/settings/client.ts'
import { readSettings } from '../../../helpers/settings/read.ts'
import type { Settings } from '../../../helpers/settings/table.ts'
import { opened, untilTestEnd } from '../../test-end.ts'

export const get: Ask = { method: 'GET', path: '/t' }
export const put: Ask = { method: 'PUT', path: '/t', body: '{}' }
export const once: Ask = { ...get, retries: false }

export const key = 'k3y/With+odd "chars"'

export function settingsFor(baseUrl: string, more: Partial<Settings> = {}): Settings {
  return {
    ...readSettings({}, { cwd: '/nowhere' }),
    ...{ baseUrl, embedded: false, apiKey: key, seed: 1, trace: false, bodies: 'all' },
    // Limits for a busy machine: a test of one sets a shorter one.
    ...{ downloadTimeoutS: 10, maxExportMb: 64, runTimeoutS: 60 },
    ...{ settleMs: 0, mailWaitS: 0, auditWaitS: 0 },
    ...more,
  }
}

export function clientFor(baseUrl: string, more: Partial<Settings> = {}, options?: ClientOptions) {
  const exchanges: Exchange[] = []
  const record = (exchange: Exchange) => exchanges.push(exchange)
  const client: Client = untilTestEnd(
    openServiceClient(settingsFor(baseUrl, more), { record, ...options }),
  )
  return { client, exchanges }
}

/** A server of bytes: the test decides what happens to each connection. */
export async function rawServer(connected: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    connected(socket)
  })
  return `http://127.0.0.1:${await listening(server)}`
}

/** A server that sends these bytes for each request and counts the requests. */
export async function answering(send: (socket: Socket, request: string, count: number) => void) {
  const seen: string[] = []
  const url = await rawServer((socket) =>
    socket.on('data', (data) => {
      seen.push(data.toString('latin1'))
      send(socket, data.toString('latin1'), seen.length)
    }),
  )
  return { url, seen }
}

export async function httpServer(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listening(createHttpServer(listener))}`
}

/** Lets a server listen on a free port until the test ends. */
export async function listening(server: Server): Promise<number> {
  const { origin } = untilTestEnd(await opened(server))
  return Number(new URL(origin).port)
}

export async function deadUrl(): Promise<string> {
  const { origin, close } = await opened(createServer())
  await close()
  return origin
}

export async function remembering() {
  const asked: IncomingMessage[] = []
  const url = await httpServer((request, answer) => {
    asked.push(request)
    answer.end('{}')
  })
  return { url, asked }
}
