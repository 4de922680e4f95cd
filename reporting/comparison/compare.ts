import { type ClauseReport, type Report, toldVerdict } from '../../engine/run/report.ts'
import { differencesIn } from './values.ts'

/** What to call the two sides: the one that is measured by, and the one that is measured. */
export type Names = readonly [one: string, other: string]

export type Sides = readonly [one: ClauseReport | undefined, other: ClauseReport | undefined]

/** What a difference is about, the gravest first. */
export const grades = ['other only', 'both', 'one only', 'observed'] as const
export type Grade = (typeof grades)[number]

/** What is known of a clause whether or not it ran. */
export type Facts = Pick<ClauseReport, 'id' | 'level' | 'statement' | 'section' | 'operation'>

export type Compared = {
  facts: Facts
  outcome: 'agree' | 'diverge' | 'not comparable'
  /** why it cannot be compared */
  why?: string
  /** what it is listed for among the differences; broken by both sides it is listed, and agrees */
  grade?: Grade
  sides: Sides
}

/** Holds two reports against each other, clause by clause: those of the suite and of the reports. */
export function compare(
  one: Report,
  other: Report,
  { manifest, names }: { manifest: readonly Facts[]; names: Names },
): Compared[] {
  const [ones, others] = [byId(one.clauses), byId(other.clauses)]
  const all = new Map([...byId(manifest), ...ones, ...others])
  return [...all].map(([id, facts]) => {
    const sides: Sides = [ones.get(id), others.get(id)]
    return { facts, sides, ...outcomeOf(sides, names) }
  })
}

const byId = <T extends Facts>(clauses: readonly T[]) =>
  new Map(clauses.map((clause) => [clause.id, clause]))

type Outcome = Omit<Compared, 'facts' | 'sides'>

function outcomeOf(sides: Sides, names: Names): Outcome {
  const [one, other] = sides
  if (!one || !other) return incomparable(absence(sides, names))
  if (one.level !== other.level) return incomparable(describeLevels(one, other, names))
  const [first, second] = [stateOf(one), stateOf(other)]
  if (first === 'open' || second === 'open') return incomparable(openness(one, other, names))
  if (first === 'broken' && second === 'broken') return { outcome: 'agree', grade: 'both' }
  if (first === 'broken') return { outcome: 'diverge', grade: 'one only' }
  if (second === 'broken') return { outcome: 'diverge', grade: 'other only' }
  const apart = first === 'seen' && differencesIn(one.observed, other.observed).length > 0
  if (!apart) return { outcome: 'agree' }
  const varies = one.varies ?? other.varies
  if (varies !== undefined) return incomparable(`what is seen varies with ${varies}`)
  return { outcome: 'diverge', grade: 'observed' }
}

const incomparable = (why: string): Outcome => ({ outcome: 'not comparable', why })

type State = 'kept' | 'broken' | 'seen' | 'open'

/** A warning and a failure are one thing: which of them it is depends on --strict alone. */
const states: Record<ClauseReport['verdict'], State> = {
  pass: 'kept',
  fail: 'broken',
  warn: 'broken',
  observed: 'seen',
  skip: 'open',
  inconclusive: 'open',
}

const stateOf = ({ verdict }: ClauseReport) => states[verdict]

function absence([one, other]: Sides, [first, second]: Names): string {
  if (!one && !other) return 'in neither report'
  return `in the report of ${one ? first : second} only`
}

/** The levels are the suite's, not the services': a difference between them is no drift of anybody. */
function describeLevels(one: ClauseReport, other: ClauseReport, [first, second]: Names): string {
  return `level changed: ${one.level} (${first}), ${other.level} (${second})`
}

/** Whether a clause has another level in one report than in the other. */
export const isLevelChanged = ({ sides: [one, other] }: Compared): boolean =>
  one !== undefined && other !== undefined && one.level !== other.level

function openness(one: ClauseReport, other: ClauseReport, [first, second]: Names): string {
  const told = ({ verdict, reason = '' }: ClauseReport) => `${verdict}: ${reason.split('\n')[0]}`
  const [ofOne, ofOther] = [one, other].map((side) => stateOf(side) === 'open' && told(side))
  if (ofOne && ofOne === ofOther) return `${ofOne} (both)`
  return [ofOne && `${first} ${ofOne}`, ofOther && `${second} ${ofOther}`]
    .filter(Boolean)
    .join('; ')
}

/** The differences, the gravest first; what fails a run stands before what warns. */
export function differences(compared: readonly Compared[]): Compared[] {
  const rank = ({ grade, sides }: Compared) => {
    const fails = sides.some((side) => side && toldVerdict(side) === 'fail')
    return grade ? grades.indexOf(grade) * 2 + (fails ? 0 : 1) : 0
  }
  return compared.filter(({ grade }) => grade).toSorted((a, b) => rank(a) - rank(b))
}

/** Whether the side that is measured, and it alone, breaks what the contract states. */
export const breaksContract = ({ grade, sides: [, other] }: Compared): boolean =>
  grade === 'other only' && other !== undefined && toldVerdict(other) === 'fail'
