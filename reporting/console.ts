import { basename, dirname } from 'node:path'
import { counted } from '../engine/counted.ts'
import type { ClauseReport, Report } from '../engine/run/report.ts'
import { blocksOf, itemLines, type Subject } from './parts/blocks.ts'
import { describeLevels, isOpen, levels, told } from './parts/count.ts'
import { toldEvidence } from './parts/evidence.ts'
import type { Group } from './parts/groups.ts'
import { repeatingOf } from './parts/issue.ts'
import { listOf, notCheckedLines } from './parts/not-checked.ts'
import { readFirst, type Summary, summaryOf, wordOf } from './parts/summary.ts'
import { cut, firstLine, groupedBy, printable } from './parts/texts.ts'

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
  const lines: Line[] = [
    ...judgedBadly(report, files),
    ...unchecked(report, summary),
    ...(verbose ? everything(report.clauses) : []),
    ...blockLines(report, verbose),
    '',
    ...levels.map((level) => `  ${level.padEnd(8)}${countsLine(summary.counts[level])}`),
    `  ${summary.facts.join(' · ')}`,
    ...filesLine(files),
    painted('dim', '  tested:', ` ${target.embedded ? embedded : target.baseUrl}`),
    '',
    painted(lookOf(report), wordOf(report), summary.line.slice(wordOf(report).length)),
    ...report.reasons.map((reason) => `  ${reason}`),
  ]
  return `${lines.map((line) => printed(line, colour)).join('\n')}\n`
}

const hanging = (text: string): string =>
  text.replaceAll('\n', `\n${' '.repeat(text.search(/\S|$/) + 4)}`)

const colours = { dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 }

type Look = keyof typeof colours

/** A line whose beginning has a colour. */
type Line = string | { look: Look; start: string; rest: string }

const painted = (look: Look, start: string, rest = ''): Line => ({ look, start, rest })

function printed(line: Line, isColoured: boolean): string {
  if (typeof line === 'string') return printable(hanging(line))
  const { look, start, rest } = line
  const text = printable(hanging(`${start}${rest}`))
  if (!isColoured) return text
  const word = start.trimStart()
  const indent = ' '.repeat(start.length - word.length)
  return `${indent}\u001b[${colours[look]}m${word}\u001b[0m${text.slice(start.length)}`
}

/** A partial run never gets the colour of a whole one. */
function lookOf({ verdict, selection }: Report): Look {
  if (verdict === 'inconclusive') return 'yellow'
  if (verdict !== 'conformant') return 'red'
  return selection === undefined ? 'green' : 'cyan'
}

const lookOfGroup = ({ verdict }: Group): Look => (verdict === 'fail' ? 'red' : 'yellow')

const looks: Partial<Record<Subject, Look>> = {
  'not as found': 'red',
  waiver: 'yellow',
  'not counted': 'yellow',
  notice: 'yellow',
}

const blockLines = (report: Report, withDetails: boolean): Line[] =>
  blocksOf(report, withDetails).flatMap(({ heading, items, about }): Line[] => {
    const look = about && looks[about]
    const title = `  ${heading}`
    return ['', look ? painted(look, title) : title, ...itemLines(items)]
  })

const filesLine = (files: readonly string[]): Line[] =>
  files[0] === undefined
    ? []
    : [painted('dim', '  reports:', ` ${dirname(files[0])} (${namesOf(files)})`)]

const namesOf = (files: readonly string[]) => files.map((file) => basename(file)).join(', ')

const countsLine = (counts: Summary['counts']['must']): string =>
  told.flatMap((each) => (counts[each] > 0 ? `${counts[each]} ${each}` : [])).join(', ') || 'none'

function unchecked({ clauses }: Report, { notChecked }: Summary): Line[] {
  const lines = notCheckedLines(notChecked, maxUnchecked).map((line) => `    ${line}`)
  const heading = painted('dim', '  not checked:', ` ${describeLevels(clauses.filter(isOpen))}`)
  return lines.length > 0 ? ['', heading, ...lines] : []
}

export const grouped = <T extends { id: string }>(
  items: readonly T[],
  reason: (item: T) => string,
) =>
  [...groupedBy(items, reason)].flatMap(([heading, members]) => [
    `    ${firstLine(heading)}`,
    `      ${listOf(members.map(({ id }) => id))}`,
  ])

/** More would scroll the first lines away. */
const mostCards = 5
const mostNames = 15
const maxUnchecked = 24

function judgedBadly(report: Report, files: readonly string[]): Line[] {
  const { groups } = summaryOf(report)
  const page = files.find((file) => basename(file) === 'index.html')
  const others = groups.slice(mostCards + mostNames)
  const named = groups.slice(mostCards, mostCards + mostNames)
  const left = `  … and ${others.flatMap(({ clauses }) => clauses).length} clauses in ${others.length} more groups: see ${page ?? files[0] ?? 'the reports'}`
  const evidence = painted('dim', '  evidence:', ` ${page}#part=breaches`)
  return [
    ...groups.slice(0, mostCards).flatMap((group) => ofGroup(group, report, files)),
    ...(named.length > 0 ? ['', ...named.map(nameOf)] : []),
    ...(others.length > 0 ? [left] : []),
    ...(page && groups.length > 0 ? ['', evidence] : []),
  ]
}

const nameOf = (group: Group): Line =>
  painted(
    lookOfGroup(group),
    `  ${group.verdict.toUpperCase()}`,
    ` ${counted(group.clauses.length, 'clause')}: ${group.title}`,
  )

function ofGroup(group: Group, report: Report, files: readonly string[]): Line[] {
  const more = group.clauses.slice(1)
  const clause = readFirst(group, report)
  const { id, level, section, statement, reading } = clause
  const { run, needs, script } = repeatingOf(clause, report, files[0] ? dirname(files[0]) : '')
  const stated = ` ${id}  (${level}, ${section}): ${statement}${reading ? ` (reading: ${reading})` : ''}`
  return [
    '',
    ...(more.length > 0 ? [`  ${counted(more.length + 1, 'clause')}: ${group.title}`] : []),
    painted(lookOfGroup(group), `  ${group.verdict.toUpperCase()}`, stated),
    `    ${describeFound(clause)}`,
    painted('dim', '    again:', ` ${script ?? run}`),
    ...(!script && needs ? [painted('dim', `    ${needs}`)] : []),
    ...(more.length > 0 ? [painted('dim', '    same cause:', ` ${listOf(more)}`)] : []),
  ]
}

/** The first breach, and how many others there are. */
function describeFound({ reason = '', breaches = [], more = 0 }: ClauseReport): string {
  const others = breaches.length + more - 1
  return `${cut(firstLine(reason), 500)}${others > 0 ? ` · and ${others} more` : ''}`
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
