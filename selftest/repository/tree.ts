// The files of this repository.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../kept.ts'

export const read = (file: string): string => readFileSync(join(root, file), 'utf8')
export const isThere = (file: string): boolean => existsSync(join(root, file))

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
/** All that git has or would have. */
export const tree: readonly string[] = listed.split('\n').filter((file) => file && isThere(file))

const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/gm
const imported = /(?:\bfrom|\bimport\(?|new URL\()\s*'\.[^'\n]*'/g
const blank = (text: string) => text.replace(/[^\n]/g, ' ')

/** The code of a file in its lines, without comments and imported paths. */
export const codeOf = (file: string): string =>
  read(file).replace(comment, blank).replace(imported, blank)
