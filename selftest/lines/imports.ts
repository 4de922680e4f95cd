import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../kept.ts'
import { deciding } from '../sites/all-sites.ts'

let importers: Map<string, string[]> | undefined

/** The files that import each one, where clauses are decided. */
function readImporters(): Map<string, string[]> {
  const argv = ['ls-files', '--cached', '--others', '--exclude-standard', ...deciding]
  const files = execFileSync('git', argv, { cwd: root, encoding: 'utf8' }).split('\n')
  const found = new Map<string, string[]>()
  for (const file of files.filter((each) => each.endsWith('.ts'))) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, path = ''] of text.matchAll(/ from '(\.[^']+)'/g)) {
      const of = join(file, '..', path).replaceAll('\\', '/')
      found.set(of, [...(found.get(of) ?? []), file])
    }
  }
  return found
}

/** How many imports lie between a file and each of those that come to use it. */
export function importsTo(file: string): Map<string, number> {
  importers ??= readImporters()
  const distances = new Map([[file, 0]])
  for (const [each, distance] of distances)
    for (const importer of importers.get(each) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  return distances
}
