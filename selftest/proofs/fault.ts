import type { Place } from '../../program/stand-in/embedded.ts'
import { type Open, open } from '../../reference/rules/open.ts'
import { type Stated, stated } from '../../reference/rules/stated.ts'
import type { Assignment } from '../../reference/world/world.ts'
import type { Surroundings } from './bent/surroundings.ts'

/** The reference service with some of its rules bent. */
export type Bent = {
  stated?: Partial<Stated>
  open?: Partial<Open>
  /** the initial assignments of tasks, if the bent rules would not have allowed them */
  held?: (assignment: Assignment) => Assignment | null
  env?: Record<string, string>
  /** what is beside the service */
  surroundings?: () => Promise<Surroundings>
  /** what is between the run and the service, without sockets */
  front?: (place: Place) => Place
  /** how many events the audit trail begins with, if many or few are needed */
  events?: number
  /** the event limit of a PDF, for the service and the suite */
  pdfLimit?: number
}

/** A service that breaks the contract, and the clauses that must say so: these and no others. */
export type Fault = Bent & {
  name: string
  /** ids or globs; each must find something, and nothing else may be found */
  breaks: string[]
  /** ids or globs that may find it by chance, depending on order or on a random walk */
  mayBreak?: string[]
  /** beside all clauses it may look like another writer: the run then ends with 3 */
  likeOthers?: true
}

/** A service that obeys the contract in its own way: nothing may fail, and the run ends with 0. */
export type Variant = Bent & {
  name: string
  /** shoulds that go beyond the contract and may warn */
  warns?: string[]
  /** shoulds that may warn on a busy machine, where a moment passes before it can be observed */
  mayWarn?: string[]
  /** it refuses the key something: the run may end with 3, and with 0 once that is declared */
  refuses?: true
}

/** The clauses that warn of a file without a column of comments: the natural reading expects comments. */
export const withoutComments = ['audit.assign-comment', 'audit.unassign-comment']

/** Faults and variants, and the clauses that judge them, if not all do: ids or globs. */
export type Proofs = {
  by: string | string[]
  faults?: readonly Fault[]
  variants?: readonly Variant[]
}

/**
 * A badly broken service that might end green, because every clause waits for another one: how a run
 * against all clauses must end, and a clause that a person would blame.
 */
export type Hidden = Bent & { name: string; exit: 1 | 3; blames: string[] }

/** A proof without its name. Bent rules stand among its members; each rule belongs to one table by its name. */
export type ProofRules<Named> = Omit<Named, 'name'> & Partial<Stated> & Partial<Open>

export const proofOf =
  <Named extends Bent & { name: string }>() =>
  (name: string, told: ProofRules<Named>): Named => {
    const pick = (isMeant: (key: string) => boolean) =>
      Object.fromEntries(Object.entries(told).filter(([key]) => isMeant(key)))
    const rules = { ...told.stated, ...told.open, ...pick((key) => key in stated || key in open) }
    const bent = Object.entries({ stated, open }).flatMap(([table, all]) => {
      const of = Object.entries(rules).filter(([rule]) => rule in all)
      return of.length > 0 ? [[table, Object.fromEntries(of)]] : []
    })
    const others = pick((key) => !(key in rules) && key !== 'stated' && key !== 'open')
    return { name, ...others, ...Object.fromEntries(bent) } as unknown as Named
  }

const proofsOf =
  <Named extends Bent & { name: string }>(one: (name: string, told: ProofRules<Named>) => Named) =>
  (all: Readonly<Record<string, ProofRules<Named>>>): Named[] =>
    Object.entries(all).map(([name, told]) => one(name, told))

export const fault = proofOf<Fault>()
export const variant = proofOf<Variant>()
/** Each under its name. */
export const faultsNamed = proofsOf(fault)
export const variantsNamed = proofsOf(variant)
/** Each under its name; the same clauses must find all of them. */
export const faultsBreaking = (
  breaks: string | string[],
  all: Readonly<Record<string, Omit<ProofRules<Fault>, 'breaks'>>>,
): Fault[] =>
  Object.entries(all).map(([name, told]) => fault(name, { ...told, breaks: [breaks].flat() }))
/** They may be found by others too. */
export const alsoFoundBy =
  (...ids: string[]) =>
  (fault: Fault): Fault => ({ ...fault, mayBreak: [...(fault.mayBreak ?? []), ...ids] })
/** Those that end with 3 and that nobody would blame for one clause need no more members. */
export const hiddenNamed = (
  all: Readonly<Record<string, Omit<ProofRules<Hidden>, 'exit' | 'blames'> & Partial<Hidden>>>,
): Hidden[] =>
  Object.entries(all).map(([name, told]) =>
    proofOf<Hidden>()(name, { exit: 3, blames: [], ...told }),
  )

/** The rows of a table, each of which becomes a proof. */
export const tableOf = <const Row>(all: readonly Row[]): readonly Row[] => all
