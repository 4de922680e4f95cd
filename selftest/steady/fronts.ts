// What stands before a lawful service in simulated time: proxies, a restart, two versions, another user.
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../engine/http/retry.ts'
import type { Transport } from '../../engine/http/transport.ts'
import type { Place } from '../../program/stand-in/embedded.ts'
import { settingsFor } from '../../program/stand-in/settings-for.ts'
import type { Service } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { workBeside } from '../helpers/updates/beside/another-user.ts'

type Fetch = Service['fetch']
type Send = Transport['send']
type Front = (place: Place) => Place

/** Another way to the service, which is put first; the mailbox is reached as before. */
const onTheWay =
  (through: (send: Send) => Send): Front =>
  ({ listenTo, transport }) => {
    if (!transport) throw new Error('a front stands where no sockets are used')
    const other = through(transport.send)
    let service: string | undefined
    return {
      transport: {
        ...transport,
        send: (asked, ...more) =>
          (asked.origin === service ? other : transport.send)(asked, ...more),
      },
      listenTo: async (fetch) => {
        const put = await listenTo(fetch)
        service ??= put.origin
        return put
      },
    }
  }

/** Each fifth request is refused, and asked to wait for a second. */
export const refusingEachFifth = (): Front =>
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

/** From a request in the midst of the run nobody listens for ten seconds; what is under way then is cut off. */
export const restarting = (seed: number): Front =>
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

/** Two versions answer in turn: what the contract leaves open differs. */
export function twoVersions() {
  let turn = 0
  return async (request: Request, next: Fetch, address?: string): Promise<Response> => {
    const answer = await next(request, address)
    turn += 1
    if (turn % 2 === 0 || !answer.headers.get('content-type')?.includes('json')) return answer
    const body = (await answer.json()) as object
    const other = answer.ok ? { ...body, schema: 2 } : { message: 'no', code: answer.status }
    const headers = { 'content-type': 'application/json; charset=utf-8', 'x-revision': '2' }
    return new Response(JSON.stringify(other, null, 2), { status: answer.status, headers })
  }
}

/** Two versions of the service in turn, in its place. */
export const inTurn = (): Front => (place) => {
  const between = twoVersions()
  let isFirst = true
  return {
    ...place,
    listenTo: (fetch) => {
      const next = isFirst ? (asked: Request, from?: string) => between(asked, fetch, from) : fetch
      isFirst = false
      return place.listenTo(next)
    },
  }
}

const lent = settingsFor({ world: makeWorld(1, { events: 0 }) })

/** Another user changes each task every two to five seconds, as long as the service is there. */
export const anotherUser =
  (seed: number, taskIds = lent.taskIds): Front =>
  (place) => {
    let isFirst = true
    return {
      ...place,
      listenTo: async (fetch) => {
        const { origin, close } = await place.listenTo(fetch)
        if (!isFirst) return { origin, close }
        isFirst = false
        const stop = workBeside({ ...lent, fetch, baseUrl: `${origin}/v5` }, taskIds, seed)
        return {
          origin,
          close: async () => {
            stop()
            await close()
          },
        }
      },
    }
  }
