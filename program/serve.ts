import { setTimeout as forever } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { listen } from '../reference/listen.ts'
import { createMailbox } from '../reference/mail/mailbox.ts'
import { listenMailbox } from '../reference/mail/mailbox-listen.ts'
import { createService } from '../reference/service.ts'
import { makeWorld } from '../reference/world/world.ts'
import type { Out } from '../reporting/console.ts'
import { asksForHelp, onlyValue, UsageError } from './input/flags.ts'
import { asEnvironment } from './stand-in/settings-for.ts'

const form = 'serve takes --port N and --seed N: npm run serve -- --port 4010'

const usage = `npm run serve -- [--port N] [--seed N]

  Keeps the reference service on a port, and a mailbox on the next, until Ctrl-C; prints the lines of
  .env that a run against it needs.

  --port N  port of the service, else PORT, else 4010; 0: any two that are free
  --seed N  seed of its tasks, people and events, else SEED, else 1
`

/** Keeps the reference service on a port, and prints the lines of .env that a run against it needs. */
export async function serve(
  argv: string[],
  env: Record<string, string | undefined>,
  out: Out,
): Promise<number> {
  if (asksForHelp(argv)) {
    out.write(usage)
    return 0
  }
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
  const given = flagsIn(argv)
  const number = (name: 'port' | 'seed', otherwise: string, most: number) => {
    const flag = onlyValue(given, name)
    const setting = name.toUpperCase()
    const text = flag ?? env[setting] ?? otherwise
    const value = Number(text)
    if (text.trim() !== '' && Number.isInteger(value) && value >= 0 && value <= most) return value
    const where = flag === undefined ? setting : `--${name}`
    throw new UsageError(`${where} holds '${text}'; give a whole number from 0 to ${most}.`)
  }
  return { port: number('port', '4010', 65_534), seed: number('seed', '1', 2 ** 32 - 1) }
}

function flagsIn(argv: string[]): Map<string, string[]> {
  const options = { port: { type: 'string' }, seed: { type: 'string' } } as const
  const given = new Map<string, string[]>()
  // Not strict: node takes the number of --seed -1 for a flag, and would not name the mistake.
  for (const token of parseArgs({ args: argv, options, strict: false, tokens: true }).tokens) {
    const isOurs = token.kind === 'option' && Object.hasOwn(options, token.name)
    if (!isOurs || token.value === undefined) throw new UsageError(form)
    given.set(token.name, [...(given.get(token.name) ?? []), token.value])
  }
  return given
}
