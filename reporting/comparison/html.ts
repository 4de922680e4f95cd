import { type Report, toldVerdict } from '../../engine/run/report.ts'
import { cut, html, type Markup, number } from '../html/markup.ts'
import { pageOf } from '../html/page.ts'
import { badge } from '../html/verdicts.ts'
import { groupedBy } from '../parts/grouped-by.ts'
import { type Compared, type Grade, grades } from './compare.ts'
import { type Comparison, incomparable, type Judgement } from './comparison.ts'
import { coverageTold, divergenceTold, type Figures } from './figures.ts'
import { targetOf } from './remarks.ts'
import { differenceTold, gradeTold, proofsOf } from './words.ts'

/** A comparison as one page that needs nothing but itself. */
export function htmlOf(comparison: Comparison, { diverging, word }: Judgement): string {
  const { names, reports, remarks } = comparison
  return pageOf(
    `${word.toLowerCase()}: ${names.join(' and ')} compared (contract)`,
    html`<header>
<p class="what">Contract: two services compared</p>
<h1 class="${diverging ? 'fail' : 'pass'}"><span aria-hidden="true">${diverging ? '✗' : '✓'}</span> ${word}</h1>
${names.map((name, at) => sideOf(name, reports[at] as Report))}</header>
<main id="main">
${figuresTable(comparison)}${remarksTold(remarks)}${differencesTold(comparison)}${incomparableTold(comparison)}</main>
`,
    { scripted: false },
  )
}

const sideOf = (name: string, report: Report) =>
  html`<p class="target">${name}: <strong>${cut(targetOf(report), 500)}</strong>, ${report.verdict}, ${report.startedAt}, suite ${cut(report.suiteVersion, 50)}</p>
`

function figuresTable({ figures: { all, levels, operations } }: Comparison): Markup {
  const row = (name: string, figures: Figures) =>
    html`<tr><th scope="row">${cut(name, 200)}</th><td>${divergenceTold(figures)}</td><td>${coverageTold(figures)}</td></tr>
`
  const rows = Object.entries({ All: all, ...levels, ...operations })
  return html`<section aria-labelledby="figures-title">
<h2 id="figures-title">Divergence and coverage</h2>
<p>Divergence: how many of the clauses that are known on both sides differ. Coverage: how many of all are known on both. They are two figures and never added up.</p>
<table class="counts"><thead><tr><th scope="col">Clauses</th><th scope="col">Divergence</th><th scope="col">Coverage</th></tr></thead>
<tbody>${rows.map(([name, figures]) => row(name, figures))}</tbody></table>
</section>
`
}

const remarksTold = (remarks: readonly string[]) =>
  remarks.length > 0 &&
  html`<section aria-labelledby="remarks-title">
<h2 id="remarks-title">Of the reports</h2>
<ul class="remarks">${remarks.map((remark) => html`<li>${cut(remark, 2000)}</li>`)}</ul>
</section>
`

function differencesTold(comparison: Comparison): Markup {
  const headings = gradeTold(comparison.names)
  const groups = groupedBy(comparison.differences, ({ grade }) => grade ?? '')
  const told = (
    grade: Grade,
    group: readonly Compared[],
  ) => html`<h3>${headings[grade]}: ${number(group.length)}</h3>
${group.map((each) => differenceOf(each, comparison))}`
  return html`<section aria-labelledby="differences-title">
<h2 id="differences-title">Differences, the gravest first</h2>
${groups.size === 0 && html`<p>None among what could be compared.</p>`}${grades.map((grade) => groups.has(grade) && told(grade, groups.get(grade) ?? []))}</section>
`
}

function differenceOf(compared: Compared, { names, reports }: Comparison): Markup {
  const { id, level, statement, section } = compared.facts
  const [, measured] = compared.sides
  const proofs = proofsOf(compared, reports, names)
  return html`<details class="clause" open><summary>${measured && badge(toldVerdict(measured))} <span><code>${cut(id, 200)}</code> <span class="level">${level}</span> ${cut(statement, 1000)}</span></summary><div class="inside">
<ul>${differenceTold(compared, names).map((line) => html`<li class="said">${cut(line, 4000)}</li>`)}</ul>
<p>Section: ${cut(section, 200)}</p>
${proofs.map(
  ({ name, exchange, curl = '' }) => html`<p>Evidence, ${name}: ${cut(exchange, 500)}</p>
${curl !== '' && curl.length < 4000 && html`<pre class="curl">${curl}</pre>`}`,
)}</div></details>
`
}

function incomparableTold(comparison: Comparison): Markup {
  const groups = incomparable(comparison)
  return html`<section aria-labelledby="incomparable-title">
<h2 id="incomparable-title">Not comparable</h2>
${
  groups.length === 0
    ? html`<p>Nothing: every clause was compared.</p>`
    : html`<ul class="unchecked">${groups.map(
        ({ why, ids }) => html`<li>${cut(why, 1000)}
<ul class="ids">${ids.map((id) => html`<li>${cut(id, 200)}</li>`)}</ul></li>
`,
      )}</ul>`
}
</section>
`
}
