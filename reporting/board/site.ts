import { toldVerdict } from '../../engine/run/report.ts'
import { isBroken, isUndecided } from '../comparison/compare.ts'
import { type Board, isWhole, type Run, type Target } from './board.ts'
import { clausePage, clausePageOf, indexPage, targetPage, targetPageOf } from './pages.ts'

type File = [path: string, text: () => string]

/** Every file of a board by path, each made on demand. */
export const siteOf = (board: Board): File[] => [
  ['index.html', () => indexPage(board)],
  ['board.json', () => boardJson(board)],
  ...board.targets.flatMap((target): File[] => [
    [targetPage(target), () => targetPageOf(target, board)],
    ...badgesOf(target, board),
  ]),
  ...board.clauses.map((facts): File => [clausePage(facts.id), () => clausePageOf(facts, board)]),
]

/** A board for programs: counts without percentages, as schemas/board.schema.json describes. */
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
