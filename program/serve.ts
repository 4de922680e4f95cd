import { setTimeout as forever } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { listen } from '../reference/listen.ts'
import { createMailbox } from '../reference/mailbox.ts'
import { listenMailbox } from '../reference/mailbox-listen.ts'
import { createService } from '../reference/service.ts'
import { makeWorld } from '../reference/world.ts'
import type { Out } from '../reporting/console.ts'
import { UsageError } from './flags.ts'
import { asEnvironment } from './handed-over.ts'

/** Keeps the reference service on a port, and prints the lines of .env that a run against it needs. */
export async function serve(
  argv: string[],
  env: Record<string, string | undefined>,
  out: Out,
): Promise<number> {
  const { port, seed } = numbersIn(argv, env)
  const mailbox = createMailbox()
  const service = createService({ world: makeWorld(seed), mailer: mailbox.deliver })
  const unusable = (port: number) => (error: NodeJS.ErrnoException) => {
    throw new UsageError(
      `port ${port} cannot be used (${error.code}): give --port one that is free, and the next too.`,
    )
  }
  const { baseUrl } = await listen(service, { port }).catch(unusable(port))
  const mailPort = port === 0 ? 0 : port + 1
  const { url } = await listenMailbox(mailbox, { port: mailPort }).catch(unusable(mailPort))
  const lines = { BASE_URL: baseUrl, ...asEnvironment(service), MAILBOX_URL: url }
  for (const [name, value] of Object.entries(lines)) out.write(`${name}=${value}\n`)
  out.write(`# the reference service of seed ${seed}; Ctrl-C ends it\n`)
  await forever(2 ** 31 - 1)
  return 0
}

function numbersIn(argv: string[], env: Record<string, string | undefined>) {
  const read = () => {
    try {
      return parseArgs({
        args: argv,
        options: { port: { type: 'string' }, seed: { type: 'string' } },
      })
    } catch {
      throw new UsageError('serve takes --port N and --seed N: npm run serve -- --port 4010')
    }
  }
  const { values } = read()
  const number = (name: string, text: string, most: number) => {
    const value = Number(text)
    if (text.trim() !== '' && Number.isInteger(value) && value >= 0 && value <= most) return value
    throw new UsageError(`${name} is '${text}': give a whole number from 0 to ${most}.`)
  }
  return {
    port: number('--port', values.port ?? env.PORT ?? '4010', 65_534),
    seed: number('--seed', values.seed ?? env.SEED ?? '1', 2 ** 32 - 1),
  }
}
