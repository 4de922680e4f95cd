import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { Impossible } from '../impossible.ts'
import type { Environment } from './table.ts'

/**
 * Merges .env with the environment, which wins. Empty in .env is not set, as in a copied example; in
 * the environment it may be a secret that was lost, and is kept to be seen.
 */
export function readEnvironment(cwd: string, processEnv: Environment): Environment {
  const written = Object.entries(readDotenv(cwd)).filter(([, value]) => value.trim() !== '')
  const set = Object.entries(processEnv).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(written), ...Object.fromEntries(set) }
}

/** The settings of .env in a folder, where there is one. */
export function readDotenv(cwd: string): Record<string, string> {
  let text: string
  try {
    text = readFileSync(join(cwd, '.env'), 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Python keeps its virtual environments in folders of this name.
    if (code === 'ENOENT' || code === 'EISDIR') return {}
    throw new Impossible(`.env cannot be read (${code}); make it readable or remove it.`)
  }
  // What PowerShell redirects is UTF-16, of which dotenv would read nothing, in silence.
  if (text.includes('\0')) throw new Impossible('.env is not UTF-8 text; save it as UTF-8.')
  const read = parse(text)
  const lost = lostLines(text, Object.values(read))
  if (lost.length > 0)
    throw new Impossible(
      lost
        .map((line) => `.env sets nothing in line ${line}; write NAME=value, or # before it.`)
        .join('\n'),
    )
  return read
}

/** The lines of which dotenv makes nothing, in silence: a BASE_URL without = would be none at all. */
function lostLines(text: string, values: readonly string[]): number[] {
  const isSetting = (line: string) => /^(#|$|(export\s+)?[\w.-]+(\s*=|:\s))/.test(line)
  // A value between quotes may have several lines.
  const isOfValue = (line: string) => {
    const bare = line.replace(/["'`]\s*(#.*)?$/, '')
    return values.some((value) => value.includes(bare))
  }
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)
  return lines.flatMap((line, n) =>
    isSetting(line.trim()) || isOfValue(line.trim()) ? [] : [n + 1],
  )
}
