import { printable } from './printable.ts'
import type { ClauseReport, Report } from './report.ts'

export type Out = { write(text: string): unknown; isTTY?: boolean; columns?: number }

/** The result of a run for the terminal: what was tested first, then what was not checked and why. */
export function summaryOf(report: Report, { verbose }: { verbose: boolean }): string {
  const { target, verdict, counts, clauses } = report
  const what = target.embedded
    ? 'the EMBEDDED REFERENCE SERVICE (no BASE_URL is set: nothing of yours was tested)'
    : target.baseUrl
  const lines = [
    '',
    `${verdict.toUpperCase()}${report.interrupted ? ' (INTERRUPTED)' : ''}  tested: ${what}`,
    ...report.reasons.map((reason) => `  ${reason}`),
    ...report.notices.map((notice) => `  notice: ${notice}`),
    ...residueOf(report),
    '',
    ...(['must', 'should', 'observe'] as const).map(
      (level) => `  ${level.padEnd(8)}${countsLine(counts[level])}`,
    ),
    ...unchecked(clauses),
    ...judgedBadly(clauses),
    ...(verbose ? everything(clauses) : []),
    '',
    `  seed ${report.seed} · ${report.requests} requests · ${(report.durationMs / 1000).toFixed(1)} s`,
  ]
  return `${lines.map(printable).join('\n')}\n`
}

const countsLine = (counts: Partial<Record<string, number>>) =>
  Object.entries(counts)
    .filter(([, count]) => count)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(', ') || 'none'

function residueOf({ residue }: Report): string[] {
  if (residue.length === 0) return []
  return [
    '',
    `  NOT AS FOUND: ${residue.length} (npm run restore tries again where that is of use)`,
    ...residue.map(({ task, reason }) => `    task ${task}: ${reason}`),
  ]
}

/** What was not checked, grouped by the reason. */
function unchecked(clauses: readonly ClauseReport[]): string[] {
  const open = clauses.filter(({ verdict }) => verdict === 'skip' || verdict === 'inconclusive')
  if (clauses.length === 0) return ['', '  not checked: everything']
  if (open.length === 0) return ['', '  not checked: nothing, every clause was']
  return ['', `  not checked: ${open.length} of ${clauses.length}`, ...grouped(open, keyOf)]
}

/** Ids under the reason that they have in common. */
export const grouped = <T extends { id: string }>(
  items: readonly T[],
  reason: (item: T) => string,
) =>
  [...groupedBy(items, reason)].flatMap(([heading, members]) => [
    `    ${heading.split('\n')[0]}`,
    `      ${listed(members.map(({ id }) => id))}`,
  ])

const keyOf = ({ verdict, reason = '' }: ClauseReport) => `${verdict}: ${reason.split('\n')[0]}`

function groupedBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item])
  return groups
}

const listed = (ids: string[]) =>
  ids.length > 6 ? `${ids.slice(0, 6).join(', ')} … and ${ids.length - 6} more` : ids.join(', ')

function judgedBadly(clauses: readonly ClauseReport[]): string[] {
  return clauses
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .flatMap((clause) => [
      '',
      `  ${clause.verdict.toUpperCase()} ${clause.id}  (${clause.level}, ${clause.section})`,
      `    ${clause.statement}`,
      ...(clause.reason ?? '').split('\n').map((line) => `    ${line}`),
      ...(clause.reading ? [`    reading: ${clause.reading}`] : []),
    ])
}

const everything = (clauses: readonly ClauseReport[]) => [
  '',
  ...clauses.map(
    ({ verdict, id, statement, observed, reason, note }) =>
      `  ${verdict.padEnd(12)} ${id}  ${observed === undefined ? (reason ?? statement) : JSON.stringify(observed)}${note ? ` (${note})` : ''}`,
  ),
]
