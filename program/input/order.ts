import { resolve } from 'node:path'
import { commandLine } from '../../engine/called.ts'
import type { Selection } from '../../engine/clause/selection.ts'
import { matchesAny } from '../../engine/glob.ts'
import { Impossible } from '../../engine/impossible.ts'
import type { Report } from '../../engine/run/report.ts'
import type { Waived } from '../../engine/run/waive.ts'
import { sentences } from '../../helpers/contract.ts'
import { operations } from '../../helpers/service/operations.ts'
import type { Settings } from '../../helpers/settings/table.ts'
import type { Earlier } from '../../reporting/carried-over.ts'
import { partOf } from '../../reporting/comparison/remarks.ts'
import type { Given } from './commands.ts'
import { type Noted, readNotes } from './notes.ts'
import { readReport } from './read-report.ts'
import { readWaivers } from './waivers.ts'

/** The report that a run is compared with. */
export type Baseline = { file: string; report: Report }

/** What the command line asks for, with the files that it names read. */
export type Order = Omit<Given<'check'>, 'baseline' | 'notes' | 'keepFiles'> & {
  baseline?: Baseline
  waived: Waived[]
  noted: Noted[]
  /** ids of the clauses to run; left out: all */
  only?: string[]
  /** the report that this run goes on with */
  earlier?: Earlier
}

/** Reads the files that flags name: before anything of an earlier run is removed. */
export function readOrder(
  flags: Omit<Given<'check'>, 'keepFiles'>,
  cwd: string,
  reportsDir: string,
): Order {
  const waived = flags.waivers === undefined ? [] : readWaivers(flags.waivers, cwd)
  const noted = flags.notes === undefined ? [] : readNotes(flags.notes, cwd)
  const baseline = flags.baseline === undefined ? undefined : readBaseline(flags.baseline, cwd)
  if (flags.failed === undefined) return { ...flags, waived, noted, baseline }
  const file = flags.failed || reportsDir
  const report = readReport(resolve(cwd, file))
  needOfThisSuite(report, `--failed ${file}`)
  const part = partOf(report)
  if (part)
    throw new Impossible(
      `--failed ${file}: it is shard ${part} of a run alone; give the report of a whole run.`,
    )
  // It ended before its clauses: everything is left.
  if (report.clauses.length === 0) return { ...flags, waived, noted, baseline }
  const only = notGreen(report)
  if (only.length === 0)
    throw new Impossible(`--failed ${file}: every clause there is green; nothing is left.`)
  const isChosen = (id: string) => flags.clauses.length === 0 || matchesAny(id, flags.clauses)
  if (report.clauses.some(({ id }) => isChosen(id)) && !only.some(isChosen))
    throw new Impossible(
      `--failed ${file}: every clause of --clauses there is green; nothing is left.`,
    )
  return { ...flags, waived, noted, baseline, only, earlier: { file, report } }
}

const globs = Object.values(sentences)
  .flat()
  .flatMap((each) => ('clauses' in each ? each.clauses : []))

/** A report of which this suite has no clause can be neither held against a run nor gone on with. */
function needOfThisSuite({ clauses }: Report, flag: string): void {
  if (clauses.length > 0 && !clauses.some(({ id }) => matchesAny(id, globs)))
    throw new Impossible(`${flag}: it is a report of another suite; give a report of this one.`)
}

function readBaseline(given: string, cwd: string): Baseline {
  const report = readReport(resolve(cwd, given))
  const decided = report.clauses.some(({ verdict }) => !['skip', 'inconclusive'].includes(verdict))
  if (!decided)
    throw new Impossible(
      `--baseline ${given}: no clause was decided there; give the report of a run that decided some.`,
    )
  needOfThisSuite(report, `--baseline ${given}`)
  return { file: given, report }
}

const notGreen = ({ clauses }: Report) =>
  clauses.filter(({ verdict }) => !['pass', 'observed'].includes(verdict)).map(({ id }) => id)

const mostGlobs = 3

/** What a run is asked for, where that is less than everything: its verdict is of that alone. */
export function describeSelection({ clauses, earlier, only }: Order): string | undefined {
  const more = clauses.length - mostGlobs
  const parts = [
    ...(clauses.length > 0
      ? [`--clauses ${clauses.slice(0, mostGlobs).join()}${more > 0 ? ',…' : ''}`]
      : []),
    ...(only ? [`--failed ${earlier?.file}`] : []),
  ]
  return parts.length > 0 ? parts.join(' ') : undefined
}

/** Which clauses are to run. */
export const selectionFor = (order: Order, { notPermitted }: Settings): Selection => ({
  notPermitted: notPermitted.filter((each) => !Object.hasOwn(operations, each)),
  listing: commandLine('clauses'),
  clauses: order.clauses,
  required: order.require,
  only: order.only,
})
