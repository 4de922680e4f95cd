// The reference service on a port of its own, beside the process that is timed. Its first message has the
// settings to reach it by.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { environmentFor } from '../../program/stand-in/settings-for.ts'
import { createMailbox, listenMailbox } from '../../reference/mail/mailbox.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'

const mailbox = createMailbox()
const service = createService({ world: makeWorld(1), mailer: mailbox.deliver })
const answer = getRequestListener(
  (request, { incoming }) => service.fetch(request, incoming.socket?.remoteAddress),
  { overrideGlobalObjects: false },
)

const server = createServer(answer)
server.keepAliveTimeout = 65_000
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const { url } = await listenMailbox(mailbox)
process.send?.({
  SEED: '1',
  BASE_URL: `http://127.0.0.1:${port}/v5`,
  ...environmentFor(service),
  MAILBOX_URL: url,
})
process.on('disconnect', () => process.exit())
