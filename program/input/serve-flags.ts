import { wholeNumber } from '../../engine/settings/parsers.ts'
import { UsageError } from './mistakes.ts'
import { type Call, parseWith, readFlags } from './read-flags.ts'

/** How the reference service is put on a port. */
const serveCommand = {
  name: 'serve',
  about: `  Keeps the reference service on a port, and a mailbox on the next, until Ctrl-C; prints the lines of
  .env that a run against it needs.
`,
  flags: {
    port: {
      argument: 'N',
      meaning: 'port of the service, else PORT, else 4010; 0: any two that are free',
    },
    seed: { argument: 'N', meaning: 'seed of its tasks, people and events, else SEED, else 1' },
    like: {
      argument: 'REPORT',
      repeats: true,
      meaning: 'answer as the service of this report.json where the contract leaves things open',
    },
    world: {
      argument: 'FILE',
      meaning:
        'hold the tasks, people and events of this file; curl http://127.0.0.1:4010/__world writes one to begin with',
    },
  },
  removed: {
    save: 'write the world with curl http://127.0.0.1:4010/__world > world.json',
    'with-breaches': 'leave it out: what that service broke is kept here',
  },
}

export type ServeFlags = {
  world: string | undefined
  port: number
  seed: number
  like: readonly string[]
}

/** Reads port and seed, or throws the first mistake; undefined: as readFlags. */
export function readServeFlags(call: Call): ServeFlags | undefined {
  const given = readFlags(serveCommand, call)
  if (!given) return undefined
  const readNumber = (name: 'port' | 'seed', otherwise: number, highest: number) => {
    const flag = given.value(name)
    const setting = name.toUpperCase()
    const text = flag ?? call.env[setting] ?? String(otherwise)
    const where = flag === undefined ? setting : `--${name}`
    return parseWith(wholeNumber(0, highest), text.trim(), where) ?? otherwise
  }
  const like = given.flags.get('like') ?? []
  const world = given.value('world')
  if (world !== undefined && given.value('seed') !== undefined)
    throw new UsageError('--world holds what --seed would make up; give one of the two.')
  return {
    world,
    port: readNumber('port', 4010, 65_534),
    seed: readNumber('seed', 1, 2 ** 32 - 1),
    like,
  }
}
