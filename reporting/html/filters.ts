import type { ClauseReport } from '../../engine/run/report.ts'
import { cut, html, type Markup } from './markup.ts'
import { badge, tally } from './verdicts.ts'

/** The form that filters the clauses; it shows itself where its script runs. */
export function filters(clauses: readonly ClauseReport[]): Markup {
  const operations = [...new Set(clauses.map(({ operation }) => operation))]
  const levels = ['must', 'should', 'observe'] as const
  return html`<form id="filters" role="search" aria-label="Filter the clauses" hidden>
<fieldset><legend>Verdict</legend>${tally(clauses).map(
    ([verdict, count]) =>
      html`<label><input type="checkbox" name="verdict" value="${verdict}">${badge(verdict)} ${count}</label> `,
  )}</fieldset>
<fieldset><legend>Level</legend>${levels.map(
    (level) => html`<label><input type="checkbox" name="level" value="${level}">${level}</label> `,
  )}</fieldset>
<label>Operation <select name="operation"><option value="">any</option>${operations.map(
    (operation) => html`<option value="${operation}">${cut(operation, 80)}</option>`,
  )}</select></label>
<label>Text <input type="search" name="text" autocomplete="off" placeholder="id, words, status"></label>
<div class="row"><output id="shown"></output> <button type="reset">Show all</button> <button type="button" id="unfold">Unfold these</button> <button type="button" id="fold">Fold these</button></div>
</form>
`
}
