import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { start } from '../helpers/loans/lent-service.ts'
import { wrongs } from './on-the-line.ts'
import { failedIn, lendBehind, type Spoil, visit } from './visit.ts'

const reads = [
  '--clauses',
  'task.read.*,assessment.read.success,auth.missing-key.task.read,export.csv.status',
]
const quick = { SETTLE_MS: '50', TIMEOUT_MS: '1000', DOWNLOAD_TIMEOUT_S: '1' }

/** How many requests the first contact sends. */
const begun = 30

/** What a proxy does with every request once the clauses have begun. */
const afterwards =
  (act: (outgoing: ServerResponse, incoming: IncomingMessage) => unknown): Spoil =>
  (incoming, outgoing, count) => {
    if (count <= begun) return false
    act(outgoing, incoming)
    return true
  }

const answering = (status: number, headers: Record<string, string> = {}, body = '') =>
  afterwards((outgoing) => outgoing.writeHead(status, headers).end(body))

/** Runs the program against it; afterwards every task is as it was. */
async function meet(spoil: Spoil, argv: string[], env: Record<string, string> = {}) {
  const lent = await lendBehind(spoil)
  const visited = await visit({ ...lent.env, ...quick, ...env }, argv)
  expect(await lent.changed(), visited.output).toEqual([])
  return visited
}

const updates = [
  '--clauses',
  'assign.unassigned-to-*,assign.user-to-user,assign.persisted,version.stale.*',
]

describe.concurrent('trouble that begins in the middle is not a breach:', () => {
  const inTurn: Spoil = (() => {
    let turn = 0
    return afterwards((_, { socket }) => wrongs[turn++ % wrongs.length]?.[1](socket))
  })()
  test.for<[string, Spoil]>([
    ['answers that break, each in another way', inTurn],
    ['429 with a long Retry-After', answering(429, { 'retry-after': '3600' })],
    ['503 with a page', answering(503, { 'content-type': 'text/html' }, '<h1>down</h1>')],
  ])('%s', async ([, spoil]) => {
    const visited = await meet(spoil, reads)
    expect(failedIn(visited), visited.output).toEqual([])
    expect(visited.code, visited.output).toBe(3)
  })

  test('a service that dies for good with tasks changed: the run names those tasks', async () => {
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

test('RUN_TIMEOUT_S ends the first contact too', async () => {
  const spoil: Spoil = (_, outgoing) => {
    outgoing.writeHead(200).write('{')
    return true
  }
  const visited = await meet(spoil, [], { RUN_TIMEOUT_S: '2', TIMEOUT_MS: '60000' })
  expect(visited.code, visited.output).toBe(3)
  expect(visited.report.clauses).toEqual([])
  expect(visited.report.reasons[0]).toBe('the run took longer than RUN_TIMEOUT_S=2')
})

const silences = wrongs.filter(([what]) => /^says nothing|a byte at a time/.test(what))

/** Which requests get it; `count`: the requests so far. */
type Scope = (incoming: IncomingMessage, count: number) => boolean

const isPut = ({ method }: IncomingMessage) => method === 'PUT'
const isExport = ({ url = '' }: IncomingMessage) => url.includes('/export')

/** Between the first contact and the end of a run of about 1,200 requests. */
const middle = 300

const scopes: Record<string, Scope> = {
  'each PUT': isPut,
  'each PUT from the middle on': (incoming, count) => count > middle && isPut(incoming),
  'each export': isExport,
  'each read of a task': ({ method, url = '' }, count) =>
    count > begun && method === 'GET' && url.includes('/tasks/'),
  'everything after the first contact': (_, count) => count > begun,
  'everything from the middle on': (_, count) => count > middle,
}

const hung = /(stopped responding|GET|PUT) .*\b(no|nothing|only) .* (within|in) [\d.]+ s/

const limits = { TIMEOUT_MS: '1000', DOWNLOAD_TIMEOUT_S: '3', RUN_TIMEOUT_S: '600' }

const cases = silences.flatMap(([what, send]) =>
  Object.entries(scopes).map(([where, scope]) => ({ name: `${what}: ${where}`, send, scope })),
)

describe.concurrent('a run ends without a breach if a service', () => {
  test.for(cases)('$name', { timeout: 700_000 }, async ({ send, scope }) => {
    const lent = await lendBehind((incoming, _, count) => {
      if (!scope(incoming, count)) return false
      send(incoming.socket)
      return true
    })
    const visited = await visit({ ...lent.env, ...limits })
    const { code, output, report } = visited
    const changed = await lent.changed()
    expect(failedIn(visited), output).toEqual([])
    expect(code, output).toBe(3)
    // It gives up before its limit, however busy the machine is.
    expect(report.reasons.join(), output).not.toContain('RUN_TIMEOUT_S')
    // It says which requests hung, and how.
    const told = report.clauses.map(({ reason = '' }) => reason)
    expect(told.filter((reason) => hung.test(reason)).length, output).toBeGreaterThan(0)
    expect(report.residue.map(({ task }) => task)).toEqual(expect.arrayContaining(changed))
  })
})
