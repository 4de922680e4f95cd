// The last figures of whole runs, in docs/how-it-is-proven.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../kept.ts'
import type { Flags } from './kind.ts'

const page = join(root, 'docs/how-it-is-proven.md')

/** Puts a figure into the row of its command. */
export function noteFigure({ what, words, everything }: Flags, figure: string, took: string): void {
  const argv = [
    ...(what === 'all' ? [] : [what]),
    ...words,
    ...(everything ? ['--everything'] : []),
  ]
  const command = `| \`${['npm run prove', ...(argv.length > 0 ? ['--'] : []), ...argv].join(' ')}\``
  const day = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
  const lines = readFileSync(page, 'utf8').split('\n')
  const noted = lines.map((line) => {
    const [told = ''] = line.split(' | ')
    return told.trim() === command ? `${command} | ${figure} | ${day}, ${took} |` : line
  })
  writeFileSync(page, noted.join('\n'))
}
