// The watchers during the transitions, and what they found.

import { isNamed } from '../../engine/clause/chosen.ts'
import type { KnownIds } from '../service/known.ts'
import type { Shared } from '../service/service.ts'
import type { Settings } from '../settings/table.ts'
import type { SequenceView, Watcher } from '../updates/sequence.ts'
import { type Arrivals, arrivalsOf } from './arrivals.ts'
import type { Mailbox } from './mailbox.ts'
import { type Trail, trailOf } from './sequence-events.ts'

/** The watchers of a run; those that no clause needs are left out. */
type Watchers = { events?: Watcher<Trail>; mails?: Watcher<Arrivals> }

/** Starts a watcher if a selected clause names its given. */
export function createWatchers(deps: {
  settings: Settings
  known: KnownIds
  mailbox: Mailbox | undefined
  stop: AbortSignal
}): Watchers {
  const { settings, known, mailbox, stop } = deps
  const tasks = known.tasks.map(({ id }) => id)
  const events = isNamed('trail') ? { watch: trailOf({ settings, stop }) } : undefined
  if (!mailbox || !isNamed('arrivals')) return { events }
  return { events, mails: { watch: arrivalsOf({ mailbox, settings, tasks, stop }) } }
}

/** A watcher's finding, once the transitions are made and their tasks returned. */
export async function fetchFound<Found>(
  watcher: Watcher<Found> | undefined,
  deps: { sequence: SequenceView; shared: Shared; returning: Promise<void>[] },
): Promise<Found> {
  const { sequence, shared, returning } = deps
  await sequence.accepted('transitions')
  const found = await shared<Found>(watcher, async () => {
    throw new Error('no watcher was started before the transitions were made')
  })
  await Promise.all(returning)
  return found
}
