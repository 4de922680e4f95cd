import { NoSuchClause } from '../../engine/clause/selection.ts'
import { secretsOf } from '../../engine/http/redaction.ts'
import { reportOf } from '../../engine/run/report-of.ts'
import type { Settings } from '../../helpers/settings/table.ts'
import type { Out } from '../../reporting/console.ts'
import { Impossible } from '../input/mistakes.ts'
import type { Order } from '../input/order.ts'
import { contract } from '../run/contract.ts'
import type { Interruption } from '../run/interruption.ts'
import { madeBy } from '../run/version.ts'
import { type Checked, finish } from './finish.ts'
import { createOutputGate } from './output-gate.ts'

type Begun = {
  out: Out
  settings: Settings
  order: Order
  interruption: Interruption
  startedAt: Date
  start: number
}

/**
 * Leaves a report of a run that ended before its clauses did: whoever looks for one finds out why
 * there is no more to see. What stopped it is then thrown on, unless it was meant to stop.
 */
export function finishEarly(error: unknown, begun: Begun): Checked {
  // A mistake in the flags: what an earlier run left stays.
  if (error instanceof NoSuchClause) throw error
  const { settings, order, out, interruption, startedAt, start } = begun
  const { signal, by } = interruption
  const why = signal.aborted ? String(signal.reason) : describeError(error)
  const found = reportOf({
    judged: [],
    errors: [],
    contract,
    settings,
    order,
    reasons: [why],
    notices: settings.notices,
    restored: 0,
    residue: [],
    startedAt,
    durationMs: performance.now() - start,
    requests: 0,
    madeBy,
    interrupted: by !== undefined,
  })
  const { reportsDir: dir } = settings
  const secrets = secretsOf(settings)
  const report = createOutputGate(secrets).value(found)
  const finishing = { dir, secrets, verbose: order.verbose, signal: by }
  if (signal.aborted) return finish(report, { ...finishing, out })
  finish(report, { ...finishing, out: { write: () => {} } })
  throw error
}

const describeError = (error: unknown) =>
  error instanceof Impossible ? error.message : `internal error of the suite: ${error}`
