import { targetOf } from '../../engine/run/report.ts'
import { groupedBy } from '../parts/grouped-by.ts'
import { present } from '../parts/present.ts'
import { printable } from '../parts/printable.ts'
import { type Comparison, type Judgement, partsOf, type Row, type Side } from './comparison.ts'
import { columns, countsOf, fiveLines } from './figures.ts'
import { listed } from './remarks.ts'

/** A comparison for the terminal: differences first, the lines to quote last. */
export function textOf(comparison: Comparison, { word }: Judgement): string {
  const { sides, remarks, rows, notCompared } = comparison
  const lines = present([
    '',
    word,
    sides.map(
      ({ name, file, report }) =>
        `  ${name}  ${targetOf(report)}, ${report.verdict}, ${report.startedAt} (${file})`,
    ),
    remarks.map((remark) => `  notice: ${remark}`),
    partsOf(rows).flatMap(({ heading, groups }) => [
      '',
      `  ${heading}`,
      ...groups.flatMap(({ cause, rows }) =>
        present([cause && `    ${cause}`, rows.flatMap(rowTold)]),
      ),
    ]),
    notCompared.length > 0 && ['', '  Not compared'],
    notCompared.flatMap(({ why, clauses }) => [`    ${why}`, `      ${listed(clauses)}`]),
    sides.slice(1).flatMap(summaryOf),
  ])
  return `${lines.map(printable).join('\n')}\n`
}

/** Only the first line of a long reason; the page and the reports have all of it. */
const rowTold = ({ facts: { id, level, statement, operation }, lines, proofs }: Row) => [
  `      ${id}  (${level}, ${operation}) ${statement}`,
  ...lines.map((line) => `        ${line.replace(/\n.*/s, ' …')}`),
  ...proofs.map(({ name, exchange }) => `        evidence of ${name}: ${exchange}`),
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
