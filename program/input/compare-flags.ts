import { parseArgs } from 'node:util'
import { nearest } from '../../engine/settings/misspelt.ts'
import { asksForHelp, onlyValue, UsageError } from './flags.ts'
import { swallowed } from './swallowed.ts'

export const limits = ['contract', 'any', 'none'] as const

/** What a comparison fails on. */
export type FailOn = (typeof limits)[number]

export type Comparing = {
  real: string
  mock: string
  html?: string
  json?: string
  failOn: FailOn
}

const options = {
  html: { type: 'string' },
  json: { type: 'string' },
  'fail-on': { type: 'string' },
} as const

type Name = keyof typeof options

const argumentOf: Record<Name, string> = {
  html: 'FILE',
  json: 'FILE',
  'fail-on': limits.join('|'),
}
const names = Object.keys(options) as Name[]

const form =
  'npm run compare -- real/report.json mock/report.json [--html FILE] [--json FILE] [--fail-on contract|any|none]'

/** The help text of compare. */
export const compareUsage = `${form}

  The report of the real service goes first, that of the mock second.

  --html FILE     write the comparison as a page
  --json FILE     write it for programs
  --fail-on WHAT  contract (default): what the mock alone breaks fails; any: whatever diverges; none
`

/** Reads what a comparison is to be made of, or throws the first mistake; undefined: help is wanted. */
export function readComparing(
  argv: string[],
  env: Record<string, string | undefined>,
): Comparing | undefined {
  if (asksForHelp(argv)) return undefined
  const { given, reports } = sorted(argv)
  const flags = names.map((name) => ({ name, argument: argumentOf[name] }))
  const kept = swallowed(
    env,
    flags,
    given,
    reports.slice(2),
    `compare -- ${reports.slice(0, 2).join(' ')}`,
  )
  if (kept) throw new UsageError(kept)
  const [real, mock, ...others] = reports
  if (real === undefined || mock === undefined || others.length > 0)
    throw new UsageError(
      `compare takes two reports, and was given ${reports.length === 0 ? 'none' : reports.length}: ${form}`,
    )
  return {
    real,
    mock,
    html: onlyValue(given, 'html'),
    json: onlyValue(given, 'json'),
    failOn: limitOf(onlyValue(given, 'fail-on') ?? 'contract'),
  }
}

function sorted(argv: string[]) {
  const given = new Map<string, string[]>()
  const reports: string[] = []
  const { tokens } = parseArgs({ args: argv, options, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind === 'positional') reports.push(token.value)
    if (token.kind !== 'option') continue
    const name = known(token.name)
    const { value } = token
    if (!value || (!token.inlineValue && value.startsWith('-')))
      throw new UsageError(`--${name} needs a value; write --${name} ${argumentOf[name]}.`)
    given.set(name, [...(given.get(name) ?? []), value])
  }
  return { given, reports }
}

function known(word: string): Name {
  const name = names.find((each) => each === word)
  if (name) return name
  const meant = nearest(word, names, 2)
  const hint = meant ? `did you mean --${meant}?` : `${names.map((n) => `--${n}`).join(', ')} are.`
  throw new UsageError(`--${word} is no flag of compare; ${hint}`)
}

function limitOf(text: string): FailOn {
  const limit = limits.find((each) => each === text)
  if (limit) return limit
  throw new UsageError(`--fail-on holds '${text}'; write ${limits.join(', ')}.`)
}
