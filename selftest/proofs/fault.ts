import type { Place } from '../../program/stand-in/embedded.ts'
import type { Export } from '../../reference/calls/export-call.ts'
import { type Open, open } from '../../reference/rules/open.ts'
import { type Stated, stated } from '../../reference/rules/stated.ts'
import type { Assignment } from '../../reference/world/world.ts'
import { wordsOf } from '../long.ts'

/** Something beside the service that settings name. */
export type Surroundings = { env: Record<string, string>; close(): Promise<void> }

/** The reference service with some of its rules bent. */
export type Bent = {
  stated?: Partial<Stated>
  open?: Partial<Open>
  /** the initial assignments of tasks, if the bent rules would not have allowed them */
  held?: (assignment: Assignment) => Assignment | null
  env?: Record<string, string>
  /** what is beside the service */
  surroundings?: () => Promise<Surroundings>
  /** what is between the run and the service */
  front?: (place: Place) => Place
  /** how many events the audit trail begins with, if many or few are needed */
  events?: number
  /** the event limit of a PDF, for the service and the suite */
  pdfLimit?: number
}

/** Ids or globs, as a list or as words; those behind `?` may find it too, or may warn too. */
type Ids = string | string[]
type Lists = 'breaks' | 'mayBreak' | 'warns' | 'mayWarn' | 'decides' | 'blames'

/** A service that breaks the contract, and the clauses that must say so: these and no others. */
export type Fault = Bent & {
  name: string
  /** ids or globs; each must find something, and nothing else may be found */
  breaks: string[]
  /** ids or globs that may find it by chance, depending on order or on a random walk */
  mayBreak?: string[]
  /** beside all clauses it may look like another writer: the run then ends with 3 */
  likeOthers?: true
  /** one member of each task is wrong: at most five musts wait for other clauses, and no task stays changed */
  isOfOneMember?: true
  /** no read shows to whom a task is assigned: the run has to say that it cannot know what it put back */
  hidesAssignments?: true
}

/** A service that obeys the contract in its own way: nothing may fail, and the run ends with 0. */
export type Variant = Bent & {
  name: string
  /** shoulds that go beyond the contract and may warn */
  warns?: string[]
  /** shoulds that may warn on a busy machine, where a moment passes before it can be observed */
  mayWarn?: string[]
  /** ids or globs; each of their musts that is run has to be decided */
  decides?: string[]
  /** it refuses the key something: the run may end with 3, and with 0 once that is declared */
  refuses?: true
}

/** The clauses that warn of a file without a column of comments: the natural reading expects comments. */
export const withoutComments = ['audit.assign-comment', 'audit.unassign-comment']

/** A variant whose file has no such column. */
export const uncommented = (bent: ProofRules<Variant>) => ({ ...bent, warns: withoutComments })

/** Faults and variants, and the clauses that judge them, if not all do: ids or globs. */
export type Proofs = {
  by: string[]
  faults?: readonly Fault[]
  variants?: readonly Variant[]
}

/**
 * A badly broken service that might end green, because every clause waits for another one: how a run
 * against all clauses must end, and a clause that a person would blame.
 */
export type Hidden = Bent & { name: string; exit: 1 | 3; blames: string[] }

type Rules = Stated & Open
/**
 * A proof without its name; bent rules may stand among its members, outside `stated` and `open`, and
 * clauses may be named as words.
 */
export type ProofRules<Named> = Omit<Named, 'name' | Lists> &
  InWords<Pick<Named, keyof Named & Lists>> &
  Partial<Rules>
type InWords<Named> = { [Key in keyof Named]: Named[Key] | string }
type ByName<Of> = Readonly<Record<string, Of>>

const usual: Rules = { ...stated, ...open }

/** Rules that are bent in some cases alone. */
export const where = <Given = Export>(isMeant: (given: Given) => unknown, bent: Partial<Rules>) =>
  Object.fromEntries(
    Object.entries(bent).map(([rule, bend]) => [
      rule,
      (given: Given) => (isMeant(given) ? bend : usual[rule as keyof Rules])(given as never),
    ]),
  ) as typeof bent

/** The same by longer names. */
export const namedAs = <Of>(longer: (name: string) => string, all: ByName<Of>): ByName<Of> =>
  Object.fromEntries(Object.entries(all).map(([name, of]) => [longer(name), of]))

/** Each list of clauses, and that of those behind `?`. */
const lists: Readonly<Record<string, string>> = {
  ...{ breaks: 'mayBreak', warns: 'mayWarn' },
  ...{ mayBreak: 'mayBreak', mayWarn: 'mayWarn', decides: 'decides', blames: 'blames' },
}
const listOf = (ids: Ids): string[] => (typeof ids === 'string' ? wordsOf(ids) : ids)

/** A list, and apart what of it may only be. */
function partsOf(list: string, ids: Ids): [string, string[]][] {
  const [certain, possible] = [false, true].map((is) =>
    listOf(ids).filter((id) => id.startsWith('?') === is),
  ) as [string[], string[]]
  const more: [string, string[]] = [lists[list] ?? '', possible.map((id) => id.slice(1))]
  return possible.length > 0 ? [[list, certain], more] : [[list, certain]]
}

/** As words, each behind `?`. */
export const maybe = (...all: Ids[]): string =>
  all
    .flatMap(listOf)
    .map((id) => `?${id}`)
    .join(' ')

export const proofOf =
  <Named extends Bent & { name: string }>() =>
  (name: string, told: ProofRules<Named>): Named => {
    const { stated: ofStated, open: ofOpen, ...members } = told
    const all = Object.entries({ ...ofStated, ...ofOpen, ...members })
    const rules = Object.entries({ stated, open }).flatMap(([table, known]) => {
      const of = all.filter(([key]) => key in known)
      return of.length > 0 ? [[table, Object.fromEntries(of)]] : []
    })
    const others: Record<string, unknown> = {}
    for (const [key, value] of all.filter(([key]) => !(key in stated || key in open)))
      if (key in lists)
        for (const [list, ids] of partsOf(key, value as Ids))
          others[list] = [...((others[list] as string[]) ?? []), ...ids]
      else others[key] = value
    return { name, ...others, ...Object.fromEntries(rules) } as unknown as Named
  }

export const fault = proofOf<Fault>()
export const variant = proofOf<Variant>()

type Unowned = Omit<ProofRules<Fault>, 'breaks'>

/** Faults by their names: each with its rules and owners; or all with the same owners, and what each bends. */
export function faultsOf(all: ByName<ProofRules<Fault>>): Fault[]
export function faultsOf(breaks: Ids, all: ByName<Unowned>): Fault[]
/** Each bends this one rule. */
export function faultsOf<Rule extends keyof Rules>(
  breaks: Ids,
  rule: Rule,
  all: ByName<Rules[Rule]>,
): Fault[]
/** Each is made of one value. */
export function faultsOf<Of>(breaks: Ids, bend: (of: Of) => Unowned, all: ByName<Of>): Fault[]
export function faultsOf(...given: unknown[]): Fault[] {
  const breaks = given.length > 1 ? { breaks: given[0] } : {}
  return proofsOf(given.at(-1) as object, given.length > 2 ? given[1] : undefined).map(
    ([name, told]) => fault(name, { ...breaks, ...told } as ProofRules<Fault>),
  )
}

/** Variants by their names. */
export function variantsOf(all: ByName<ProofRules<Variant>>): Variant[]
/** Each bends this one rule. */
export function variantsOf<Rule extends keyof Rules>(
  rule: Rule,
  all: ByName<Rules[Rule]>,
): Variant[]
/** Each is made of one value. */
export function variantsOf<Of>(bend: (of: Of) => ProofRules<Variant>, all: ByName<Of>): Variant[]
export function variantsOf(...given: unknown[]): Variant[] {
  return proofsOf(given.at(-1) as object, given.length > 1 ? given[0] : undefined).map(
    ([name, told]) => variant(name, told as ProofRules<Variant>),
  )
}

const proofsOf = (all: object, bend: unknown): [name: string, told: object][] =>
  Object.entries(all).map(([name, of]) => {
    if (bend === undefined) return [name, of]
    return [name, typeof bend === 'function' ? bend(of) : { [bend as string]: of }]
  })

/** Adds clauses that may find a fault too. */
export const alsoFoundBy =
  (ids: Ids) =>
  (fault: Fault): Fault => ({ ...fault, mayBreak: [...(fault.mayBreak ?? []), ...listOf(ids)] })
/** Hidden faults by their names; the run ends with 1 where a clause is to blame, and with 3 otherwise. */
export const hiddenOf = (
  all: ByName<Omit<ProofRules<Hidden>, 'exit' | 'blames'> & { blames?: string }>,
): Hidden[] =>
  Object.entries(all).map(([name, { blames = [], ...told }]) =>
    proofOf<Hidden>()(name, { ...told, blames, exit: blames.length > 0 ? 1 : 3 }),
  )

/** The rows of a table, each becomes a proof. */
export const tableOf = <const Row>(all: readonly Row[]): readonly Row[] => all
