import type { ClauseReport } from '../../engine/run/report.ts'
import type { Checked } from '../../program/report/finish.ts'

type Said = Pick<ClauseReport, 'id' | 'verdict' | 'cause' | 'observed' | 'varies' | 'reason'>

/** What one run of a target said, as far as runs are compared. */
export type Sight = {
  commit: string
  target: string
  manner: string
  exitCode: number
  requests: number
  seconds: number
  reasons: string[]
  clauses: Said[]
}

/** What is kept of a run: reasons only where nothing was decided. */
export function sightOf(
  { report, exitCode }: Checked,
  of: Pick<Sight, 'commit' | 'target' | 'manner' | 'seconds'>,
): Sight {
  const all = report?.clauses ?? []
  /** What waits for an owner that is inconclusive is as little settled. */
  const isLost = ({ verdict, owners = [] }: ClauseReport) =>
    verdict === 'inconclusive' ||
    (verdict === 'skip' &&
      all.some(({ id, verdict }) => owners.includes(id) && verdict === 'inconclusive'))
  const clauses = all.map((each): Said => {
    const { id, cause, observed, varies, reason } = each
    const verdict = isLost(each) ? 'inconclusive' : each.verdict
    return {
      id,
      verdict,
      ...(cause && { cause }),
      ...(varies && { varies }),
      ...(verdict === 'observed' && { observed }),
      ...(verdict !== 'pass' && verdict !== 'observed' && { reason: reason?.slice(0, 300) ?? '' }),
    }
  })
  const { requests = 0, reasons = [] } = report ?? {}
  return { ...of, exitCode, requests, reasons, clauses }
}
