import { type ClauseReport, type Report, toldVerdict } from '../../engine/run/report.ts'
import { summaryOf } from '../parts/summary.ts'
import { groupedBy } from '../parts/texts.ts'
import { kindsOfChange } from './glance.ts'
import { badge, cut, fold, html, type Markup, number, tally } from './markup.ts'

export function clausesOf(report: Report): Markup {
  const { clauses } = report
  const { since } = summaryOf(report)
  const changeOf = (id: string) => kindsOfChange.findLast((kind) => since?.[kind].includes(id))
  const places = new Map(clauses.map((clause, at) => [clause, at]))
  const sections = [...groupedBy(clauses, ({ section }) => section)]
  return fold(
    'clauses',
    `Clauses: ${number(clauses.length)}`,
    html`<form id="filters" role="search" aria-label="Filter the clauses" hidden>
<label>Text <input type="search" name="text" autocomplete="off" placeholder="id, words, verdict, status"></label>
<output id="shown"></output> <button type="reset">Show all</button>
</form>
${sections.map(
  ([section, within]) => html`<div class="section">
<h3>${cut(section, 200) || 'No section'} <span class="tally">${tally(within)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(', ')}</span></h3>
${within.map((clause) => clauseOf(clause, places.get(clause) ?? 0, changeOf(clause.id)))}</div>
`,
)}`,
  )
}

function clauseOf(clause: ClauseReport, at: number, change?: string): Markup {
  const { id, level, statement } = clause
  const verdict = toldVerdict(clause)
  return html`<details class="clause" data-at="${at}" data-id="${id}" data-verdict="${verdict}" data-level="${level}"${change && html` data-since="${change}"`}><summary>${badge(verdict)} <code>${cut(id, 200)}</code> <i>${level}</i> ${cut(statement, 1000)}</summary></details>
`
}
