import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClauseFacts } from '../../engine/clause/clause.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import type { Judged } from '../../engine/run/run-clauses.ts'
import type { Runner } from '../../engine/run/runner.ts'
import type { Outcome } from '../../engine/verdict.ts'
import { divided } from '../../helpers/loans/divided.ts'
import { settleDebts } from '../../helpers/loans/settle-debts.ts'
import type { Settings } from '../../helpers/settings/table.ts'
import type { World } from '../../reference/world/world.ts'
import type { Live } from '../../reporting/live.ts'
import type { Order } from '../input/order.ts'
import { selectionFor } from '../input/order.ts'
import type { Contact } from '../run/learned.ts'
import { openLoans } from '../run/loans.ts'
import { runAll } from '../run/run-all.ts'
import { type Sent, wasAccepted } from './duration.ts'
import { type Cost, openStandIn } from './stand-in.ts'
import { createStandInWorld } from './stand-in-world.ts'

/** One clause in the rehearsal; requests that several share are counted for the first of them. */
export type Rehearsed = {
  facts: ClauseFacts
  outcome: Outcome
  requests: number
  updates: number
}

export type Rehearsal = {
  clauses: Rehearsed[]
  errors: string[]
  cost: Cost
  /** what was sent, with the clauses whose evidence it is */
  sent: Sent[]
  /** how long it took on a service that answers at once */
  milliseconds: number
}

/** Enough for every clause; to export as many as a service may have takes longer than all the rest. */
const events = { eventCount: 1_200, pdfLimit: 1_000 }

type Script = {
  settings: Settings
  contact: Contact
  order: Order
  /** of the embedded service; left out: one like what the first contact saw */
  world?: World
  runner?: Runner
}

/**
 * Runs the very clauses of a run on a stand-in for the service, which is given the same tasks in
 * the same states: what that costs is what the run will cost.
 */
export async function rehearse(
  { settings, contact, order, world = createStandInWorld(settings, contact.seen), runner }: Script,
  live: Live,
  stop: AbortSignal,
): Promise<Rehearsal> {
  const folder = mkdtempSync(join(tmpdir(), 'contract-plan-'))
  const { eventCount, pdfLimit } = events
  const refused = contact.seen.filter(({ status }) => status === 403)
  const standIn = await openStandIn(
    // Nothing of a stand-in settles later.
    { ...settings, settleMs: 0, reportsDir: folder, journalDir: join(folder, 'journal') },
    { ...world, eventCount },
    { closed: new Set(refused.map(({ id }) => id.toLowerCase())), pdfLimit },
  )
  try {
    const selection = selectionFor(order, standIn.settings)
    const known = divided(contact.known, settings.taskIds, selection.shard)
    const loans = openLoans(standIn.settings, known)
    const start = performance.now()
    const { judged, errors } = await runAll(
      { settings: standIn.settings, known: loans.known, pdfLimit, selection, runner },
      { ...live, judged: ({ facts }) => live.judged(facts.id) },
      stop,
    )
    await settleDebts(standIn.settings, { tasks: loans.held })
    const milliseconds = performance.now() - start
    const isNew = createIsNew()
    const clauses = judged.map(({ facts, outcome, evidence }) => {
      const own = evidence.filter(isNew)
      const updates = own.filter(({ method }) => method === 'PUT')
      return { facts, outcome, requests: own.length, updates: updates.filter(wasAccepted).length }
    })
    return { clauses, errors, cost: { ...standIn.cost }, sent: sentIn(judged), milliseconds }
  } finally {
    await standIn.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function sentIn(judged: readonly Pick<Judged, 'facts' | 'evidence'>[]): Sent[] {
  const byNumber = new Map<number, Sent>()
  for (const { facts, evidence } of judged)
    for (const exchange of evidence) {
      const sent = byNumber.get(exchange.number) ?? { exchange, clauses: [] }
      if (!sent.clauses.includes(facts.id)) sent.clauses.push(facts.id)
      byNumber.set(exchange.number, sent)
    }
  return [...byNumber.values()]
}

/** A check whether an exchange comes for the first time: clauses share many. */
function createIsNew(): (exchange: Exchange) => boolean {
  const known = new Set<number>()
  return ({ number }) => {
    if (known.has(number)) return false
    known.add(number)
    return true
  }
}
