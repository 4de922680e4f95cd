import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../kept.ts'
import { type Site, sitesIn } from './site.ts'

/** The folders whose code runs where clauses are decided. */
export const deciding = ['suites', 'helpers', 'engine']

/** Every site of the product, by file and line. */
export function readSites(): Site[] {
  const argv = ['ls-files', '--cached', '--others', '--exclude-standard', ...deciding]
  const files = execFileSync('git', argv, { cwd: root, encoding: 'utf8' }).split('\n')
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => sitesIn(readFileSync(join(root, file), 'utf8'), file))
    .map(({ name, file, line, kind }) => ({ name, file, line, kind }))
}
