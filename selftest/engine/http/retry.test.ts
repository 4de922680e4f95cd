import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { FateUnknown } from '../../../engine/http/fate-unknown.ts'
import { decide, type Happening } from '../../../engine/http/retry.ts'
import { Trouble } from '../../../engine/outcome.ts'
import { atTestEnd } from '../../test-end.ts'
import { answering, clientFor, deadUrl, get, httpServer, once, put } from './servers.ts'

const now = Date.parse('2026-01-01T00:00:00Z')

function decision(happening: Record<string, unknown>, attempt = 1, repeatable = true) {
  const whole = { lasting: false, headers: {}, ...happening } as unknown as Happening
  return decide(whole, { repeatable, attempt, random: 0.5, now })
}

/** retry, done, give up, or fate unknown: by kind of request and number of the attempt */
// biome-ignore format: one case a line
const table: [string, Record<string, unknown>, get: string[], put: string[]][] = [
  ['not connected', { message: 'x', sent: false }, [...'rrrrrg'], [...'rrrrrg']],
  ['no connection', { message: 'x', sent: false, silent: true }, [...'rrg'], [...'rrg']],
  ['lost on the way', { message: 'x', sent: 'unknown' }, ['r', 'r', 'g'], ['?', '?', '?']],
  ['broken in the answer', { message: 'x', sent: true }, ['r', 'r', 'g'], ['?', '?', '?']],
  ['no trust', { message: 'x', sent: false, lasting: true }, ['g', 'g', 'g'], ['g', 'g', 'g']],
  ['unusable answer', { message: 'x', sent: true, lasting: true }, ['g', 'g', 'g'], ['?', '?', '?']],
  ['429', { status: 429 }, [...'rrrrrrrg'], [...'rrrrrrrg']],
  ['502', { status: 502 }, ['r', 'r', 'g'], ['?', '?', '?']],
  ['503', { status: 503 }, ['r', 'r', 'g'], ['r', 'r', 'g']],
  ['504', { status: 504 }, ['r', 'r', 'g'], ['?', '?', '?']],
  ...[200, 204, 301, 400, 401, 404, 409, 500, 501, 505].map(
    (status): (typeof table)[number] => [`${status}`, { status }, ['d', 'd'], ['d', 'd']],
  ),
]

function letter(happening: Record<string, unknown>, attempt: number, repeatable: boolean) {
  const made = decision(happening, attempt, repeatable)
  if (made.next === 'give up') return made.fateUnknown ? '?' : 'g'
  return made.next.charAt(0)
}

test.each(table)('what follows after %s', (_, happening, get, put) => {
  expect(get.map((_, i) => letter(happening, i + 1, true))).toEqual(get)
  expect(put.map((_, i) => letter(happening, i + 1, false))).toEqual(put)
})

test('what follows after anything, if the first answer is final', () => {
  const situation = { repeatable: true, attempt: 1, retries: false as const, random: 0, now }
  expect(decide({ status: 503, headers: {} }, situation).next).toBe('done')
  const lost = { message: 'x', sent: false, lasting: false, silent: false } as const
  expect(decide(lost, situation).next).toBe('give up')
})

test.each([
  ['2', 2500],
  ['Thu, 01 Jan 2026 00:00:03 GMT', 3500],
  ['Wed, 31 Dec 2025 00:00:03 GMT', 50],
  // A status without a meaning: our own
  ['-1', 200],
  ['1.5', 200],
])('the wait after Retry-After: %s', (retryAfter, waitMs) => {
  expect(decision({ status: 429, headers: { 'retry-after': retryAfter } })).toEqual({
    next: 'retry',
    waitMs,
  })
})

test('the wait is not taken when it is too long', () => {
  expect(decision({ status: 503, headers: { 'retry-after': '3600' } })).toEqual({
    next: 'give up',
    why: 'responded 503 and asks to wait 3600 s, longer than 10 s',
    fateUnknown: false,
  })
})

test('the wait doubles, up to two seconds; the message at the end counts attempts', () => {
  const waits = [1, 2, 3, 4, 5, 6].map((attempt) => decision({ status: 429 }, attempt))
  const doubled = [200, 400, 800, 1600, 2000, 2000]
  expect(waits.map((wait) => wait.next === 'retry' && wait.waitMs)).toEqual(doubled)
  expect(decision({ status: 429 }, 8)).toMatchObject({ why: 'responded 429 (8 attempts)' })
})

test.concurrent('a refused connection is retried while the service starts', async ({ expect }) => {
  const url = await deadUrl()
  const { client, exchanges } = clientFor(url)
  const answer = client.ask(put)
  const back = createServer((_, outgoing) => outgoing.end('here'))
  setTimeout(() => back.listen(Number(new URL(url).port), '127.0.0.1'), 4500)
  atTestEnd(() => back.close())
  expect(await answer).toMatchObject({ status: 200, text: 'here' })
  // On a busy machine pauses are longer, and attempts fewer.
  expect(exchanges.length).toBeGreaterThan(3)
})

test.concurrent('an unsent update is retried: then it was not carried out', async ({ expect }) => {
  const { client } = clientFor(await deadUrl())
  const error = await client.ask(put).catch((e) => e)
  expect(error).toBeInstanceOf(Trouble)
  expect(error).not.toBeInstanceOf(FateUnknown)
  expect(error.message).toMatch(/^the service stopped responding at .* \(connection refused\)$/)
})

test.concurrent('503 is retried, then the answer counts', async ({ expect }) => {
  let count = 0
  const url = await httpServer((_, answer) => {
    answer.statusCode = ++count === 1 ? 503 : 200
    answer.end(`answer ${count}`)
  })
  const { client, exchanges } = clientFor(url)
  const answer = await client.ask(put)
  expect(answer).toMatchObject({ status: 200, text: 'answer 2', attempts: 2, path: '/t' })
  expect(exchanges.map(({ status, body }) => [status, body])).toEqual([
    [503, 'answer 1'],
    [200, 'answer 2'],
  ])
})

test.concurrent.for([
  ['reset', 'the connection was reset before a response'],
  ['silent', 'no response within 250 ms'],
  ['502', 'responded 502'],
  ['504', 'responded 504'],
  ['cut', 'the connection was closed in the body'],
] as const)('a PUT that may be accepted is sent once: %s', async ([how, message], { expect }) => {
  const { url, seen } = await answering((socket) => {
    if (how === 'reset') socket.resetAndDestroy()
    else if (how === 'cut') socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{')
    else if (how !== 'silent') socket.end(`HTTP/1.1 ${how} X\r\nContent-Length: 0\r\n\r\n`)
  })
  const { client } = clientFor(url, how === 'silent' ? { timeoutMs: 250 } : {})
  const error = await client.ask(put).catch((e) => e)
  expect(error).toBeInstanceOf(FateUnknown)
  expect(error.message).toBe(`PUT /t: ${message}; it may have been accepted`)
  expect(seen).toHaveLength(1)
})

test.concurrent('a PUT that is said to be repeatable is sent again', async ({ expect }) => {
  const { url, seen } = await answering((socket, _, count) => {
    if (count < 3) socket.resetAndDestroy()
    else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  })
  const { client } = clientFor(url)
  expect(await client.ask({ ...put, repeatable: true })).toMatchObject({ attempts: 3 })
  expect(seen).toHaveLength(3)
})

test('the circuit opens after five that were given up, asks once for all, and closes', async () => {
  const state = { alive: false, probes: 0 }
  const url = await httpServer((request, answer) => {
    if (request.url === '/v5') state.probes++
    if (!state.alive) return request.socket.destroy()
    answer.end()
  })
  const { client } = clientFor(`${url}/v5`)
  for (let i = 0; i < 5; i++) await client.ask(once).catch(() => {})
  expect(client.requests).toBe(5)
  state.alive = true
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.ask(once)))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect([state.probes, client.requests]).toEqual([1, 26])
})

test.concurrent('an interruption ends what is under way and what waits', async ({ expect }) => {
  const stop = new AbortController()
  const { url, seen } = await answering(() => {
    if (seen.length === 2) stop.abort()
  })
  const more = { concurrency: 2, timeoutMs: 60_000 }
  const { client } = clientFor(url, more, { stop: stop.signal })
  const asks = [get, put, get, put].map((ask) => client.ask(ask).catch((e) => e))
  const errors = await Promise.all(asks)
  expect(errors.map((error) => [error.name, error.message])).toEqual([
    ['Trouble', 'the run was interrupted'],
    ['FateUnknown', 'PUT /t: the run was interrupted; it may have been accepted'],
    ['Trouble', 'the run was interrupted'],
    ['Trouble', 'the run was interrupted'],
  ])
  await expect(client.ask(get)).rejects.toThrow('the run was interrupted')
  expect(seen).toHaveLength(2)
})

test.concurrent('an interruption ends the wait for another attempt', async ({ expect }) => {
  const stop = new AbortController()
  const url = await httpServer((_, answer) => {
    answer.writeHead(503, { 'Retry-After': '9' }).end()
    setTimeout(() => stop.abort(), 50)
  })
  const { client } = clientFor(url, {}, { stop: stop.signal })
  await expect(client.ask(put)).rejects.toThrow('the run was interrupted')
})

test('several requests are sent at the same moment', async () => {
  let inFlight = 0
  let most = 0
  const url = await httpServer((_, answer) => {
    most = Math.max(most, ++inFlight)
    setTimeout(() => {
      inFlight--
      answer.end()
    }, 50)
  })
  const { client } = clientFor(url, { concurrency: 4 })
  const answers = await client.together([put, put, put, put, put, put])
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill('fulfilled'))
  expect(most).toBe(4)
})
