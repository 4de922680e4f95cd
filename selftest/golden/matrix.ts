import { createHash } from 'node:crypto'
import { matchesAny } from '../../engine/glob.ts'
import { grouped } from '../../engine/grouped.ts'
import { isOwed } from '../../engine/run/report.ts'
import { type Proof, proofs } from '../proofs/proofs.ts'
import { runClauses } from '../proofs/prove.ts'

// What the matrix is made of: each target, and what one run of it says.

/** A proof and what a run of it says; `areas` tells proofs of one name apart. */
export type Target = {
  name: string
  areas: string
  proof: Proof
  run(): Promise<[key: string, said: string][]>
}

/** Every fault and variant with the clauses of its area, or with all. */
export function targetsOf(everything: boolean): Target[] {
  const counts = grouped(proofs, ({ name }) => name)
  return proofs.map((proof) => {
    const areas = `[${proof.by.join(' ')}]`
    const isAlone = counts.get(proof.name)?.length === 1
    const name = isAlone ? proof.name : `${proof.name} ${areas}`
    return { name, areas, proof, run: () => rowsOf(name, proof, everything) }
  })
}

async function rowsOf(
  name: string,
  { by, bent }: Proof,
  everything: boolean,
): Promise<[key: string, said: string][]> {
  const isOfExport = by.some((each) => each.startsWith('export'))
  const few = everything && !isOfExport ? { events: 200 } : {}
  const { exitCode, report } = await runClauses({ ...few, ...bent }, everything ? [] : by)
  const left = (report?.residue ?? []).filter(isOwed).length
  const end = left === 0 ? `exit ${exitCode}` : `exit ${exitCode} with ${left} tasks left changed`
  return [
    [`${name}\t(end)`, end],
    ...(report?.clauses ?? []).map(({ id, verdict, cause = '', observed }): [string, string] => [
      `${name}\t${id}`,
      `${verdict} ${verdict === 'observed' ? digestOf(observed) : cause}`.trim(),
    ]),
  ]
}

const digestOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)

/** Whether a clause has to find the breach of this fault. */
function isOwner({ bent, isVariant }: Proof, clause: string): boolean {
  if (isVariant) return false
  const named = 'breaks' in bent ? bent.breaks : 'blames' in bent ? bent.blames : []
  return matchesAny(clause, named as string[])
}

// How two matrices differ, by kinds of change.

/** The result of each run: by target and clause, the verdict and a digest of the observed value. */
export type Matrix = ReadonlyMap<string, string>

/** Replaces a verdict that differs between two runs of one commit. */
export const varies = '(varies)'

export type Change = { kind: string; target: string; clause: string; from: string; to: string }

/** The differences between two matrices, without pairs that differ from run to run. */
export function changesBetween(before: Matrix, now: Matrix, targets: readonly Target[]): Change[] {
  const proofs = new Map(targets.map(({ name, proof }) => [name, proof]))
  return [...new Set([...before.keys(), ...now.keys()])].sort().flatMap((key) => {
    const [target = '', clause = ''] = key.split('\t')
    const [from = '', to = ''] = [before.get(key), now.get(key)]
    const proof = proofs.get(target)
    if (from === to || from === varies || !proof) return []
    return [{ kind: kindOf(clause, from, to, proof), target, clause, from, to }]
  })
}

function kindOf(clause: string, from: string, to: string, proof: Target['proof']): string {
  const isFound = (said: string) => /^(fail|warn)/.test(said)
  const isSkip = (said: string) => said.startsWith('skip')
  if (proof.isVariant && to.startsWith('fail')) return 'a variant is failed'
  if (proof.isVariant && to.startsWith('warn')) return 'a variant is warned of'
  if (isFound(from) && !isFound(to) && isOwner(proof, clause))
    return 'an owner no longer finds its breach'
  if (to === '') return 'gone'
  if (from === '') return 'new'
  if (isSkip(from) && isSkip(to)) return 'another cause of a skip'
  if (from.startsWith('observed') && to.startsWith('observed')) return 'another observed value'
  if (clause === '(end)') return 'other'
  if (proof.isVariant) return isSkip(to) ? 'undecided on a variant' : 'other'
  return isFound(to) ? 'found on a fault' : 'another clause on a fault'
}

/** What no text may say: a lost owner, and a lawful variant that is failed. */
export const isForbidden = ({ kind }: Change) =>
  kind === 'an owner no longer finds its breach' || kind === 'a variant is failed'
