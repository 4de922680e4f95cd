import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../engine/http/retry.ts'
import { start } from '../helpers/loans/lent-service.ts'
import { lendBehind, type Spoil } from './in-front.ts'
import { afterwards, answering, begun, meet, quick, reads } from './midway.ts'
import { wrongs } from './on-the-line.ts'
import { failedIn, verdictsOf, visit } from './visit.ts'

const updates = [
  '--clauses',
  'assign.unassigned-to-*,assign.user-to-user,assign.persisted,version.stale.*',
]

const isUpdate = ({ method }: IncomingMessage) => method === 'PUT'

describe.concurrent('trouble that begins in the middle is no breach:', () => {
  const inTurn: Spoil = (() => {
    let turn = 0
    return afterwards((_, { socket }) => wrongs[turn++ % wrongs.length]?.[1](socket))
  })()
  test.for<[string, Spoil]>([
    ['no answer', afterwards(() => {})],
    ['answers that break, each in another way', inTurn],
    ['429 with a long Retry-After', answering(429, { 'retry-after': '3600' })],
    ['503 with a page', answering(503, { 'content-type': 'text/html' }, '<h1>down</h1>')],
  ])('%s', async ([, spoil]) => {
    const visited = await meet(spoil, reads)
    expect(failedIn(visited), visited.output).toEqual([])
    expect(visited.code, visited.output).toBe(3)
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
    expect(failedIn(visited), visited.output).toEqual([])
    expect(visited.code, visited.output).toBeOneOf([0, 3])
    expect(Object.values(verdictsOf(visited)), visited.output).toContain('pass')
  })

  test('updates that hang', async () => {
    const visited = await meet(isUpdate, updates)
    expect(visited.report.residue).toEqual([])
    expect(failedIn(visited), visited.output).toEqual([])
    expect(visited.code, visited.output).toBe(3)
    expect(visited.output).toMatch(/no answer within 1 s; it may have been carried out/)
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
    expect(failedIn(visited), visited.output).toEqual([])
    expect(visited.code, visited.output).toBe(3)
    expect(await lent.changed(), visited.output).toEqual([])
    expect(visited.report.residue).toEqual([])
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
    const { code, output, report } = visited
    expect(code, output).toBe(3)
    expect(failedIn(visited), output).toEqual([])
    const changed = await lent.changed()
    expect(changed.length, output).toBeGreaterThan(0)
    expect(report.residue.map(({ task }) => task)).toEqual(expect.arrayContaining(changed))
    expect(output).toContain('restore tries again')

    lent.front.listen(Number(new URL(lent.env.BASE_URL).port), '127.0.0.1')
    updated = Number.NEGATIVE_INFINITY
    const restored = await start('directly', 'restore', { ...lent.env, ...quick }).ended
    expect(restored.code, restored.output).toBe(0)
    expect(await lent.changed(), restored.output).toEqual([])
  })
})
