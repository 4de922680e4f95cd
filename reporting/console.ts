import { basename, dirname } from 'node:path'
import { commandLine } from '../engine/called.ts'
import { type ClauseReport, type Report, toldVerdict, toldWaiver } from '../engine/run/report.ts'
import type { Level } from '../engine/verdict.ts'
import { type Cause, causesOf } from './parts/causes.ts'
import { countOf, describeLevels, isOpen, levels, told, verdictLine } from './parts/count.ts'
import { cut } from './parts/cut.ts'
import { groupedBy } from './parts/grouped-by.ts'
import { listOf, notChecked, notCheckedLines } from './parts/not-checked.ts'
import { printable } from './parts/printable.ts'
import { repeatingOf } from './parts/repeating.ts'

export type Out = { write(text: string): unknown; isTTY?: boolean; columns?: number }

export type Told = {
  verbose: boolean
  /** paths of what was written */
  files?: readonly string[]
}

/** The result of a run for the terminal: what was tested first, then what was not checked and why. */
export function summaryOf(report: Report, { verbose, files = [] }: Told): string {
  const { target, clauses } = report
  const what = target.embedded
    ? 'the EMBEDDED REFERENCE SERVICE (no BASE_URL is set: your service was not tested)'
    : target.baseUrl
  const head = [
    '',
    verdictLine(report),
    `  tested: ${what}`,
    ...report.reasons.map((reason) => `  ${reason}`),
    ...report.notices.map((notice) => `  notice: ${notice}`),
    ...residueOf(report),
    '',
    ...levels.map((level) => `  ${level.padEnd(8)}${countsLine(report, level)}`),
    ...unchecked(clauses),
    ...waived(clauses),
  ]
  const end = [
    ...(verbose ? everything(clauses) : []),
    '',
    `  seed ${report.seed} · ${report.requests} requests · ${(report.durationMs / 1000).toFixed(1)} s`,
    ...(files[0]
      ? [`  reports: ${dirname(files[0])} (${files.map((f) => basename(f)).join(', ')})`]
      : []),
  ]
  const room = Math.max(leastLines, maxLines - head.length - end.length)
  const lines = [...head, ...judgedBadly(report, files, room), ...end]
  return `${lines.map(hanging).map(printable).join('\n')}\n`
}

/** A text of several lines, such as a reason that a notice quotes, stays within its block. */
const hanging = (text: string): string =>
  text.replaceAll('\n', `\n${' '.repeat(text.search(/\S|$/) + 4)}`)

function countsLine(report: Report, level: Level): string {
  const counts = countOf(report)[level]
  const some = told.filter((verdict) => counts[verdict] > 0)
  return some.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ') || 'none'
}

function residueOf({ residue, interrupted }: Report): string[] {
  if (residue.length === 0) return interrupted ? ['  every task that was changed was put back'] : []
  return [
    '',
    `  NOT AS FOUND: ${residue.length} (${commandLine('restore')} tries again where that is of use)`,
    ...residue.map(({ task, reason }) => `    task ${task}: ${reason}`),
  ]
}

function unchecked(clauses: readonly ClauseReport[]): string[] {
  const open = notChecked(clauses)
  if (open.length === 0) return []
  return [
    '',
    `  not checked: ${describeLevels(clauses.filter(isOpen))}`,
    ...notCheckedLines(open, maxUnchecked).map((line) => `    ${line}`),
  ]
}

/** Ids under the reason that they have in common. */
export const grouped = <T extends { id: string }>(
  items: readonly T[],
  reason: (item: T) => string,
) =>
  [...groupedBy(items, reason)].flatMap(([heading, members]) => [
    `    ${heading.split('\n')[0]}`,
    `      ${listOf(members.map(({ id }) => id))}`,
  ])

function waived(clauses: readonly ClauseReport[]): string[] {
  const those = clauses.filter((clause) => toldVerdict(clause) === 'waived')
  if (those.length === 0) return []
  return [
    '',
    `  failed and waived: ${those.length}`,
    ...those.map(({ id, waiver }) => `    ${id}  ${waiver ? toldWaiver(waiver) : ''}`),
  ]
}

/** More would scroll away what was said first. */
const maxLines = 60
const leastLines = 12
const maxUnchecked = 30

/** By cause, three lines for the clause to read first, and the others by their ids. */
function judgedBadly(report: Report, files: readonly string[], room: number): string[] {
  const causes = causesOf(report)
  const page = files.find((file) => basename(file) === 'index.html')
  const lines: string[] = []
  for (const [at, cause] of causes.entries()) {
    const own = ofCause(cause, report, files)
    // Two lines say where the rest is, or the evidence of all.
    if (lines.length + own.length > room - 2) {
      const left = causes.slice(at)
      const clauses = left.reduce((sum, each) => sum + each.clauses.length, 0)
      const where = page ?? files[0] ?? 'the reports'
      return [...lines, '', `  … and ${clauses} clauses of ${left.length} more causes: ${where}`]
    }
    lines.push(...own)
  }
  return page && causes.length > 0 ? [...lines, '', `  evidence: ${page}#part=breaches`] : lines
}

function ofCause({ heading, clauses }: Cause, report: Report, files: readonly string[]): string[] {
  const [clause, ...more] = clauses
  const { run, script } = repeatingOf(clause, report, files[0] ? dirname(files[0]) : '')
  const told = toldVerdict(clause).toUpperCase()
  return [
    '',
    ...(more.length > 0 ? [`  ${heading}`] : []),
    `  ${told} ${clause.id}  (${clause.level}, ${clause.section}): ${clause.statement}${clause.reading ? ` (reading: ${clause.reading})` : ''}`,
    `    ${cut((clause.reason ?? '').replace(/\n/g, ' · '), 500)}`,
    `    again: ${script ? `${script}  (or ${run})` : run}`,
    ...(more.length > 0 ? [`    also: ${listOf(more.map(({ id }) => id))}`] : []),
  ]
}

const everything = (clauses: readonly ClauseReport[]) => [
  '',
  ...clauses.map(
    ({ verdict, id, statement, observed, reason, note }) =>
      `  ${verdict.padEnd(12)} ${id}  ${observed === undefined ? (reason ?? statement) : JSON.stringify(observed)}${note ? ` (${note})` : ''}`,
  ),
]
