import { type CellFinding, cell } from './cell.ts'
import { describeExplanation, type Explained } from './explanation.ts'
import { type RowsFinding, rows } from './file-rows.ts'
import type { Again, Kind, Words } from './kind.ts'
import { type MalformedFinding, malformed } from './malformed.ts'
import { type MemberFinding, member } from './member.ts'
import { type RevealsFinding, reveals } from './reveals.ts'
import { type StatusFinding, status } from './status.ts'
import type { Symptom } from './symptom.ts'
import { type TwinsFinding, twins } from './twins.ts'
import { type UnservedFinding, unserved } from './unserved.ts'

// What a law found wrong, as plain data. Each kind has one file, here or in helpers/findings: its type, and the
// object that makes words of it. Words are made where people read, by the table of all kinds.

/** Each kind by its name. The files of helpers/findings add those that speak of this service. */
export interface FindingKinds {
  cell: CellFinding
  malformed: MalformedFinding
  member: MemberFinding
  reveals: RevealsFinding
  rows: RowsFinding
  status: StatusFinding
  twins: TwinsFinding
  unserved: UnservedFinding
}

export type Finding = FindingKinds[keyof FindingKinds] & Explained

/** The table of all kinds, which is handed in as the contract is. */
export type Kinds = { readonly [Name in keyof FindingKinds]: Kind<FindingKinds[Name]> }

export const engineKinds = {
  cell,
  malformed,
  member,
  reveals,
  rows,
  status,
  twins,
  unserved,
} satisfies Partial<Kinds>

const kindOf = ({ kind }: Finding, kinds: Kinds): Kind<Finding> => kinds[kind]

export function wordsOf(finding: Finding, kinds: Kinds): Words {
  const words = kindOf(finding, kinds).wordsOf(finding)
  const { why } = finding
  return why ? { ...words, sentence: `${words.sentence}; ${describeExplanation(why)}` } : words
}

export const symptomsOf = (finding: Finding, kinds: Kinds): readonly Symptom[] | undefined =>
  kindOf(finding, kinds).symptomsOf?.(finding)

export const againOf = (finding: Finding, kinds: Kinds): Again | undefined =>
  kindOf(finding, kinds).againOf?.(finding)
