import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Selection } from '../../engine/clause/selection.ts'
import type { Contract } from '../../engine/run/contract.ts'
import type { Running } from '../../engine/run/run-clauses.ts'
import type { Pool } from '../../engine/run/runner-options.ts'
import { kinds, sentences } from '../../helpers/contract.ts'
import type { Run } from '../../helpers/run.ts'
import { operations } from '../../helpers/service/operations.ts'
import { makersOf } from '../../reporting/all.ts'

/** The contract that this program checks, as the engine and the reports are handed it. */
export const contract: Contract = {
  entry: join(import.meta.dirname, '../../suites/all.ts'),
  operations,
  sentences,
  kinds,
}

/** What is made of a report, by file name. */
export const makers = makersOf(contract)

/** The clauses of the contract, to be run with these givens. */
export function running(given: Omit<Run, 'id'>, selection: Selection, pool?: Pool): Running {
  const id = randomUUID()
  return { id, entry: contract.entry, selection, provide: { run: { ...given, id } }, pool }
}
