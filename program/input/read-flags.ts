import { parseArgs } from 'node:util'
import { commandLine } from '../../engine/called.ts'
import { nearest } from '../../engine/nearest.ts'
import type { Parser } from '../../engine/settings/parsers.ts'
import type { Out } from '../../reporting/console.ts'
import { UsageError } from './mistakes.ts'
import { describeSwallowed } from './swallowed.ts'

type Env = Record<string, string | undefined>

/** What every command is called with. */
export type Call = { argv: string[]; env: Env; cwd: string; out: Out }

export type Flag = {
  /** the form of its value; left out: it takes none. One in brackets may be left out: then it is empty */
  argument?: string
  meaning: string
  /** left out: two values that differ are a mistake */
  repeats?: boolean
}

/** How a command is called: its reading, npm's swallowing and its help stand on it. */
export type Command<Name extends string> = {
  /** its name */
  name: string
  /** lines of the help between the form and the flags */
  about?: string
  /** the words that it takes beside its flags; left out: none; `more`: any further ones as well */
  words?: { form: string[]; called: string; more?: boolean }
  flags: Record<Name, Flag>
  /** flags that there were once, each with what to do instead */
  removed?: Record<string, string>
}

export type Given<Name extends string> = {
  flags: ReadonlyMap<Name, string[]>
  words: string[]
  /** the value of a flag that takes one */
  value(name: Name): string | undefined
}

/** Reads what a command was given, or throws the first mistake; undefined: help was wanted, and shown. */
export function readFlags<Name extends string>(
  command: Command<Name>,
  { argv, env, out }: Omit<Call, 'cwd'>,
): Given<Name> | undefined {
  if (argv.some((word) => word === '--help' || word === '-h')) {
    out.write(describeCommand(command))
    return undefined
  }
  const {
    name,
    flags,
    words: { form, called, more } = { form: [], called: '', more: undefined },
  } = command
  const [first] = argv
  if (first !== undefined && formOf(command) === commandLine(name))
    throw new UsageError(`unexpected argument '${first}'; write ${commandLine(name)}`)
  // npm has a --save of its own.
  for (const [old, instead] of Object.entries(command.removed ?? {}))
    if (old !== 'save' && env[`npm_config_${old.replaceAll('-', '_')}`])
      throw new UsageError(`--${old} is gone; ${instead}.`)
  const { given, loose } = sortArguments(command, argv)
  const count = loose.length
  const words = loose.splice(0, form.length)
  const kept = describeSwallowed(
    env,
    flags,
    given,
    loose,
    [`${commandLine(name)} --`, ...words].join(' '),
  )
  if (kept) throw new UsageError(kept)

  if (more) words.push(...loose.splice(0))
  if (called && (more ? count < form.length : count !== form.length))
    throw new UsageError(
      `${name} needs ${called} and got ${count || 'none'}; write ${formOf(command)}`,
    )
  if (loose[0] !== undefined)
    throw new UsageError(
      `unexpected argument '${loose[0]}'; ${commandLine(name, '--help')} lists the flags.`,
    )
  for (const [name, values] of given) {
    const [one, other] = new Set(flags[name].repeats ? [] : values)
    // Nobody can tell which is meant.
    if (other !== undefined)
      throw new UsageError(`--${name} is given twice, with ${one} and with ${other}; give it once.`)
  }
  return { flags: given, words, value: (name) => given.get(name)?.[0] }
}

/** The help text of a command. */
export function describeCommand(command: Command<string>): string {
  const { about, flags } = command
  const all = Object.entries({ ...flags, help: { meaning: 'show this help' } })
  const width = Math.max(...all.map((flag) => headOf(flag).length))
  const lines = all.map((flag) => `  ${headOf(flag).padEnd(width)}  ${flag[1].meaning}\n`)
  const list = all.length > 1 ? [lines.join('')] : []
  return [`${formOf(command)}\n`, ...(about ? [about] : []), ...list].join('\n')
}

/** The value that a text has by a setting's parser; `where` is the flag or setting that holds it. */
export function parseWith<Value>(parse: Parser<Value>, text: string, where: string) {
  const mistake = (rest: string): undefined => {
    throw new UsageError(`${where} ${rest}`)
  }
  return parse(text, { cwd: '', now: 0, key: '', mistake })
}

const headOf = ([name, { argument }]: [string, Flag]) =>
  argument === undefined ? `--${name}` : `--${name} ${argument}`

function formOf({ name, words, flags }: Command<string>): string {
  const each = Object.entries(flags).map((flag) => `[${headOf(flag)}]`)
  const more = words?.more ? ['[…]'] : []
  const taken = [...(words?.form ?? []), ...more, ...(each.length > 3 ? ['[FLAGS]'] : each)]
  return commandLine(name, taken.join(' '))
}

/** Sorts the arguments into flags with their values and what belongs to none. */
function sortArguments<Name extends string>(command: Command<Name>, argv: string[]) {
  const given = new Map<Name, string[]>()
  const loose: string[] = []
  const options = Object.fromEntries(
    Object.entries<Flag>(command.flags).map(([name, { argument }]) => [
      name,
      { type: argument ? 'string' : 'boolean' } as const,
    ]),
  )
  // Not strict: node's own messages take two sentences and suggest no flag.
  const args = argv.map((word, at) => {
    const isOptional = command.flags[word.slice(2) as Name]?.argument?.startsWith('[')
    const isAlone = argv[at + 1] === undefined || /^-(?!\d)/.test(argv[at + 1] ?? '')
    return isOptional && word.startsWith('--') && isAlone ? `${word}=` : word
  })
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind === 'positional') loose.push(token.value)
    if (token.kind !== 'option') continue
    const name = findFlag(command, args[token.index] ?? token.rawName)
    const values = readValues(name, command.flags[name], token)
    given.set(name, [...(given.get(name) ?? []), ...values])
  }
  return { given, loose }
}

function findFlag<Name extends string>(
  { name: command, flags, removed = {} }: Command<Name>,
  written: string,
): Name {
  const head = written.replace(/=.*$/s, '')
  const names = Object.keys(flags) as Name[]
  const name = names.find((one) => `--${one}` === head)
  if (name) return name
  const instead = removed[head.replace(/^--/, '')]
  if (instead) throw new UsageError(`${head} is gone; ${instead}.`)
  const bare = head.replace(/^--?/, '').replaceAll('_', '-').toLowerCase()
  const meant = nearest(bare, [...names, 'help'], bare.length > 5 ? 2 : 1)
  const hint = meant
    ? `did you mean --${meant}?`
    : `${commandLine(command, '--help')} lists the flags.`
  throw new UsageError(`unknown flag ${head}; ${hint}`)
}

type Written = { value?: string; inlineValue?: boolean }

function readValues(name: string, { argument }: Flag, { value, inlineValue }: Written) {
  if (!argument && value === undefined) return []
  if (!argument) throw new UsageError(`--${name} has no value; write --${name} alone.`)
  const isOptional = argument.startsWith('[')
  const missing = value === undefined || (!isOptional && /^[\s,]*$/.test(value))
  // A number below zero is a value: what is wrong with it is told by who reads it.
  if (missing || (!inlineValue && /^-(?!\d)/.test(value)))
    throw new UsageError(`--${name} needs a value; write --${name} ${argument}.`)
  return [value]
}
