// What the matrix is made of: each target, and what one run of it says.

import { createHash } from 'node:crypto'
import { matchesAny } from '../../engine/glob.ts'
import { grouped } from '../../engine/grouped.ts'
import { isOwed } from '../../engine/run/report.ts'
import { type Proof, proofs } from '../proofs/proofs.ts'
import { runClauses } from '../proofs/prove.ts'

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
export function isOwner({ bent, isVariant }: Proof, clause: string): boolean {
  if (isVariant) return false
  const named = 'breaks' in bent ? bent.breaks : 'blames' in bent ? bent.blames : []
  return matchesAny(clause, named as string[])
}
