// The script that a report has for a fault.
import type { Breach, Report } from '../../engine/run/report.ts'
import { contract } from '../../program/run/contract.ts'
import { withRepeats } from '../../reporting/repeat/repeats.ts'
import { faults } from '../proofs/areas.ts'
import type { Fault } from '../proofs/fault.ts'
import { runClauses } from '../proofs/prove.ts'

/** What shows only right after certain other requests: whether its script works is chance. */
const showsAfterOthers = /is kept for (?:some seconds, whatever|30 ms)/

/** The faults by a rule of the service alone. */
export const repeatable: readonly Fault[] = faults.filter(
  ({ name, surroundings }) => surroundings === undefined && !showsAfterOthers.test(name),
)

/** The script of its first breach that has one, or why none has; and the clause of that breach. */
export type Scripted = { clause?: string; script?: string; why?: string }

const isTold = ({ repeat, notRepeated }: Breach) => (repeat ?? notRepeated) !== undefined

const isMet = ({ clauses }: Report) => clauses.some(({ breaches }) => breaches)

/** Runs the clauses that the fault breaks; a breach that one clause met for another needs both. */
export async function scriptedOf(fault: Fault): Promise<Scripted> {
  const foundWith = async (ids: readonly string[]) =>
    (await runClauses(fault, ids)).report as Report
  let found = await foundWith(fault.breaks)
  if (!isMet(found)) found = await foundWith([...fault.breaks, ...(fault.mayBreak ?? [])])
  if (!isMet(found)) found = await foundWith([])
  const { report, scripts } = withRepeats(found, contract)
  const [clause] = report.clauses.filter(({ breaches }) => breaches?.some(isTold))
  const broken = report.clauses.flatMap(({ breaches }) => breaches ?? [])
  const repeat = broken.find((each) => each.repeat)?.repeat
  if (repeat === undefined) return { clause: clause?.id, why: broken[0]?.notRepeated }
  return { clause: clause?.id, script: scripts[repeat]?.() }
}
