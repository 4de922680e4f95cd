import { isDeepStrictEqual } from 'node:util'
import { counted } from '../../engine/counted.ts'
import { isObject } from '../../engine/http/answers.ts'
import { notKnown } from '../../engine/observation.ts'
import { type ClauseReport, type Report, toldVerdict } from '../../engine/run/report.ts'
import { firstLine, groupedBy } from '../parts/texts.ts'

export type Names = readonly [one: string, other: string]

type Sides = readonly [one: ClauseReport | undefined, other: ClauseReport | undefined]

/** The facts of a clause that did not need to run. */
export type Facts = Pick<ClauseReport, 'id' | 'level' | 'statement' | 'section' | 'operation'>

/** Who breaks a clause, or that only what was observed differs, the gravest first. */
const grades = ['other only', 'both', 'one only', 'observed'] as const

export type Compared = {
  facts: Facts
  outcome: 'agree' | 'diverge' | 'not compared'
  why?: string
  /** who breaks the clause, or that they differ where the contract leaves a choice; what both break agrees */
  grade?: (typeof grades)[number]
  sides: Sides
}

type Outcome = Omit<Compared, 'facts' | 'sides'>

export function compare(
  one: Report,
  other: Report,
  { manifest, names }: { manifest: readonly Facts[]; names: Names },
): Compared[] {
  const [ones, others] = [byId(one.clauses), byId(other.clauses)]
  return [...new Map([...byId<Facts>(manifest), ...ones, ...others])].map(([id, facts]) => {
    const sides: Sides = [ones.get(id), others.get(id)]
    return { facts, sides, ...outcomeOf(sides, names) }
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

/** A warning counts as a failure: --strict alone distinguishes them. */
export const isBroken = ({ verdict }: ClauseReport): boolean =>
  verdict === 'fail' || verdict === 'warn'

export const isUndecided = ({ verdict }: ClauseReport): boolean =>
  verdict === 'skip' || verdict === 'inconclusive'

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

export const breaksContract = ({ grade, sides: [, other] }: Compared): boolean =>
  grade === 'other only' && other !== undefined && toldVerdict(other) === 'fail'

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
    failed: count(breaksContract),
    both: count(({ grade }) => grade === 'both'),
    oneOnly: count(({ grade }) => grade === 'one only'),
    free: count(({ grade }) => grade === 'observed'),
  }
}

/** The five lines to quote: how faithful the second side is to the first. */
export function fiveLines(compared: readonly Compared[], [one, other]: Names): string[] {
  const { all, agree, both, breaks, failed, oneOnly, free, ...rest } = figuresOf(compared)
  return [
    `${rest.compared} of ${counted(all, 'clause')} were judged on both ${one} and ${other}${share(rest.compared, all)}.`,
    `${agree} of them agree${share(agree, rest.compared)}${both > 0 ? `; ${both} of these are broken by both` : ''}.`,
    `${other} breaks ${breaks} that ${one} keeps${breaks > 0 ? ` (${failed} failed, ${breaks - failed} warned or waived)` : ''}; ${one} breaks ${oneOnly} that ${other} keeps.`,
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
