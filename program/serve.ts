import { Impossible } from '../engine/impossible.ts'
import { listen } from '../reference/listen.ts'
import { createMailbox, listenMailbox } from '../reference/mail/mailbox.ts'
import { createService } from '../reference/service.ts'
import { makeWorld } from '../reference/world/world.ts'
import { type Call, readFlags } from './input/read-flags.ts'
import { readWorld } from './input/world-file.ts'
import { untilSignal } from './run/interruption.ts'
import { createResettable } from './stand-in/kept-state.ts'
import { environmentFor, lineFor } from './stand-in/settings-for.ts'

export async function serve(call: Call): Promise<number> {
  const flags = readFlags('serve', call)
  const { port, seed } = flags
  const held = flags.world === undefined ? undefined : readWorld(flags.world, call.cwd)
  const world = held?.world ?? makeWorld(seed)
  const mailbox = createMailbox()
  const service = createResettable(() =>
    createService({ world, events: held?.events, mailer: mailbox.deliver }),
  )
  const unusable = (port: number) => (error: NodeJS.ErrnoException) => {
    throw new Impossible(
      `port ${port} cannot be used (${error.code}): give --port a free port; the next is used too.`,
    )
  }
  const { baseUrl } = await listen(service, { port }).catch(unusable(port))
  const mailPort = port === 0 ? 0 : port + 1
  const { url } = await listenMailbox(mailbox, { port: mailPort }).catch(unusable(mailPort))
  // Listen first: a reader of the output may stop this at once.
  const ended = untilSignal()
  const lines = { BASE_URL: baseUrl, ...environmentFor({ world }), MAILBOX_URL: url }
  // A setting that is present but empty would end a run.
  for (const [name, value] of Object.entries(lines))
    if (value !== '') call.out.write(`${lineFor(name, value)}\n`)
  call.out.write(
    `# the reference service ${held ? `with the world of ${flags.world}` : `of seed ${seed}`}; paste these lines into .env and start a run in a second terminal;\n# remove .env afterwards, and runs test the embedded service again\n# Ctrl-C ends it\n`,
  )
  await ended
  return 0
}
