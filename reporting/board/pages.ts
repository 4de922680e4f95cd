import { type ClauseReport, toldVerdict } from '../../engine/run/report.ts'
import { isBroken, isUndecided, valueTold } from '../comparison/compare.ts'
import { blocksOf, comparisonOf } from '../comparison/comparison.ts'
import {
  badge,
  blockOf,
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
import { type Board, type Run, type Target, toldRun } from './board.ts'

const moreStyle = assetAt(new URL('assets/board.css', import.meta.url))

const boardPage = (title: string, content: Content): string =>
  pageOf(`${title} (contract board)`, content, { scripted: false, moreStyle })

const targetPage = ({ slug }: Target): string => `targets/${slug}.html`

const minuteOf = (time: string) => time.slice(0, 16).replace('T', ' ')

const sectionsOf = (heading: string, lines: readonly string[]) =>
  lines.length > 0 && blockOf([`${heading}: ${lines.length}`, lines.map((line) => [line])])

const figuresOf = ({ divergence: { diverging, compared }, decided }: Run, board: Board) =>
  `divergence ${diverging} of ${compared}, coverage ${decided} of ${board.manifest.clauses}`

function indexPage(board: Board): string {
  const { targets, clauses, reference, chosen, staleOn, isStale, notices, manifest } = board
  const title = `${number(targets.length)} targets, ${number(clauses.length)} clauses`
  const runTold = ({ newest, runs, flips }: Target) =>
    `${minuteOf(newest.report.startedAt)} ${toldRun(newest.report)}, ${figuresOf(newest, board)}, ${runs.length} runs, ${flips.length} flips`
  return boardPage(
    title,
    html`<a class="skip-link" href="#clauses">To the clauses</a>
<header>
<p class="what">Contract board</p>
<h1>${title}</h1>
<p>The reference is <a href="${targetPage(reference)}">${cut(reference.name, 300)}</a>, ${chosen}. Its newest report is of ${minuteOf(reference.newest.report.startedAt)} and counts as stale from ${staleOn} on.</p>
${isStale && html`<p class="fail">The reference is stale: run the suite on it again.</p>`}</header>
<main id="main">
${sectionsOf('Notices', notices)}<section>
<h2>Targets</h2>
<p>Divergence: of the clauses known there and of the reference, how many differ. Coverage: of the ${number(manifest.clauses)} clauses of this suite, how many were decided. They are two figures and never added up.</p>
<ul class="remarks">${targets.map((target) => html`<li><a href="${targetPage(target)}">${cut(target.name, 200)}</a><div class="said">${cut(runTold(target), 500)}</div></li>`)}</ul></section>
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

/** What differs or breaks comes first, then what is not checked somewhere. */
function clauseRows({ clauses, targets }: Board): Markup[] {
  const columns = targets.map(({ newest, compared }) => ({
    own: new Map(newest.report.clauses.map((clause) => [clause.id, clause])),
    apart: new Set(
      compared.flatMap(({ outcome, facts }) => (outcome === 'diverge' ? [facts.id] : [])),
    ),
  }))
  const rows = clauses.map(({ id, level, statement }) => {
    let rank = 2
    const cells = columns.map(({ own, apart }) => {
      const clause = own.get(id)
      if (!clause || isUndecided(clause)) rank = Math.min(rank, 1)
      if (apart.has(id) || (clause && isBroken(clause))) rank = 0
      return cellOf(clause, apart.has(id))
    })
    const row = html`<tr><th scope="row"><code title="${cut(statement, 300)}">${cut(id, 120)}</code> <span class="level">${level}</span></th>${cells}</tr>
`
    return { row, rank }
  })
  return rows.toSorted((one, other) => one.rank - other.rank).map(({ row }) => row)
}

function cellOf(clause: ClauseReport | undefined, isApart: boolean): Markup {
  if (!clause)
    return html`<td><span class="unseen">no report of it</span><span aria-hidden="true">·</span></td>`
  const { reason = '', observed } = clause
  const verdict = toldVerdict(clause)
  const found = verdict === 'observed' ? valueTold(observed) : reason
  return html`<td class="${classOf(verdict)}" title="${cut(found, 300)}"><span aria-hidden="true">${signs[verdict] ?? '·'}</span><span class="unseen">${classOf(verdict)}</span>${isApart && html` <span title="differs from the reference">≠</span>`}</td>`
}

/** The newest run of a target beside that of the reference, as `compare` shows them, and its runs. */
function targetPageOf(target: Target, board: Board): string {
  const { name, newest, runs, flips } = target
  const { reference, chosen, clauses } = board
  const isReference = target === reference
  // Its remarks advise those who chose two reports.
  const comparison = { ...comparisonOf([reference.newest, newest], clauses), remarks: [] }
  return boardPage(
    name,
    html`<header>
<p class="what"><a href="../index.html">Contract board</a></p>
<h1>${cut(name, 300)}</h1>
<p>${toldRun(newest.report)}, ${minuteOf(newest.report.startedAt)}, ${figuresOf(newest, board)}.</p>
<p>${isReference ? `The others are measured by this target, ${chosen}.` : `B is this target. A is the reference, ${cut(reference.name, 300)}.`}</p>
</header>
<main id="main">
${blocksOf(comparison, Infinity).map((block) => blockOf(block))}${sectionsOf(
  'Runs',
  runs
    .toReversed()
    .map(
      (run) => `${minuteOf(run.report.startedAt)} ${toldRun(run.report)}, ${figuresOf(run, board)}`,
    ),
)}${sectionsOf(
  'Flips',
  flips.map(
    ({ id, verdict, other, at }) =>
      `${id} ${verdict}, ${other}, and ${verdict} again on ${minuteOf(at)}`,
  ),
)}</main>
`,
  )
}

type File = [path: string, text: () => string]

export const siteOf = (board: Board): File[] => [
  ['index.html', () => indexPage(board)],
  ['board.json', () => boardJson(board)],
  ...board.targets.map((target): File => [targetPage(target), () => targetPageOf(target, board)]),
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
