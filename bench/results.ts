import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePage } from './page.ts'

const file = join(import.meta.dirname, 'results.md')
const head = `# What the bench measured

\`npm run bench [-- PART…]\` writes this file; a part that is not run keeps what it had. Processes
that are compared ran in turn; ratios are the median of the ratios of each round.`

/** Puts the result of one part in the place of its earlier one, here and in docs/cost-and-speed.md. */
export function keepResult(name: string, text: string): void {
  const old = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const sections = new Map(
    old
      .split(/^## /m)
      .slice(1)
      .map((section) => [
        section.split('\n')[0] ?? '',
        section.slice(section.indexOf('\n')).trim(),
      ]),
  )
  sections.set(name, `${text}\n\nMeasured on ${new Date().toISOString().slice(0, 16)}Z.`)
  const all = [...sections].map(([title, section]) => `## ${title}\n\n${section}`)
  const results = `${[head, ...all].join('\n\n')}\n`
  writeFileSync(file, results)
  writePage(results)
}
