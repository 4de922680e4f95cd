// A comparison for the terminal, as a page and for programs.

import { targetOf } from '../../engine/run/report.ts'
import { cut, html, number } from '../html/markup.ts'
import { pageOf } from '../html/page.ts'
import { groupedBy, present, printable } from '../parts/texts.ts'
import { columns, countsOf, figuresOf, fiveLines } from './compare.ts'
import { type Comparison, type Judgement, listed, names, type Row } from './comparison.ts'

const operationsOf = ({ compared }: Comparison) =>
  [...groupedBy(compared, ({ facts }) => facts.operation)].map(
    ([operation, of]) => [operation, countsOf(of)] as const,
  )

/** Differences first, the lines to quote last. */
export function textOf(comparison: Comparison, { word }: Judgement): string {
  const { sides, remarks, parts, notCompared, compared } = comparison
  const operations = operationsOf(comparison)
  const width = Math.max(...operations.map(([operation]) => operation.length))
  const line = (first: string, cells: readonly (string | number)[]) =>
    `  ${first.padEnd(width)}${cells.map((cell, at) => `  ${String(cell).padStart(columns[at]?.length ?? 0)}`).join('')}`
  const lines = present([
    '',
    word,
    sides.map(
      ({ file, report }, at) =>
        `  ${names[at]}  ${targetOf(report)}, ${report.verdict}, ${report.startedAt} (${file})`,
    ),
    remarks.map((remark) => `  notice: ${remark}`),
    parts.flatMap(({ heading, groups }) => [
      '',
      `  ${heading}`,
      ...groups.flatMap(({ cause, rows }) =>
        present([cause && `    ${cause}`, rows.flatMap(rowTold)]),
      ),
    ]),
    notCompared.size > 0 && ['', '  Not compared'],
    [...notCompared].flatMap(([why, clauses]) => [`    ${why}`, `      ${listed(clauses)}`]),
    ['', line('', columns), ...operations.map((row) => line(...row)), ''],
    fiveLines(compared).map((each) => `  ${each}`),
  ])
  return `${lines.map(printable).join('\n')}\n`
}

/** Of several with one cause, the first explains it; of a long reason the page and the reports have all. */
const rowTold = ({ facts: { id, level, statement, operation }, ...row }: Row, at: number) => [
  `      ${id}  (${level}, ${operation}) ${statement}`,
  ...(at > 0 ? [] : linesOf(row)),
]

const linesOf = ({ lines, proofs }: Pick<Row, 'lines' | 'proofs'>) => [
  ...lines.map((line) => `        ${line.replace(/\n.*/s, ' …')}`),
  ...proofs.map(({ name, exchange }) => `        evidence of ${name}: ${exchange}`),
]

export function htmlOf(comparison: Comparison, { diverging, word }: Judgement): string {
  const { sides, remarks, parts, notCompared, compared } = comparison
  const list = (items: readonly string[]) =>
    html`<ul class="remarks">${items.map((item) => html`<li>${cut(item, 2000)}</li>`)}</ul>`
  return pageOf(
    `${word.toLowerCase()}: 2 reports compared (contract)`,
    html`<header>
<p class="what">Contract: 2 reports compared</p>
<h1 class="${diverging ? 'fail' : 'pass'}"><span aria-hidden="true">${diverging ? '✗' : '✓'}</span> ${word}</h1>
${sides.map(
  ({ file, report }, at) =>
    html`<p class="target">${names[at]}: <strong>${cut(targetOf(report), 500)}</strong>, ${report.verdict}, ${report.startedAt}, suite ${cut(report.suiteVersion, 50)}, ${cut(file, 200)}</p>
`,
)}</header>
<main id="main">
<section><h2>B beside A</h2>
${list(fiveLines(compared))}
<div class="wide" role="region" aria-label="Operations (scrolls)" tabindex="0"><table class="counts">
<thead><tr><th scope="col">Operation</th>${columns.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${operationsOf(comparison).map(
      ([operation, counts]) =>
        html`<tr><th scope="row">${cut(operation, 200)}</th>${counts.map((count) => html`<td>${number(count)}</td>`)}</tr>
`,
    )}</tbody></table></div>
</section>
${remarks.length > 0 && html`<section><h2>Of the reports</h2>${list(remarks)}</section>`}${parts.map(
  ({ heading, groups }) =>
    html`<section><h2>${heading}</h2>
${groups.map(({ cause, rows }) => html`${cause && html`<h3>${cut(cause, 2000)}</h3>`}<ul class="remarks">${rows.map(rowOf)}</ul>`)}</section>
`,
)}${
  notCompared.size > 0 &&
  html`<section><h2>Not compared</h2>
<ul class="unchecked">${[...notCompared].map(
    ([why, clauses]) => html`<li>${cut(why, 1000)}
<ul class="ids">${clauses.map(({ facts }) => html`<li>${cut(facts.id, 200)}</li>`)}</ul></li>
`,
  )}</ul></section>
`
}</main>
`,
    { scripted: false },
  )
}

const rowOf = ({ facts: { id, level, statement, operation }, lines, proofs }: Row, at: number) =>
  html`<li><code>${cut(id, 200)}</code> <span class="level">${level}, ${cut(operation, 200)}</span> ${cut(statement, 1000)}
${at === 0 && lines.map((line) => html`<div class="said">${cut(line, 4000)}</div>`)}${
  at === 0 &&
  proofs.length > 0 &&
  html`<details><summary>Requests and responses</summary>
${proofs.map(
  ({ name, exchange, curl = '' }) => html`<p>${name}: ${cut(exchange, 500)}</p>
${curl !== '' && curl.length < 4000 && html`<pre class="curl">${curl}</pre>`}`,
)}</details>`
}</li>
`

export function jsonOf(comparison: Comparison, { diverging, word }: Judgement): string {
  const { sides, compared, remarks, parts, notCompared } = comparison
  const ofOther = {
    figures: figuresOf(compared),
    summary: fiveLines(compared),
    clauses: compared.map(({ facts: { id }, outcome, why, grade }) => ({
      id,
      outcome,
      why,
      grade,
    })),
  }
  const value = {
    comparisonVersion: 3,
    verdict: word,
    diverging,
    sides: sides.map(({ file, report: { startedAt, suiteVersion, verdict, ...report } }, at) => ({
      ...{ name: names[at], file, target: targetOf(report), startedAt, suiteVersion, verdict },
      ...(at > 0 && ofOther),
    })),
    notices: remarks,
    differences: parts.flatMap(({ heading, groups }) =>
      groups.flatMap(({ rows }) =>
        rows.map(({ facts, cause, lines, proofs }) => ({
          ...facts,
          ...{ heading: heading.replace(/: \d+$/, ''), cause, lines, evidence: proofs },
        })),
      ),
    ),
    notCompared: [...notCompared].map(([why, clauses]) => ({
      why,
      ids: clauses.map(({ facts }) => facts.id),
    })),
  }
  return `${JSON.stringify(value, null, 1)}\n`
}
