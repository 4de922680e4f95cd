import { basename, dirname } from 'node:path'
import { counted } from '../engine/counted.ts'
import { type ClauseReport, type Report, toldVerdict } from '../engine/run/report.ts'
import { blocksOf, textOf } from './parts/blocks.ts'
import { describeLevels, isOpen, levels, told } from './parts/count.ts'
import { toldEvidence } from './parts/evidence.ts'
import type { Group } from './parts/groups.ts'
import { repeatingOf } from './parts/issue.ts'
import { listOf, notCheckedLines } from './parts/not-checked.ts'
import { readFirst, type Summary, summaryOf } from './parts/summary.ts'
import { cut, groupedBy, present, printable } from './parts/texts.ts'

const embedded = 'the EMBEDDED REFERENCE SERVICE (no BASE_URL is set: your service was not tested)'

type ConsoleOptions = {
  verbose: boolean
  files?: readonly string[]
  colour?: boolean
}

export type Out = { write(text: string): unknown; isTTY?: boolean; columns?: number }

export const takesColour = ({ isTTY }: Out, env: Record<string, string | undefined>): boolean => {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR !== undefined) return !['', '0', 'false'].includes(env.FORCE_COLOR)
  return isTTY === true && env.TERM !== 'dumb'
}

export function consoleOf(
  report: Report,
  { verbose, files = [], colour = false }: ConsoleOptions,
): string {
  const { target } = report
  const summary = summaryOf(report)
  const lines = present([
    judgedBadly(report, files),
    unchecked(report, summary),
    verbose && everything(report.clauses),
    textOf(blocksOf(report, verbose)),
    '',
    levels.map((level) => `  ${level.padEnd(8)}${countsLine(summary.counts[level])}`),
    `  ${summary.facts.join(' · ')}`,
    files[0] !== undefined &&
      `  reports: ${dirname(files[0])} (${files.map((f) => basename(f)).join(', ')})`,
    `  tested: ${target.embedded ? embedded : target.baseUrl}`,
    '',
    summary.line,
    report.reasons.map((reason) => `  ${reason}`),
  ])
    .map(hanging)
    .map(printable)
  return `${(colour ? lines.map(painted) : lines).join('\n')}\n`
}

const hanging = (text: string): string =>
  text.replaceAll('\n', `\n${' '.repeat(text.search(/\S|$/) + 4)}`)

const colours: [RegExp, number][] = [
  // A partial run never gets the colour of a whole one.
  [/^()(CONFORMANT)\b(?=.* (?:musts?|shoulds?) of --)/, 36],
  [/^( *)(FAIL|NONCONFORMANT|INCOMPLETE|Not as found)\b/, 31],
  [/^( *)(WARN|Waivers|Not counted|INCONCLUSIVE|Notices)/, 33],
  [/^()(CONFORMANT)\b/, 32],
  [/^( *)(not checked:|again:|needs, |same cause:|evidence:|reports:|tested:)/, 2],
]

function painted(line: string): string {
  const [pattern, colour] = colours.find(([begins]) => begins.test(line)) ?? []
  return pattern ? line.replace(pattern, `$1\u001b[${colour}m$2\u001b[0m`) : line
}

const countsLine = (counts: Summary['counts']['must']): string =>
  told.flatMap((each) => (counts[each] > 0 ? `${counts[each]} ${each}` : [])).join(', ') || 'none'

function unchecked({ clauses }: Report, { notChecked }: Summary): string[] {
  const lines = notCheckedLines(notChecked, maxUnchecked).map((line) => `    ${line}`)
  const heading = `  not checked: ${describeLevels(clauses.filter(isOpen))}`
  return lines.length > 0 ? ['', heading, ...lines] : []
}

export const grouped = <T extends { id: string }>(
  items: readonly T[],
  reason: (item: T) => string,
) =>
  [...groupedBy(items, reason)].flatMap(([heading, members]) => [
    `    ${heading.split('\n')[0]}`,
    `      ${listOf(members.map(({ id }) => id))}`,
  ])

/** More would scroll the first lines away. */
const mostCards = 5
const mostNames = 15
const maxUnchecked = 24

function judgedBadly(report: Report, files: readonly string[]): string[] {
  const { groups } = summaryOf(report)
  const page = files.find((file) => basename(file) === 'index.html')
  const others = groups.slice(mostCards + mostNames)
  return present([
    groups.slice(0, mostCards).flatMap((group) => ofGroup(group, report, files)),
    groups.length > mostCards && '',
    groups.slice(mostCards, mostCards + mostNames).map(nameOf),
    others.length > 0 &&
      `  … and ${others.flatMap(({ clauses }) => clauses).length} clauses in ${others.length} more groups: see ${page ?? files[0] ?? 'the reports'}`,
    page && groups.length > 0 && ['', `  evidence: ${page}#part=breaches`],
  ])
}

const nameOf = ({ verdict, clauses, title }: Group) =>
  `  ${verdict.toUpperCase()} ${counted(clauses.length, 'clause')}: ${title}`

function ofGroup(group: Group, report: Report, files: readonly string[]): string[] {
  const more = group.clauses.slice(1)
  const clause = readFirst(group, report)
  const { run, needs, script } = repeatingOf(clause, report, files[0] ? dirname(files[0]) : '')
  return present([
    '',
    more.length > 0 && `  ${counted(more.length + 1, 'clause')}: ${group.title}`,
    `  ${toldVerdict(clause).toUpperCase()} ${clause.id}  (${clause.level}, ${clause.section}): ${clause.statement}${clause.reading ? ` (reading: ${clause.reading})` : ''}`,
    `    ${firstOf(clause.reason ?? '')}`,
    `    again: ${script ?? run}`,
    !script && needs && `    ${needs}`,
    more.length > 0 && `    same cause: ${listOf(more)}`,
  ])
}

function firstOf(reason: string): string {
  const [first = '', ...more] = reason.split('\n')
  const [, left = '1'] = /^… and (\d+) more$/.exec(more.at(-1) ?? '') ?? []
  const count = more.length - 1 + Number(left)
  return `${cut(first, 500)}${more.length > 0 ? ` · and ${count} more` : ''}`
}

const everything = (clauses: readonly ClauseReport[]) => [
  '',
  ...clauses.map((clause) => {
    const { verdict, id, statement, observed, reason = statement, note } = clause
    const found = observed === undefined ? reason : JSON.stringify(observed)
    const besides = [note, toldEvidence(clause)].map((each) => (each ? ` (${each})` : ''))
    return `  ${verdict.padEnd(12)} ${id}  ${found}${besides.join('')}`
  }),
]
