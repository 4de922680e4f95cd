import { toldVerdict } from '../../engine/run/report.ts'
import type { Board, Run, Target } from './board.ts'

/** A board for programs: counts, no percentages; schemas/board.schema.json says what stands where. */
export function boardJson(board: Board): string {
  const { reference, targets, manifest, staleOn, isStale, notices } = board
  const value = {
    boardVersion: 1,
    manifest,
    reference: { name: reference.name, staleOn, isStale },
    notices,
    targets: targets.map(targetJson),
  }
  return `${JSON.stringify(value, null, 1)}\n`
}

function targetJson({ name, slug, runs, newest, compared, flips }: Target) {
  const broken = newest.report.clauses.filter((clause) =>
    ['fail', 'warn', 'waived'].includes(toldVerdict(clause)),
  )
  const differing = compared.filter(({ outcome }) => outcome === 'diverge')
  return {
    name,
    slug,
    newest: runJson(newest),
    breaks: broken.map((clause) => ({ id: clause.id, verdict: toldVerdict(clause) })),
    differs: differing.flatMap(({ facts, grade }) => (grade === 'observed' ? [facts.id] : [])),
    notChecked: newest.report.clauses.flatMap(({ id, verdict, cause }) =>
      verdict === 'skip' || verdict === 'inconclusive' ? [{ id, verdict, cause }] : [],
    ),
    flips,
    runs: runs.map(runJson),
  }
}

const runJson = ({ report, divergence: { diverging, compared }, decided }: Run) => ({
  startedAt: report.startedAt,
  suiteVersion: report.suiteVersion,
  verdict: report.verdict,
  divergence: { diverging, compared },
  coverage: { decided },
})

type Badge = { file: string; text: string }

/** A badge file for each target and figure, as an endpoint of shields.io reads it. */
export const badgesOf = ({ targets, manifest, isStale }: Board): Badge[] =>
  targets.flatMap(({ slug, newest: { divergence, decided } }) => {
    const { diverging, compared } = divergence
    const badge = (figure: string, message: string, color: string) => ({
      file: `badges/${slug}-${figure}.json`,
      text: `${JSON.stringify({ schemaVersion: 1, label: figure, message, color })}\n`,
    })
    const stale = isStale ? ' (reference is stale)' : ''
    const color = diverging === 0 ? 'brightgreen' : 'orange'
    return [
      badge('divergence', `${diverging} of ${compared}${stale}`, isStale ? 'lightgrey' : color),
      badge('coverage', `${decided} of ${manifest.clauses}`, 'blue'),
    ]
  })
