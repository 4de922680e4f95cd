import { type ClauseReport, type Report, toldVerdict, toldWaiver } from '../../engine/run/report.ts'
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

/** What was not checked, grouped by the reason: it stands before what passed. */
export function uncheckedOf({ clauses }: Report): Markup {
  const open = clauses.filter(({ verdict }) => verdict === 'skip' || verdict === 'inconclusive')
  return html`<section id="part=unchecked" aria-labelledby="unchecked-title">
<h2 id="unchecked-title">Not checked</h2>
${told(clauses.length, open)}
</section>
`
}

function told(all: number, open: readonly ClauseReport[]): Markup {
  if (all === 0) return html`<p>Everything: no clause was run.</p>`
  if (open.length === 0) return html`<p>Nothing: every clause was checked.</p>`
  const groups = new Map<string, ClauseReport[]>()
  for (const clause of open) {
    const heading = `${clause.verdict} ${clause.reason?.split('\n')[0] ?? ''}`
    groups.set(heading, [...(groups.get(heading) ?? []), clause])
  }
  // Trouble before what somebody chose not to configure.
  const sorted = [...groups.values()].sort((a, b) => rank(a) - rank(b))
  return html`<p>${number(open.length)} of ${number(all)} clauses, and why:</p>
<ul class="unchecked">${sorted.map(groupOf)}</ul>`
}

const rank = ([clause]: ClauseReport[]) => (clause?.verdict === 'inconclusive' ? 0 : 1)

function groupOf(clauses: ClauseReport[]): Markup {
  const { verdict, reason = '' } = clauses[0] as ClauseReport
  const links = clauses.map(
    ({ id }) => html`<li><a href="${fragment({ clause: id })}">${cut(id, 200)}</a></li>
`,
  )
  const list = html`<ul class="ids">${links}</ul>`
  return html`<li>${badge(verdict)} ${cut(reason.split('\n')[0] ?? '', 500)} ${
    clauses.length > 8
      ? html`<details><summary>${number(clauses.length)} clauses</summary>${list}</details>`
      : list
  }</li>
`
}
