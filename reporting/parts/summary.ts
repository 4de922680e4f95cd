// What a run found, as one value: every rendering shows it, and none counts for itself.

import { counted } from '../../engine/counted.ts'
import { matchesAny } from '../../engine/glob.ts'
import { type ClauseReport, isCounted, type Report, toldVerdict } from '../../engine/run/report.ts'
import { isLost, type Level, type RunVerdict } from '../../engine/verdict.ts'
import { countsOfChanges } from './change-lines.ts'
import { isOpen, type ShownVerdict, type Tally, tally, told } from './count.ts'
import { type Group, groupsOf } from './groups.ts'
import { type NotChecked, neverGiven, notChecked } from './not-checked.ts'
import { cut, present } from './texts.ts'

type Counts = Record<Level, Tally>

export type Summary = {
  /** the verdict's line: what is broken, what holds and what was not checked */
  line: string
  verdict: RunVerdict
  /** for scripts: of musts, except for broken or waived shoulds */
  figures: Record<'passed' | 'failed' | 'waived' | 'warned' | 'not-checked', number>
  counts: Counts
  groups: Group[]
  /** the ids of the clauses with each verdict */
  clauses: Record<ShownVerdict, string[]>
  notChecked: NotChecked[]
  /** against the baseline */
  since?: Since
  notAsFound: string[]
  /** the seed, requests and time of the run */
  facts: string[]
}

type Since = { line: string } & Record<
  'new' | 'still' | 'fixed' | 'flipped' | 'differing',
  string[]
>

/** A cache: every rendering shows the same summary. */
const made = new WeakMap<Report, Summary>()

export function summaryOf(report: Report): Summary {
  const known = made.get(report) ?? summed(report)
  made.set(report, known)
  return known
}

function summed(report: Report): Summary {
  const { clauses, verdict, residue = [] } = report
  const of = (level: Level) => tally(clauses.filter((clause) => clause.level === level))
  const counts = { must: of('must'), should: of('should'), observe: of('observe') }
  const { must, should } = counts
  const having = (wanted: ShownVerdict) =>
    clauses.filter((clause) => toldVerdict(clause) === wanted).map(({ id }) => id)
  return {
    line: verdictLine(report, counts),
    verdict,
    figures: {
      passed: must.pass,
      failed: must.fail,
      waived: must.waived + should.waived,
      warned: should.warn + should.fail,
      'not-checked': must.skip + must.inconclusive,
    },
    counts,
    groups: groupsOf(report),
    clauses: Object.fromEntries(told.map((each) => [each, having(each)])) as Summary['clauses'],
    notChecked: notChecked(clauses, neverGiven(report)),
    ...(report.baseline && { since: sinceOf(report.baseline, clauses.length) }),
    notAsFound: residue.map(({ task, reason }) => `task ${task}: ${reason}`),
    facts: factsOf(report),
  }
}

function sinceOf(baseline: NonNullable<Report['baseline']>, all: number): Since {
  const { file, startedAt, compared, causes = [], since } = baseline
  const { new: found, fixed, flipped, differing } = baseline
  const changes = present([
    countsOfChanges(causes),
    flipped.length > 0 && `${counted(flipped.length, 'clause')} flipped`,
    differing.length > 0 && `${differing.length} observed otherwise`,
  ])
  const minute = startedAt.slice(0, 16).replace('T', ' ')
  const run = `the run of ${minute}${file ? ` (${file})` : ''}`
  return {
    line: `since ${run}: ${changes.join(', ') || 'nothing changed'}; ${compared} of ${counted(all, 'clause')} were judged in both`,
    ...{ new: found, still: Object.keys(since), fixed, flipped, differing },
  }
}

export const readFirst = ({ clauses: [id] }: Group, report: Report): ClauseReport =>
  report.clauses.find((each) => each.id === id) as ClauseReport

export const clausesOf = (ids: readonly string[], { clauses }: Report): ClauseReport[] =>
  clauses.filter(({ id }) => ids.includes(id))

/** Begins the verdict's line. */
export const wordOf = ({ verdict, interrupted }: Report): string =>
  `${verdict.toUpperCase()}${interrupted ? ' (INTERRUPTED)' : ''}`

/**
 * The verdict's line: what is broken, what holds and what was not checked. It counts shoulds if no must was
 * selected. A waived breach never counts as holding, and the line always mentions it.
 */
function verdictLine(report: Report, { must, should }: Counts): string {
  const { verdict, selection } = report
  const clauses = report.clauses.filter(isCounted)
  const noun = clauses.some(({ level }) => level === 'must') ? 'must' : 'should'
  const judged = clauses.filter(({ level }) => level === noun)
  const counts = { must, should }[noun]
  const of = selection === undefined ? '' : ` of ${selection}`
  const all = `${counted(judged.length, noun)}${of}`

  const waived = counted(must.waived + should.waived, 'waived breach', 'waived breaches')
  const warnings = counted(should.warn, 'warning')
  const [hasWaived, hasWarnings] = [must.waived + should.waived > 0, should.warn > 0]
  const silent = silentAreas(report)
  const open = uncheckedIn(judged, silent)
  const hold = `${counts.pass === 1 ? 'passes' : 'pass'}${sourceOf(report)}`
  const rest =
    counts.fail > 0
      ? [[`${counts.pass} ${hold}`, ...open].join(', ')]
      : judged.length > 0
        ? [`${counts.pass} of ${all} ${hold}`, ...open]
        : nothingJudged({ ...report, clauses }, of, silent)
  const newer = report.clauses.length - clauses.length
  const [newest] = report.clauses.filter((clause) => !isCounted(clause))
  if (newest) rest.push(`${newer} not counted: newer than ${newest.newerThan}`)
  if (report.readOnly) rest.push('--read-only: no update was sent')

  if (verdict === 'conformant') {
    const beside = present([hasWaived && `apart from ${waived}`, hasWarnings && `with ${warnings}`])
    return `${[wordOf(report), ...beside].join(' ')}: ${rest.join('; ')}`
  }
  const broken = present([
    counts.fail > 0 && `${counts.fail} of ${all}`,
    noun === 'must' && should.fail > 0 && counted(should.fail, 'should'),
  ])
  const found = present([
    broken.length > 0 && `${broken.join(' and ')} broken`,
    broken.length === 0 && judged.length > 0 && reasonOf(report),
    hasWaived && waived,
    hasWarnings && warnings,
  ])
  return `${wordOf(report)}: ${present([found.length > 0 && found.join(', '), rest]).join('; ')}`
}

function sourceOf({ replayed }: Report): string {
  if (!replayed) return ''
  const { of, departed } = replayed
  const left = departed
    ? `; after ${(departed.afterMs / 1000).toFixed(1)} s it differs from the record, and ${counted(departed.missing, 'request')} ${departed.missing === 1 ? 'is' : 'are'} not in it`
    : ''
  return `, replayed from the record of ${of}, nothing was sent${left}`
}

/** "8 not checked (4 need a setting, 4 need data)" */
function uncheckedIn(clauses: readonly ClauseReport[], areas: readonly string[]) {
  const open = clauses.filter(isOpen)
  if (open.length === 0) return []
  const why = notChecked(open).map(({ short }) => short)
  const silent = areas.map((area) => `; no must of ${area} was decided`).join('')
  return [`${open.length} not checked (${why.join(', ')}${silent})`]
}

const silentAreas = ({ clauses, areas = [] }: Report): string[] =>
  areas.flatMap(({ name, clauses: ids }) => {
    const musts = clauses.filter(
      (each) => isCounted(each) && each.level === 'must' && matchesAny(each.id, ids),
    )
    return musts.length > 0 && musts.every(isOpen) ? [name] : []
  })

function nothingJudged({ clauses }: Report, of: string, silent: readonly string[]): string[] {
  if (clauses.length === 0) return ['nothing was checked']
  const seen = counted(tally(clauses).observed, 'observation')
  return [`nothing${of} was to be judged`, seen, ...uncheckedIn(clauses, silent)]
}

/** Whether one reason makes the verdict: one besides the clauses, such as a stale waiver, or that of all clauses. */
function hasReason({ verdict, interrupted, endedEarly, reasons = [], clauses }: Report): boolean {
  const isLeftOpen = verdict === 'inconclusive' && clauses.filter(isCounted).some(isLost)
  return (
    clauses.length > 0 && reasons.length > 0 && !interrupted && (endedEarly === true || !isLeftOpen)
  )
}

/** What the line says of a run without a breach. */
const reasonOf = (report: Report) =>
  (report.verdict === 'inconclusive' && neverGiven(report)?.sentence) ||
  (hasReason(report) && firstReason(report))

/** Older reports have no short one. */
const firstReason = ({ shortReason, reasons: [first = ''] }: Report): string =>
  cut(shortReason ?? first, 120)

const factsOf = ({ seed, requests, durationMs }: Report): string[] => [
  `seed ${seed}`,
  counted(requests, 'request'),
  `${(durationMs / 1000).toFixed(1)} s`,
]
