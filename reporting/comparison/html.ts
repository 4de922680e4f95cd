import { targetOf } from '../../engine/run/report.ts'
import { cut, html, type Markup, number } from '../html/markup.ts'
import { pageOf } from '../html/page.ts'
import { groupedBy } from '../parts/grouped-by.ts'
import { type Comparison, type Judgement, partsOf, type Row, type Side } from './comparison.ts'
import { columns, countsOf, fiveLines } from './figures.ts'

export function htmlOf(comparison: Comparison, { diverging, word }: Judgement): string {
  const { sides, remarks, rows, notCompared } = comparison
  const [, ...others] = sides
  return pageOf(
    `${word.toLowerCase()}: ${sides.length} reports compared (contract)`,
    html`<header>
<p class="what">Contract: ${sides.length} reports compared</p>
<h1 class="${diverging ? 'fail' : 'pass'}"><span aria-hidden="true">${diverging ? '✗' : '✓'}</span> ${word}</h1>
${sides.map(sideOf)}</header>
<main id="main">
${others.map(summaryOf)}${list('Of the reports', remarks)}${partsOf(rows).map(partOf)}${
  notCompared.length > 0 &&
  html`<section><h2>Not compared</h2>
<ul class="unchecked">${notCompared.map(
    ({ why, clauses }) => html`<li>${cut(why, 1000)}
<ul class="ids">${clauses.map(({ facts }) => html`<li>${cut(facts.id, 200)}</li>`)}</ul></li>
`,
  )}</ul></section>
`
}</main>
`,
    { scripted: false },
  )
}

const sideOf = ({ name, file, report }: Side) =>
  html`<p class="target">${name}: <strong>${cut(targetOf(report), 500)}</strong>, ${report.verdict}, ${report.startedAt}, suite ${cut(report.suiteVersion, 50)}, ${cut(file, 200)}</p>
`

const list = (title: string, items: readonly string[]) =>
  items.length > 0 &&
  html`<section><h2>${title}</h2>
<ul class="remarks">${items.map((item) => html`<li>${cut(item, 2000)}</li>`)}</ul></section>
`

function summaryOf({ name, compared }: Side): Markup {
  const names = ['A', name] as const
  const row = (title: string, counts: readonly number[]) =>
    html`<tr><th scope="row">${cut(title, 200)}</th>${counts.map((count) => html`<td>${number(count)}</td>`)}</tr>
`
  return html`<section><h2>${name} beside A</h2>
<ul class="remarks">${fiveLines(compared, names).map((line) => html`<li>${line}</li>`)}</ul>
<div class="wide" role="region" aria-label="Operations (scrolls)" tabindex="0"><table class="counts">
<thead><tr><th scope="col">Operation</th>${columns(names).map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${[...groupedBy(compared, ({ facts }) => facts.operation)].map(([operation, of]) => row(operation, countsOf(of)))}</tbody></table></div>
</section>
`
}

const partOf = ({ heading, groups }: ReturnType<typeof partsOf>[number]) =>
  html`<section><h2>${heading}</h2>
${groups.map(
  ({ cause, rows }) => html`${
    cause &&
    html`<h3>${cut(cause, 2000)}</h3>
`
  }<ul class="remarks">${rows.map(rowOf)}</ul>
`,
)}</section>
`

const rowOf = ({ facts: { id, level, statement, operation }, lines, proofs }: Row) =>
  html`<li><code>${cut(id, 200)}</code> <span class="level">${level}, ${cut(operation, 200)}</span> ${cut(statement, 1000)}
${lines.map((line) => html`<div class="said">${cut(line, 4000)}</div>`)}${
  proofs.length > 0 &&
  html`<details><summary>Requests and responses</summary>
${proofs.map(
  ({ name, exchange, curl = '' }) => html`<p>${name}: ${cut(exchange, 500)}</p>
${curl !== '' && curl.length < 4000 && html`<pre class="curl">${curl}</pre>`}`,
)}</details>`
}</li>
`
