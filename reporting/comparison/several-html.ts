import { cut, html, number } from '../html/markup.ts'
import { pageOf } from '../html/page.ts'
import { groupedBy } from '../parts/grouped-by.ts'
import type { Judgement } from './comparison.ts'
import { coverageTold, divergenceTold } from './figures.ts'
import { targetOf } from './remarks.ts'
import { kinds, kindTold, type Named, type Row, type Several } from './several.ts'

/** Several comparisons as one page that needs nothing but itself. */
export function severalHtml(several: Several, { diverging, word }: Judgement): string {
  const { reference, others, remarks, rows } = several
  const groups = groupedBy(rows, ({ kind }) => kind)
  return pageOf(
    `${word.toLowerCase()}: ${others.length + 1} reports compared (contract)`,
    html`<header>
<p class="what">Contract: ${others.length + 1} services compared</p>
<h1 class="${diverging ? 'fail' : 'pass'}"><span aria-hidden="true">${diverging ? '✗' : '✓'}</span> ${word}</h1>
${[reference, ...others].map(sideOf)}</header>
<main id="main">
<section aria-labelledby="figures-title">
<h2 id="figures-title">Divergence and coverage</h2>
<p>Measured by ${cut(reference.name, 200)}. They are two figures and never added up.</p>
<table class="counts"><thead><tr><th scope="col">Report</th><th scope="col">Divergence</th><th scope="col">Coverage</th></tr></thead>
<tbody>${others.map(
      ({ name, comparison: { figures } }) =>
        html`<tr><th scope="row">${cut(name, 200)}</th><td>${divergenceTold(figures.all)}</td><td>${coverageTold(figures.all)}</td></tr>
`,
    )}</tbody></table>
</section>
${
  remarks.length > 0 &&
  html`<section aria-labelledby="remarks-title">
<h2 id="remarks-title">Of the reports</h2>
<ul class="remarks">${remarks.map((remark) => html`<li>${cut(remark, 2000)}</li>`)}</ul>
</section>
`
}${kinds.map((kind) => {
  const group = groups.get(kind) ?? []
  if (group.length === 0) return false
  return html`<section><h2>${kindTold[kind]}: ${number(group.length)}</h2>
${group.map(rowTold)}</section>
`
})}</main>
`,
    { scripted: false },
  )
}

const sideOf = ({ name, report }: Named) =>
  html`<p class="target">${cut(name, 200)}: <strong>${cut(targetOf(report), 500)}</strong>, ${report.verdict}, ${report.startedAt}, suite ${cut(report.suiteVersion, 50)}</p>
`

const rowTold = ({ facts: { id, level, statement }, kind, told }: Row) =>
  html`<details class="clause"${kind !== 'not comparable' && html` open`}><summary><span><code>${cut(id, 200)}</code> <span class="level">${level}</span> ${cut(statement, 1000)}</span></summary><div class="inside">
<ul>${told.flatMap(({ name, lines }) =>
    lines.map(
      (line) =>
        html`<li class="said">${kind === 'not comparable' && html`${cut(name, 200)}: `}${cut(line, 4000)}</li>`,
    ),
  )}</ul></div></details>
`
