import { parseArgs } from 'node:util'
import { commandLine } from '../../engine/called.ts'
import { Impossible } from '../../engine/impossible.ts'
import { nearest } from '../../engine/nearest.ts'
import { type Environment, nameInCode } from '../../engine/settings/table.ts'
import type { Out } from '../../reporting/console.ts'
import { type Command, type CommandName, commands, type Flag, type Given } from './commands.ts'
import { formOf } from './help.ts'

export type Call = {
  argv: string[]
  env: Environment
  cwd: string
  out: Out
}

export function readFlags<Name extends CommandName>(
  name: Name,
  { argv, env }: Pick<Call, 'argv' | 'env'>,
): Given<Name> {
  const { flags, instead = {} }: Command = commands[name]
  // npm has a --save of its own.
  const old = Object.keys(instead).find((each) => each !== 'save' && npmValue(env, each))
  if (old) throw new Impossible(`--${old} is not a flag; ${instead[old]}.`)
  const { given, loose } = sortArguments(name, argv)
  const taken = readWords(name, given, loose, env)
  const values = Object.entries(flags).map(([flag, { parse, repeats, variable, excludes }]) => {
    const texts = given.get(flag)
    const against = texts && excludes?.flags.find((each) => given.has(each))
    if (against)
      throw new Impossible(
        `--${flag} excludes --${against}, because ${excludes?.because}; leave one of the two out.`,
      )
    const [one, other] = new Set(repeats ? [] : texts)
    // Two different values: it is unclear which is meant.
    if (other !== undefined)
      throw new Impossible(`--${flag} is given twice, with ${one} and with ${other}; give it once.`)
    const set = texts || variable === undefined ? undefined : env[variable]
    const value = set === undefined ? parse(texts, `--${flag}`) : parse([set], `${variable}`)
    return [nameInCode(flag), value]
  })
  return { words: taken, ...Object.fromEntries(values) } as Given<Name>
}

/** The words of a command; a word that belongs to no flag is a mistake. */
function readWords(name: CommandName, given: Texts, loose: string[], env: Environment): string[] {
  const { words }: Command = commands[name]
  const least = words?.form.length ?? 0
  const [own, further] = [loose.slice(0, least), loose.slice(least)]
  needNoneSwallowed(name, { env, given, words: own, further })
  if (words && loose.length < least)
    throw new Impossible(
      `${name} needs ${words.called} and got ${loose.length || 'none'}; write ${formOf(name)}`,
    )
  if (words || loose[0] === undefined) return loose
  throw new Impossible(
    `unexpected argument '${loose[0]}'; ${commandLine(name, '--help')} lists the flags.`,
  )
}

type Texts = Map<string, string[]>

function sortArguments(name: CommandName, argv: string[]) {
  const { flags }: Command = commands[name]
  const given: Texts = new Map()
  const loose: string[] = []
  const typeOf = ({ argument }: Flag) => ({ type: argument ? 'string' : 'boolean' }) as const
  const options = Object.fromEntries(
    Object.entries(flags).map(([flag, row]) => [flag, typeOf(row)]),
  )
  // Not strict: Node's own messages have two sentences and suggest no flag.
  const args = argv.map((word, at) => {
    const isOptional = word.startsWith('--') && flags[word.slice(2)]?.argument?.startsWith('[')
    const isAlone = argv[at + 1] === undefined || /^-(?!\d)/.test(argv[at + 1] ?? '')
    return isOptional && isAlone ? `${word}=` : word
  })
  for (const token of parseArgs({ args, options, strict: false, tokens: true }).tokens) {
    if (token.kind === 'positional') loose.push(token.value)
    if (token.kind !== 'option') continue
    const [flag, row] = findFlag(name, args[token.index] ?? token.rawName)
    given.set(flag, [...(given.get(flag) ?? []), ...textOf(flag, row, token)])
  }
  return { given, loose }
}

function findFlag(name: CommandName, written: string): [string, Flag] {
  const { flags, instead = {} }: Command = commands[name]
  const head = written.replace(/=.*$/s, '')
  const found = Object.entries(flags).find(([flag]) => `--${flag}` === head)
  if (found) return found
  const other = instead[head.replace(/^--/, '')]
  if (other) throw new Impossible(`${head} is not a flag; ${other}.`)
  const bare = head.replace(/^--?/, '').replaceAll('_', '-').toLowerCase()
  const meant = nearest(bare, [...Object.keys(flags), 'help'], bare.length > 5 ? 2 : 1)
  const help = `${commandLine(name, '--help')} lists the flags.`
  throw new Impossible(`unknown flag ${head}; ${meant ? `did you mean --${meant}?` : help}`)
}

type Written = { value?: string; inlineValue?: boolean }

function textOf(name: string, { argument }: Flag, { value, inlineValue }: Written): string[] {
  if (!argument && value === undefined) return []
  if (!argument) throw new Impossible(`--${name} has no value; write --${name} alone.`)
  const missing = value === undefined || (!argument.startsWith('[') && /^[\s,]*$/.test(value))
  // A negative number is a value; its parser reports what is wrong with it.
  if (missing || (!inlineValue && /^-(?!\d)/.test(value)))
    throw new Impossible(`--${name} needs a value; write --${name} ${argument}.`)
  return [value]
}

type KeptFlag = { name: string; argument?: string; values: string[]; missing: number }
type Sorted = { env: Environment; given: Texts; words: string[]; further: string[] }

/**
 * Ends with the flags that npm kept because they had no `--` before them, and the right command. npm 11.19
 * turns a flag into `npm_config_…`. Of `--seed 5` it keeps `true` and passes the 5 on. It joins repeated
 * values with a blank line.
 */
function needNoneSwallowed(name: CommandName, { env, given, words, further }: Sorted) {
  const kept = Object.entries<Flag>(commands[name].flags)
    .filter(([flag]) => !given.has(flag))
    .flatMap(([flag, { argument }]) => readKept(env, flag, argument))
  if (kept.length === 0) return
  const wanting = kept.filter(({ missing }) => missing > 0)
  // With two such flags it is unclear which value belongs to which.
  const found = wanting.length === 1 && wanting[0]?.missing === further.length ? further : undefined
  const meant = ({ argument, values, missing }: KeptFlag) => {
    if (!argument || missing === 0) return values
    return [...values, ...(found ?? (argument.startsWith('[') ? [] : [argument]))]
  }
  const command = [
    `${commandLine(name)} --`,
    ...words,
    ...[...given].flatMap(([flag, values]) => written(flag, values)),
    ...kept.flatMap((flag) => written(flag.name, meant(flag))),
  ].join(' ')
  const names = kept.map((flag) => `--${flag.name}`).join(' and ')
  throw new Impossible(`npm kept ${names} for itself; write: ${command}`)
}

function readKept(env: Environment, name: string, argument?: string): KeptFlag[] {
  const value = npmValue(env, name)
  if (value === undefined || (!argument && /^(false)?$/.test(value))) return []
  const parts = argument ? value.split('\n\n') : []
  const values = parts.filter((part) => part !== '' && part !== 'true')
  return [{ name, argument, values, missing: parts.length - values.length }]
}

function npmValue(env: Environment, name: string) {
  // npm reads --plan as its own short options -p -l -a -n.
  const plan = ['parseable', 'long', 'all'].every((word) => env[`npm_config_${word}`] === 'true')
  if (name === 'plan' && plan) return 'true'
  return env[`npm_config_${name.replaceAll('-', '_')}`]
}

const written = (name: string, values: string[]) =>
  values.length ? values.map((value) => `--${name} ${quoted(value)}`) : [`--${name}`]

const quoted = (value: string) =>
  /^[\w.,/:=@%+-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
