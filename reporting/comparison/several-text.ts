import { groupedBy } from '../parts/grouped-by.ts'
import { printable } from '../parts/printable.ts'
import type { Judgement } from './comparison.ts'
import { coverageTold, divergenceTold } from './figures.ts'
import { targetOf } from './remarks.ts'
import { kinds, kindTold, type Row, type Several } from './several.ts'

/** Several comparisons for the terminal. */
export function severalText(several: Several, { word }: Judgement): string {
  const { reference, others, remarks, rows } = several
  const width = Math.max(...[reference, ...others].map(({ name }) => name.length))
  const groups = groupedBy(rows, ({ kind }) => kind)
  const lines = [
    '',
    word,
    ...[reference, ...others].map(
      ({ name, report }) =>
        `  ${name.padEnd(width)}  ${targetOf(report)}, ${report.verdict}, ${report.startedAt}`,
    ),
    ...remarks.map((remark) => `  notice: ${remark}`),
    '',
    `  measured by ${reference.name}`,
    `  ${''.padEnd(width)}  ${'divergence'.padEnd(20)}coverage`,
    ...others.map(({ name, comparison: { figures } }) => {
      const [divergence, coverage] = [divergenceTold(figures.all), coverageTold(figures.all)]
      return `  ${name.padEnd(width)}  ${divergence.padEnd(20)}${coverage}`
    }),
    ...kinds.flatMap((kind) => {
      const group = groups.get(kind) ?? []
      if (group.length === 0) return []
      const told = kind === 'not comparable' ? reasons(group) : group.flatMap(rowTold)
      return ['', `  ${kindTold[kind]}: ${group.length}`, ...told]
    }),
  ]
  return `${lines.map(printable).join('\n')}\n`
}

const rowTold = ({ facts: { id, level, statement }, told }: Row) => [
  `    ${id}  (${level}) ${statement}`,
  ...told.flatMap(({ lines }) =>
    lines.flatMap((line) => line.split('\n').map((each) => `      ${each}`)),
  ),
]

/** Clauses that cannot be compared, by the report and the reason. */
function reasons(group: readonly Row[]): string[] {
  const all = group.flatMap(({ facts, told }) =>
    told.flatMap(({ name, lines }) =>
      lines.map((line) => ({ id: facts.id, why: `${name}: ${line}` })),
    ),
  )
  return [...groupedBy(all, ({ why }) => why)].map(([why, each]) => {
    const ids = each.map(({ id }) => id)
    const more = ids.length > 4 ? ` and ${ids.length - 4} more` : ''
    return `    ${why}: ${ids.slice(0, 4).join(', ')}${more}`
  })
}
