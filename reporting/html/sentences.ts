import { matchesAny } from '../../engine/glob.ts'
import type { Contract, Sentence } from '../../engine/run/contract.ts'
import { type ClauseReport, type Report, toldVerdict } from '../../engine/run/report.ts'
import { isOpen } from '../parts/count.ts'
import { cut, fragment, html, type Markup } from './markup.ts'
import { badge, sign, type Told, tally } from './verdicts.ts'

/** The contract, sentence by sentence: the clauses of each with their verdicts, or why none. */
export function sentencesOf({ clauses }: Report, { sentences }: Contract): Markup {
  return html`<section id="part=contract" aria-labelledby="contract-title">
<h2 id="contract-title">The contract, sentence by sentence</h2>
<p>Word for word, under the headings of the contract; before each stands the gravest verdict of what was checked. What the contract says nothing of stands without quotation marks.</p>
${Object.entries(sentences).map(
  ([heading, within]) => html`<h3>${heading}</h3>
<ul class="sentences">${within.map((sentence) => sentenceOf(sentence, clauses))}</ul>
`,
)}</section>
`
}

function sentenceOf(sentence: Sentence, clauses: readonly ClauseReport[]): Markup {
  if ('unchecked' in sentence)
    return html`<li><span class="verdict none"><span aria-hidden="true">∅</span> no clause</span> ${wordsOf(sentence)} <span class="why">Why: ${sentence.unchecked}.</span></li>
`
  const checking = clauses.filter(({ id }) => matchesAny(id, sentence.clauses))
  const [found] = verdictOf(checking)
  if (!found)
    return html`<li><span class="verdict none"><span aria-hidden="true">∅</span> not in this run</span> ${wordsOf(sentence)} <span class="why">Clauses: ${sentence.clauses.join(', ')}</span></li>
`
  return html`<li>${badge(found)} ${wordsOf(sentence)}${openAmong(checking)}
<ul class="checking">${checking.map(
    (clause) =>
      html`<li>${sign(toldVerdict(clause))} <a href="${fragment({ clause: clause.id })}">${cut(clause.id, 200)}</a></li>
`,
  )}</ul></li>
`
}

const wordsOf = (sentence: Sentence): Markup =>
  'says' in sentence
    ? html`<q>${sentence.says}</q>`
    : html`Nothing is said of this: ${sentence.unsaid}`

/** What was found of a sentence: what is not checked comes behind what is. */
function verdictOf(clauses: readonly ClauseReport[]): Told[] {
  const verdicts = tally(clauses).map(([verdict]) => verdict)
  const checked = verdicts.filter((verdict) => verdict !== 'skip' && verdict !== 'inconclusive')
  return [...checked, ...verdicts]
}

function openAmong(clauses: readonly ClauseReport[]): Markup {
  const open = clauses.filter(isOpen).length
  return open > 0 && open < clauses.length
    ? html` <span class="why">${open} of ${clauses.length} clauses not checked</span>`
    : html``
}
