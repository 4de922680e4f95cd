import { commandLine } from '../../engine/called.ts'
import { describeSuite, type Report } from '../../engine/run/report.ts'
import { countOf, levels, verdictLine } from '../parts/count.ts'
import { cut, fragment, html, type Markup, number } from './markup.ts'
import { signs, type Told, verdicts } from './verdicts.ts'

const looks: Record<Report['verdict'], Told> = {
  conformant: 'pass',
  nonconformant: 'fail',
  incomplete: 'fail',
  inconclusive: 'inconclusive',
}

/** The verdict, what was tested, when and with what, and how many clauses got which verdict. */
export function firstScreen(report: Report): Markup {
  const { verdict, target, interrupted } = report
  const look = looks[verdict] ?? 'inconclusive'
  const [, word, rest] = /^(\S+(?: \(INTERRUPTED\):)?)(.*)$/s.exec(verdictLine(report)) ?? []
  return html`<header>
<p class="what">Contract report</p>
<h1 class="${look}"><span aria-hidden="true">${signs[look]}</span> ${word}<span class="reach">${rest}</span></h1>
${
  target.embedded
    ? html`<p class="embedded"><strong>Tested: the EMBEDDED REFERENCE SERVICE.</strong> No BASE_URL is set: your service was not tested.</p>`
    : html`<p class="target">Tested: <strong>${cut(target.baseUrl, 500)}</strong></p>`
}
${interrupted && html`<p class="embedded"><strong>The run was interrupted.</strong> This is what there was by then.</p>`}
${factsOf(report)}
</header>
`
}

function factsOf(report: Report): Markup {
  const { startedAt, durationMs, seed, requests, target } = report
  const facts: [string, Markup | string | false][] = [
    ['When', html`<time datetime="${startedAt}">${dateOf(startedAt)}</time>`],
    ['Took', `${number(Math.round(durationMs / 100) / 10)} s, ${number(requests)} requests`],
    ['Seed', String(seed)],
    ['Suite', describeSuite(report)],
    ['Revision of the service', target.revision !== undefined && cut(target.revision, 200)],
  ]
  return html`<dl class="facts">${facts
    .filter(([, fact]) => fact !== false)
    .map(([name, fact]) => html`<div><dt>${name}</dt><dd>${fact}</dd></div>`)}</dl>`
}

const dateOf = (iso: string) => iso.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')

/** How many clauses of which level got which verdict; few enough columns for a phone. */
export function countsOf(report: Report): Markup {
  const counts = countOf(report)
  const rows = verdicts.filter(
    (verdict) => verdict !== 'waived' || levels.some((level) => counts[level].waived > 0),
  )
  const figure = (verdict: Told, level: string, found: number) =>
    found === 0
      ? html`<td class="zero">0</td>`
      : html`<td class="${verdict}" data-go="${fragment({ verdict, level })}">${number(found)}</td>`
  return html`<section id="part=counts" aria-labelledby="counts-title">
<h2 id="counts-title">Verdicts by level</h2>
<table class="counts">
<thead><tr><th scope="col">Clauses</th>${levels.map((level) => html`<th scope="col">${level}</th>`)}</tr></thead>
<tbody>${rows.map(
    (verdict) =>
      html`<tr><th scope="row"><span aria-hidden="true">${signs[verdict]}</span> ${verdict}</th>${levels.map(
        (level) => figure(verdict, level, counts[level][verdict]),
      )}</tr>
`,
  )}</tbody></table>
</section>
`
}

/** What the run has to say beside the clauses. */
export function remarksOf({
  reasons = [],
  notices: own = [],
  details = [],
  residue = [],
}: Report): Markup {
  const list = (heading: string, texts: string[]) =>
    texts.length > 0 &&
    html`<h3>${heading}</h3>
<ul class="remarks">${texts.map((text) => html`<li>${cut(text, 2000)}</li>`)}</ul>
`
  const notices = [...own, ...details]
  const lost = residue.map(({ task, reason }) => `task ${task}: ${reason}`)
  if (reasons.length + notices.length + lost.length === 0) return html``
  return html`<section id="part=remarks" aria-labelledby="remarks-title">
<h2 id="remarks-title">About this run</h2>
${list('Why this verdict', reasons)}${list(`Not as found: tasks that could not be put back (${commandLine('restore')} tries again)`, lost)}${list('Notices', notices)}</section>
`
}
