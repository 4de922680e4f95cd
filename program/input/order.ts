import { resolve } from 'node:path'
import { commandLine } from '../../engine/called.ts'
import { isWanted, type Selection } from '../../engine/clause/selection.ts'
import { matchesAny } from '../../engine/glob.ts'
import { Impossible } from '../../engine/impossible.ts'
import type { Report } from '../../engine/run/report.ts'
import type { Waived } from '../../engine/run/waive.ts'
import { readEnvironment } from '../../engine/settings/environment.ts'
import { operations } from '../../helpers/contract/operations.ts'
import { clauseGlobs } from '../../helpers/contract/sentences.ts'
import { clausesIn } from '../../helpers/settings/profiles.ts'
import { readSettings } from '../../helpers/settings/read.ts'
import type { Settings } from '../../helpers/settings/table.ts'
import type { Earlier } from '../../reporting/carried-over.ts'
import { isUndecided } from '../../reporting/comparison/cause-changes.ts'
import { present } from '../../reporting/parts/texts.ts'
import type { Given } from './commands.ts'
import {
  needNoneRetired,
  noticesOfGlobs,
  noticesOfReport,
  presentGlobs,
  presentWaiver,
  withPresentIds,
} from './present-ids.ts'
import type { Call } from './read-flags.ts'
import { mistakeIn } from './read-json.ts'
import { readReport, reportIn } from './read-report.ts'
import { readWaivers } from './waivers.ts'

/** The report to compare a run with; without a name it is the one in REPORTS_DIR. */
export type Baseline = { file?: string; report: Report }

type Flags = Omit<Given<'check'>, 'record' | 'replay'>

export type Order = Omit<Flags, 'baseline'> & {
  baseline?: Baseline
  waived: Waived[]
  only?: string[]
  earlier?: Earlier
  /** what became of former ids that it was called with */
  notices: string[]
}

/** What a run is called with; throws what is wrong with it, before anything is written or sent. */
export function readRun(
  { env, cwd, service }: Pick<Call, 'env' | 'cwd'> & { service?: object },
  flags: Given<'check'>,
) {
  const wanted = readSettings(readEnvironment(cwd, env, flags.envFile), { cwd, flags })
  if (wanted.embedded && flags.require.length > 0 && !service)
    throw new Impossible(
      '--require is given but BASE_URL is not set: your service would not be tested; set BASE_URL.',
    )
  const recordDir = flags.record === undefined ? undefined : resolve(cwd, flags.record)
  if (recordDir !== undefined && flags.failed !== undefined)
    throw new Impossible(
      '--failed cannot be recorded: its report carries over what another run found; leave one of the two out.',
    )
  return { wanted, order: readOrder(flags, cwd, wanted), recordDir }
}

/** before a run removes any earlier report */
export function readOrder(
  flags: Flags,
  cwd: string,
  { reportsDir }: Pick<Settings, 'reportsDir'>,
): Order {
  const baseline = readBaseline(flags.baseline, cwd, reportsDir)
  const order: Order = { ...flags, ...readPresent(flags, cwd), baseline }
  if (flags.failed === undefined) return order
  const file = flags.failed || reportsDir
  const mistake = mistakeIn(`--failed ${file}: `)
  const written = readReport(resolve(cwd, file))
  endIfForeign(written, mistake)
  // That run ended before its clauses: all of them are left to run.
  if (written.clauses.length === 0) return order
  const report = withPresentIds(written)
  const only = report.clauses
    .filter(({ verdict }) => !['pass', 'observed'].includes(verdict))
    .map(({ id }) => id)
  if (only.length === 0) mistake('every clause in it is green; nothing is left to run again.')
  const chosen = report.clauses.filter((clause) => isWanted(clause, selectedBy(order)))
  if (chosen.length > 0 && !chosen.some(({ id }) => only.includes(id)))
    mistake(
      `every clause of ${describeSelection(order)} in it is green; nothing is left to run again.`,
    )
  const notices = [...order.notices, ...noticesOfReport(written)]
  return { ...order, only, earlier: { file, report }, notices }
}

/** What flags and waivers say about clauses, with the ids that those have now. */
function readPresent({ clauses, require, waivers }: Flags, cwd: string) {
  needNoneRetired(clauses, '--clauses')
  needNoneRetired(require, '--require')
  const waived = waivers === undefined ? [] : readWaivers(waivers, cwd)
  const waivedIds = waived.map(({ clause }) => clause)
  return {
    clauses: presentGlobs(clauses),
    require: presentGlobs(require),
    waived: waived.map(presentWaiver),
    notices: [
      ...noticesOfGlobs(clauses, '--clauses'),
      ...noticesOfGlobs(require, '--require'),
      ...noticesOfGlobs(waivedIds, `--waivers ${waivers}`),
    ],
  }
}

/** A report without any clause of this suite can be neither compared nor continued. */
function endIfForeign({ clauses }: Report, mistake: (rest: string) => never): void {
  if (clauses.length > 0 && !clauses.some(({ id }) => matchesAny(id, clauseGlobs)))
    mistake('it is a report of another suite; give a report of this suite.')
}

function readBaseline(
  given: string | undefined,
  cwd: string,
  reportsDir: string,
): Baseline | undefined {
  if (given === undefined) {
    const report = reportIn(reportsDir)
    return report && { report }
  }
  const mistake = mistakeIn(`--baseline ${given}: `)
  const report = readReport(resolve(cwd, given))
  if (report.clauses.every(isUndecided))
    mistake('no clause was decided there; give the report of a run that decided some.')
  endIfForeign(report, mistake)
  return { file: given, report }
}

const mostGlobs = 3

export type Parts = Pick<Order, 'clauses'> & Partial<Pick<Order, 'level' | 'section' | 'profile'>>

export const selectedBy = ({ clauses, profile = 'full', level, section }: Parts) => ({
  clauses,
  profile: clausesIn(profile),
  levels: level,
  sections: section,
})

/** Describes a selection that is less than everything; the verdict covers it alone. */
export function describeSelection(order: Parts & Pick<Order, 'earlier' | 'only'>) {
  const { clauses, profile = 'full', level = [], section = [], earlier, only } = order
  const more = clauses.length - mostGlobs
  const parts = present([
    profile !== 'full' && `--profile ${profile}`,
    level.map((each) => `--level ${each}`),
    section.map((each) => `--section '${each}'`),
    clauses.length > 0 && `--clauses ${clauses.slice(0, mostGlobs).join()}${more > 0 ? ',…' : ''}`,
    only && `--failed ${earlier?.file}`,
  ])
  return parts.length > 0 ? parts.join(' ') : undefined
}

export const selectionFor = (order: Order, { notPermitted }: Settings): Selection => ({
  notPermitted: notPermitted.filter((each) => !Object.hasOwn(operations, each)),
  listing: commandLine('clauses'),
  ...selectedBy(order),
  required: order.require,
  only: order.only,
  asked: describeSelection(order),
})
