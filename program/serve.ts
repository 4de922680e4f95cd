import { setTimeout as forever } from 'node:timers/promises'
import { listen } from '../reference/listen.ts'
import { createMailbox } from '../reference/mail/mailbox.ts'
import { listenMailbox } from '../reference/mail/mailbox-listen.ts'
import { createService } from '../reference/service.ts'
import { makeWorld } from '../reference/world/world.ts'
import { UsageError } from './input/mistakes.ts'
import type { Call } from './input/read-flags.ts'
import { readServeFlags } from './input/serve-flags.ts'
import { environmentFor } from './stand-in/settings-for.ts'

/** Keeps the reference service on a port, and prints the lines of .env that a run against it needs. */
export async function serve(call: Call): Promise<number> {
  const flags = readServeFlags(call)
  if (!flags) return 0
  const { port, seed } = flags
  const mailbox = createMailbox()
  const service = createService({ world: makeWorld(seed), mailer: mailbox.deliver })
  const unusable = (port: number) => (error: NodeJS.ErrnoException) => {
    throw new UsageError(
      `port ${port} cannot be used (${error.code}): give --port a free one; the next is used too.`,
    )
  }
  const { baseUrl } = await listen(service, { port }).catch(unusable(port))
  const mailPort = port === 0 ? 0 : port + 1
  const { url } = await listenMailbox(mailbox, { port: mailPort }).catch(unusable(mailPort))
  const lines = { BASE_URL: baseUrl, ...environmentFor(service), MAILBOX_URL: url }
  for (const [name, value] of Object.entries(lines)) call.out.write(`${name}=${value}\n`)
  call.out.write(
    `# the reference service of seed ${seed}; Ctrl-C ends it. Paste these lines into .env and start a run in a second\n# terminal; remove .env afterwards, and runs test the embedded service again\n`,
  )
  await forever(2 ** 31 - 1)
  return 0
}
