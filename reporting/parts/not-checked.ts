import { commandLine } from '../../engine/called.ts'
import { distinct } from '../../engine/distinct.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { describeDeclaration } from '../../engine/run/reach.ts'
import { asksForFile, type ClauseReport, type Report } from '../../engine/run/report.ts'
import type { NeededSettings, Verdict } from '../../engine/verdict.ts'
import { describeLevels, isOpen, type NotCheckedFor, openFor } from './count.ts'
import { firstLine, groupedBy, present } from './texts.ts'

export type NotChecked = {
  cause: NotCheckedFor
  count: number
  /** how many, and the cause, in words: "4 need a setting"; in the heading "4 musts need a setting" */
  short: string
  heading: string
  /** what would make them checkable */
  remedy: string
  /** the only reason says it too */
  isRemedySaid?: true
  reasons: { why: string; clauses: string[] }[]
}

/** `never`: what the service never gave comes first, with all clauses that lack it. */
export function notChecked(
  clauses: readonly ClauseReport[],
  never?: NeverGiven | undefined,
): NotChecked[] {
  const isOfNever = (clause: ClauseReport) =>
    clause.verdict === 'inconclusive' && never?.concerns(clause) === true
  const open = clauses.filter(isOpen).sort((a, b) => Number(isOfNever(b)) - Number(isOfNever(a)))
  const verdicts = new Map(clauses.map(({ id, verdict }) => [id, verdict]))
  const verdictOf: VerdictOf = (id) => verdicts.get(id)
  return (Object.keys(words) as NotCheckedFor[]).flatMap((cause) => {
    const group = open.filter((clause) => openFor(clause) === cause)
    if (group.length === 0) return []
    const { needs, remedy, why: whyOf = reasonOf, key = whyOf } = words[cause]
    const need = needs[Math.min(needs.length, group.length) - 1]
    const why: typeof whyOf = (clause, verdictOf) =>
      never && isOfNever(clause) ? never.sentence : whyOf(clause, verdictOf)
    const keyOf = (each: ClauseReport) =>
      isOfNever(each) ? why(each, verdictOf) : key(each, verdictOf)
    const reasons = [...groupedBy(group, keyOf).values()].map((same) => ({
      // A declaration has to name all its ids.
      why: `${why(same[0] as ClauseReport, verdictOf)}${cause === 'refused' ? describeDeclaration(same) : ''}`,
      clauses: same.map(({ id }) => id),
    }))
    return [
      {
        cause,
        count: group.length,
        short: `${group.length} ${need}`,
        heading: `${describeLevels(group)} ${need}`,
        remedy: remedy(group),
        ...(reasons.length === 1 && isOneSetting(group) ? { isRemedySaid: true } : {}),
        reasons,
      },
    ]
  })
}

type VerdictOf = (id: string) => Verdict | undefined

type Words = {
  /** the cause of one clause, and of several */
  needs: [one: string, several?: string]
  remedy: (group: readonly ClauseReport[]) => string
  why?: (clause: ClauseReport, verdictOf: VerdictOf) => string
  /** what groups clauses; default: why they were not checked */
  key?: (clause: ClauseReport, verdictOf: VerdictOf) => string
}

const reasonOf = ({ reason = '' }: ClauseReport): string => firstLine(reason)

/** The owners that keep a clause waiting: those that broke or were lost, or else that were not checked. */
function ownersOf({ owners = [] }: ClauseReport, verdictOf: VerdictOf): string {
  const open = owners.filter((id) => !isOneOf(['pass', 'observed'], verdictOf(id)))
  const broken = open.filter((id) => isOneOf(['fail', 'warn', 'inconclusive'], verdictOf(id)))
  const named = broken.length > 0 ? broken : open
  return listOf(
    named.map((id) => `${id} (${verdictOf(id) ?? 'not in this run'})`),
    3,
  )
}

const isOneOf = (wanted: readonly Verdict[], verdict: Verdict | undefined): boolean =>
  verdict !== undefined && wanted.includes(verdict)

const again = commandLine('check', '--failed')

/** What needs an action comes first, above all a fact that no clause judged. */
const words: Record<NotCheckedFor, Words> = {
  dangling: {
    needs: ['depend on a fact that no clause judged'],
    remedy: () =>
      'the clause that owns the fact has not judged it; report this to the authors of the suite',
    why: (clause) => `${clause.dangling}; ${reasonOf(clause)}`,
  },
  inconclusive: {
    needs: ['inconclusive'],
    remedy: () => `each reason says what interfered; once it is gone, run ${again}`,
  },
  refused: {
    needs: ['was rejected', 'were rejected'],
    remedy: () => 'each reason says which setting to correct, or what to declare',
  },
  setting: {
    needs: ['needs a setting', 'need a setting'],
    remedy: remedyOfSettings,
    // A setting can be missing in several ways: unset, or with too few ids.
    key: (clause) => clause.settings?.set?.join() || reasonOf(clause),
  },
  data: {
    needs: ['needs data', 'need data'],
    remedy: () => 'the service needs the data that each reason names',
  },
  freedom: {
    needs: ['left open by the contract'],
    remedy: () => 'each reason says what the service chose; nothing to do',
  },
  clause: {
    needs: ['waits for another clause', 'wait for other clauses'],
    remedy: () => 'can be checked once the named clause passes',
    why: (clause, verdictOf) => `${ownersOf(clause, verdictOf)}: ${reasonOf(clause)}`,
  },
  unknown: { needs: ['skipped'], remedy: () => 'the report is of version 1, which has no causes' },
}

export const listOf = (ids: readonly string[], most = 6): string =>
  ids.length > most
    ? `${ids.slice(0, most).join(', ')} … and ${ids.length - most} more`
    : ids.join(', ')

const fewOf = (ids: readonly string[]) =>
  ids.length > 3 ? `${ids.length} clauses` : ids.join(', ')

/** Of many reasons the first. */
export function notCheckedLines(groups: readonly NotChecked[], most = Infinity): string[] {
  // Each cause needs its heading and a line for omissions.
  let room = most - 2 * groups.length
  return groups.flatMap(({ heading, remedy, isRemedySaid, reasons }) => {
    const lineOf = ({ why, clauses }: NotChecked['reasons'][number]) => `${why} (${fewOf(clauses)})`
    const [only] = reasons
    if (only && isRemedySaid) return [`${heading}: ${lineOf(only)}`]
    const shown = reasons.slice(0, Math.max(1, room))
    room -= shown.length
    const left = reasons.length - shown.length
    return present([
      `${heading}: ${remedy}`,
      shown.map((each) => `  ${lineOf(each)}`),
      left > 0 && `  … and ${left} more reasons: index.html#part=unchecked`,
    ])
  })
}

/** The settings that these clauses need, each once. */
function settingsOf(group: readonly ClauseReport[]): Required<NeededSettings> {
  const named = group.flatMap(({ settings }) => settings ?? [])
  return {
    set: distinct(named.flatMap(({ set = [] }) => set)),
    change: distinct(named.flatMap(({ change = [] }) => change)),
  }
}

function isOneSetting(group: readonly ClauseReport[]): boolean {
  const { set, change } = settingsOf(group)
  return set.length === 1 && change.length === 0
}

function remedyOfSettings(group: readonly ClauseReport[]): string {
  const { set, change } = settingsOf(group)
  const advice = present([
    set.length > 0 && `set ${set.join(', ')}`,
    change.length > 0 && `unset or change ${change.join(', ')}`,
  ])
  return advice.join('; ') || 'each reason names the setting'
}

type NeverGiven = { sentence: string; concerns(clause: ClauseReport): boolean }

const fewest = 4
const shortestMs = 10_000

const typeOf = (exchange: Exchange, report: Pick<Report, 'operations'>) => {
  if (!asksForFile(exchange, report)) return undefined
  const [, query = ''] = exchange.path.split('?')
  return new URLSearchParams(query).get('file_type') === 'pdf' ? 'PDF' : 'CSV'
}

const isGiven = ({ status = 0, trouble }: Exchange) => status < 300 && trouble === undefined
/** A rejected request says nothing of the files. */
const isFailing = ({ status = 0, trouble }: Exchange) => trouble !== undefined || status >= 500
const at = ({ start }: Exchange) => Date.parse(start)

/** Four or more over ten seconds, between files of the other type; each alone could be an outage. */
export function neverGiven(
  report: Pick<Report, 'exchanges' | 'operations'>,
): NeverGiven | undefined {
  const { exchanges } = report
  for (const type of ['PDF', 'CSV']) {
    const own = exchanges.filter((each) => typeOf(each, report) === type)
    const failing = own.filter(isFailing).sort((a, b) => at(a) - at(b))
    const [first, last] = [failing[0], failing.at(-1)]
    if (!first || !last || failing.length < fewest || own.some(isGiven)) continue
    const others = exchanges.filter((each) => {
      const otherType = typeOf(each, report)
      const isOther = otherType !== type && otherType !== undefined && isGiven(each)
      return isOther && at(each) > at(first) && at(each) < at(last)
    })
    if (at(last) - at(first) < shortestMs || others.length === 0) continue
    const how = distinct(failing.map(({ trouble, status }) => (trouble ? 'no end' : `${status}`)))
    const numbers = new Set(failing.map(({ number }) => number))
    return {
      sentence: `every ${type} export failed (${how.join(', ')}, ${failing.length} of ${failing.length})`,
      concerns: ({ evidence }) => evidence.some(({ exchange }) => numbers.has(exchange)),
    }
  }
  return undefined
}
