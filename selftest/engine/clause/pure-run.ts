// Runs every clause on the reference service in simulated time, and says which laws are not pure, as JSON.
import { clauses } from '../../../engine/clause/clause.ts'
import { runAgainst, unfoundedIn } from '../../proofs/prove.ts'
import { type Call, impurityOf, watch } from './pure.ts'

await import('../../../suites/all.ts')
const calls: Call[] = []
for (const one of clauses.values()) watch(one, calls)
const checked = await runAgainst({ events: 300, pdfLimit: 100 }, [], { makers: {} })
const asked = new Set(calls.map(({ name }) => name.replace(/ .*/, '')))
const decided = (checked.report?.clauses ?? []).filter(({ verdict }) =>
  /^(pass|observed)$/.test(verdict),
)
const found = {
  calls: calls.length,
  exitCode: checked.exitCode,
  impure: [...new Set(calls.flatMap(impurityOf))],
  unfounded: unfoundedIn(checked),
  unasked: decided.filter(({ id }) => !asked.has(id)).map(({ id }) => id),
}
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit())
