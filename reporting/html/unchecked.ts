import type { Report } from '../../engine/run/report.ts'
import { type NotChecked, notChecked } from '../parts/not-checked.ts'
import { cut, fragment, html, type Markup, number } from './markup.ts'
import { badge } from './verdicts.ts'

/** What was not checked, grouped by cause and reason: it stands before what passed. */
export function uncheckedOf({ clauses }: Report): Markup {
  return html`<section id="part=unchecked" aria-labelledby="unchecked-title">
<h2 id="unchecked-title">Not checked</h2>
${describeAll(clauses.length, notChecked(clauses))}
</section>
`
}

function describeAll(all: number, groups: readonly NotChecked[]): Markup {
  if (all === 0) return html`<p>Everything: no clause was run.</p>`
  if (groups.length === 0) return html`<p>Nothing: every clause was checked.</p>`
  const open = groups.reduce((sum, { count }) => sum + count, 0)
  return html`<p>${number(open)} of ${number(all)} clauses, by what they need:</p>
${groups.map(groupOf)}`
}

function groupOf({ cause, heading, remedy, reasons }: NotChecked): Markup {
  const verdict = cause === 'inconclusive' ? 'inconclusive' : 'skip'
  return html`<h3>${badge(verdict)} ${heading}</h3>
<p>${cut(remedy, 1000)}</p>
<ul class="unchecked">${reasons.map(reasonOf)}</ul>
`
}

function reasonOf({ why, clauses }: NotChecked['reasons'][number]): Markup {
  const links = clauses.map(
    (id) => html`<li><a href="${fragment({ clause: id })}">${cut(id, 200)}</a></li>
`,
  )
  const list = html`<ul class="ids">${links}</ul>`
  return html`<li>${cut(why, 1000)} ${
    clauses.length > 8
      ? html`<details><summary>${number(clauses.length)} clauses</summary>${list}</details>`
      : list
  }</li>
`
}
