import { existsSync, readFileSync } from 'node:fs'
import { writeFlushed } from '../../engine/journal/disk.ts'

/** Writes settings into .env, readable by its owner alone. Other lines stay. */
export function writeEnvFile(file: string, settings: ReadonlyMap<string, string>): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const kept = before.split('\n').filter((line) => {
    const name = /^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1]
    return name === undefined || !settings.has(name)
  })
  const lines = [...settings].flatMap(([name, value]) =>
    value === '' ? [] : [lineFor(name, value)],
  )
  const others = kept.join('\n').trimEnd()
  writeFlushed(file, `${[...(others ? [others, ''] : []), ...lines].join('\n')}\n`)
}

/** A line of .env, which a shell can read too. */
export const lineFor = (name: string, value: string): string => `${name}=${quoted(value)}`

/** dotenv reads a quoted value literally, up to the same quote. */
function quoted(value: string): string {
  if (/^[\w./:,@%+=-]+$/.test(value)) return value
  const quote = ["'", '`', '"'].find((each) => !value.includes(each))
  return quote === undefined ? value : `${quote}${value}${quote}`
}
