import { type ClauseReport, toldVerdict } from '../../engine/run/report.ts'
import { isBroken, isUndecided, valueTold } from '../comparison/compare.ts'
import { differenceTold } from '../comparison/comparison.ts'
import {
  badge,
  type Content,
  classOf,
  cut,
  html,
  type Markup,
  number,
  signs,
} from '../html/markup.ts'
import { assetAt, pageOf } from '../html/page.ts'
import { told } from '../parts/count.ts'
import { groupedBy } from '../parts/texts.ts'
import { type Board, isWhole, type Run, slugOf, type Target, toldRun } from './board.ts'

const moreStyle = assetAt(new URL('assets/board.css', import.meta.url))

const boardPage = (title: string, content: Content): string =>
  pageOf(`${title} (contract board)`, content, { scripted: false, moreStyle })

const clausePage = (id: string): string =>
  `clauses/${/^[a-z][\w.-]{0,120}$/i.test(id) ? id : slugOf(id)}.html`

const targetPage = ({ slug }: Target): string => `targets/${slug}.html`

const minuteOf = (time: string) => time.slice(0, 16).replace('T', ' ')

const findingOf = ({ observed, reason, verdict }: ClauseReport): string =>
  verdict === 'observed' ? valueTold(observed) : (reason ?? '')

const clauseOf = (id: string, { newest }: Target) =>
  newest.report.clauses.find((each) => each.id === id)

/** A table that becomes a list on a phone: every cell has its column's name. */
function table(columns: readonly string[], rows: readonly (readonly Content[])[]): Markup {
  return html`<table class="board list"><thead><tr>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([
      first,
      ...cells
    ]) => html`<tr><th scope="row">${first}</th>${cells.map((cell, at) => html`<td data-column="${columns[at + 1]}">${cell}</td>`)}</tr>
`,
  )}</tbody></table>`
}

function section<T>(title: string, items: readonly T[], itemOf: (item: T) => Content): Markup {
  return html`<section><h2>${title}: ${number(items.length)}</h2>
${items.length > 0 && html`<ul>${items.map((item) => html`<li>${itemOf(item)}</li>`)}</ul>`}</section>
`
}

function indexPage(board: Board): string {
  const { targets, clauses, reference, chosen, staleOn, isStale, notices, manifest } = board
  const title = `${number(targets.length)} targets, ${number(clauses.length)} clauses`
  return boardPage(
    title,
    html`<a class="skip-link" href="#clauses">To the clauses</a>
<header>
<p class="what">Contract board</p>
<h1>${title}</h1>
<p>The reference is <a href="${targetPage(reference)}">${cut(reference.name, 300)}</a>, ${chosen}. Its newest report is of ${minuteOf(reference.newest.report.startedAt)} and counts as stale from ${staleOn} on.</p>
${isStale && html`<p class="fail">The reference is stale: run the suite on it again.</p>`}</header>
<main id="main">
${notices.length > 0 && section('Notices', notices, (notice) => cut(notice, 1000))}<section>
<h2>Targets</h2>
<p>Divergence: of the clauses known there and of the reference, how many differ. Coverage: of the ${number(manifest.clauses)} clauses of this suite, how many were decided. They are two figures and never added up.</p>
${table(
  ['Target', 'Newest run', 'Verdict', 'Divergence', 'Coverage', 'Runs', 'Flips'],
  targets.map((target) => [
    html`<a href="${targetPage(target)}">${cut(target.name, 200)}</a>`,
    minuteOf(target.newest.report.startedAt),
    toldRun(target.newest.report),
    target === reference ? 'the reference' : divergenceOf(target.newest),
    `${target.newest.decided} of ${manifest.clauses}`,
    target.runs.length,
    target.flips.length,
  ]),
)}</section>
<section id="clauses">
<h2>Clauses</h2>
<p>${told.map((verdict) => html`${badge(verdict)} `)} <span>· no report of it</span>, <span>≠ differs from the reference</span>. What differs or breaks comes first.</p>
<div class="wide" role="region" aria-label="Clauses (scrolls)" tabindex="0"><table class="board">
<thead><tr><th scope="col">Clause</th>${targets.map(({ name }) => html`<th scope="col" class="target-name"><span>${cut(name.replace(/^https?:\/\//, '').replace(/\/v5$/, ''), 60)}</span></th>`)}</tr></thead>
<tbody>${clauseRows(board)}</tbody></table></div>
</section>
</main>
`,
  )
}

const divergenceOf = ({ divergence: { diverging, compared } }: Target['newest']) =>
  `${diverging} of ${compared}`

/** What differs or breaks comes first, then what is not checked somewhere. */
function clauseRows({ clauses, targets }: Board): Markup[] {
  const columns = targets.map((target) => ({
    slug: target.slug,
    newest: new Map(target.newest.report.clauses.map((clause) => [clause.id, clause])),
    apart: new Set(
      target.compared.flatMap(({ outcome, facts }) => (outcome === 'diverge' ? [facts.id] : [])),
    ),
  }))
  const rows = clauses.map(({ id, level, statement }) => {
    let rank = 2
    const cells = columns.map(({ slug, newest, apart }) => {
      const clause = newest.get(id)
      if (!clause || isUndecided(clause)) rank = Math.min(rank, 1)
      if (apart.has(id) || (clause && isBroken(clause))) rank = 0
      if (!clause)
        return html`<td><span class="unseen">no report of it</span><span aria-hidden="true">·</span></td>`
      const verdict = toldVerdict(clause)
      return html`<td class="${classOf(verdict)}"><a href="${clausePage(id)}#${slug}"><span aria-hidden="true">${signs[verdict] ?? '·'}</span><span class="unseen">${classOf(verdict)}</span>${apart.has(id) && html` <span title="differs from the reference">≠</span>`}</a></td>`
    })
    const row = html`<tr><th scope="row"><a href="${clausePage(id)}" title="${cut(statement, 300)}"><code>${cut(id, 120)}</code></a> <span class="level">${level}</span></th>${cells}</tr>
`
    return { row, rank }
  })
  return rows.toSorted((one, other) => one.rank - other.rank).map(({ row }) => row)
}

const backToBoard = html`<p class="what"><a href="../index.html">Contract board</a></p>`

const linkTo = (id: string) => html`<a href="../${clausePage(id)}"><code>${cut(id, 120)}</code></a>`

function targetPageOf(target: Target, board: Board): string {
  const { name, newest, runs, compared, flips } = target
  const { report, decided } = newest
  const coverage = (of: number) => `${of} of ${board.manifest.clauses}`
  const silent = compared.filter(({ grade }) => grade === 'observed')
  const open = groupedBy(report.clauses.filter(isUndecided), ({ reason }) => reason ?? 'no reason')
  return boardPage(
    name,
    html`<header>
${backToBoard}
<h1>${cut(name, 300)}</h1>
<p>${toldRun(report)}, ${minuteOf(report.startedAt)}, suite ${cut(report.suiteVersion, 50)}</p>
<p>${target === board.reference ? `The others are measured by this target, ${board.chosen}.` : html`Divergence: <strong>${divergenceOf(newest)}</strong>.`} Coverage: <strong>${coverage(decided)}</strong>.</p>
</header>
<main id="main">
${section(
  'What breaks',
  report.clauses.filter(isBroken),
  (clause) =>
    html`${badge(toldVerdict(clause))} ${linkTo(clause.id)} ${cut(clause.statement, 500)}<p class="said">${cut(clause.reason ?? '', 2000)}</p>`,
)}
${section(
  'What differs where the contract leaves a choice',
  silent,
  (each) =>
    html`${linkTo(each.facts.id)} ${cut(each.facts.statement, 500)}${differenceTold(each, ['the reference', 'here']).map((line) => html`<p class="said">${cut(line, 1000)}</p>`)}`,
)}
${section(
  'What was not checked, by reason',
  [...open],
  ([why, clauses]) => html`${cut(why, 500)}:${clauses.map(({ id }) => html` ${linkTo(id)}`)}`,
)}
<section><h2>Runs: ${number(runs.length)}</h2>
${table(
  ['Run', 'Verdict', 'Divergence', 'Coverage'],
  runs
    .toReversed()
    .map((run) => [
      minuteOf(run.report.startedAt),
      toldRun(run.report),
      divergenceOf(run),
      coverage(run.decided),
    ]),
)}</section>
${section('Flips', flips, ({ id, verdict, other, at }) => html`${linkTo(id)} ${verdict}, ${other}, and ${verdict} again on ${minuteOf(at)}`)}
</main>
`,
  )
}

function clausePageOf(facts: Board['clauses'][number], { targets }: Board): string {
  const { id, level, statement, section, operation } = facts
  return boardPage(
    id,
    html`<header>
${backToBoard}
<h1><code>${cut(id, 200)}</code></h1>
<p><span class="level">${level}</span> ${cut(statement, 1000)}</p>
<p>${cut(operation, 200)}. Section: ${cut(section, 200)}</p>
</header>
<main id="main">
${table(
  ['Target', 'Newest run', 'What was found', 'Changes'],
  targets.map((target) => {
    const clause = clauseOf(id, target)
    return [
      html`<a id="${target.slug}" href="../${targetPage(target)}">${cut(target.name, 200)}</a>`,
      clause ? badge(toldVerdict(clause)) : 'no report of it',
      clause && html`<span class="said">${cut(findingOf(clause), 2000)}</span>`,
      changesOf(id, target).map((each) => html`<p>${each}</p>`),
    ]
  }),
)}
</main>
`,
  )
}

function changesOf(id: string, { runs }: Target): string[] {
  let before: string | undefined
  return runs.flatMap(({ report }) => {
    const clause = report.clauses.find((each) => each.id === id)
    const now = clause && (clause.verdict === 'observed' ? findingOf(clause) : toldVerdict(clause))
    if (now === undefined || now === before) return []
    before = now
    return [cut(`${minuteOf(report.startedAt)}: ${now}`, 300)]
  })
}

type File = [path: string, text: () => string]

export const siteOf = (board: Board): File[] => [
  ['index.html', () => indexPage(board)],
  ['board.json', () => boardJson(board)],
  ...board.targets.flatMap((target): File[] => [
    [targetPage(target), () => targetPageOf(target, board)],
    ...badgesOf(target, board),
  ]),
  ...board.clauses.map((facts): File => [clausePage(facts.id), () => clausePageOf(facts, board)]),
]

/** as schemas/board.schema.json describes it */
function boardJson({ reference, chosen, targets, manifest, staleOn, isStale, notices }: Board) {
  const value = {
    boardVersion: 1,
    manifest,
    reference: { name: reference.name, chosen, staleOn, isStale },
    notices,
    targets: targets.map(targetJson),
  }
  return `${JSON.stringify(value, null, 1)}\n`
}

const targetJson = ({ name, slug, runs, newest, compared, flips }: Target) => ({
  name,
  slug,
  newest: runJson(newest),
  breaks: newest.report.clauses
    .filter(isBroken)
    .map((clause) => ({ id: clause.id, verdict: toldVerdict(clause) })),
  differs: compared.flatMap(({ facts, grade }) => (grade === 'observed' ? [facts.id] : [])),
  notChecked: newest.report.clauses
    .filter(isUndecided)
    .map(({ id, verdict, cause }) => ({ id, verdict, cause })),
  flips,
  runs: runs.map(runJson),
})

const runJson = ({ report, divergence: { diverging, compared }, decided }: Run) => ({
  startedAt: report.startedAt,
  suiteVersion: report.suiteVersion,
  verdict: report.verdict,
  selection: report.selection,
  divergence: { diverging, compared },
  coverage: { decided },
})

function badgesOf({ slug, newest }: Target, { manifest, isStale }: Board): File[] {
  const { diverging, compared } = newest.divergence
  const badge = (figure: string, message: string, color: string): File => [
    `badges/${slug}-${figure}.json`,
    () => `${JSON.stringify({ schemaVersion: 1, label: figure, message, color })}\n`,
  ]
  const stale = isStale ? ' (reference is stale)' : ''
  const green = isWhole(newest.report) ? 'brightgreen' : 'blue'
  const color = isStale ? 'lightgrey' : diverging > 0 ? 'orange' : green
  return [
    badge('divergence', `${diverging} of ${compared}${stale}`, color),
    badge('coverage', `${newest.decided} of ${manifest.clauses}`, 'blue'),
  ]
}
