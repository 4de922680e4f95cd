import { type ClauseReport, type Report, toldVerdict } from '../../engine/run/report.ts'
import { describeOpen, openFor } from '../parts/count.ts'
import { differencesIn } from './values.ts'

/** The names of the two sides: the reference, then the one compared with it. */
export type Names = readonly [one: string, other: string]

export type Sides = readonly [one: ClauseReport | undefined, other: ClauseReport | undefined]

/** The facts of a clause that did not need to run. */
export type Facts = Pick<ClauseReport, 'id' | 'level' | 'statement' | 'section' | 'operation'>

/** The gravest first. */
const grades = ['other only', 'both', 'one only', 'observed'] as const

export type Compared = {
  facts: Facts
  outcome: 'agree' | 'diverge' | 'not compared'
  /** why it cannot be compared, as a sentence and for a count */
  why?: string
  obstacle?: string
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
  if (!one && !other) return notCompared('in neither report')
  if (!one || !other)
    return notCompared(`in the report of ${names[one ? 0 : 1]} only`, 'in one report only')
  if (one.level !== other.level)
    return notCompared(
      `level changed: ${one.level} (${names[0]}), ${other.level} (${names[1]})`,
      'another level in each report',
    )
  const open = sides.find((side) => side && isUndecided(side))
  if (open) return notCompared(openness([one, other], names), obstacleOf(open))
  if (isBroken(one) && isBroken(other)) return { outcome: 'agree', grade: 'both' }
  if (isBroken(one)) return { outcome: 'diverge', grade: 'one only' }
  if (isBroken(other)) return { outcome: 'diverge', grade: 'other only' }
  const differs =
    one.verdict === 'observed' && differencesIn(one.observed, other.observed).length > 0
  if (!differs) return { outcome: 'agree' }
  const varies = one.varies ?? other.varies
  if (varies !== undefined)
    return notCompared(`what is observed varies with ${varies}`, 'varies with the data')
  return { outcome: 'diverge', grade: 'observed' }
}

const notCompared = (why: string, obstacle = why): Outcome => ({
  outcome: 'not compared',
  why,
  obstacle,
})

/** A warning counts as a failure: --strict alone distinguishes them. */
export const isBroken = ({ verdict }: ClauseReport): boolean =>
  verdict === 'fail' || verdict === 'warn'

export const isUndecided = ({ verdict }: ClauseReport): boolean =>
  verdict === 'skip' || verdict === 'inconclusive'

const obstacleOf = (clause: ClauseReport) => describeOpen(openFor(clause), 1, '').trim()

/** Levels belong to the suite: a different level is not drift of a service. */
export const isLevelChanged = ({ sides: [one, other] }: Compared): boolean =>
  one !== undefined && other !== undefined && one.level !== other.level

function openness(sides: readonly ClauseReport[], names: Names): string {
  const [one, other] = sides.map((side) =>
    isUndecided(side) ? `${side.verdict}: ${(side.reason ?? '').split('\n')[0]}` : '',
  )
  if (one === other) return `${one} (both)`
  return [one && `${names[0]} ${one}`, other && `${names[1]} ${other}`].filter(Boolean).join('; ')
}

export const breaksContract = ({ grade, sides: [, other] }: Compared): boolean =>
  grade === 'other only' && other !== undefined && toldVerdict(other) === 'fail'

/** Sort key, the gravest first: what fails a run, what is broken, what is free. */
export const rankOf = (compared: Compared): number =>
  breaksContract(compared) ? -1 : compared.grade ? grades.indexOf(compared.grade) : grades.length
