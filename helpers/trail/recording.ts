// What has to be known of the trail before all events of the run can be looked for.

import { NotDecidable } from '../../engine/outcome.ts'
import type { Exports } from '../export/ask/exports.ts'
import type { Ledger } from '../history/accepted-updates.ts'
import { premise } from '../service/answers.ts'
import type { Settings } from '../settings/table.ts'
import { type Asked, problemsOfRecord, type Recorded } from './all-recorded.ts'
import { lateMsOf, type Trail } from './event-watch.ts'

export type Recording = {
  trail: Trail
  ledger: Ledger
  exports: Exports
  settings: Pick<Settings, 'auditWaitS'>
  session: { stop: AbortSignal }
}

/** What the export shows of all changes of this run, found out once. */
export const record = (given: Recording): Promise<Recorded> =>
  given.exports.once('events of all changes', (inner) => problemsOfRecord(askedOf(given, inner)))

export function askedOf({ trail, ledger, session, settings }: Recording, exports: Exports): Asked {
  const limitMs = settings.auditWaitS * 1000
  const lateMs = lateMsOf(trail, settings)
  return { exports, ledger, control: needTask(trail), lateMs, limitMs, stop: session.stop }
}

/** A task of which it was seen that the export finds its events. */
export function needTask(trail: Trail): string {
  needComplete(trail)
  const [first] = trail.updates
  if (trail.by !== 'task_id' || !first)
    throw new NotDecidable(
      'freedom',
      'events of a task are not found by task_id; the fields of a stored event are not shown',
    )
  return first.before.id
}

export function needComplete({ complete }: Trail): void {
  const missing = 'not every update was seen in an export'
  premise(complete, 'clause', missing, 'audit.assignment-recorded')
}
