import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Service } from './service.ts'

/** Listens with a service on a port of this machine; default: a free port. */
export async function listen(
  service: Pick<Service, 'fetch'>,
  place: { port?: number; host?: string } = {},
): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const { origin, close } = await listenTo(service.fetch, place)
  return { baseUrl: `${origin}/v5`, close }
}

export async function listenTo(
  fetch: (request: Request, address?: string) => Promise<Response>,
  { port = 0, host = '127.0.0.1' }: { port?: number; host?: string },
): Promise<{ origin: string; close(): Promise<void> }> {
  const answer = getRequestListener(
    (request, { incoming }) => fetch(request, incoming.socket?.remoteAddress),
    { hostname: host, overrideGlobalObjects: false },
  )
  const server = createServer(answer)
  // Longer than clients keep a socket: otherwise a reused one may be closed under them.
  server.keepAliveTimeout = 65_000
  server.headersTimeout = 70_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  return {
    origin: `http://${host}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
