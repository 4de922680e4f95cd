import type { Shard } from '../../engine/clause/shard.ts'
import { wholeNumber } from '../../engine/settings/parsers.ts'
import { table as settings } from '../../helpers/settings/table.ts'
import { UsageError } from './mistakes.ts'
import { type Call, parseWith, readFlags } from './read-flags.ts'

export type CheckFlags = NonNullable<ReturnType<typeof readCheckFlags>>

/** How a check is called. */
export const checkCommand = {
  name: 'check',
  flags: {
    strict: { meaning: 'a broken should fails the run' },
    clauses: {
      argument: 'GLOB',
      meaning: 'check only the clauses with these ids; may repeat, a comma separates several',
      repeats: true,
    },
    require: {
      argument: 'GLOB',
      meaning: 'a clause with one of these ids that was skipped fails the run; as --clauses',
      repeats: true,
    },
    'read-only': { meaning: 'send no assignment update' },
    plan: { meaning: 'show what would run and what it would cost; send only reads' },
    rerun: {
      argument: 'REPORT',
      meaning: 'check only what was not green in that report, and go on with it',
    },
    'accept-rerun': {
      meaning: 'count as passed what failed in the report of --rerun and passes now',
    },
    baseline: {
      argument: 'REPORT',
      meaning: 'show what differs from an earlier run; with --strict that fails the run',
    },
    'baseline-days': {
      argument: 'N',
      meaning: 'a baseline older than N days is stale: a notice, and a failure with --strict',
    },
    waivers: {
      argument: 'FILE',
      meaning: 'known failures in this file do not fail the run until the day that it names',
    },
    shard: {
      argument: 'I/N',
      meaning: 'check the I-th of N parts of the clauses, with a part of TASK_IDS',
    },
    merge: {
      argument: 'DIR…',
      meaning: 'check nothing; make one report of those that shards left in these folders',
      repeats: true,
    },
    slim: { meaning: 'leave out of report.json what was sent and came' },
    seed: { argument: 'N', meaning: 'seed of everything random, as printed in a report' },
    verbose: { meaning: 'list every clause, and what was observed' },
  },
}

/** What is said where reports are merged; all else is said to the runs that write them. */
const ofMerge = ['merge', 'waivers', 'slim', 'verbose']

/** Reads the flags of a check, or throws the first that cannot be followed; undefined: as readFlags. */
export function readCheckFlags(call: Omit<Call, 'cwd'>) {
  const given = readFlags(checkCommand, call)
  if (!given) return undefined
  const { flags, value } = given
  const merge = flags.get('merge') ?? []
  const idle = [...flags.keys()].find((name) => !ofMerge.includes(name))
  if (merge.length > 0 && idle)
    throw new UsageError(`--merge only reads reports; give --${idle} to the runs that write them.`)

  if (flags.has('accept-rerun') && !flags.has('rerun'))
    throw new UsageError('--accept-rerun needs --rerun REPORT; give that too.')

  const days = value('baseline-days')
  if (days !== undefined && !flags.has('baseline'))
    throw new UsageError('--baseline-days needs --baseline REPORT; give that too.')

  // npm makes a log level of --verbose, which a file of npm's may hold too: no reason to stop.
  const loud = ['verbose', 'silly'].includes(call.env.npm_config_loglevel ?? '')
  const seed = value('seed')
  return {
    strict: flags.has('strict'),
    clauses: parseGlobs(flags.get('clauses')),
    require: parseGlobs(flags.get('require')),
    readOnly: flags.has('read-only'),
    plan: flags.has('plan'),
    rerun: value('rerun'),
    acceptRerun: flags.has('accept-rerun'),
    baseline: value('baseline'),
    baselineDays:
      days === undefined ? undefined : parseWith(wholeNumber(1, 3650), days, '--baseline-days'),
    waivers: value('waivers'),
    shard: parseShard(value('shard')),
    merge,
    seed: seed === undefined ? undefined : parseWith(settings.SEED.kind, seed, '--seed'),
    slim: flags.has('slim'),
    verbose: flags.has('verbose') || loud,
  }
}

/** The globs of flags whose values may hold several, with commas between them. */
export const parseGlobs = (values: string[] = []) =>
  values
    .flatMap((value) => value.split(','))
    .map((glob) => glob.trim())
    .filter(Boolean)

function parseShard(text?: string): Shard | undefined {
  if (text === undefined) return undefined
  const [, index, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number)
  if (index && of && index <= of) return { index, of }
  throw new UsageError(`--shard holds '${text}'; write --shard 1/4 for the first of four parts.`)
}
