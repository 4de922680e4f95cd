import { matchesAny } from '../../engine/glob.ts'
import type { Contract, Sentence } from '../../engine/run/contract.ts'
import { type ClauseReport, type Report, toldVerdict } from '../../engine/run/report.ts'
import { cut, fragment, html, type Markup } from './markup.ts'
import { badge, sign, tally } from './verdicts.ts'

/** The contract, sentence by sentence: the clauses of each with their verdicts, or why none. */
export function sentencesOf({ clauses }: Report, { sentences }: Contract): Markup {
  return html`<section id="part=contract" aria-labelledby="contract-title">
<h2 id="contract-title">The contract, sentence by sentence</h2>
<p>Word for word, under the headings of the contract; the gravest verdict stands before each. What the contract says nothing of stands without quotation marks.</p>
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
  const [gravest] = tally(checking)
  if (!gravest)
    return html`<li><span class="verdict none"><span aria-hidden="true">∅</span> not in this run</span> ${wordsOf(sentence)} <span class="why">Clauses: ${sentence.clauses.join(', ')}</span></li>
`
  return html`<li>${badge(gravest[0])} ${wordsOf(sentence)}
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
