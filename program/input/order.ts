import { resolve } from 'node:path'
import { commandLine } from '../../engine/called.ts'
import type { Selection } from '../../engine/clause/selection.ts'
import { shareOf } from '../../engine/clause/shard.ts'
import { matchesAny } from '../../engine/glob.ts'
import type { Report } from '../../engine/run/report.ts'
import type { Waived } from '../../engine/run/waive.ts'
import { groups } from '../../helpers/groups.ts'
import { operations } from '../../helpers/service/operations.ts'
import type { Settings } from '../../helpers/settings/table.ts'
import type { Earlier } from '../../reporting/rerun.ts'
import type { CheckFlags } from './check-flags.ts'
import { Impossible } from './mistakes.ts'
import { readReport } from './read-report.ts'
import { readWaivers } from './waivers.ts'

/** An earlier report, and how many days it may be old. */
export type Baseline = { file: string; days?: number; report: Report }

/** What the command line asks for, with the files that it names read. */
export type Order = Omit<CheckFlags, 'baseline'> & {
  baseline?: Baseline
  waived: Waived[]
  /** ids of the clauses to run; left out: all */
  only?: string[]
  /** the report that this run goes on with */
  earlier?: Earlier
}

/** Reads the files that flags name: before anything of an earlier run is removed. */
export function readOrder(flags: CheckFlags, cwd: string): Order {
  const waived = flags.waivers === undefined ? [] : readWaivers(flags.waivers, cwd)
  const baseline =
    flags.baseline === undefined ? undefined : readBaseline(flags.baseline, flags.baselineDays, cwd)
  if (flags.rerun === undefined) return { ...flags, waived, baseline }
  const report = readReport(resolve(cwd, flags.rerun))
  // It ended before its clauses: everything is left.
  if (report.clauses.length === 0) return { ...flags, waived, baseline }
  const only = notGreen(report)
  if (only.length === 0)
    throw new Impossible(`--rerun ${flags.rerun}: every clause there is green; nothing is left.`)
  const isChosen = (id: string) => flags.clauses.length === 0 || matchesAny(id, flags.clauses)
  if (report.clauses.some(({ id }) => isChosen(id)) && !only.some(isChosen))
    throw new Impossible(
      `--rerun ${flags.rerun}: every clause of --clauses there is green; nothing is left.`,
    )
  const earlier = { file: flags.rerun, report, accept: flags.acceptRerun }
  return { ...flags, waived, baseline, only, earlier }
}

function readBaseline(given: string, days: number | undefined, cwd: string): Baseline {
  const report = readReport(resolve(cwd, given))
  const decided = report.clauses.some(({ verdict }) => !['skip', 'inconclusive'].includes(verdict))
  if (decided) return { file: given, days, report }
  throw new Impossible(
    `--baseline ${given}: no clause was decided there; give the report of a run that decided some.`,
  )
}

const notGreen = ({ clauses }: Report) =>
  clauses.filter(({ verdict }) => !['pass', 'observed'].includes(verdict)).map(({ id }) => id)

/** What a run that was asked for less than everything tells: its verdict is of that alone. */
export const describeNarrowing = ({ clauses, rerun, only }: Order): string[] => [
  ...(clauses.length > 0 ? [`only the clauses of --clauses ${clauses.join(',')} were chosen`] : []),
  ...(only ? [`only what was not green in --rerun ${rerun} was chosen`] : []),
]

/** Which clauses are to run. */
export const selectionFor = (order: Order, { taskIds, notPermitted }: Settings): Selection => ({
  notPermitted: notPermitted.filter((each) => !Object.hasOwn(operations, each)),
  listing: commandLine('clauses'),
  clauses: order.clauses,
  required: order.require,
  only: order.only,
  shard: order.shard && shareOf(taskIds, order.shard, groups),
})
