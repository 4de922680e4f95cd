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

/** The script that shows it, or why there is none; and the clause of its breach. */
export type Scripted = {
  clause?: string
  script?: string
  why?: string
  /** updates of the run whose events a file shows: the script itself only reads */
  earlier?: Update[]
}

type Update = { path: string; body: string }

/** Whether the script says itself that the breach shows or does not show. */
export const isDeciding = ({ script }: Scripted): boolean =>
  script !== undefined && !script.includes('Compare what came')

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
  return scriptIn(report, scripts)
}

function updatesShown({ finding, control }: Breach, exchanges: Report['exchanges']): Update[] {
  if (finding?.kind !== 'text') return []
  return exchanges
    .filter(({ number, method }) => control.includes(number) && method === 'PUT')
    .map(({ path, requestBody = '' }) => ({ path, body: requestBody }))
}

/** A script that decides, or else the first one. */
function scriptIn(
  { clauses, exchanges }: Report,
  scripts: ReturnType<typeof withRepeats>['scripts'],
): Scripted {
  const [clause] = clauses.filter(({ breaches }) => breaches?.some(isTold))
  const broken = clauses.flatMap(({ breaches }) => breaches ?? [])
  const made = clauses.flatMap(({ id, breaches = [] }) =>
    breaches.flatMap((breach) => {
      const { repeat = '' } = breach
      const earlier = updatesShown(breach, exchanges)
      return repeat === '' ? [] : { clause: id, script: scripts[repeat]?.(), earlier }
    }),
  )
  const [first] = made
  return made.find(isDeciding) ?? first ?? { clause: clause?.id, why: broken[0]?.notRepeated }
}
