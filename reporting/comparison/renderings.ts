// A comparison for the terminal, as a page and for programs.

import { targetOf } from '../../engine/run/report.ts'
import { blockOf, cut, html } from '../html/markup.ts'
import { pageOf } from '../html/page.ts'
import { textOf as blockText } from '../parts/blocks.ts'
import { groupedBy, present, printable } from '../parts/texts.ts'
import { type Compared, figuresOf, fiveLines } from './compare.ts'
import { blocksOf, type Comparison, type Judgement, names } from './comparison.ts'

const columns = ['on both', 'agree', 'B breaks', 'A breaks', 'differ', 'not compared']

/** A line for each operation, with its figures below their names. */
function operationLines(compared: readonly Compared[]): string[] {
  const operations = [...groupedBy(compared, ({ facts }) => facts.operation)]
  const width = Math.max(...operations.map(([operation]) => operation.length))
  const line = (first: string, cells: readonly (string | number)[]) =>
    `${first.padEnd(width)}${cells.map((cell, at) => `  ${String(cell).padStart(columns[at]?.length ?? 0)}`).join('')}`
  const rows = operations.map(([operation, own]) => {
    const { all, compared: both, agree, breaks, oneOnly, free } = figuresOf(own)
    return line(operation, [both, agree, breaks, oneOnly, free, all - both])
  })
  return [line('', columns), ...rows]
}

const sidesOf = ({ sides }: Comparison) =>
  sides.map(
    ({ file, report }, at) =>
      `${names[at]}  ${targetOf(report)}, ${report.verdict}, ${report.startedAt}, suite ${cut(report.suiteVersion, 50)} (${file})`,
  )

/** Differences first, the lines to quote last; of a long reason the page and the reports have all. */
export function textOf(comparison: Comparison, { word }: Judgement): string {
  const { compared } = comparison
  const lines = present([
    '',
    word,
    sidesOf(comparison).map((side) => `  ${side}`),
    blockText(blocksOf(comparison, 6)),
    '',
    operationLines(compared).map((line) => `  ${line}`),
    '',
    fiveLines(compared).map((each) => `  ${each}`),
  ])
  return `${lines.map((line) => printable(line.replace(/\n.*/s, ' …'))).join('\n')}\n`
}

export function htmlOf(comparison: Comparison, { diverging, word }: Judgement): string {
  const { compared } = comparison
  return pageOf(
    `${word.toLowerCase()}: 2 reports compared (contract)`,
    html`<header>
<p class="what">Contract: 2 reports compared</p>
<h1 class="${diverging ? 'fail' : 'pass'}"><span aria-hidden="true">${diverging ? '✗' : '✓'}</span> ${word}</h1>
${sidesOf(comparison).map((side) => html`<p class="target">${cut(side, 800)}</p>`)}</header>
<main id="main">
${blockOf(['B beside A', fiveLines(compared).map((line) => [line])])}<div class="wide" role="region" aria-label="Operations (scrolls)" tabindex="0"><pre>${operationLines(compared).map((line) => `${cut(line, 300)}\n`)}</pre></div>
${blocksOf(comparison, Infinity).map((block) => blockOf(block))}</main>
`,
    { scripted: false },
  )
}

export function jsonOf(comparison: Comparison, { diverging, word }: Judgement): string {
  const { sides, compared, remarks, rows } = comparison
  const ofOther = {
    figures: figuresOf(compared),
    summary: fiveLines(compared),
    clauses: compared.map(({ facts: { id }, sides: _, ...outcome }) => ({ id, ...outcome })),
  }
  const value = {
    comparisonVersion: 4,
    verdict: word,
    diverging,
    sides: sides.map(({ file, report: { startedAt, suiteVersion, verdict, ...report } }, at) => ({
      ...{ name: names[at], file, target: targetOf(report), startedAt, suiteVersion, verdict },
      ...(at > 0 && ofOther),
    })),
    notices: remarks,
    differences: rows.map(({ facts, ...row }) => ({ ...facts, ...row })),
  }
  return `${JSON.stringify(value, null, 1)}\n`
}
