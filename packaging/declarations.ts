import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Keeps the declarations of these files and of those that they name: nothing else is public. */
export function keepDeclarations(dist: string, entries: readonly string[]): void {
  const kept = new Set<string>()
  const keep = (file: string) => {
    if (kept.has(file)) return
    kept.add(file)
    const text = readFileSync(join(dist, file), 'utf8')
    // The compiler leaves the names of the sources in declarations.
    writeFileSync(join(dist, file), text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
    for (const [, other = ''] of text.matchAll(/from '(\.[^']*)\.[tj]s'/g))
      keep(`${join(dirname(file), other)}.d.ts`)
  }
  for (const entry of entries) keep(entry)
  for (const file of declarationsIn(dist)) if (!kept.has(file)) rmSync(join(dist, file))
}

const declarationsIn = (dist: string) =>
  readdirSync(dist, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.d.ts'))
