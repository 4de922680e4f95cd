import type { Contract } from '../../engine/run/contract.ts'
import type { Report } from '../../engine/run/report.ts'
import { cut, html, type Markup } from './markup.ts'

/** What the suite found out about the files of the export, and its verdicts rest on. */
export function factsOf({ exportFacts }: Report, { describeFacts }: Contract): Markup {
  const facts = describeFacts?.(exportFacts ?? {}) ?? []
  return html`<section id="part=facts" aria-labelledby="facts-title">
<h2 id="facts-title">What this suite found out about the export</h2>
${
  facts.length === 0
    ? html`<p>This report says nothing of exported files.</p>`
    : html`<p>The contract does not show how files are built. Where something here is wrong, correct it in a copy of exportFacts of report.json and set EXPORT_FACTS to that file.</p>
<dl class="known">${facts.map(([about, fact]) => html`<dt>${about}</dt><dd>${cut(fact, 2000)}</dd>`)}</dl>`
}
</section>
`
}
