import type { Report } from '../../engine/run/report.ts'
import { headingOf, isOpen } from '../parts/count.ts'
import type { NotChecked } from '../parts/not-checked.ts'
import { clausesOf, summaryOf } from '../parts/summary.ts'
import { badge, cut, fragment, html, type Markup, number } from './markup.ts'

export const linkTo = (id: string): Markup =>
  html`<a href="${fragment({ clause: id })}"><code>${cut(id, 200)}</code></a>`

export function linksTo(ids: readonly string[]): Markup {
  const list = html`<ul class="ids">${ids.map((id) => html`<li>${linkTo(id)}</li>`)}</ul>
`
  return ids.length <= 8
    ? list
    : html`<details><summary>${number(ids.length)} clauses</summary>${list}</details>
`
}

/** What was not checked, by what to do; it precedes what passed. */
export function uncheckedOf(report: Report): Markup {
  const { clauses } = report
  const { notChecked: groups } = summaryOf(report)
  const open = clauses.filter(isOpen)
  return html`<section id="part=unchecked" aria-labelledby="unchecked-title">
<h2 id="unchecked-title">${headingOf('Not checked', open)}</h2>
${clauses.length === 0 && html`<p>Everything: no clause was run.</p>`}${clauses.length > 0 && open.length === 0 && html`<p>Nothing: every clause was checked.</p>`}${groups.map(groupOf)}
</section>
`
}

const groupOf = ({ cause, heading, remedy, reasons }: NotChecked): Markup =>
  html`<h3>${badge(cause === 'inconclusive' ? 'inconclusive' : 'skip')} ${heading}</h3>
<p class="remedy">${cut(remedy, 1000)}</p>
<ul class="unchecked">${reasons.map(
    ({ why, clauses }) => html`<li>${cut(why, 1000)} ${linksTo(clauses)}</li>
`,
  )}</ul>
`

export function observationsOf(report: Report): Markup {
  const seen = clausesOf(summaryOf(report).clauses.observed, report)
  if (seen.length === 0) return html``
  return html`<section id="part=observed" aria-labelledby="observed-title">
<h2 id="observed-title">Observed: ${number(seen.length)}</h2>
<p>The contract leaves this open; this is what the service does. Observations are never judged.</p>
<details><summary>All observations</summary><dl>${seen.map(
    ({ id, statement, observed }) =>
      html`<dt>${cut(statement, 1000)} <a href="${fragment({ clause: id })}">${cut(id, 200)}</a></dt><dd class="said shown">${cut(JSON.stringify(observed) ?? 'nothing', 400)}</dd>
`,
  )}</dl></details></section>
`
}
