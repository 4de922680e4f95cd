import { counted } from '../../engine/counted.ts'
import type { Contract } from '../../engine/run/contract.ts'
import { describeSuite, type Report } from '../../engine/run/report.ts'
import { blocksOf, withItems } from '../parts/blocks.ts'
import type { ShownVerdict } from '../parts/count.ts'
import { summaryOf, wordOf } from '../parts/summary.ts'
import { present } from '../parts/texts.ts'
import { breachesOf } from './breaches.ts'
import { clausesOf } from './clauses.ts'
import { contractOf } from './contract-section.ts'
import { dataOf } from './exchange.ts'
import { glanceOf } from './glance.ts'
import { blockOf, cut, fold, html, type Markup, number, signs } from './markup.ts'
import { pageOf } from './page.ts'
import { observationsOf, uncheckedOf } from './unchecked.ts'

export function htmlOf(report: Report, contract: Contract): string {
  const { target, verdict, startedAt, selection } = report
  const what = target.embedded ? 'embedded reference service' : cut(target.baseUrl, 100)
  return pageOf(
    `${verdict}${selection === undefined ? '' : ` (${cut(selection, 60)} alone)`}: ${what}, ${startedAt.slice(0, 10)} (contract report)`,
    html`<a class="skip-link" href="#main">Skip to what was found</a>
${headOf(report)}<main id="main" tabindex="-1">
${glanceOf(report)}${breachesOf(report, contract)}${remarksOf(report)}${uncheckedOf(report)}${observationsOf(report)}${clausesOf(report)}${contractOf(report, contract)}${exchangesOf(report)}${howToRead}</main>
${dataOf(report)}`,
  )
}

const looks: Record<Report['verdict'], ShownVerdict> = {
  conformant: 'pass',
  nonconformant: 'fail',
  incomplete: 'fail',
  inconclusive: 'inconclusive',
}

function headOf(report: Report): Markup {
  const { verdict, target, interrupted, startedAt, selection, clauses } = report
  const look = looks[verdict] ?? 'inconclusive'
  const summary = summaryOf(report)
  const word = wordOf(report)
  const rest = summary.line.slice(word.length)
  const { length: lost } = summary.notAsFound
  const facts = present([
    startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC'),
    summary.facts,
    `suite ${describeSuite(report)}`,
    target.revision !== undefined && `revision of the service ${cut(target.revision, 200)}`,
    lost > 0 && `${counted(lost, 'task')} not put back`,
  ])
  return html`<header>
<h1 class="${look}"><span aria-hidden="true">${signs[look]}</span> ${word}<span class="reach">${rest}</span></h1>
${
  target.embedded
    ? html`<p class="embedded"><strong>Tested: the EMBEDDED REFERENCE SERVICE.</strong> No BASE_URL is set: your service was not tested.</p>`
    : html`<p class="target">Tested: <strong>${cut(target.baseUrl, 500)}</strong></p>`
}
${selection && html`<p class="embedded"><strong>Only a part was checked: ${cut(selection, 300)}.</strong> The verdict covers only these ${number(clauses.length)} clauses.</p>`}
${interrupted && html`<p class="embedded"><strong>The run was interrupted.</strong> The report contains the results up to that moment.</p>`}
<p class="facts">${facts.join(' · ')}</p>
</header>
`
}

/** For readers who have this page and nothing else. */
const howToRead: Markup = html`<ul class="how" aria-label="How to read this page">
<li>A clause is a <b>must</b> (the contract states it; a breach fails the run), a <b>should</b> (its natural reading; a breach warns), or only <b>observed</b>.</li>
<li><b>fail</b> and <b>warn</b> are breaches. A <b>waived</b> breach is known and fails no run until its end date.</li>
<li><b>skip</b> and <b>inconclusive</b> were not checked; the reason says why. <b>pass</b> means that this run found no breach.</li>
<li><b>#number</b> is a request and its response: <b>judged</b>; <b>beside</b> it, its control (the same without the mistake) or what has to agree; or <b>before</b> it, without which it would be another.</li>
</ul>
`

function remarksOf(report: Report): Markup {
  const reasons = (report.reasons ?? []).map((reason) => [reason])
  const why = { heading: 'Why this verdict', items: reasons }
  const blocks = [...withItems([why]), ...blocksOf(report)]
  if (blocks.length === 0) return html``
  return html`<section id="part=remarks" aria-labelledby="remarks-title">
<h2 id="remarks-title">About this run</h2>
${blocks.map((block) => blockOf(block, 'h3'))}</section>
`
}

/** The script builds the list when it is unfolded. */
const exchangesOf = ({ exchanges, requests }: Report): Markup =>
  fold(
    'exchanges',
    `Exchanges: ${number(exchanges.length)}`,
    html`<p>${exchanges.length === 0 ? 'None was recorded.' : html`${number(exchanges.length)} of ${number(requests)} requests: those used as evidence, in chronological order. The key is shown as <code>(configured)</code>, and as <code>$API_KEY</code> in commands.`}</p>
<noscript><p>Without JavaScript only those of breaches are shown; report.json has all.</p></noscript>`,
  )
