import { type Contract, kindsBySection } from '../../engine/run/contract.ts'
import type { ClauseReport, Report } from '../../engine/run/report.ts'
import { cut, fragment, html, type Markup } from './markup.ts'
import { classOf, sign, tally } from './verdicts.ts'

/** Subjects against kinds of clause: where the breaches are, and where nothing was asked. */
export function matrixOf({ clauses }: Report, contract: Contract): Markup {
  const kindOf = kindsBySection(contract)
  const columns = [...Object.keys(contract.kinds), 'Other'].filter((kind) =>
    clauses.some((clause) => kindOf(clause) === kind),
  )
  const rows = [...new Set(clauses.map(({ operation }) => operation))]
  const cell = (operation: string, kind: string) =>
    cellOf(
      clauses.filter((clause) => clause.operation === operation && kindOf(clause) === kind),
      { operation, kind },
    )
  return html`<section id="part=matrix" aria-labelledby="matrix-title">
<h2 id="matrix-title">Clauses by subject and kind</h2>
<p>How many clauses got which verdict; the gravest stands first. An empty field: no clause of this kind.</p>
<div class="wide" role="region" aria-label="Matrix (scrolls)" tabindex="0"><table class="matrix">
<thead><tr><th scope="col">Operation</th>${columns.map((kind) => html`<th scope="col">${kind}</th>`)}</tr></thead>
<tbody>${rows.map(
    (operation) =>
      html`<tr><th scope="row">${cut(operation, 80)}</th>${columns.map((kind) => cell(operation, kind))}</tr>
`,
  )}</tbody></table></div>
</section>
`
}

/** The script makes the field a link to its clauses: without it, nothing would filter them. */
function cellOf(clauses: readonly ClauseReport[], state: Record<string, string>): Markup {
  const counts = tally(clauses)
  const [gravest] = counts
  if (!gravest) return html`<td></td>`
  return html`<td class="${classOf(gravest[0])}" data-go="${fragment(state)}">${counts.map(([verdict, count]) => html`${sign(verdict, count)} `)}</td>`
}
