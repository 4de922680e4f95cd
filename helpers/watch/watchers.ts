import { isNamed } from '../../engine/clause/chosen.ts'
import { Trouble } from '../../engine/outcome.ts'
import type { Known } from '../service/known.ts'
import type { Settings } from '../settings/table.ts'
import type { Watcher } from '../updates/journey.ts'
import { trailOf } from './event-watch.ts'
import { arrivalsOf } from './mail-watch.ts'
import type { Mailbox } from './mailbox.ts'

/** What onlookers of the transitions find is shared by these names. */
export const onlookerNames = {
  trail: 'events of the transitions',
  mails: 'mails of the transitions',
}

/** Who looks on while the transitions are made: only for clauses that the run checks. */
export function onlookersFor(room: {
  settings: Settings
  known: Known
  mailbox: Mailbox | undefined
  stop: AbortSignal
}): Watcher[] {
  const { settings, known, mailbox, stop } = room
  const onlookers: Watcher[] = []
  if (isNamed('trail'))
    onlookers.push({ name: onlookerNames.trail, watch: trailOf({ settings, stop }) })
  if (mailbox && isNamed('arrivals')) {
    const tasks = known.tasks.map(({ id }) => id)
    const watch = arrivalsOf({ mailbox, settings, tasks, stop })
    onlookers.push({ name: onlookerNames.mails, watch })
  }
  return onlookers
}

/** Stands where what an onlooker found is asked for: it looks before anybody can ask. */
export async function nobodyLooked<Found>(): Promise<Found> {
  throw new Trouble('nobody looked on while the transitions were made')
}
