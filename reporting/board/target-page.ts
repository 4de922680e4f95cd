import { toldVerdict } from '../../engine/run/report.ts'
import type { Compared } from '../comparison/compare.ts'
import { differenceTold } from '../comparison/words.ts'
import { cut, html, type Markup, number } from '../html/markup.ts'
import { badge } from '../html/verdicts.ts'
import { groupedBy } from '../parts/grouped-by.ts'
import type { Board, Flip, Run, Target } from './board.ts'
import { boardPage, clausePage, minuteOf } from './pages.ts'

/** The page of a target: what breaks, what differs, what was not checked, and all of it over time. */
export function targetPageOf(target: Target, board: Board): string {
  const { name, newest, runs, compared } = target
  const { report, divergence, decided } = newest
  const names = ['the reference', 'here'] as const
  const apart = compared.filter(({ outcome }) => outcome === 'diverge')
  const silent = apart.filter(({ grade }) => grade === 'observed')
  const broken = report.clauses.filter((clause) =>
    ['fail', 'warn', 'waived'].includes(toldVerdict(clause)),
  )
  const isReference = target === board.reference
  return boardPage(
    name,
    html`<header>
<p class="what"><a href="../index.html">Contract board</a></p>
<h1>${cut(name, 300)}</h1>
<p>${report.verdict}, ${minuteOf(report.startedAt)}, suite ${cut(report.suiteVersion, 50)}</p>
<p>${isReference ? 'The others are measured by this target.' : html`Divergence: <strong>${divergence.diverging} of ${divergence.compared}</strong>.`} Coverage: <strong>${decided} of ${board.manifest.clauses}</strong>.</p>
</header>
<main id="main">
${section('breaks', 'What breaks', broken, ({ id, statement, reason = '', ...clause }) => html`<li>${badge(toldVerdict({ id, statement, ...clause }))} ${linkTo(id)} ${cut(statement, 500)}<p class="said">${cut(reason, 2000)}</p></li>`)}
${section('differs', 'What differs where the contract is silent', silent, (each) => html`<li>${linkTo(each.facts.id)} ${cut(each.facts.statement, 500)}${told(each, names)}</li>`)}
${unchecked(target)}
${trend(runs, board.manifest.clauses)}
${section('flips', 'Flips', target.flips, flipTold)}
</main>
`,
  )
}

const linkTo = (id: string) => html`<a href="../${clausePage(id)}"><code>${cut(id, 120)}</code></a>`

const told = (each: Compared, names: readonly [string, string]) =>
  differenceTold(each, names).map((line) => html`<p class="said">${cut(line, 1000)}</p>`)

const flipTold = ({ id, verdict, other, at }: Flip) =>
  html`<li>${linkTo(id)} ${verdict}, ${other}, and ${verdict} again on ${minuteOf(at)}</li>`

function section<T>(
  id: string,
  title: string,
  items: readonly T[],
  itemOf: (item: T) => Markup,
): Markup {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}: ${number(items.length)}</h2>
${items.length === 0 ? html`<p>Nothing.</p>` : html`<ul>${items.map(itemOf)}</ul>`}</section>`
}

function unchecked({ newest: { report } }: Target): Markup {
  const open = report.clauses.filter(
    ({ verdict }) => verdict === 'skip' || verdict === 'inconclusive',
  )
  const groups = [...groupedBy(open, ({ reason = 'no reason is given' }) => reason)]
  return section('unchecked', 'What was not checked, and why', groups, ([why, clauses]) => {
    const links = clauses.map(({ id }) => html` ${linkTo(id)}`)
    return html`<li>${cut(why, 500)}:${links}</li>`
  })
}

/** Both figures over time: lines for who sees them, a table for everybody. */
function trend(runs: readonly Run[], clauses: number): Markup {
  const rows = runs.toReversed().map(
    ({ report, divergence: { diverging, compared }, decided }) =>
      html`<tr><th scope="row">${minuteOf(report.startedAt)}</th><td>${report.verdict}</td><td>${diverging} of ${compared}</td><td>${decided} of ${clauses}</td></tr>
`,
  )
  const days = [runs[0], runs.at(-1)].map((run) => run?.report.startedAt.slice(0, 10) ?? '')
  const diverging = runs.map(({ divergence }) => shareOf(divergence.diverging, divergence.compared))
  const covered = runs.map(({ decided }) => shareOf(decided, clauses))
  const plots =
    runs.length > 1 &&
    html`${plot('Divergence', diverging, { days, top: Math.max(0.05, ...diverging) })}${plot('Coverage', covered, { days, top: 1 })}`
  return html`<section aria-labelledby="trend"><h2 id="trend">Runs: ${number(runs.length)}</h2>
${plots}<table class="board"><thead><tr><th scope="col">Run</th><th scope="col">Verdict</th><th scope="col">Divergence</th><th scope="col">Coverage</th></tr></thead>
<tbody>${rows}</tbody></table></section>`
}

const shareOf = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)
const percent = (share: number) => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`

const [wide, high, edge] = [700, 100, 10]

/** One figure over time, from 0 to `top`, with the days on which it begins and ends. */
function plot(
  title: string,
  shares: readonly number[],
  { days, top }: { days: readonly string[]; top: number },
): Markup {
  const points = shares.map((share, at) => {
    const x = edge + (at / (shares.length - 1)) * (wide - 2 * edge)
    return [x.toFixed(1), (high - edge - (share / top) * (high - 2 * edge)).toFixed(1)]
  })
  const end = points.at(-1) ?? []
  const [first = 0, last = 0] = [shares[0], shares.at(-1)]
  const told = `${title} over time, 0 to ${percent(top)}: ${percent(first)} on ${days[0]}, ${percent(last)} on ${days[1]}`
  return html`<figure class="trend"><figcaption>${title}, 0 to ${percent(top)}</figcaption>
<svg viewBox="0 0 ${wide} ${high}" role="img" aria-label="${told}"><line x1="${edge}" y1="${high - edge}" x2="${wide - edge}" y2="${high - edge}"/><polyline points="${points.map((point) => point.join(',')).join(' ')}"/><circle cx="${end[0]}" cy="${end[1]}" r="4"/></svg>
<p><span>${days[0]}: ${percent(first)}</span><span>${days[1]}: ${percent(last)}</span></p></figure>
`
}
