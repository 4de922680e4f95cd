import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { listen } from '../../../reference/listen.ts'
import { createService } from '../../../reference/service.ts'
import { makeWorld } from '../../../reference/world/world.ts'

/** Something beside the service that settings name. */
export type Surroundings = { env: Record<string, string>; close(): Promise<void> }

/** Another region of the service, with a key of its own, or with the key of the one under test. */
export async function anotherRegion({ sameKey }: { sameKey: boolean }): Promise<Surroundings> {
  const { baseUrl, close } = await listen(createService({ world: makeWorld(sameKey ? 1 : 2) }))
  return { env: { WRONG_REGION_URL: baseUrl }, close }
}

/** An egress proxy that uses another address of this machine. */
export async function outsideProxy(): Promise<Surroundings> {
  const sockets = new Set<Socket>()
  const server = createServer((incoming) => {
    sockets.add(incoming)
    incoming.once('data', (head) => {
      const [, host, port] = /^CONNECT ([^:]+):(\d+)/.exec(String(head)) ?? []
      const outgoing = connect({ host, port: Number(port), localAddress: '127.0.0.2' }, () => {
        incoming.write('HTTP/1.1 200 Connected\r\n\r\n')
        incoming.pipe(outgoing).pipe(incoming)
      })
      sockets.add(outgoing)
      outgoing.on('error', () => incoming.destroy())
      incoming.on('error', () => outgoing.destroy())
    })
  })
  await listening(server)
  const { port } = server.address() as AddressInfo
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { env: { OUTSIDE_PROXY_URL: `http://127.0.0.1:${port}` }, close }
}

const listening = (server: Server) =>
  new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
