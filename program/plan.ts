import { exitCodeOf } from '../engine/run/exit-code.ts'
import type { Pool } from '../engine/run/runner-options.ts'
import type { Settings } from '../helpers/settings/table.ts'
import type { World } from '../reference/world/world.ts'
import type { Out } from '../reporting/console.ts'
import { liveLine } from '../reporting/live.ts'
import { type Plan, planText } from '../reporting/plan-text.ts'
import { Impossible } from './input/mistakes.ts'
import type { Order } from './input/order.ts'
import { firstContact } from './run/first-contact.ts'
import type { Interruption } from './run/interruption.ts'
import { rehearse } from './stand-in/rehearsal.ts'
import { teamsOfUnknownSize } from './stand-in/stand-in-world.ts'

type Wanted = {
  settings: Settings
  order: Order
  out: Out
  interruption: Interruption
  /** of the embedded service, where that is what would be tested */
  world?: World
  pool?: Pool
}

/** Tells what a run would check, skip and cost. The service itself is sent a few reads and no more. */
export async function plan(wanted: Wanted): Promise<number> {
  const { settings, order, out, interruption, world, pool } = wanted
  const contact = await firstContact(settings, interruption.signal)
  const live = liveLine(out)
  const overtime = setTimeout(
    () => interruption.end(`the run took longer than RUN_TIMEOUT_S=${settings.runTimeoutS}`),
    settings.runTimeoutS * 1000,
  )
  const script = {
    settings: { ...settings, baseUrl: contact.baseUrl },
    contact,
    order,
    world,
    pool,
  }
  const { clauses, errors, cost } = await rehearse(script, live, interruption.signal)
  clearTimeout(overtime)
  live.end()
  if (interruption.by) return exitCodeOf({ verdict: 'inconclusive', signal: interruption.by })
  if (interruption.signal.aborted)
    throw new Impossible(`The plan is incomplete: ${interruption.signal.reason}.`)
  if (errors[0] !== undefined) throw new Impossible(`The plan is incomplete: ${errors[0]}`)

  const lendable = contact.known.tasks.filter((task) => task.lendable).length
  const made: Plan = {
    target: { baseUrl: contact.baseUrl, embedded: settings.embedded },
    notices: [...settings.notices, ...contact.notices],
    seed: settings.seed,
    firstContact: contact.requests,
    clauses: clauses.map(({ facts, outcome, requests, updates }) => ({
      id: facts.id,
      level: facts.level,
      fate: outcome.kind === 'undecided' ? 'skip' : outcome.kind === 'trouble' ? 'lost' : 'run',
      ...('reason' in outcome ? { reason: outcome.reason } : {}),
      requests,
      updates,
    })),
    cost,
    // Room for putting back each task, and for one update that is to be refused at the very end.
    sufficientBound: cost.acceptedUpdates + lendable + 1,
    ...(settings.maxWrites === undefined ? {} : { bound: settings.maxWrites }),
    teamsOfUnknownSize: world ? 0 : teamsOfUnknownSize(settings).length,
  }
  out.write(planText(made, { verbose: order.verbose }))
  return 0
}
