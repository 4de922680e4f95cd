import { isDeepStrictEqual } from 'node:util'
import { counted } from '../../engine/counted.ts'
import { isObject } from '../../engine/http/answers.ts'
import { notKnown } from '../../engine/observation.ts'
import {
  type CauseChange,
  type ClauseReport,
  type Report,
  toldVerdict,
} from '../../engine/run/report.ts'
import { firstLine, groupedBy } from '../parts/texts.ts'
import { isBroken, isUndecided } from './cause-changes.ts'

export type Names = readonly [one: string, other: string]

type Sides = readonly [one: ClauseReport | undefined, other: ClauseReport | undefined]

/** The facts of a clause that did not need to run. */
export type Facts = Pick<ClauseReport, 'id' | 'level' | 'statement' | 'section' | 'operation'>

/** Who breaks a clause, and by the same causes, or that only what was observed differs, the gravest first. */
const grades = ['other only', 'another cause', 'both', 'one only', 'observed'] as const

export type Compared = {
  facts: Facts
  outcome: 'agree' | 'diverge' | 'not compared'
  why?: string
  /** who breaks the clause, or that they differ where the contract leaves a choice; what both break by the same causes agrees */
  grade?: (typeof grades)[number]
  sides: Sides
}

type Outcome = Omit<Compared, 'facts' | 'sides'>

export function compare(
  one: Report,
  other: Report,
  {
    manifest,
    names,
    changes,
  }: { manifest: readonly Facts[]; names: Names; changes: readonly CauseChange[] },
): Compared[] {
  const newCauses = changes.filter(({ change }) => change === 'new')
  const byNewCause = new Set(newCauses.flatMap(({ clauses }) => clauses))
  const [ones, others] = [byId(one.clauses), byId(other.clauses)]
  return [...new Map([...byId<Facts>(manifest), ...ones, ...others])].map(([id, facts]) => {
    const sides: Sides = [ones.get(id), others.get(id)]
    const outcome = outcomeOf(sides, names)
    if (outcome.grade !== 'both' || !byNewCause.has(id)) return { facts, sides, ...outcome }
    return { facts, sides, outcome: 'diverge', grade: 'another cause' }
  })
}

const byId = <T extends Facts>(clauses: readonly T[]) =>
  new Map(clauses.map((clause) => [clause.id, clause]))

function outcomeOf(sides: Sides, names: Names): Outcome {
  const [one, other] = sides
  if (!one || !other) return notCompared(`not in the report of ${names[one ? 1 : 0]}`)
  if (one.level !== other.level)
    return notCompared(`level changed: ${one.level} (${names[0]}), ${other.level} (${names[1]})`)
  if (isUndecided(one) || isUndecided(other)) return notCompared(openness([one, other], names))
  if (isBroken(one) && isBroken(other)) return { outcome: 'agree', grade: 'both' }
  if (isBroken(one)) return { outcome: 'diverge', grade: 'one only' }
  if (isBroken(other)) return { outcome: 'diverge', grade: 'other only' }
  const differs =
    one.verdict === 'observed' && differencesIn(one.observed, other.observed).length > 0
  if (!differs) return { outcome: 'agree' }
  const varies = one.varies ?? other.varies
  if (varies !== undefined) return notCompared(`what is observed varies with ${varies}`)
  return { outcome: 'diverge', grade: 'observed' }
}

const notCompared = (why: string): Outcome => ({ outcome: 'not compared', why })

export const undecidedTold = ({ verdict, reason = '' }: ClauseReport): string =>
  `${verdict}: ${firstLine(reason)}`

function openness(sides: readonly ClauseReport[], names: Names): string {
  const open = sides.flatMap((side, at) =>
    isUndecided(side) ? [{ name: names[at], why: undecidedTold(side) }] : [],
  )
  const byWhy = [...groupedBy(open, ({ why }) => why)]
  return byWhy
    .map(([why, [first, second]]) =>
      second ? `${why} (${first?.name} and ${second.name})` : `${first?.name} ${why}`,
    )
    .join('; ')
}

/** The other fails it, and the one does not, or not by that cause. */
export const breaksContract = ({ grade, sides: [, other] }: Compared): boolean =>
  (grade === 'other only' || grade === 'another cause') &&
  other !== undefined &&
  toldVerdict(other) === 'fail'

export const rankOf = (compared: Compared): number =>
  breaksContract(compared) || !compared.grade ? -1 : grades.indexOf(compared.grade)

/**
 * Where two observed values differ, member by member. A value that one of them does not know is not a
 * difference. The order of a list is: columns have an order.
 */
export function differencesIn(
  one: unknown,
  other: unknown,
  path = '',
): { path: string; one: unknown; other: unknown }[] {
  if (one === notKnown || other === notKnown) return []
  if (isObject(one) && isObject(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
    return names.flatMap((name) =>
      differencesIn(one[name], other[name], path === '' ? name : `${path} › ${name}`),
    )
  }
  return isDeepStrictEqual(one, other) ? [] : [{ path, one, other }]
}

export function valueTold(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string' && /^[^"\\\p{Cc}]+$/u.test(value) && value.trim() === value)
    return value
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string'))
    return value.map((item) => valueTold(item)).join(', ')
  return JSON.stringify(value)
}

export function figuresOf(compared: readonly Compared[]) {
  const count = (is: (each: Compared) => boolean) => compared.filter(is).length
  const agree = count(({ outcome }) => outcome === 'agree')
  const diverging = count(({ outcome }) => outcome === 'diverge')
  return {
    all: compared.length,
    compared: agree + diverging,
    agree,
    diverging,
    /** includes `failed` */
    breaks: count(({ grade }) => grade === 'other only'),
    failed: count((each) => each.grade === 'other only' && breaksContract(each)),
    otherwise: count(({ grade }) => grade === 'another cause'),
    both: count(({ grade }) => grade === 'both'),
    oneOnly: count(({ grade }) => grade === 'one only'),
    free: count(({ grade }) => grade === 'observed'),
  }
}

/** The five lines to quote: how faithful the second side is to the first. */
export function fiveLines(compared: readonly Compared[], [one, other]: Names): string[] {
  const { all, agree, both, breaks, failed, otherwise, oneOnly, free, ...rest } =
    figuresOf(compared)
  return [
    `${rest.compared} of ${counted(all, 'clause')} were judged on both ${one} and ${other}${share(rest.compared, all)}.`,
    `${agree} of them agree${share(agree, rest.compared)}${both > 0 ? `; ${both} of these are broken by both` : ''}.`,
    `${other} breaks ${breaks} that ${one} keeps${breaks > 0 ? ` (${failed} failed, ${breaks - failed} warned or waived)` : ''}; ${one} breaks ${oneOnly} that ${other} keeps${otherwise > 0 ? `; both break ${otherwise}, ${other} by another cause` : ''}.`,
    `In ${free} the contract leaves a choice and they differ.`,
    `${all - rest.compared} could not be compared.`,
  ]
}

/** Rounds to 0 % or 100 % only if that is exact: otherwise the rest would be hidden. */
function share(part: number, whole: number): string {
  if (whole === 0) return ''
  const exact = (part / whole) * 100
  const shown = part > 0 && part < whole ? Math.min(99.9, Math.max(0.1, exact)) : exact
  return ` (${shown.toFixed(1)} %)`
}
