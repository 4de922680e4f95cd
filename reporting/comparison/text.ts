import { targetOf } from '../../engine/run/report.ts'
import { groupedBy } from '../parts/grouped-by.ts'
import { printable } from '../parts/printable.ts'
import type { Comparison, Group, Judgement, Row, Side } from './comparison.ts'
import { columns, countsOf, fiveLines } from './figures.ts'
import { listed } from './remarks.ts'

/** A comparison for the terminal: differences first, the lines to quote last. */
export function textOf(comparison: Comparison, { word }: Judgement): string {
  const { sides, remarks, parts, notCompared } = comparison
  const lines = [
    '',
    word,
    ...sides.map(
      ({ name, file, report }) =>
        `  ${name}  ${targetOf(report)}, ${report.verdict}, ${report.startedAt} (${file})`,
    ),
    ...remarks.map((remark) => `  notice: ${remark}`),
    ...parts.flatMap(({ heading, count, operations }) => [
      '',
      `  ${heading}: ${count}`,
      ...operations.flatMap(({ operation, groups }) => [
        `    ${operation}`,
        ...groups.flatMap(groupTold),
      ]),
    ]),
    ...(notCompared.length > 0 ? ['', '  Not compared'] : []),
    ...notCompared.flatMap(({ why, clauses }) => [`    ${why}`, `      ${listed(clauses)}`]),
    ...sides.slice(1).flatMap(summaryOf),
  ]
  return `${lines.map(printable).join('\n')}\n`
}

/** Of clauses with one cause, shows the first with its evidence and the others by statement. */
function groupTold({ cause, rows }: Group): string[] {
  if (cause === undefined) return rows.flatMap((row) => rowTold(row, '      '))
  return [
    `      ${rows.length} clauses: ${cause.replaceAll('\n', '; ')}`,
    ...rows.flatMap((row, at) =>
      rowTold(at === 0 ? row : { ...row, lines: [], proofs: [] }, '        '),
    ),
  ]
}

/** Only the first line of a long reason; the page and the reports have all of it. */
const rowTold = ({ facts: { id, level, statement }, lines, proofs }: Row, indent: string) => [
  `${indent}${id}  (${level}) ${statement}`,
  ...lines.map((line) => {
    const [first, ...more] = line.split('\n')
    return `${indent}  ${first}${more.length > 0 ? ' …' : ''}`
  }),
  ...proofs.map(({ name, exchange }) => `${indent}  evidence of ${name}: ${exchange}`),
]

function summaryOf({ name, compared }: Side): string[] {
  const names = ['A', name] as const
  const rows = [...groupedBy(compared, ({ facts }) => facts.operation)]
  const width = Math.max(...rows.map(([operation]) => operation.length))
  const titles = columns(names)
  const line = (first: string, cells: readonly (string | number)[]) =>
    `  ${first.padEnd(width)}${cells.map((cell, at) => `  ${String(cell).padStart(titles[at]?.length ?? 0)}`).join('')}`
  return [
    '',
    line('', titles),
    ...rows.map(([operation, of]) => line(operation, countsOf(of))),
    '',
    ...fiveLines(compared, names).map((each) => `  ${each}`),
  ]
}
