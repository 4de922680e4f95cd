import { table as settings } from '../../helpers/settings/table.ts'
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
    plan: { meaning: 'show what would run and what it would cost; send nothing' },
    failed: {
      argument: '[REPORT]',
      meaning:
        'check again what was neither passed nor observed in that report, and carry the rest over; left out: the one in REPORTS_DIR',
    },
    baseline: {
      argument: 'REPORT',
      meaning: 'show what differs from an earlier run; with --strict that fails the run',
    },
    waivers: {
      argument: 'FILE',
      meaning: 'known failures in this file do not fail the run until the day that it names',
    },
    seed: { argument: 'N', meaning: 'seed of everything random, as printed in a report' },
    verbose: { meaning: 'list every clause, and what was observed' },
  },
  removed: {
    rerun: 'write --failed REPORT',
    'accept-rerun': 'write --failed REPORT; a clause that passes now counts as passed',
    'baseline-days': 'keep the report of a newer run as the baseline',
    shard: 'leave it out; a run against an ordinary service takes under a minute',
    merge: 'make one run; against an ordinary service it takes under a minute',
    slim: 'set BODIES=none for a smaller report',
  },
}

/** Reads the flags of a check, or throws the first that cannot be followed; undefined: as readFlags. */
export function readCheckFlags(call: Omit<Call, 'cwd'>) {
  const given = readFlags(checkCommand, call)
  if (!given) return undefined
  const { flags, value } = given

  // npm makes a log level of --verbose, which a file of npm's may hold too: no reason to stop.
  const loud = ['verbose', 'silly'].includes(call.env.npm_config_loglevel ?? '')
  const seed = value('seed')
  return {
    strict: flags.has('strict'),
    clauses: parseGlobs(flags.get('clauses')),
    require: parseGlobs(flags.get('require')),
    readOnly: flags.has('read-only'),
    plan: flags.has('plan'),
    failed: value('failed'),
    baseline: value('baseline'),
    waivers: value('waivers'),
    seed: seed === undefined ? undefined : parseWith(settings.SEED.kind, seed, '--seed'),
    verbose: flags.has('verbose') || loud,
  }
}

/** The globs of flags whose values may hold several, with commas between them. */
export const parseGlobs = (values: string[] = []) =>
  values
    .flatMap((value) => value.split(','))
    .map((glob) => glob.trim())
    .filter(Boolean)
