import { groupedBy } from '../parts/grouped-by.ts'
import { printable } from '../parts/printable.ts'
import { type Compared, grades } from './compare.ts'
import { type Comparison, incomparable, type Judgement } from './comparison.ts'
import { coverageTold, divergenceTold, type Figures } from './figures.ts'
import { targetOf } from './remarks.ts'
import { differenceTold, gradeTold, proofsOf } from './words.ts'

/** A comparison for the terminal. */
export function textOf(comparison: Comparison, { word }: Judgement): string {
  const { names, reports, remarks, figures } = comparison
  const lines = [
    '',
    word,
    ...names.map((name, at) => {
      const report = reports[at] as (typeof reports)[number]
      return `  ${name.padEnd(8)}${targetOf(report)}, ${report.verdict}, ${report.startedAt}`
    }),
    ...remarks.map((remark) => `  notice: ${remark}`),
    '',
    ...tableOf(comparison),
    '',
    `  divergence ${divergenceTold(figures.all)} that are known on both sides differ`,
    `  coverage   ${coverageTold(figures.all)} are known on both sides`,
    ...differencesTold(comparison),
    ...incomparableTold(comparison),
  ]
  return `${lines.map(printable).join('\n')}\n`
}

function tableOf({ figures: { levels, operations } }: Comparison): string[] {
  const rows = [...Object.entries(levels), ...Object.entries(operations)]
  const width = Math.max(...rows.map(([name]) => name.length))
  const row = (name: string, figures: Figures) =>
    `  ${name.padEnd(width)}  ${divergenceTold(figures).padEnd(20)}${coverageTold(figures)}`
  return [
    `  ${''.padEnd(width)}  ${'divergence'.padEnd(20)}coverage`,
    ...rows.map(([name, figures]) => row(name, figures)),
  ]
}

function differencesTold(comparison: Comparison): string[] {
  const headings = gradeTold(comparison.names)
  const groups = groupedBy(comparison.differences, ({ grade }) => grade ?? '')
  return grades.flatMap((grade) => {
    const group = groups.get(grade) ?? []
    if (group.length === 0) return []
    return [
      '',
      `  ${headings[grade]}: ${group.length}`,
      ...group.flatMap((each) => told(each, comparison)),
    ]
  })
}

function told(compared: Compared, { reports, names }: Comparison): string[] {
  const { id, level, section, statement } = compared.facts
  return [
    '',
    `    ${id}  (${level}, ${section})`,
    `      ${statement}`,
    ...differenceTold(compared, names)
      .flatMap((line) => line.split('\n'))
      .map((line) => `      ${line}`),
    ...proofsOf(compared, reports, names).map(
      ({ name, exchange }) => `      evidence, ${name}: ${exchange}`,
    ),
  ]
}

function incomparableTold(comparison: Comparison): string[] {
  const groups = incomparable(comparison)
  if (groups.length === 0) return ['', '  not comparable: nothing, every clause was compared']
  const count = groups.reduce((sum, { ids }) => sum + ids.length, 0)
  return [
    '',
    `  Not comparable: ${count}`,
    ...groups.flatMap(({ why, ids }) => [`    ${why}`, `      ${listed(ids)}`]),
  ]
}

const listed = (ids: string[]) =>
  ids.length > 6 ? `${ids.slice(0, 6).join(', ')} … and ${ids.length - 6} more` : ids.join(', ')
