import type { Contract } from '../../engine/run/contract.ts'
import type { Report } from '../../engine/run/report.ts'
import { breachesOf } from './breaches.ts'
import { clausesOf } from './clauses.ts'
import { evidenceOf } from './evidence.ts'
import { exchangesOf } from './exchanges.ts'
import { factsOf } from './facts.ts'
import { countsOf, firstScreen, remarksOf } from './first-screen.ts'
import { latencyOf } from './latency.ts'
import { legend } from './legend.ts'
import { cut, html } from './markup.ts'
import { matrixOf } from './matrix.ts'
import { pageOf } from './page.ts'
import { sentencesOf } from './sentences.ts'
import { timesOf } from './times.ts'
import { uncheckedOf } from './unchecked.ts'

/** The report as one page that needs nothing but itself, and nothing but the report to be made. */
export function htmlOf(report: Report, contract: Contract): string {
  const { target, verdict, startedAt } = report
  const evidence = evidenceOf(report)
  const what = target.embedded ? 'embedded reference service' : cut(target.baseUrl, 100)
  return pageOf(
    `${verdict}: ${what}, ${startedAt.slice(0, 10)} (contract report)`,
    html`<a class="skip-link" href="#main">Skip to what was found</a>
${firstScreen(report)}<nav aria-label="Parts of the report">${parts.map(
      ([id, name]) => html`<a href="#part=${id}">${name}</a> `,
    )}</nav>
<main id="main" tabindex="-1">
${breachesOf(report, contract)}${remarksOf(report)}${uncheckedOf(report)}<div class="overview">${countsOf(report)}${timesOf(report)}</div>
${matrixOf(report, contract)}${factsOf(report, contract)}${latencyOf(evidence)}${clausesOf(report, evidence, contract)}${sentencesOf(report, contract)}${exchangesOf(report, evidence)}</main>
<footer>${legend}</footer>
`,
  )
}

const parts = [
  ['breaches', 'Breaches'],
  ['unchecked', 'Not checked'],
  ['times', 'Time'],
  ['matrix', 'Matrix'],
  ['facts', 'Export facts'],
  ['latency', 'Latency'],
  ['clauses', 'Clauses'],
  ['contract', 'Sentences of the contract'],
  ['exchanges', 'Exchanges'],
  ['legend', 'How to read this'],
] as const
