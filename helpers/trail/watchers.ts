import { isNamed } from '../../engine/clause/chosen.ts'
import type { Known } from '../service/known.ts'
import type { Shared } from '../service/service.ts'
import type { Settings } from '../settings/table.ts'
import type { JourneyView, Watcher } from '../updates/journey.ts'
import { type Trail, trailOf } from './event-watch.ts'
import { type Arrivals, arrivalsOf } from './mail-watch.ts'
import type { Mailbox } from './mailbox.ts'

/** Who watches while the transitions are made; what nobody asks for is left out. */
export type Watchers = { events?: Watcher<Trail>; mails?: Watcher<Arrivals> }

/** Starts a watcher where a clause that the run checks names the given of what it finds. */
export function createWatchers(deps: {
  settings: Settings
  known: Known
  mailbox: Mailbox | undefined
  stop: AbortSignal
}): Watchers {
  const { settings, known, mailbox, stop } = deps
  const tasks = known.tasks.map(({ id }) => id)
  return {
    events: isNamed('trail') ? { watch: trailOf({ settings, stop }) } : undefined,
    mails:
      mailbox && isNamed('arrivals')
        ? { watch: arrivalsOf({ mailbox, settings, tasks, stop }) }
        : undefined,
  }
}

/** What the audit trail shows of the transitions, when their tasks were put back. */
export async function fetchTrail({
  watchers,
  returning,
  shared,
  journey,
}: Travelled): Promise<Trail> {
  await journey.accepted('transitions')
  const trail = await foundBy(watchers.events, shared)
  await Promise.all(returning)
  return trail
}

type Travelled = {
  watchers: Watchers
  returning: Promise<void>[]
  shared: Shared
  journey: JourneyView
}

/** What a watcher found: it looks before anybody can ask. */
export const foundBy = <Found>(watcher: Watcher<Found> | undefined, shared: Shared) =>
  shared<Found>(watcher, async () => {
    throw new Error('no watcher was started before the transitions were made')
  })
