import { type ClauseReport, type Report, toldVerdict, toldWaiver } from '../../engine/run/report.ts'
import { type NotChecked, notChecked } from '../parts/not-checked.ts'
import { cut, fragment, html, type Markup, number } from './markup.ts'
import { badge } from './verdicts.ts'

/** What breaks the contract, in a few lines each. */
export function breachesOf({ clauses }: Report): Markup {
  const breaches = clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  return html`<section id="part=breaches" aria-labelledby="breaches-title">
<h2 id="breaches-title">Breaches</h2>
${breaches.length === 0 ? html`<p>None was found among what was checked.</p>` : listOf(breaches.slice(0, shown))}${
  breaches.length > shown &&
  html`
<details><summary>${number(breaches.length - shown)} more</summary>${listOf(breaches.slice(shown))}</details>`
}
</section>
`
}

/** So many stand open: what was not checked is to be seen as well. */
const shown = 20

const listOf = (breaches: ClauseReport[]) =>
  html`<ul class="breaches">${breaches.map(breachOf)}</ul>`

function breachOf(clause: ClauseReport): Markup {
  const { waiver } = clause
  return html`<li>${badge(toldVerdict(clause))} <a href="${fragment({ clause: clause.id })}"><code>${cut(clause.id, 200)}</code></a> <span class="level">${clause.level}</span> ${cut(clause.statement, 1000)}
<div class="said">${cut(beginning(clause.reason ?? ''), 400)}</div>${
    waiver !== undefined &&
    html`
<div class="said">${cut(toldWaiver(waiver), 500)}</div>`
  }</li>
`
}

/** Enough to know it again; the whole stands with the clause. */
function beginning(reason: string): string {
  const lines = reason.split('\n')
  return lines.length <= 2 ? reason : `${lines.slice(0, 2).join('\n')}\n…`
}

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
