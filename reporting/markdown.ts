import { counted } from '../engine/counted.ts'
import { type ClauseReport, describeSuite, type Report } from '../engine/run/report.ts'
import { blocksOf } from './parts/blocks.ts'
import { levels, told } from './parts/count.ts'
import { issueOf } from './parts/issue.ts'
import { clausesOf, readFirst, type Summary, summaryOf } from './parts/summary.ts'
import { cut, present, printable } from './parts/texts.ts'

/** Below the limit of a chat or a job summary. */
const mostBytes = 56_000

export function markdownOf(report: Report): string {
  const summary = summaryOf(report)
  const lost = clausesOf(summary.clauses.inconclusive, report).filter(
    ({ level }) => level === 'must',
  )
  const parts = [
    head(report, summary),
    ...groupsIn(summary, report),
    ...headed(
      `Musts without a verdict: ${lost.length}`,
      lost.map((clause) => broken(clause.id, clause, report)),
    ),
    ...blocksOf(report).flatMap(({ heading, items }) => headed(heading, items.map(itemOf))),
    ...unchecked(summary),
  ]
  return fitted(parts, mostBytes)
}

const itemOf = (lines: readonly string[]) => `- ${present(lines.map(code)).join('\n  ')}`

function head(report: Report, summary: Summary): string {
  const { target, reasons = [] } = report
  const what = target.embedded
    ? '**the embedded reference service** (no BASE_URL is set: your service was not tested)'
    : code(target.baseUrl)
  const from = present([
    summary.facts,
    describeSuite(report),
    target.revision !== undefined && `revision ${code(target.revision)}`,
    report.startedAt,
  ])
  return present([
    `## Contract: ${plain(summary.line)}`,
    `Tested: ${what}`,
    reasons.length > 0 && reasons.map((reason) => `- ${code(reason)}`).join('\n'),
    table(summary),
    from.join(' · '),
  ]).join('\n\n')
}

function table({ counts }: Summary): string {
  const used = told.filter((verdict) => levels.some((level) => counts[level][verdict] > 0))
  const rows = levels.map((level) => [level, ...used.map((verdict) => counts[level][verdict])])
  return [['level', ...used], ['---', ...used.map(() => '---:')], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

const headed = (title: string, blocks: readonly string[]) =>
  blocks.map((block, at) => (at === 0 ? `### ${title}\n\n${block}` : block))

/** The title of a group, the clause to read first, and the others by id. */
function groupsIn({ groups, clauses }: Summary, report: Report): string[] {
  const blocks = groups.map((group) => {
    const ids = group.clauses.slice(1).map(code).join(', ')
    return `${broken(group.title, readFirst(group, report), report)}${ids && `\n\nSame cause: ${ids}`}`
  })
  const { length: failed } = clauses.fail
  const warned = counted(clauses.warn.length, 'warning')
  return headed(
    `Broken: ${failed} failed, ${warned}, in ${counted(groups.length, 'group')}`,
    blocks,
  )
}

const broken = (title: string, clause: ClauseReport, report: Report): string =>
  `**${code(title)}**\n\n${fenced(issueOf(clause, report))}`

const unchecked = ({ notChecked }: Summary): string[] => {
  const blocks = notChecked.flatMap(({ heading, remedy, reasons }) => [
    `**${heading}**: ${code(remedy)}`,
    ...reasons.map((each) => `- ${code(each.why)}: ${each.clauses.map(code).join(', ')}`),
  ])
  return headed('Not checked', blocks)
}

/** As many blocks as fit, and the number of omitted ones. */
function fitted(blocks: string[], most: number): string {
  const left = (count: number) => `… and ${count} more: report.json contains all of them.\n`
  let text = ''
  for (const [at, block] of blocks.entries()) {
    const next = `${text}${block}\n\n`
    if (Buffer.byteLength(next) > most) return text + left(blocks.length - at)
    text = next
  }
  return text
}

const ticksIn = (text: string) =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))

/** A service's text as code: there it mentions nobody, links nowhere and is not markup. */
function code(text: string): string {
  const flat = cut(printable(text.replace(/\s+/g, ' ').trim()), 500)
  const ticks = '`'.repeat(ticksIn(flat) + 1)
  const space = /^`|`$/.test(flat) ? ' ' : ''
  return flat === '' ? '' : `${ticks}${space}${flat}${space}${ticks}`
}

/** Our own text, which may hold globs and file names, with markup escaped. */
const plain = (text: string): string => printable(text).replace(/[\\`*_<>[\]|#@~]/g, '\\$&')

function fenced(given: string): string {
  const text = cut(printable(given), 3000)
  const ticks = '`'.repeat(Math.max(3, ticksIn(text) + 1))
  return `${ticks}\n${text}\n${ticks}`
}
