import { connect, createServer } from 'node:net'
import { listen } from '../../../reference/listen.ts'
import { createService } from '../../../reference/service.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { opened } from '../../test-end.ts'

/** Something beside the service that settings name. */
export type Surroundings = { env: Record<string, string>; close(): Promise<void> }

/** Another region of the service, with a key of its own, or with the key of the one under test. */
export async function anotherRegion({ sameKey }: { sameKey: boolean }): Promise<Surroundings> {
  const { baseUrl, close } = await listen(createService({ world: makeWorld(sameKey ? 1 : 2) }))
  return { env: { WRONG_REGION_URL: baseUrl }, close }
}

/** An egress proxy that uses another address of this machine. */
export async function outsideProxy(): Promise<Surroundings> {
  const server = createServer((incoming) => {
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
