import { setMaxListeners } from 'node:events'
import type { Findings } from '../engine/clause/shared.ts'
import { openClient, type Recorder } from '../engine/http/client.ts'
import { watchRate } from '../engine/http/rate.ts'
import { Trouble } from '../engine/outcome.ts'
import { openJournal } from './loans/journal.ts'
import { createLending, withinBudget } from './loans/lending.ts'
import type { Run } from './run.ts'
import { createService, withoutUpdates } from './service/service.ts'
import { createWriteBudget } from './service/write-budget.ts'
import type { Journeys } from './updates/journey.ts'
import { mailboxFor } from './watch/mailbox.ts'
import { onlookersFor } from './watch/watchers.ts'

export type Session = ReturnType<typeof openSession>

/** Opens what the clauses of a run have in common; the main process can end it. */
export function openSession({ id, settings, known }: Run) {
  const channel = new BroadcastChannel(id)
  const stopping = new AbortController()
  const stop = stopping.signal
  // Whatever waits in any clause listens to it: node takes more than ten listeners for a leak.
  setMaxListeners(0, stop)
  channel.onmessage = ({ data }) => stopping.abort(new Trouble(String(data)))
  const requests = toldTogether((count) => channel.postMessage(count))
  const client = openClient(settings, { stop, onRequest: requests.one })
  const journal = openJournal(settings.journalDir, settings.baseUrl)
  const { maxWrites } = settings
  const budget = maxWrites === undefined ? undefined : createWriteBudget(maxWrites)
  const lender = createLending(known.tasks, settings, journal, stop, (task) =>
    channel.postMessage(task),
  )
  const rate = watchRate()
  const serviceFor = (record: Recorder) => {
    const seen: Recorder = (exchange) => {
      rate.see(exchange)
      record(exchange)
    }
    const service = createService(client, seen, budget)
    return settings.readOnly ? withoutUpdates(service) : service
  }
  const findings: Findings = new Map()
  const journeys: Journeys = new Map()
  const mailbox = mailboxFor(settings, stop)
  const returning: Promise<void>[] = []
  return {
    settings,
    known,
    client,
    lending: budget ? withinBudget(lender, budget) : lender,
    serviceFor,
    findings,
    journeys,
    mailbox,
    watchers: onlookersFor({ settings, known, mailbox, stop }),
    /** tasks of journeys, on their way back */
    returning,
    rate,
    /** ids of the clauses that have ended */
    ended: new Set<string>(),
    stop,
    close: async () => {
      await Promise.allSettled(returning)
      requests.end()
      channel.close()
      await Promise.all([client.close(), mailbox?.close()])
    },
  }
}

/** Tells how many there were now and then: a message for each takes longer than to count it. */
function toldTogether(say: (count: number) => void) {
  let untold = 0
  let over = false
  const tell = () => {
    if (untold > 0 && !over) say(untold)
    untold = 0
  }
  const one = () => {
    untold += 1
    if (untold === 1) setTimeout(tell, 50).unref()
  }
  const end = () => {
    tell()
    over = true
  }
  return { one, end }
}
