import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { seededRandom } from '../../helpers/http/retry.ts'
import { closeAll } from '../http/servers.ts'
import { start } from '../on-loan.ts'
import { lendBehind, type Spoil } from './in-front.ts'
import { wrongs } from './on-the-line.ts'
import { failedIn, verdictsOf, visit } from './visit.ts'

afterAll(closeAll)

const reads = ['--clauses', 'task.read.*,assessment.read.*,auth.*.task.read,export.csv.*']
const updates = [
  '--clauses',
  'assign.unassigned-to-*,assign.user-to-user,assign.persisted,version.stale.*',
]
const quick = { SETTLE_MS: '50', TIMEOUT_MS: '300' }

const isUpdate = ({ method }: IncomingMessage) => method === 'PUT'

/** Once the first contact has been made. */
const begun = 30

const afterwards =
  (act: (outgoing: ServerResponse, incoming: IncomingMessage) => unknown): Spoil =>
  (incoming, outgoing, count) => {
    if (count <= begun) return false
    act(outgoing, incoming)
    return true
  }

const answering = (status: number, headers: Record<string, string> = {}, body = '') =>
  afterwards((outgoing) => outgoing.writeHead(status, headers).end(body))

/** Lets the program meet it, after which every task is as it was. */
async function meet(spoil: Spoil, argv: string[], env: Record<string, string> = {}) {
  const lent = await lendBehind(spoil)
  const visited = await visit({ ...lent.env, ...quick, ...env }, argv)
  expect(await lent.changed(), visited.told).toEqual([])
  expect(visited.report.residue).toEqual([])
  await lent.close()
  return visited
}

describe.concurrent('trouble that begins in the middle is no breach:', () => {
  const inTurn: Spoil = (() => {
    let turn = 0
    return afterwards((_, { socket }) => wrongs[turn++ % wrongs.length]?.[1](socket))
  })()
  test.for<[string, Spoil]>([
    ['no answer', afterwards(() => {})],
    ['answers that break, each in another way', inTurn],
    ['429 with a long Retry-After', answering(429, { 'retry-after': '3600' })],
    ['502', answering(502)],
    ['503 with a page', answering(503, { 'content-type': 'text/html' }, '<h1>down</h1>')],
  ])('%s', async ([, spoil]) => {
    const visited = await meet(spoil, reads)
    expect(failedIn(visited), visited.told).toEqual([])
    expect(visited.code, visited.told).toBe(3)
  })

  test('one request in ten fails, each in another way', async () => {
    const random = seededRandom(5)
    let failed = 0
    const spoil: Spoil = ({ socket }, _, count) => {
      if (count <= begun || random() > 0.1) return false
      failed += 1
      wrongs[failed % wrongs.length]?.[1](socket)
      return true
    }
    const visited = await meet(spoil, [...reads, ...updates])
    expect(failed).toBeGreaterThan(3)
    expect(failedIn(visited), visited.told).toEqual([])
    expect(visited.code, visited.told).toBeOneOf([0, 3])
    expect(Object.values(verdictsOf(visited)), visited.told).toContain('pass')
  })

  test('updates that hang', async () => {
    const visited = await meet(isUpdate, updates)
    expect(failedIn(visited), visited.told).toEqual([])
    expect(visited.code, visited.told).toBe(3)
    expect(visited.told).toMatch(/no answer within 300 ms; it may have been carried out/)
  })

  test('updates that are carried out and never answered', async () => {
    let carriedOut = 0
    const lent = await lendBehind(() => false, {
      between: async (request, next) => {
        const answer = await next(request)
        if (request.method !== 'PUT' || !answer.ok) return answer
        carriedOut += 1
        return new Promise(() => {})
      },
    })
    const visited = await visit({ ...lent.env, ...quick }, updates)
    expect(carriedOut).toBeGreaterThan(1)
    expect(failedIn(visited), visited.told).toEqual([])
    expect(visited.code, visited.told).toBe(3)
    expect(await lent.changed(), visited.told).toEqual([])
    expect(visited.report.residue).toEqual([])
    await lent.close()
  })

  test('a service that dies with tasks changed, and stays away: what is left is said', async () => {
    let updated = 0
    const lent = await lendBehind(({ method, socket }) => {
      if (method === 'PUT') updated += 1
      if (updated < 8) return false
      lent.front.close()
      lent.front.closeAllConnections()
      socket.destroy()
      return true
    })
    const visited = await visit({ ...lent.env, ...quick }, updates)
    const { code, told, report } = visited
    expect(code, told).toBe(3)
    expect(failedIn(visited), told).toEqual([])
    const changed = await lent.changed()
    expect(changed.length, told).toBeGreaterThan(0)
    expect(report.residue.map(({ task }) => task)).toEqual(expect.arrayContaining(changed))
    expect(told).toContain('npm run restore')

    lent.front.listen(Number(new URL(lent.env.BASE_URL).port), '127.0.0.1')
    updated = Number.NEGATIVE_INFINITY
    const restored = await start('directly', 'restore', { ...lent.env, ...quick }).ended
    expect(restored.code, restored.told).toBe(0)
    expect(await lent.changed(), restored.told).toEqual([])
    await lent.close()
  })
})

describe.concurrent('an answer is judged as it is, also where it begins in the middle:', () => {
  test.for<[string, Spoil]>([
    ['401', answering(401)],
    ['404', answering(404)],
    ['500', answering(500)],
    ['a login page', answering(200, { 'content-type': 'text/html' }, '<!doctype html>')],
    ['a redirect', answering(302, { location: 'http://127.0.0.1:9/' })],
    [
      'JSON cut short by its Content-Length',
      afterwards((outgoing) => {
        outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '10' })
        outgoing.socket?.write(
          'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{"id":"123e4567-e89b-12d3"}',
        )
      }),
    ],
  ])('%s', async ([name, spoil]) => {
    const visited = await meet(spoil, reads)
    expect(visited.code, visited.told).toBe(1)
    // The contract lists 500 for the export alone.
    if (name === '500')
      expect(verdictsOf(visited)['export.csv.status'], visited.told).toBe('inconclusive')
  })
})

describe.concurrent('RUN_TIMEOUT_S', () => {
  test.for<[string, Spoil]>([
    ['that asks for a pause again and again', answering(429)],
    ['that does not answer', afterwards(() => {})],
  ])('ends a run on a service %s', async ([, spoil]) => {
    const start = performance.now()
    const visited = await meet(spoil, [], { RUN_TIMEOUT_S: '4', TIMEOUT_MS: '60000' })
    expect(performance.now() - start).toBeLessThan(40_000)
    expect(failedIn(visited), visited.told).toEqual([])
    expect(visited.code, visited.told).toBe(3)
    expect(visited.report.reasons).toContain('the time of the run was over (RUN_TIMEOUT_S=4)')
    const ids = visited.report.clauses.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)])
  })

  test('ends the first contact too', async () => {
    const spoil: Spoil = (_, outgoing) => {
      outgoing.writeHead(200).write('{')
      return true
    }
    const visited = await meet(spoil, [], { RUN_TIMEOUT_S: '2', TIMEOUT_MS: '60000' })
    expect(visited.code, visited.told).toBe(3)
    expect(visited.report.clauses).toEqual([])
    expect(visited.report.reasons[0]).toBe('the time of the run was over (RUN_TIMEOUT_S=2)')
  })
})
