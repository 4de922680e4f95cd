import { html, type Markup } from './markup.ts'
import { badge, type Told } from './verdicts.ts'

const levels = [
  ['must', 'the contract states it; a breach fails the run'],
  ['should', 'the natural reading of the contract, not stated outright; a breach warns'],
  ['observe', 'the contract says "not shown" or nothing; what was seen is recorded, never judged'],
] as const

const verdicts: [Told, string][] = [
  ['pass', 'asked, and the service did as the contract says'],
  ['fail', 'asked, and the answer breaks the contract: only a fact about the service does this'],
  ['waived', 'a known failure that does not fail the run until a day'],
  ['warn', 'a should is broken'],
  [
    'skip',
    'not decided, and its cause says why: a setting or data is missing, the contract leaves a choice open, every try was refused, or another clause judged the fact',
  ],
  [
    'inconclusive',
    'trouble outside the service: network, gateway, another writer, an interruption, an error in this suite',
  ],
  ['observed', 'what an observing clause saw'],
]

/** What the words mean, for who was handed this page and nothing else. */
export const legend: Markup = html`<section id="part=legend" aria-labelledby="legend-title">
<h2 id="legend-title">How to read this</h2>
<dl class="legend">${levels.map(([level, meaning]) => html`<div><dt><span class="level">${level}</span></dt><dd>${meaning}</dd></div>`)}
${verdicts.map(([verdict, meaning]) => html`<div><dt>${badge(verdict)}</dt><dd>${meaning}</dd></div>`)}</dl>
<p><strong>What passing does not mean.</strong> It does not mean that what was skipped works, nor that the service behaves like another one where the contract leaves it free, nor that it is fast or secure. It says of each clause that was asked that this one run found no breach.</p>
</section>
`
