import { areas } from '../proofs/areas.ts'
import type { Bent, Fault } from '../proofs/fault.ts'
import { late } from '../proofs/variants/clocks.ts'
import { anotherUser, faraway, inTurn, refusingEachFifth, restarting } from './fronts.ts'

/** A service that runs by many schedules. */
export type Target = {
  name: string
  bent: (schedule: number) => Bent
  /** ids or globs of the clauses that are run */
  by: string[]
  /** it was down for a time, or another user changed its tasks: a run may end with 3 */
  disturbed?: true
  /** each answer is from either of two versions: observed values depend on which one a run meets */
  twofold?: true
  /** a fault: one of these clauses fails */
  breaks?: string[]
}

/** The clauses on tasks: reads, updates, concurrency and the trail that updates leave. */
const onTasks = ['task.*', 'assign.*', 'version.*', 'notify.*', 'audit.*']

const lawful = (name: string, bent: (schedule: number) => Bent, more: Partial<Target> = {}) => ({
  name,
  bent: (schedule: number) => ({ events: 200, ...bent(schedule) }),
  by: onTasks,
  ...more,
})

const [lateEvents] = late

/** The reference service, and lawful services with difficult surroundings. */
export const lawfulTargets: Target[] = [
  lawful('the reference service', () => ({})),
  lawful(
    'another user changes each task every two to five seconds',
    (schedule) => ({ front: anotherUser(schedule) }),
    { disturbed: true },
  ),
  lawful('reads lag by 150 ms', () => ({ open: { readLag: () => 150 } })),
  lawful('an updated task is touched three times more', () => ({
    open: { laterTouches: () => [5, 30, 80] },
  })),
  lawful('at most 50 requests a second', () => ({ open: { requestsPerSecond: () => 50 } })),
  lawful('each answer takes 30 ms', () => ({ open: { delay: () => 30 } })),
  lawful('an event of others every 20 ms', () => ({ open: { trafficInterval: () => 20 } })),
  lawful(lateEvents?.name ?? '', () => ({ ...lateEvents })),
  lawful('each fifth request gets 429, with Retry-After: 1', () => ({
    front: refusingEachFifth(),
  })),
  lawful('the service restarts for ten seconds', (schedule) => ({ front: restarting(schedule) }), {
    disturbed: true,
  }),
  lawful(
    '300 ms away, and one request in twenty is reset',
    (schedule) => ({ front: faraway(schedule) }),
    { disturbed: true },
  ),
  lawful('two versions in turn', () => ({ front: inTurn() }), { twofold: true }),
]

const isLost = ({ stated }: Fault) => stated?.betweenCheckAndWrite !== undefined

/** Faults that let another update come between comparing the version and storing the change. */
export const lostUpdates: Target[] = areas
  .flatMap(({ faults = [] }) => faults)
  .filter(isLost)
  .map((fault) => ({
    name: fault.name,
    bent: () => fault,
    by: ['version.*'],
    breaks: fault.breaks,
  }))
