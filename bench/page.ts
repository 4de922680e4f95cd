// What docs/cost-and-speed.md shows of bench/results.md: chosen lines, in words of their own.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const page = join(import.meta.dirname, '../docs/cost-and-speed.md')
const marked = /(<!-- npm run bench -->\n)[\s\S]*?(<!-- end -->)/

type Shown = [part: string, row: RegExp, what: string, beside: string, column?: 'median']

const shown: readonly Shown[] = [
  ['run', /^the \d+ clauses/, 'default run, clauses without PDF, start apart', 'bare undici'],
  ['run', /^all clauses/, 'default run, all clauses, start apart', 'bare undici'],
  ['latency', /^the whole run/, 'a run where each answer takes 100 ms', 'the sum of its latencies'],
  ['csv', /^read, checked and counted$/, 'a CSV of 1,000,000 rows, rows counted', 'papaparse'],
  ['csv', /^read, checked and counted: memory/, 'the same, memory for each row', '', 'median'],
  ['pdf', /^text and events/, 'a PDF of 5,000 events, events told apart', 'pdf-parse'],
  ['memory', /^the default run/, 'default run, the most memory at once', '', 'median'],
  ['memory', /^a run against/, 'a run against a target, the most memory at once', '', 'median'],
  ['start', /^a run of one clause/, 'a run of one clause that asks nothing', '', 'median'],
  ['start', /^vitest alone/, 'vitest alone, as many empty tests', '', 'median'],
  ['peers', /^this suite/, '200 reads, status and schema checked', 'bare undici and ajv'],
  ['peers', /^Redocly/, 'the same by Redocly respect', 'bare undici and ajv'],
  ['peers', /^newman/, 'the same by newman', 'bare undici and ajv'],
  ['peers', /^specmatic/, 'the same by specmatic', 'bare undici and ajv'],
]

type Line = { what: string; median: string; ratio: string; most: string }

function linesOf(results: string, part: string): Line[] {
  const section = results.split(/^## /m).find((each) => each.startsWith(`${part}\n`)) ?? ''
  return [...section.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => {
    const [what = '', median = '', , ratio = '', most = ''] = row.split('|').map((e) => e.trim())
    return { what, median, ratio, most }
  })
}

/** The table of the page, made of what was measured last. */
export function tableFrom(results: string): string {
  const rows = shown.map(([part, row, what, beside, column = 'ratio']) => {
    const line = linesOf(results, part).find((each) => row.test(each.what))
    const value = (column === 'ratio' ? line?.ratio : line?.median) || 'not measured'
    const asked = line?.most ? `at most ${line.most}` : ''
    return `| ${what} | ${beside} | ${value} | ${asked} |`
  })
  const head = ['| what | beside | measured | asked for |', '| --- | --- | ---: | --- |']
  return [...head, ...rows].join('\n')
}

/** The table as it stands in the page. */
export const tableIn = (text: string): string =>
  marked
    .exec(text)?.[0]
    .replace(/^<!--.*-->$/gm, '')
    .trim() ?? ''

/** Puts what was measured into the page. */
export function writePage(results: string): void {
  const text = readFileSync(page, 'utf8')
  writeFileSync(
    page,
    text.replace(marked, (_, begin, end) => `${begin}${tableFrom(results)}\n${end}`),
  )
}
