import { exitCodeOf } from '../engine/run/exit-code.ts'
import type { Runner } from '../engine/run/runner.ts'
import type { Settings } from '../helpers/settings/table.ts'
import type { World } from '../reference/world/world.ts'
import type { Out } from '../reporting/console.ts'
import { liveLine } from '../reporting/live.ts'
import { type Plan, planText } from '../reporting/plan-text.ts'
import { Impossible } from './input/mistakes.ts'
import type { Order } from './input/order.ts'
import { firstContact } from './run/first-contact.ts'
import type { Interruption } from './run/interruption.ts'
import type { Contact } from './run/learned.ts'
import { durationOf } from './stand-in/duration.ts'
import { type Rehearsal, rehearse } from './stand-in/rehearsal.ts'
import { teamsOfUnknownSize } from './stand-in/stand-in-world.ts'

type Wanted = {
  settings: Settings
  order: Order
  out: Out
  interruption: Interruption
  /** of the embedded service, where that is what would be tested */
  world?: World
  runner?: Runner
}

/** Tells what a run would check, skip and cost. The service itself is sent a few reads and no more. */
export async function plan(wanted: Wanted): Promise<number> {
  const { settings, order, out, interruption, world, runner } = wanted
  const contact = await firstContact(settings, interruption.signal)
  const live = liveLine(out, { rehearsing: 'rehearsing on a stand-in' })
  const overtime = setTimeout(
    () => interruption.end(`the run took longer than RUN_TIMEOUT_S=${settings.runTimeoutS}`),
    settings.runTimeoutS * 1000,
  )
  const script = {
    settings: { ...settings, baseUrl: contact.baseUrl },
    contact,
    order,
    world,
    runner,
  }
  const rehearsal = await rehearse(script, live, interruption.signal)
  const { clauses, errors, cost } = rehearsal
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
    time: timeOf(settings, contact, rehearsal),
    // Room for putting back each task, and for one update that is to be refused at the very end.
    sufficientBound: cost.acceptedUpdates + lendable + 1,
    ...(settings.maxWrites === undefined ? {} : { bound: settings.maxWrites }),
    teamsOfUnknownSize: world ? 0 : teamsOfUnknownSize(settings).length,
  }
  out.write(planText(made, { verbose: order.verbose }))
  return 0
}

/** What the run adds to its requests: threads begin, tasks are put back, reports are written. */
const aroundMs = 2000

/**
 * How long the run takes if everything is answered as fast as the fastest of the first reads: the time of
 * this machine, as the rehearsal took it, and that of the answers.
 */
function timeOf(
  { concurrency: places, requestsPerSecond: perSecond, settleMs }: Settings,
  { lasted }: Contact,
  { sent, milliseconds }: Rehearsal,
): Plan['time'] {
  // Most of the first reads wait for a connection too, or for a service that has just begun.
  const latencyMs = lasted.toSorted((a, b) => a - b)[Math.floor(lasted.length / 10)] ?? 0
  const requestsMs = durationOf(sent, { latencyMs, places, perSecond, settleMs })
  return { latencyMs, runMs: requestsMs + milliseconds + aroundMs }
}
