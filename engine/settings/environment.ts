import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'dotenv'
import { Impossible } from '../impossible.ts'
import type { Environment } from './table.ts'

/**
 * Merges .env with the environment, which wins. Empty in .env means not set; empty in the environment may
 * be a lost secret, so it is kept. `files` replace .env; the later file wins.
 */
export function readEnvironment(
  cwd: string,
  processEnv: Environment,
  files: readonly string[] = [],
): Environment {
  const written = Object.entries(readFiles(cwd, files)).filter(([, value]) => value.trim() !== '')
  const set = Object.entries(processEnv).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(written), ...Object.fromEntries(set) }
}

/** The variables of these names that are set. */
export const only = (names: readonly string[], environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => names.includes(name)))

export const readFiles = (cwd: string, files: readonly string[] = []): Record<string, string> =>
  files.length === 0
    ? readDotenv(cwd)
    : Object.assign({}, ...files.map((each) => readDotenv(cwd, each)))

/** The settings of an optional .env, or of a file that must exist. */
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

/** Counts the lines that dotenv silently ignores, such as a BASE_URL without `=`. */
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
