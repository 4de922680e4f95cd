import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../engine/http/retry.ts'
import { randomFor } from '../../engine/random.ts'
import { bodyOf } from '../../helpers/loans/put-back.ts'
import type { Assignment, Task } from '../../helpers/service/answers.ts'
import { createNames } from '../../helpers/service/comments.ts'
import { type Assignee, unassignBody, updateBody } from '../../helpers/service/update-request.ts'
import { chooseComments } from '../../helpers/updates/comment-kinds.ts'
import { settingsFor } from '../../program/stand-in/settings-for.ts'
import type { Service } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { areas } from '../proofs/areas.ts'
import { type Front, onTheWay } from '../proofs/bent/around.ts'
import type { Bent, Fault } from '../proofs/fault.ts'
import { late } from '../proofs/variants/clocks.ts'

// What stands before a lawful service in simulated time: proxies, a restart, two versions, another
// user.

type Fetch = Service['fetch']

/** Every fifth request is refused and has to wait a second. */
const refusingEachFifth = (): Front =>
  onTheWay((send) => {
    let count = 0
    return async (asked, signal, started) => {
      count += 1
      if (count % 5 !== 0) return send(asked, signal, started)
      started()
      await sleep(1)
      return { statusCode: 429, headers: { 'retry-after': '1' }, body: Readable.from([]) }
    }
  })

/**
 * From a request in the middle of the run, the service is down for ten seconds; requests under way are cut
 * off.
 */
const restarting = (seed: number): Front =>
  onTheWay((send) => {
    const middle = 100 + Math.floor(400 * seededRandom(seed)())
    let count = 0
    let isDown = false
    const cuts = new Set<(why: Error) => void>()
    const restart = async () => {
      isDown = true
      for (const cut of cuts) cut(failed('ECONNRESET', 'read ECONNRESET'))
      await sleep(10_000)
      isDown = false
    }
    return (asked, signal, started) => {
      count += 1
      if (count === middle) void restart()
      if (isDown) return Promise.reject(failed('ECONNREFUSED', 'connect ECONNREFUSED'))
      return new Promise((resolve, reject) => {
        cuts.add(reject)
        send(asked, signal, started)
          .then(resolve, reject)
          .finally(() => cuts.delete(reject))
      })
    }
  })

const failed = (code: string, message: string) => Object.assign(new Error(message), { code })

/** Something around the service alone: the mailbox listens after it. */
const aroundService =
  (around: (fetch: Fetch) => Fetch): Front =>
  (place) => {
    let isFirst = true
    const listenTo: typeof place.listenTo = (fetch) => {
      const own = isFirst ? around(fetch) : fetch
      isFirst = false
      return place.listenTo(own)
    }
    return { ...place, listenTo }
  }

/** Two versions of the service answer in turn: what the contract leaves open differs. */
const inTurn = aroundService((fetch) => {
  let turn = 0
  return async (request, address) => {
    const answer = await fetch(request, address)
    turn += 1
    if (turn % 2 === 0 || !answer.headers.get('content-type')?.includes('json')) return answer
    const body = (await answer.json()) as object
    const other = answer.ok ? { ...body, schema: 2 } : { message: 'no', code: answer.status }
    const headers = { 'content-type': 'application/json; charset=utf-8', 'x-revision': '2' }
    return new Response(JSON.stringify(other, null, 2), { status: answer.status, headers })
  }
})

/** 300 ms away, and one request in twenty is reset on its way. */
const faraway = (seed: number): Front =>
  onTheWay((send) => {
    const random = seededRandom(seed)
    return async (asked, signal, started) => {
      await sleep(150)
      if (random() < 0.05) {
        started()
        throw failed('ECONNRESET', 'read ECONNRESET')
      }
      const answer = await send(asked, signal, started)
      await sleep(150)
      return answer
    }
  })

const lent = settingsFor({ world: makeWorld(1, { events: 0 }) })
const dispatcher = 'aaaaaaaa-1111-4222-8333-444444444444'

const calm = { min: 2000, max: 5000 }

/** Changes each task anew after so many milliseconds, as long as the service is met. */
function changingEachTask(
  fetch: Fetch,
  change: (url: string) => Promise<void>,
  pauseMs: () => number,
): Fetch {
  const next = () => performance.now() + pauseMs()
  const due = new Map(lent.taskIds.map((id) => [id, next()]))
  return (request, address) => {
    for (const [id, at] of due)
      if (at < performance.now()) {
        due.set(id, next())
        void change(new URL(`/v5/tasks/${id}`, request.url).href)
      }
    return fetch(request, address)
  }
}

/** A colleague who changes each task now and then, as long as the service is met. */
export const anotherUser = (seed: number, every = calm): Front =>
  aroundService((fetch) => {
    const random = randomFor(seed, 'somebody in the office')
    const headers = { apikey: lent.apiKey, 'content-type': 'application/json' }
    const change = async (url: string) => {
      const read = await fetch(new Request(url, { headers }))
      const { updated_at, assignment } = (await read.json()) as Record<string, string | null>
      const to = { id: random.helpers.arrayElement(lent.userIds), type: 'USER' as const }
      const isUnassigned = assignment && random.datatype.boolean()
      const body = JSON.stringify(
        isUnassigned
          ? unassignBody(dispatcher)
          : updateBody(dispatcher, to, random.lorem.sentence()),
      )
      const own = { ...headers, 'if-match': `${updated_at}` }
      await fetch(new Request(`${url}/update-assignment`, { method: 'PUT', headers: own, body }))
    }
    return changingEachTask(fetch, change, () => random.number.int(every))
  })

/** Another run of this suite with the same settings: it walks through each task and puts it back as it found it. */
export const anotherRun = (seed: number, every = { min: 50, max: 1500 }): Front =>
  aroundService((fetch) => {
    const random = randomFor(seed, 'another run')
    const headers = { apikey: lent.apiKey, 'content-type': 'application/json' }
    const { next: nextName } = createNames(
      random.string.hexadecimal({ length: 6, casing: 'lower', prefix: '' }),
    )
    const { actorId = '' } = lent
    const people: Assignee[] = [
      ...lent.userIds.map((id): Assignee => ({ id, type: 'USER' })),
      ...lent.teamIds.map((id): Assignee => ({ id, type: 'TEAM' })),
    ]
    const found = new Map<string, Assignment | null>()
    const bodyFor = (assignment: Assignment | null, url: string) => {
      const to = random.helpers.arrayElement(people)
      const { text } = chooseComments(true, nextName()).next(to)
      return random.helpers.weightedArrayElement([
        { weight: 6, value: updateBody(actorId, to, text) },
        { weight: 2, value: unassignBody(actorId) },
        // As at the end of a run: the current assignment again, and the one that was found.
        { weight: 1, value: bodyOf(actorId, assignment) },
        { weight: 1, value: bodyOf(actorId, found.get(url) ?? null) },
      ])
    }
    const change = async (url: string) => {
      const read = await fetch(new Request(url, { headers }))
      const { updated_at, assignment } = (await read.json()) as Task
      if (!found.has(url)) found.set(url, assignment)
      const body = JSON.stringify(bodyFor(assignment, url))
      const own = { ...headers, 'if-match': updated_at }
      await fetch(new Request(`${url}/update-assignment`, { method: 'PUT', headers: own, body }))
    }
    return changingEachTask(fetch, change, () => random.number.int(every))
  })

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

/** How long another run leaves each task alone, in milliseconds. */
const paces = [
  { min: 20, max: 200 },
  { min: 50, max: 1500 },
  { min: 500, max: 5000 },
]

/** The reference service, and lawful services with difficult surroundings. */
export const lawfulTargets: Target[] = [
  lawful('the reference service', () => ({})),
  lawful(
    'another user changes each task every two to five seconds',
    (schedule) => ({ front: anotherUser(schedule) }),
    { disturbed: true },
  ),
  lawful(
    'another run of this suite on the same tasks',
    (schedule) => ({ front: anotherRun(schedule, paces[schedule % paces.length]) }),
    { disturbed: true },
  ),
  lawful('reads lag by 150 ms', () => ({ open: { readLag: () => 150 } })),
  lawful('every other read comes from a replica 300 ms behind', () => {
    let reads = 0
    const readLag = () => {
      reads += 1
      return reads % 2 === 0 ? 300 : 0
    }
    return { open: { readLag } }
  }),
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
  lawful('two versions in turn', () => ({ front: inTurn }), { twofold: true }),
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
