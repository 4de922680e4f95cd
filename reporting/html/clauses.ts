import { matchesAny } from '../../engine/glob.ts'
import type { Contract, Sentence } from '../../engine/run/contract.ts'
import { type ClauseReport, type Report, toldVerdict } from '../../engine/run/report.ts'
import { isOpen } from '../parts/count.ts'
import { summaryOf } from '../parts/summary.ts'
import { groupedBy } from '../parts/texts.ts'
import { kindsOfChange } from './glance.ts'
import { badge, cut, fold, fragment, html, type Markup, number, tally } from './markup.ts'

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

/** The contract, sentence by sentence: the gravest verdict of its clauses, or why it has none. */
export const sentencesOf = ({ clauses }: Report, { sentences }: Contract): Markup =>
  fold(
    'contract',
    'The contract, sentence by sentence',
    html`<p>The sentences of the contract under their headings, each with the most serious verdict of its clauses. Topics that the contract leaves open have no quotation marks.</p>
${Object.entries(sentences).map(
  ([heading, within]) => html`<h3>${heading}</h3>
<ul class="sentences">${within.map((sentence) => sentenceOf(sentence, clauses))}</ul>
`,
)}`,
  )

function sentenceOf(sentence: Sentence, clauses: readonly ClauseReport[]): Markup {
  const words =
    'says' in sentence
      ? html`<q>${sentence.says}</q>`
      : html`Not covered by the contract: ${sentence.unsaid}`
  const none = (word: string) => html`<span class="verdict none">${word}</span>`
  if ('unchecked' in sentence)
    return html`<li>${none('no clause')} ${words} <span class="why">Why: ${sentence.unchecked}.</span></li>
`
  const checking = clauses.filter(({ id }) => matchesAny(id, sentence.clauses))
  const done = checking.filter((each) => !isOpen(each))
  const isPart = done.length > 0 && done.length < checking.length
  // What was not checked comes last.
  const [found] = [...tally(done), ...tally(checking)].map(([verdict]) => verdict)
  return html`<li>${found ? badge(found) : none('not in this run')} ${isPart && none(`partly checked (${done.length} of ${checking.length})`)} ${words} <a href="${fragment({ ids: sentence.clauses.join(',') })}">${cut(checking.map(({ id }) => id).join(', ') || sentence.clauses.join(', '), 300)}</a></li>
`
}
