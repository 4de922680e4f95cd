import { matchesAny } from '../../engine/glob.ts'
import { declarationOf } from '../../engine/run/reach.ts'
import type { Checked } from '../../program/report/finish.ts'
import { wordsOf } from '../long.ts'
import { disagreementsIn } from '../reporting/agreement.ts'
import { areas } from './areas.ts'
import { unborneIn } from './borne-out.ts'
import { type Dead, dead, free } from './dead.ts'
import type { Bent, Fault, Hidden, Proofs, Variant } from './fault.ts'
import { hidden } from './faults/hidden.ts'
import {
  blamingIn,
  breachesIn,
  brokenIn,
  danglingIn,
  hollowIn,
  runClauses,
  unfoundedIn,
  unjudgedIn,
} from './prove.ts'
import {
  type ClockVariant,
  variants as clocks,
  judges,
  late,
  lateJudges,
  usual,
} from './variants/clocks.ts'

/** A proof, and what it has to show. */
export type Trial = {
  kind: 'fault' | 'variant' | 'dead thing'
  name: string
  /** the clauses that are run */
  by: readonly string[]
  bent: Bent
  /** those of them that have to find a breach: ids or globs */
  breaks?: readonly string[]
  /** what is wrong, as sentences; `only`: some of its clauses judge it */
  problems(only?: readonly string[]): Promise<string[]>
}

/** Every proof, each with the clauses of its area; `everything`: with all clauses. */
export const trialsOf = (everything: boolean): Trial[] => [
  ...areas.flatMap((area) => trialsOfArea(area, everything)),
  ...clocks.map((each) => clockTrial(each, judges)),
  ...late.map((each) => clockTrial(each, lateJudges)),
  ...hidden.map(hiddenTrial),
  ...dead.filter(({ name }) => !matchesAny(name, Object.keys(free))).map(deadTrial),
]

function trialsOfArea(
  { by: area, faults = [], variants = [] }: Proofs,
  everything: boolean,
): Trial[] {
  // Proofs outside the export need few events.
  const isOfExport = area.some((each) => each.startsWith('export'))
  const few = everything && !isOfExport ? { events: 200 } : {}
  const judges = everything ? [] : area
  return [
    ...faults.map((fault) => faultTrial({ ...few, ...fault }, judges)),
    ...variants.map((variant) => variantTrial({ ...few, ...variant }, judges)),
  ]
}

const shownBy = <Of extends Bent & { name: string }>(
  kind: Trial['kind'],
  bent: Of,
  by: readonly string[],
) => ({ kind, name: bent.name, by, bent })

/** The clauses that it names find it, and none blames another writer. */
const faultTrial = (fault: Fault, by: string[]): Trial => ({
  ...shownBy('fault', fault, by),
  breaks: fault.breaks,
  problems: async (only = by) => {
    const checked = await runClauses(fault, only)
    return problemsIn(checked, [
      ...otherBreaches(breachesIn(checked, fault, only)),
      ...danglingIn(checked),
      ...unjudgedIn(checked),
      ...unborneIn(checked),
      ...blamingIn(checked),
      ...hollowIn(checked),
      ...(fault.isOfOneMember ? blindedIn(checked, fault) : []),
    ])
  },
})

const mostWaiting = 5

/** What one wrong member keeps a run from: deciding most musts, and putting every task back. */
function blindedIn({ report }: Checked, { hidesAssignments }: Fault): string[] {
  const { clauses = [], residue = [], restored = 0 } = report ?? {}
  const waiting = clauses.filter(({ level, cause }) => level === 'must' && cause === 'clause')
  const tooMany = `${waiting.length} musts wait: ${waiting.map(({ id }) => id).join(' ')}`
  const left = residue.filter(({ unknown }) => !unknown)
  const isSaid = residue.some(({ unknown }) => unknown)
  return [
    ...(waiting.length > mostWaiting ? [tooMany] : []),
    ...left.map(({ task, reason }) => `task ${task} is left changed: ${reason}`),
    ...(isSaid && !hidesAssignments ? ['a task is not known to be put back'] : []),
    ...(hidesAssignments && restored > 0 && !isSaid ? ['every task is said to be put back'] : []),
  ]
}

/** No clause fails, and the run ends with 0; if the key is refused something, once that is declared. */
const variantTrial = (variant: Variant, by: string[]): Trial => ({
  ...shownBy('variant', variant, by),
  problems: async () => {
    const { warns = [], mayWarn = [], decides = [] } = variant
    const checked = await runClauses(variant, by)
    const declared =
      variant.refuses && checked.exitCode === 3 ? await declare(variant, checked, by) : checked
    return problemsIn(declared, [
      ...otherBreaches(breachesIn(checked, { breaks: warns, mayBreak: mayWarn }, by)),
      ...hollowIn(checked),
      ...otherExit(declared, 0),
      ...undecidedIn(checked, decides),
    ])
  },
})

/** The musts among these clauses that were not decided. */
const undecidedIn = ({ report }: Checked, ids: readonly string[]): string[] =>
  (report?.clauses ?? [])
    .filter(
      ({ id, level, verdict }) => level === 'must' && verdict === 'skip' && matchesAny(id, ids),
    )
    .map(({ id }) => `${id} is not decided`)

/** Runs it again with the declaration that the first run asked for. */
function declare(variant: Variant, { report }: Ran, by: string[]) {
  const refused = (report?.clauses ?? []).filter(({ cause }) => cause === 'refused')
  const NOT_PERMITTED = declarationOf(refused)
  // If the key may do nothing of the area, something else has to be checked.
  const others = by.length === 0 ? [] : ['auth.missing-key.*']
  return runClauses({ ...variant, env: { ...variant.env, NOT_PERMITTED } }, [...by, ...others])
}

/** The first two need events of summer and of winter, the others more updates than these clauses send. */
const undecidedByClock = wordsOf(`
  export.timezone.offset export.timezone.pdf.seasons export.pdf.values audit.as-often
  audit.each-actor
`)

/** With another clock the run decides every must and should that it decides with ours. */
const clockTrial = ({ says, ...variant }: ClockVariant, by: string[]): Trial => ({
  ...shownBy('variant', { ...usual, ...variant }, by),
  problems: async () => {
    const checked = await runClauses({ ...usual, ...variant }, by)
    const { clauses = [], notices = [] } = checked.report ?? {}
    const undecided = clauses.filter(
      ({ id, verdict, level }) =>
        verdict === 'skip' && level !== 'observe' && !undecidedByClock.includes(id),
    )
    return problemsIn(checked, [
      ...otherBreaches({ found: brokenIn(checked), expected: [] }),
      ...otherExit(checked, 0),
      ...undecided.map(({ id }) => `${id} is not decided`),
      ...(notices.join('\n').includes(says) ? [] : [`no notice says: ${says}`]),
    ])
  },
})

/** Nothing hides in a skip: a run with all clauses ends as it has to. */
const hiddenTrial = (hidden: Hidden): Trial => ({
  ...shownBy('fault', { events: 200, ...hidden }, []),
  problems: async () => {
    const checked = await runClauses({ events: 200, ...hidden }, [])
    const broken = brokenIn(checked)
    return problemsIn(checked, [
      ...otherExit(checked, hidden.exit),
      ...hidden.blames.filter((id) => !broken.includes(id)).map(lacks),
      ...danglingIn(checked),
    ])
  },
})

/** A run against it ends with a breach or a warning, or is not conformant. */
const deadTrial = ({ name, by, ...bent }: Dead): Trial => ({
  kind: 'dead thing',
  name,
  by,
  bent,
  problems: async () => {
    const isNoticed = async (clauses: readonly string[]) => {
      try {
        const checked = await runClauses(bent, clauses)
        return checked.exitCode !== 0 || brokenIn(checked).length > 0
      } catch (error) {
        // A run that cannot be made is not green either.
        if (error instanceof Error && error.name === 'Impossible') return true
        throw error
      }
    }
    return (await isNoticed(by)) || (await isNoticed([])) ? [] : ['the run ends green']
  },
})

type Ran = Checked & { output: string }

/** These, a pass without a judged exchange, and what the run printed, for debugging. */
const problemsIn = (checked: Ran, own: string[]) => {
  const { report } = checked
  // The reports of every fifth proof, some 300, are compared.
  const isCompared = report !== undefined && report.requests % 5 === 0
  const all = [...own, ...unfoundedIn(checked), ...(isCompared ? disagreementsIn(report) : [])]
  return all.length > 0 ? [...all, checked.output] : []
}

const lacks = (id: string) => `${id} does not find it`

const otherBreaches = ({ found, expected }: { found: string[]; expected: string[] }) => [
  ...expected.filter((id) => !found.includes(id)).map(lacks),
  ...found.filter((id) => !expected.includes(id)).map((id) => `${id} finds a breach`),
]

const otherExit = ({ exitCode }: Checked, expected: number) =>
  exitCode === expected ? [] : [`the run ends with ${exitCode}, not ${expected}`]

/** A fault or variant; `by`: the clauses that judge it, as ids or globs; none: all. */
export type Proof = { name: string; by: readonly string[]; bent: Bent; isVariant: boolean }

export const proofs: Proof[] = trialsOf(false).flatMap(({ kind, name, by, bent }) =>
  kind === 'dead thing' ? [] : { name: `${kind} ${name}`, by, bent, isVariant: kind === 'variant' },
)
