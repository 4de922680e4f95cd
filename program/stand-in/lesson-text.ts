import type { Learned } from '../../reference/learn/learn.ts'
import { whyNotBroken } from '../../reference/learn/not-broken.ts'
import { groupedBy } from '../../reporting/parts/grouped-by.ts'
import { printable } from '../../reporting/parts/printable.ts'

/** What was learned of a service, what was not, and what is assumed instead: lines of comments. */
export function describeLearned(
  learned: Learned,
  { target, startedAt }: { target: string; startedAt: string },
): string {
  const { missing, unclear, assumed, breaches } = learned
  const count = learned.learned.length + missing.length + unclear.length
  const lines = [
    `like ${target}, as it was on ${startedAt.slice(0, 10)}: ${learned.learned.length} of ${count} observations are imitated`,
    ...section('not in the report; this service answers as it does by itself', byReason(missing)),
    ...section(
      'not imitated, or in part',
      unclear.map(([id, why]) => `${id}: ${why}`),
    ),
    ...section('assumed', assumed),
    ...section('broken there, and broken here', listed(breaches.imitated)),
    ...section('broken there, and kept here', byReason(breaches.others.map(keptHere))),
  ]
  return lines.map((line) => `# ${printable(line)}\n`).join('')
}

const section = (title: string, items: readonly string[]) =>
  items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `  ${item}`)]

const listed = (ids: readonly string[]) => (ids.length === 0 ? [] : [ids.join(', ')])

const keptHere = (id: string): [id: string, why: string] => [
  id,
  whyNotBroken(id) ?? 'it keeps the contract',
]

const byReason = (missing: Learned['missing']) =>
  [...groupedBy(missing, ([, why]) => why)].map(
    ([why, group]) => `${group.map(([id]) => id).join(', ')} (${why})`,
  )
