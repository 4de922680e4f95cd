import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'dotenv'
import { Impossible } from '../impossible.ts'
import { nearest } from '../nearest.ts'
import { isUuid } from './parsers.ts'
import type { Environment } from './table.ts'

/** The environment wins. Empty in it may be a lost secret, so it is kept; empty in a file means not set. */
export function readEnvironment(
  cwd: string,
  processEnv: Environment,
  files: readonly string[] = [],
): Environment {
  const written = Object.entries(readFiles(cwd, files)).filter(([, value]) => value.trim() !== '')
  const set = Object.entries(processEnv).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(written), ...Object.fromEntries(set) }
}

export const only = (names: readonly string[], environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => names.includes(name)))

export const readFiles = (cwd: string, files: readonly string[] = []): Record<string, string> =>
  files.length === 0
    ? readDotenv(cwd)
    : Object.assign({}, ...files.map((each) => readDotenv(cwd, each)))

function readDotenv(cwd: string, given?: string): Record<string, string> {
  const name = given ?? '.env'
  let text: string
  try {
    text = readFileSync(resolve(cwd, name), 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (given !== undefined)
      throw new Impossible(`--env-file ${name} cannot be read (${code}); give a readable file.`)
    // Python keeps virtual environments in folders of this name.
    if (code === 'ENOENT' || code === 'EISDIR') return {}
    throw new Impossible(`.env cannot be read (${code}); make it readable or remove it.`)
  }
  // PowerShell redirects as UTF-16, which dotenv silently ignores.
  if (text.includes('\0')) throw new Impossible(`${name} is not UTF-8 text; save it as UTF-8.`)
  const read = parse(text)
  const lost = lostLines(text, Object.values(read))
  if (lost.length > 0)
    throw new Impossible(
      lost
        .map((line) => `${name} sets nothing in line ${line}; write NAME=value, or # before it.`)
        .join('\n'),
    )
  return read
}

function lostLines(text: string, values: readonly string[]): number[] {
  const isSetting = (line: string) => /^(#|$|(export\s+)?[\w.-]+(\s*=|:\s))/.test(line)
  // A quoted value may have several lines.
  const isOfValue = (line: string) => {
    const bare = line.replace(/["'`]\s*(#.*)?$/, '')
    return values.some((value) => value.includes(bare))
  }
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
  return lines.flatMap((line, n) =>
    isSetting(line.trim()) || isOfValue(line.trim()) ? [] : [n + 1],
  )
}

/** `strictly` holds the names of .env */
export function misspelt(names: readonly string[], env: Environment, strictly: Iterable<string>) {
  const own = new Set(strictly)
  return Object.keys(env)
    .filter((name) => env[name] !== undefined && !names.includes(name))
    .filter((name) => env.BASE_URL === undefined || !/^base[_-]?ur[li]$/i.test(name))
    .flatMap((name) => {
      const meant = own.has(name)
        ? meantInFile(names, name)
        : meantElsewhere(names, name, env[name] ?? '')
      return meant ? [`${name} is not a setting; did you mean ${meant}?`] : []
    })
}

const meantInFile = (names: readonly string[], name: string) =>
  names.find((setting) => letters(setting) === letters(name.toUpperCase())) ??
  nearest(name.toUpperCase(), names, 2)

/** Names of tools; APP_KEY is Laravel's. */
const foreign = /^(npm|VITE|NODE|CI|GITHUB)_|^APP_KEY$/

/** Taskcluster, Apple's tools and login shells set these; they are meant for us if they hold ids. */
const shared = ['TASK_ID', 'TEAM_ID', 'USER_ID']

function meantElsewhere(names: readonly string[], name: string, value: string) {
  // A lost address ends as a green run against the embedded service, so match it generously.
  if (/^base[_-]?ur[li]$/i.test(name) && /^https?:/i.test(value.trim())) return 'BASE_URL'
  if (foreign.test(name) || name.length < 6 || !name.includes('_')) return undefined
  if (shared.includes(name) && !value.split(/[\s,;]+/).some(isUuid)) return undefined
  return names.find((setting) => letters(setting) === letters(name)) ?? nearest(name, names, 1)
}

/** A name without underscores and plural endings; a unit such as MS is not a plural. */
const letters = (name: string) =>
  name
    .split(/[_-]/)
    .map((word) => (word.length > 2 ? word.replace(/S$/, '') : word))
    .join('')
