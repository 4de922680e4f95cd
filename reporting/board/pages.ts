import { type ClauseReport, toldVerdict } from '../../engine/run/report.ts'
import type { Compared, Facts } from '../comparison/compare.ts'
import { valueTold } from '../comparison/values.ts'
import { type Content, cut, html, type Markup, number } from '../html/markup.ts'
import { assetAt, pageOf } from '../html/page.ts'
import { badge, signs, verdicts } from '../html/verdicts.ts'
import { type Board, slugOf, type Target } from './board.ts'

const moreStyle = assetAt(new URL('assets/board.css', import.meta.url))
const otherScript = assetAt(new URL('assets/board.js', import.meta.url))

/** One page of a board, in its look. */
export const boardPage = (title: string, content: Content, { scripted = false } = {}): string =>
  pageOf(`${title} (contract board)`, content, { scripted, moreStyle, otherScript })

/** Where a clause has its page: ids are safe for files, and what is none of ours may not be. */
export const clausePage = (id: string): string =>
  `clauses/${/^[a-z][\w.-]{0,120}$/i.test(id) ? id : slugOf(id)}.html`

export const targetPage = ({ slug }: Target): string => `targets/${slug}.html`

/** The first page: targets with their two figures, and clauses against targets. */
export function indexPage(board: Board): string {
  const { targets, clauses, reference, staleOn, isStale, notices, manifest } = board
  const title = `${number(targets.length)} targets, ${number(clauses.length)} clauses`
  return boardPage(
    title,
    html`<a class="skip-link" href="#clauses">To the clauses</a>
<header>
<p class="what">Contract board</p>
<h1>${title}</h1>
<p>Measured by <a href="${targetPage(reference)}">${cut(reference.name, 300)}</a>, whose newest report is of ${minuteOf(reference.newest.report.startedAt)} and counts as stale from ${staleOn} on.</p>
${isStale && html`<p class="fail">The reference is stale: run the suite on it again.</p>`}</header>
<main id="main">
${noticesTold(notices)}<section aria-labelledby="targets-title">
<h2 id="targets-title">Targets</h2>
<p>Divergence: of the clauses known there and of the reference, how many differ. Coverage: of the ${number(manifest.clauses)} clauses of this suite, how many were decided. They are two figures and never added up.</p>
<div class="wide" role="region" aria-label="Targets (scrolls)" tabindex="0"><table class="board">
<thead><tr><th scope="col">Target</th><th scope="col">Newest run</th><th scope="col">Verdict</th><th scope="col">Divergence</th><th scope="col">Coverage</th><th scope="col">Runs</th><th scope="col">Flips</th></tr></thead>
<tbody>${targets.map((target) => targetRow(target, board))}</tbody></table></div>
</section>
<section id="clauses" aria-labelledby="clauses-title">
<h2 id="clauses-title">Clauses</h2>
<p>${verdicts.map((verdict) => html`${badge(verdict)} `)} <span>· no report of it</span>, <span>≠ differs from the reference</span></p>
<div class="wide" role="region" aria-label="Clauses (scrolls)" tabindex="0"><table class="board">
<thead><tr><th scope="col">Clause</th><th scope="col">Level</th>${targets.map(({ name }) => html`<th scope="col" class="narrow">${cut(shortOf(name), 60)}</th>`)}</tr></thead>
<tbody>${clauseRows(board)}</tbody></table></div>
</section>
</main>
`,
    { scripted: true },
  )
}

/** A name without what all of them have. */
const shortOf = (name: string) => name.replace(/^https?:\/\//, '').replace(/\/v5$/, '')

/** A time to the minute: reports have it to the millisecond. */
export const minuteOf = (time: string) => time.slice(0, 16).replace('T', ' ')

export const noticesTold = (notices: readonly string[]) =>
  notices.length > 0 &&
  html`<section aria-labelledby="notices-title">
<h2 id="notices-title">Of the reports</h2>
<ul class="remarks">${notices.map((notice) => html`<li>${cut(notice, 1000)}</li>`)}</ul>
</section>
`

const targetRow = (target: Target, { reference, manifest }: Board): Markup => {
  const { name, newest, runs, flips } = target
  const { diverging, compared } = newest.divergence
  const measured = target === reference ? 'the reference' : `${diverging} of ${compared}`
  return html`<tr><th scope="row"><a href="${targetPage(target)}">${cut(name, 200)}</a></th><td>${minuteOf(newest.report.startedAt)}</td><td>${newest.report.verdict}</td><td>${measured}</td><td>${newest.decided} of ${manifest.clauses}</td><td>${runs.length}</td><td>${flips.length}</td></tr>
`
}

/** What the newest run of each target says of a clause, by its id. */
export const newestById = (target: Target): Map<string, ClauseReport> =>
  new Map(target.newest.report.clauses.map((clause) => [clause.id, clause]))

function clauseRows({ clauses, targets }: Board): Markup[] {
  const columns = targets.map((target) => ({
    target,
    newest: newestById(target),
    compared: new Map(target.compared.map((each) => [each.facts.id, each])),
  }))
  return clauses.map((facts) => {
    const kinds = new Set<string>()
    const cells = columns.map(({ target, newest, compared }) =>
      cellOf(facts, target, newest.get(facts.id), compared.get(facts.id), kinds),
    )
    const { id, level, statement } = facts
    const text = `${id} ${level} ${statement}`.toLowerCase()
    return html`<tr data-text="${text}" data-kinds="${[...kinds].join(' ')}"><th scope="row"><a href="${clausePage(id)}" title="${cut(statement, 300)}"><code>${cut(id, 120)}</code></a></th><td>${level}</td>${cells}</tr>
`
  })
}

function cellOf(
  { id }: Facts,
  { slug }: Target,
  clause: ClauseReport | undefined,
  compared: Compared | undefined,
  kinds: Set<string>,
): Markup {
  if (!clause) {
    kinds.add('open')
    return html`<td data-key="9"><span class="unseen">no report of it</span><span aria-hidden="true">·</span></td>`
  }
  const verdict = toldVerdict(clause)
  const isApart = compared?.outcome === 'diverge'
  if (isApart || ['fail', 'warn', 'waived'].includes(verdict)) kinds.add('apart')
  if (verdict === 'skip' || verdict === 'inconclusive') kinds.add('open')
  const known = verdict in signs ? verdict : 'unknown'
  const key = `${verdicts.indexOf(verdict)}${isApart ? 0 : 1}`
  return html`<td class="${known}" data-key="${key}"><a href="${clausePage(id)}#${slug}"><span aria-hidden="true">${signs[verdict] ?? '·'}</span><span class="unseen">${known}</span>${isApart && html` <span class="apart" title="differs from the reference">≠</span>`}</a></td>`
}

/** What a run saw or found, in words. */
export const foundTold = ({ observed, reason, verdict }: ClauseReport): string =>
  verdict === 'observed' ? valueTold(observed) : (reason ?? '')
