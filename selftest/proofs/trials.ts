import { matchesAny } from '../../engine/glob.ts'
import { declarationOf } from '../../engine/run/reach.ts'
import type { Checked } from '../../program/report/finish.ts'
import { areas } from './areas/all.ts'
import { dead } from './dead/dead.ts'
import { free } from './dead/free.ts'
import type { Dead } from './dead/way.ts'
import type { Bent, Fault, Hidden, Proofs, Variant } from './fault.ts'
import { hidden } from './faults/hidden/hidden.ts'
import {
  blamingIn,
  breachesIn,
  brokenIn,
  danglingIn,
  hollowIn,
  namedBy,
  runClauses,
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
  /** those of them that have to find a breach: ids or globs */
  breaks?: readonly string[]
  /** what is wrong, as sentences; empty if it is green; `only`: some of its clauses judge it */
  problems(only?: readonly string[]): Promise<string[]>
}

/** Every proof, each with the clauses of its area; `everything`: with all clauses. */
export const trialsOf = (everything: boolean): Trial[] => [
  ...areas.flatMap((area) => trialsOfArea(area, everything)),
  ...ofClocks(),
  ...ofHidden(),
  ...ofDead(),
]

/** A service with another clock is checked as completely as any other. */
const ofClocks = (): Trial[] => [
  ...clocks.map((each) => clockTrial(each, judges)),
  ...late.map((each) => clockTrial(each, lateJudges)),
]

/** Nothing hides in a skip. */
const ofHidden = (): Trial[] => hidden.map(hiddenTrial)

/** If a thing that the contract names is dead, no run ends green without a warning. */
const ofDead = (): Trial[] =>
  dead.filter(({ name }) => !matchesAny(name, Object.keys(free))).map(deadTrial)

/** The proofs of an area. */
function trialsOfArea(proofs: Proofs, everything: boolean): Trial[] {
  const { faults = [], variants = [] } = proofs
  const given = [proofs.by].flat()
  const by = everything ? [] : given
  // Proofs outside the export need few events.
  const isOfExport = given.some((each) => each.startsWith('export'))
  const few = everything && !isOfExport ? { events: 200 } : {}
  const run = (bent: Bent, clauses: readonly string[]) => runClauses({ ...few, ...bent }, clauses)
  return [
    ...faults.map((fault) => faultTrial(fault, by, run)),
    ...variants.map((variant) => variantTrial(variant, by, run)),
  ]
}

type Run = (bent: Bent, clauses: readonly string[]) => Promise<Ran>

/** What it names catches it, and no other writer is blamed for it. */
const faultTrial = (fault: Fault, by: string[], run: Run): Trial => ({
  kind: 'fault',
  name: fault.name,
  by,
  breaks: fault.breaks,
  problems: async (only = by) => {
    const checked = await run(fault, only)
    return withOutput(checked, [
      ...otherBreaches(breachesIn(checked, fault, only)),
      ...danglingIn(checked),
      ...unjudgedIn(checked),
      ...blamingIn(checked),
      ...hollow(checked),
    ])
  },
})

/** It is not condemned, and the run ends with 0; if the key is refused something, once that is declared. */
const variantTrial = (variant: Variant, by: string[], run: Run): Trial => ({
  kind: 'variant',
  name: variant.name,
  by,
  problems: async () => {
    const checked = await run(variant, by)
    const declared =
      variant.refuses && checked.exitCode === 3 ? await declare(variant, checked, by, run) : checked
    return withOutput(declared, [
      ...otherBreaches(breachesIn(checked, namedBy(variant), by)),
      ...hollow(checked),
      ...otherExit(declared, 0),
    ])
  },
})

/** Once more with the declaration that the run has named. */
function declare(variant: Variant, { report }: Ran, by: string[], run: Run) {
  const refused = (report?.clauses ?? []).filter(({ cause }) => cause === 'refused')
  const NOT_PERMITTED = declarationOf(refused)
  // If the key may do nothing of the area, something else has to be checked.
  const others = by.length === 0 ? [] : ['auth.missing-key.*']
  return run({ ...variant, env: { ...variant.env, NOT_PERMITTED } }, [...by, ...others])
}

// Events of one season alone do not show the offset of the other, nor the few updates of these clauses
// what is usual.
const undecidedByClock = [
  'export.timezone.offset',
  'export.timezone.pdf.seasons',
  'audit.as-often',
  'audit.each-actor',
]

/** With another clock, every must and should is decided that a service with ours decides. */
const clockTrial = ({ says, ...variant }: ClockVariant, by: string[]): Trial => ({
  kind: 'variant',
  name: variant.name,
  by,
  problems: async () => {
    const checked = await runClauses({ ...usual, ...variant }, by)
    const { clauses = [], notices = [] } = checked.report ?? {}
    const undecided = clauses.filter(
      ({ id, verdict, level }) =>
        verdict === 'skip' && level !== 'observe' && !undecidedByClock.includes(id),
    )
    return withOutput(checked, [
      ...otherBreaches({ found: brokenIn(checked), expected: [] }),
      ...otherExit(checked, 0),
      ...undecided.map(({ id }) => `${id} is not decided`),
      ...(notices.join('\n').includes(says) ? [] : [`no notice says: ${says}`]),
    ])
  },
})

const hiddenTrial = ({ name, exit, blames, ...bent }: Hidden): Trial => ({
  kind: 'fault',
  name,
  by: [],
  problems: async () => {
    const checked = await runClauses({ events: 200, ...bent }, [])
    const broken = brokenIn(checked)
    return withOutput(checked, [
      ...otherExit(checked, exit),
      ...blames.filter((id) => !broken.includes(id)).map(lacks),
      ...danglingIn(checked),
    ])
  },
})

/** A run against it ends with a breach or a warning, or is not conformant. */
const deadTrial = ({ name, by, ...bent }: Dead): Trial => ({
  kind: 'dead thing',
  name,
  by,
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

/** Prints what the run said, for debugging. */
const withOutput = ({ output }: Ran, problems: string[]) =>
  problems.length > 0 ? [...problems, output] : []

const lacks = (id: string) => `${id} does not find it`

const otherBreaches = ({ found, expected }: { found: string[]; expected: string[] }) => [
  ...expected.filter((id) => !found.includes(id)).map(lacks),
  ...found.filter((id) => !expected.includes(id)).map((id) => `${id} finds a breach`),
]

const hollow = (checked: Checked) => hollowIn(checked).map((id) => `${id} judges nothing`)

const otherExit = ({ exitCode }: Checked, expected: number) =>
  exitCode === expected ? [] : [`the run ends with ${exitCode}, not ${expected}`]
