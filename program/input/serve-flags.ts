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
      meaning: 'hold the tasks, people and events of this file; --save writes one to begin with',
    },
    save: {
      argument: 'DIR',
      meaning:
        'write world.json, and like.json of what was learned, at once and at the end; go on with those that are there',
    },
    'with-breaches': { meaning: 'with --like: break the contract, too, where that service did' },
  },
}

export type ServeFlags = {
  world: string | undefined
  save: string | undefined
  port: number
  seed: number
  /** whether the seed was given as a flag */
  isSeeded: boolean
  like: readonly string[]
  withBreaches: boolean
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
  const withBreaches = given.flags.has('with-breaches')
  if (withBreaches && like.length === 0)
    throw new UsageError('--with-breaches needs --like; add --like report.json.')
  const world = given.value('world')
  const isSeeded = given.value('seed') !== undefined
  if (world !== undefined && isSeeded)
    throw new UsageError('--world holds what --seed would make up; give one of the two.')
  return {
    world,
    save: given.value('save'),
    port: readNumber('port', 4010, 65_534),
    seed: readNumber('seed', 1, 2 ** 32 - 1),
    isSeeded,
    like,
    withBreaches,
  }
}
