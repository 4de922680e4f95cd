// What the matrix is made of: each target, and what one run of it says.

import { createHash } from 'node:crypto'
import { matchesAny } from '../../engine/glob.ts'
import { isOwed, type Report } from '../../engine/run/report.ts'
import { runMutant } from '../mutants/one.ts'
import { operators } from '../mutants/operators.ts'
import { type Proof, proofs } from '../proofs/proofs.ts'
import { runAgainst } from '../proofs/prove.ts'
import { hasPython, meet, meetings } from '../python-service/meet.ts'

/** A service to run clauses against; `proof`: what is expected of it. */
export type Target = { name: string; proof?: Proof; run(): Promise<[key: string, said: string][]> }

/** The targets of a part: proofs with the clauses of their areas or with all, the others with all. */
export function targetsOf(part: 'proofs' | 'mutants' | 'python', all: boolean): Target[] {
  if (part === 'mutants')
    return operators.map((each) =>
      targetOf(`mutant ${each.id}`, async () => (await runMutant(each)).sight),
    )
  if (part === 'python') {
    if (!hasPython()) throw new Error('python3 is missing: install it to meet the Python service')
    return meetings().map((each) =>
      targetOf(`python ${each.name}`, async () => {
        const { exitCode, report } = await meet(each)
        return { exitCode, ...report }
      }),
    )
  }
  return proofs.map((proof) => {
    const by = all ? [] : proof.by
    const isOfExport = proof.by.some((each) => each.startsWith('export'))
    const bent = { ...(all && !isOfExport ? { events: 200 } : {}), ...proof.bent }
    const run = async () => {
      const argv = by.flatMap((each) => ['--clauses', each])
      const { exitCode, report } = await runAgainst(bent, argv, { makers: {} })
      return { exitCode, ...report }
    }
    return targetOf(`${proof.name} [${by.join(' ')}]`, run, proof)
  })
}

type ClauseResult = { id: string; verdict: string; cause?: string; observed?: unknown }
type RunResult = { exitCode: number; residue?: Report['residue']; clauses?: ClauseResult[] }

const targetOf = (name: string, run: () => Promise<RunResult>, proof?: Proof): Target => ({
  name,
  ...(proof ? { proof } : {}),
  run: async () => {
    const { exitCode, residue = [], clauses = [] } = await run()
    const left = residue.filter(isOwed).length
    return [
      [`${name}\t(end)`, `exit ${exitCode}, ${left} tasks left changed`],
      ...clauses.map(({ id, verdict, cause = '', observed }): [string, string] => [
        `${name}\t${id}`,
        `${verdict} ${verdict === 'observed' ? digestOf(observed) : cause}`.trim(),
      ]),
    ]
  },
})

const digestOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)

/** Whether a clause has to find the breach of this fault. */
export function isOwner({ bent, isVariant }: Proof, clause: string): boolean {
  if (isVariant) return false
  const named = 'breaks' in bent ? bent.breaks : 'blames' in bent ? bent.blames : []
  return matchesAny(clause, named as string[])
}
