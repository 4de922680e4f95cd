import { matchesAny } from '../../engine/glob.ts'
import { type ClauseReport, isCounted, type Report, toldVerdict } from '../../engine/run/report.ts'
import { type Cause, causes, isLost, type Level, type Verdict } from '../../engine/verdict.ts'
import { cut } from './cut.ts'
import { present } from './present.ts'

/** A verdict as reports show it: a waived breach is waived, and a clause that is too new is not counted. */
export type ShownVerdict = Verdict | 'waived' | 'not counted'

/** The gravest first, observations last. */
export const told = [
  'fail',
  'warn',
  'waived',
  'inconclusive',
  'skip',
  'pass',
  'observed',
  'not counted',
] as const satisfies readonly ShownVerdict[]

export const levels = ['must', 'should', 'observe'] as const satisfies readonly Level[]

type Tally = Record<ShownVerdict, number>

export function tally(clauses: readonly ClauseReport[]): Tally {
  const counts = Object.fromEntries(told.map((verdict) => [verdict, 0])) as Tally
  for (const clause of clauses) counts[toldVerdict(clause)] += 1
  return counts
}

/** Every number in a report comes from here. */
export function countOf({ clauses }: Pick<Report, 'clauses'>): Record<Level, Tally> {
  const of = (level: Level) => tally(clauses.filter((clause) => clause.level === level))
  return { must: of('must'), should: of('should'), observe: of('observe') }
}

/** The numbers for scripts: of musts, except for broken or waived shoulds. */
export function figuresOf(report: Pick<Report, 'clauses'>) {
  const { must, should } = countOf(report)
  return {
    passed: must.pass,
    failed: must.fail,
    waived: must.waived + should.waived,
    warned: should.warn + should.fail,
    'not-checked': must.skip + must.inconclusive,
  }
}

/** Why a clause was not checked; `unknown`: a report of version 1 has no causes. */
export type NotCheckedFor = 'dangling' | 'inconclusive' | Cause | 'unknown'

export const isOpen = (clause: Pick<ClauseReport, 'verdict' | 'newerThan'>): boolean =>
  isCounted(clause) && (clause.verdict === 'skip' || clause.verdict === 'inconclusive')

export function openFor({ verdict, cause, dangling }: ClauseReport): NotCheckedFor {
  if (verdict === 'inconclusive') return 'inconclusive'
  if (dangling !== undefined) return 'dangling'
  return cause && causes.includes(cause) ? cause : 'unknown'
}

/** The cause of one clause, and of several. What needs an action comes first, above all a fact that no clause judged. */
const needs: Record<NotCheckedFor, [one: string, several?: string]> = {
  dangling: ['whose missing fact no clause judged'],
  inconclusive: ['inconclusive'],
  refused: ['was refused', 'were refused'],
  setting: ['needs a setting', 'need a setting'],
  data: ['needs data', 'need data'],
  freedom: ['left open by the contract'],
  clause: ['waits for another clause', 'wait for other clauses'],
  unknown: ['skipped'],
}

export const notCheckedFor = Object.keys(needs) as NotCheckedFor[]

/** A number of clauses and their cause, in words: "4 need a setting". */
export function describeOpen(cause: NotCheckedFor, count: number, what = String(count)): string {
  const [one, several = one] = needs[cause]
  return `${what} ${count === 1 ? one : several}`
}

/** Clauses by level, in words: "8 musts, 1 should and 5 observations". */
export function describeLevels(clauses: readonly Pick<ClauseReport, 'level'>[]): string {
  const parts = levels.flatMap((level) => {
    const count = clauses.filter((clause) => clause.level === level).length
    return count > 0 ? [counted(count, nounOf[level])] : []
  })
  return parts.join(', ').replace(/, ([^,]*)$/, ' and $1')
}

const nounOf: Record<Level, string> = { must: 'must', should: 'should', observe: 'observation' }

export const counted = (count: number, noun: string, plural = `${noun}s`) =>
  `${count} ${count === 1 ? noun : plural}`

export const headingOf = (title: string, clauses: readonly ClauseReport[]): string =>
  clauses.length === 0
    ? title
    : `${title}: ${counted(clauses.length, 'clause')} (${describeLevels(clauses)})`

const wordOf = ({ verdict, interrupted }: Report): string =>
  `${verdict.toUpperCase()}${interrupted ? ' (INTERRUPTED)' : ''}`

/**
 * The verdict's line: what is broken, what holds and what was not checked. It counts shoulds if no must was
 * selected. A waived breach never counts as holding, and the line always mentions it. `short`: without the
 * causes.
 */
export function verdictLine(report: Report, { short = false } = {}): string {
  const { verdict, selection } = report
  const clauses = report.clauses.filter(isCounted)
  const { must, should } = countOf(report)
  const noun = clauses.some(({ level }) => level === 'must') ? 'must' : 'should'
  const judged = clauses.filter(({ level }) => level === noun)
  const counts = { must, should }[noun]
  const of = selection === undefined ? '' : ` of ${selection}`
  const all = `${counted(judged.length, noun)}${of}`

  const waived = counted(must.waived + should.waived, 'waived breach', 'waived breaches')
  const warnings = counted(should.warn, 'warning')
  const [hasWaived, hasWarnings] = [must.waived + should.waived > 0, should.warn > 0]
  const silent = short ? undefined : silentAreas(report)
  const open = openOf(judged, silent, report.recorded)
  const hold = `${counts.pass === 1 ? 'holds' : 'hold'}${sourceOf(report)}`
  const rest =
    counts.fail > 0
      ? [[`${counts.pass} ${hold}`, ...open].join(', ')]
      : judged.length > 0
        ? [`${counts.pass} of ${all} ${hold}`, ...open]
        : nothingJudged({ ...report, clauses }, of, silent)
  const newer = report.clauses.length - clauses.length
  const [newest] = report.clauses.filter((clause) => !isCounted(clause))
  const flipped = report.flips?.length ?? 0
  if (report.times)
    rest.push(`${flipped === 0 ? 'nothing' : flipped} flipped in ${report.times} runs`)
  if (newest) rest.push(`${newer} not counted: newer than ${newest.newerThan}`)

  if (verdict === 'conformant') {
    const beside = present([hasWaived && `but for ${waived}`, hasWarnings && `with ${warnings}`])
    return `${[wordOf(report), ...beside].join(' ')}: ${rest.join('; ')}`
  }
  const broken = present([
    counts.fail > 0 && `${counts.fail} of ${all}`,
    noun === 'must' && should.fail > 0 && counted(should.fail, 'should'),
  ])
  const found = present([
    broken.length > 0 && `${broken.join(' and ')} broken`,
    broken.length === 0 && judged.length > 0 && hasReason(report) && firstReason(report),
    hasWaived && waived,
    hasWarnings && warnings,
  ])
  return `${wordOf(report)}: ${present([found.length > 0 && found.join(', '), rest]).join('; ')}`
}

/** What was judged in place of a service. */
function sourceOf({ recorded, replayed }: Report): string {
  if (recorded !== undefined)
    return `, judged from ${recorded.toLocaleString('en')} recorded exchange${recorded === 1 ? '' : 's'}`
  if (!replayed) return ''
  const { of, departed } = replayed
  const left = departed
    ? `; after ${(departed.afterMs / 1000).toFixed(1)} s it differs from the record, and ${counted(departed.missing, 'request')} ${departed.missing === 1 ? 'is' : 'are'} not in it`
    : ''
  return `, replayed from the record of ${of}, nothing was sent${left}`
}

/** "8 not checked (4 need a setting, 4 need data)"; `areas`: without the causes. */
function openOf(
  clauses: readonly ClauseReport[],
  areas: readonly string[] | undefined,
  recorded: number | undefined,
): string[] {
  const open = clauses.filter(isOpen)
  if (open.length === 0) return []
  if (recorded !== undefined) return [`${open.length} not shown by this traffic`]
  const why = notCheckedFor.flatMap((cause) => {
    const count = open.filter((clause) => openFor(clause) === cause).length
    return count > 0 ? [describeOpen(cause, count)] : []
  })
  const silent = areas?.map((area) => `; no must of ${area} was decided`).join('')
  return [`${open.length} not checked${areas ? ` (${why.join(', ')}${silent})` : ''}`]
}

const silentAreas = ({ clauses, areas = [] }: Report): string[] =>
  areas.flatMap(({ name, clauses: ids }) => {
    const musts = clauses.filter(
      (each) => isCounted(each) && each.level === 'must' && matchesAny(each.id, ids),
    )
    return musts.length > 0 && musts.every(isOpen) ? [name] : []
  })

function nothingJudged({ clauses }: Report, of: string, silent?: readonly string[]): string[] {
  if (clauses.length === 0) return ['nothing was checked']
  const seen = counted(tally(clauses).observed, 'observation')
  return [`nothing${of} was to be judged`, seen, ...openOf(clauses, silent, undefined)]
}

/** Whether a reason besides the clauses makes the verdict, such as a stale waiver. */
const hasReason = ({ verdict, interrupted, reasons = [], clauses }: Report): boolean =>
  clauses.length > 0 &&
  reasons.length > 0 &&
  !interrupted &&
  (verdict !== 'inconclusive' || !clauses.filter(isCounted).some(isLost))

/** The first reason without its details, which may be the service's words. */
const firstReason = ({ reasons: [first = ''] }: Report): string =>
  cut(first.replace(/(: |, |\n).*/s, ''), 120)

/** What the verdicts rest on: the run's seed, requests and time, or what was recorded. */
export function restingOn({ recorded, seed, requests, durationMs }: Report): string[] {
  const time = `${(durationMs / 1000).toFixed(1)} s`
  return recorded === undefined
    ? [`seed ${seed}`, counted(requests, 'request'), time]
    : [`${counted(recorded, 'recorded exchange')} over ${time}`, 'nothing was sent']
}

/** A task that the run could not put back, in words. */
export const residueLine = ({ task, reason }: Report['residue'][number]): string =>
  `NOT AS FOUND: task ${task}: ${reason}`
