import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../engine/http/retry.ts'
import { handOn, lendBehind, type Spoil } from './in-front.ts'

type Lent = Awaited<ReturnType<typeof lendBehind>>

/** How many requests there are before clauses change anything, and in the midst of a run. */
const middle = 300

const refuse: Spoil = (_, outgoing) => {
  outgoing.writeHead(429, { 'retry-after': '1' }).end()
  return true
}

/** A service that lets so many requests pass in each second of its clock. */
function perSecond(most: number): Spoil {
  let second = 0
  let passed = 0
  return (...given) => {
    const now = Math.floor(Date.now() / 1000)
    if (now !== second) passed = 0
    second = now
    passed += 1
    return passed > most ? refuse(...given) : false
  }
}

const eachFifth: Spoil = (incoming, outgoing, count) =>
  count % 5 === 0 ? refuse(incoming, outgoing, count) : false

/** A long way: each answer comes later, and some never. */
function faraway(latencyMs: number, share: number) {
  const random = seededRandom(7)
  let pass: ReturnType<typeof handOn> | undefined
  return async () => {
    const lent: Lent = await lendBehind((incoming, outgoing) => {
      pass ??= handOn(lent.baseUrl)
      if (random() < share) setTimeout(() => incoming.socket.resetAndDestroy(), latencyMs / 2)
      else setTimeout(() => pass?.(incoming, outgoing), latencyMs)
      return true
    })
    return lent
  }
}

/** Nobody listens for ten seconds in the midst of the run. */
async function restarting() {
  let isDown = false
  const lent: Lent = await lendBehind((_, __, count) => {
    if (count === middle && !isDown) {
      isDown = true
      void restart(lent.front, Number(new URL(lent.env.BASE_URL).port))
    }
    return false
  })
  return lent
}

async function restart(front: Server, port: number) {
  front.close()
  front.closeAllConnections()
  await sleep(10_000)
  front.listen(port, '127.0.0.1')
}

/** Two versions answer in turn: what the contract leaves open differs. */
async function rolling() {
  let turn = 0
  return lendBehind(() => false, {
    between: async (request, next) => {
      const answer = await next(request)
      turn += 1
      if (turn % 2 === 0 || !answer.headers.get('content-type')?.includes('json')) return answer
      const body = (await answer.json()) as object
      const other = answer.ok ? { ...body, schema: 2 } : { message: 'no', code: answer.status }
      const headers = { 'content-type': 'application/json; charset=utf-8', 'x-revision': '2' }
      return new Response(JSON.stringify(other, null, 2), { status: answer.status, headers })
    },
  })
}

type Way = {
  name: string
  lend: () => Promise<Lent>
  /** left out: all */
  clauses?: string
}

/** What a lawful service may be like that is slow, far away, or on its way down and up again. */
export const ways: Way[] = [
  { name: 'each fifth request gets 429, with Retry-After: 1', lend: () => lendBehind(eachFifth) },
  {
    name: 'three requests a second',
    lend: () => lendBehind(perSecond(3)),
    clauses: 'task.read.*,assign.user-to-user,version.stale.*',
  },
  { name: '300 ms away, and one request in twenty is reset', lend: faraway(300, 0.05) },
  { name: 'restarts for ten seconds', lend: restarting },
  { name: 'two versions in turn', lend: rolling },
]
