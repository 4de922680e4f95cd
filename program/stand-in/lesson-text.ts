import type { Learned } from '../../reference/learn/learn.ts'
import { groupedBy } from '../../reporting/parts/grouped-by.ts'
import { printable } from '../../reporting/parts/printable.ts'
import type { NamedLesson } from '../input/lesson.ts'

/** What was learned of a service, what was not, and what is assumed instead: lines of comments. */
export function describeLearned(
  { learned, missing, unclear, assumed }: Learned,
  { target, startedAt, broken }: Pick<NamedLesson, 'target' | 'startedAt' | 'broken'>,
): string {
  const count = learned.length + missing.length + unclear.length
  const lines = [
    `like ${target}, as it was on ${startedAt.slice(0, 10)}: ${learned.length} of ${count} observations are imitated`,
    ...section('not in the report; this service answers as it does by itself', byReason(missing)),
    ...section('not imitated, or in part', byReason(unclear)),
    ...section('assumed', assumed),
    ...section(
      'broken there; kept here, unless an imitated observation breaks it too',
      broken.length > 0 ? [broken.join(', ')] : [],
    ),
  ]
  return lines.map((line) => `# ${printable(line)}\n`).join('')
}

const section = (title: string, items: readonly string[]) =>
  items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `  ${item}`)]

const byReason = (clauses: Learned['missing']) =>
  [...groupedBy(clauses, ([, why]) => why)].map(
    ([why, group]) => `${group.map(([id]) => id).join(', ')} (${why})`,
  )
