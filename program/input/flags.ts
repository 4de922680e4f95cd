import { parseArgs } from 'node:util'
import type { Shard } from '../../engine/clause/shard.ts'
import { nearest } from '../../engine/settings/misspelt.ts'
import { table as settings } from '../../helpers/settings/table.ts'
import { swallowed } from './swallowed.ts'

export type Flags = {
  strict: boolean
  clauses: string[]
  require: string[]
  readOnly: boolean
  plan: boolean
  /** a report: only what was not green there is to run */
  rerun?: string
  /** an earlier report of the same service */
  baseline?: string
  /** a file of waivers */
  waivers?: string
  shard?: Shard
  /** folders with the reports of shards, to be made into one */
  merge: string[]
  seed?: number
  verbose: boolean
  help: boolean
}

/** A command line that cannot be followed, in one sentence. */
export class UsageError extends Error {
  override name = 'UsageError'
}

type Flag = { argument?: string; meaning: string }

/** Every flag, once: reading, npm's swallowing and the help stand on it. */
export const table = {
  strict: { meaning: 'a broken should fails the run' },
  clauses: {
    argument: 'GLOB',
    meaning: 'check only the clauses with these ids; may repeat, a comma separates several',
  },
  require: {
    argument: 'GLOB',
    meaning: 'a clause with one of these ids that was skipped fails the run; as --clauses',
  },
  'read-only': { meaning: 'send no assignment update' },
  plan: { meaning: 'tell what would run and what it would cost; send nothing but reads' },
  rerun: { argument: 'REPORT', meaning: 'check only what was not green in that report' },
  baseline: {
    argument: 'REPORT',
    meaning: 'tell what differs from an earlier run; under --strict that fails the run',
  },
  waivers: {
    argument: 'FILE',
    meaning: 'failures that somebody answers for until a day: they do not fail the run',
  },
  shard: {
    argument: 'I/N',
    meaning: 'check the I-th of N parts of the clauses, with a part of TASK_IDS',
  },
  merge: {
    argument: 'DIR…',
    meaning: 'check nothing; make one report of those that shards left in these folders',
  },
  seed: { argument: 'N', meaning: 'seed of everything random, as printed in a report' },
  verbose: { meaning: 'tell more on the way' },
  help: { meaning: 'show this help' },
} satisfies Record<string, Flag>

type Name = keyof typeof table

const names = Object.keys(table) as Name[]
const argumentOf = (name: Name) => (table[name] as Flag).argument

/** The help text. */
export function usage() {
  const heads = names.map((name) => [`--${name}`, argumentOf(name)].filter(Boolean).join(' '))
  const width = Math.max(...heads.map((head) => head.length))
  const lines = names.map((name, at) => `  ${heads[at]?.padEnd(width)}  ${table[name].meaning}`)
  return ['npm run contract -- [FLAGS]', '', ...lines, ''].join('\n')
}

/** Reads the flags, or throws the first that cannot be followed. */
export function readFlags(argv: string[], env: Record<string, string | undefined>): Flags {
  const { given, loose } = sorted(argv)
  const kept = swallowed(
    env,
    names.map((name) => ({ name, argument: argumentOf(name) })),
    given,
    loose,
  )
  if (kept) throw new UsageError(kept)
  const merge = given.get('merge')?.concat(loose.splice(0)) ?? []
  if (loose[0] !== undefined)
    throw new UsageError(`'${loose[0]}' belongs to no flag; npm run contract -- --help lists them.`)
  const idle = [...given.keys()].find((name) => !['merge', 'verbose', 'help'].includes(name))
  if (merge.length > 0 && idle)
    throw new UsageError(
      `--merge takes the reports as they are; give --${idle} to the runs that make them.`,
    )

  // npm makes a log level of --verbose, which a file of npm's may hold too: no reason to stop.
  const loud = ['verbose', 'silly'].includes(env.npm_config_loglevel ?? '')
  return {
    strict: given.has('strict'),
    clauses: globs(given.get('clauses')),
    require: globs(given.get('require')),
    readOnly: given.has('read-only'),
    plan: given.has('plan'),
    rerun: onlyValue(given, 'rerun'),
    baseline: onlyValue(given, 'baseline'),
    waivers: onlyValue(given, 'waivers'),
    shard: shard(onlyValue(given, 'shard')),
    merge,
    seed: seed(onlyValue(given, 'seed')),
    verbose: given.has('verbose') || loud,
    help: given.has('help'),
  }
}

/** Whether somebody asks how a command is called. */
export const asksForHelp = (argv: string[]) =>
  argv.some((word) => word === '--help' || word === '-h')

/** The value of a flag that takes one: of two that differ nobody can tell which is meant. */
export function onlyValue(given: Map<string, string[]>, name: string): string | undefined {
  const [value, other] = new Set(given.get(name))
  if (other === undefined) return value
  throw new UsageError(`--${name} is given twice, with ${value} and with ${other}; give it once.`)
}

/** Sorts the arguments into flags with their values and what belongs to none. */
function sorted(argv: string[]) {
  const given = new Map<Name, string[]>()
  const loose: string[] = []
  const options = Object.fromEntries(
    names.map((name) => [name, { type: argumentOf(name) ? 'string' : 'boolean' } as const]),
  )
  // Not strict: node's own messages take two sentences and suggest no flag.
  const { tokens } = parseArgs({ args: argv, options, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind === 'positional') loose.push(token.value)
    if (token.kind !== 'option') continue
    const name = known(argv[token.index] ?? token.rawName)
    given.set(name, [...(given.get(name) ?? []), ...valuesOf(name, token)])
  }
  return { given, loose }
}

function known(written: string): Name {
  const head = written.replace(/=.*$/s, '')
  const word = head === '-h' ? 'help' : head.replace(/^--/, '')
  const name = names.find((one) => one === word)
  if (name) return name
  const bare = word.replace(/^-/, '').replaceAll('_', '-').toLowerCase()
  const meant = nearest(bare, names, bare.length > 5 ? 2 : 1)
  const hint = meant ? `did you mean --${meant}?` : 'npm run contract -- --help lists the flags.'
  throw new UsageError(`${head} is no flag; ${hint}`)
}

function valuesOf(name: Name, { value, inlineValue }: { value?: string; inlineValue?: boolean }) {
  const argument = argumentOf(name)
  if (!argument && value === undefined) return []
  if (!argument) throw new UsageError(`--${name} takes no value; write --${name} alone.`)
  const missing = value === undefined || /^[\s,]*$/.test(value)
  // A number below zero is a value: what is wrong with it is told by who reads it.
  if (missing || (!inlineValue && /^-(?!\d)/.test(value)))
    throw new UsageError(`--${name} needs a value; write --${name} ${argument}.`)
  return [value]
}

const globs = (values: string[] = []) =>
  values
    .flatMap((value) => value.split(','))
    .map((glob) => glob.trim())
    .filter(Boolean)

function shard(text?: string): Shard | undefined {
  if (text === undefined) return undefined
  const [, index, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number)
  if (index && of && index <= of) return { index, of }
  throw new UsageError(`--shard holds '${text}'; write --shard 1/4 for the first of four parts.`)
}

function seed(text?: string) {
  if (text === undefined) return undefined
  const mistake = (rest: string): undefined => {
    throw new UsageError(`--seed ${rest}`)
  }
  return settings.SEED.kind(text, { cwd: '', now: 0, key: '', mistake })
}
