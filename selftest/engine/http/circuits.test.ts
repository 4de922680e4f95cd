import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openBreaker } from '../../../engine/http/circuits/breaker.ts'
import { watchLoad } from '../../../engine/http/circuits/load.ts'
import { watchSilences } from '../../../engine/http/circuits/silence.ts'
import type { Trouble } from '../../../engine/outcome.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const calm = new AbortController().signal

function opened() {
  const service = { probes: 0 }
  const probe = async () => service.probes++ < 0
  const breaker = openBreaker({ signal: calm, probe })
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) breaker.failed('connection refused')
  }
  return { breaker, service, fail }
}

test('the circuit stays closed while failures are not in a row', async () => {
  const { breaker, fail } = opened()
  fail(4)
  breaker.succeeded()
  fail(4)
  expect(breaker.closed).toBe(true)
  await breaker.admit(calm)
})

test('the circuit gives up after a while, then fails at once, and probes less and less often, for a minute', async () => {
  const { breaker, service, fail } = opened()
  vi.setSystemTime('2026-01-02T03:04:05Z')
  fail(5)
  const words = 'the service stopped responding at 03:04:05 UTC (connection refused)'
  const waiting = expect(breaker.admit(calm)).rejects.toThrow(words)
  await vi.advanceTimersByTimeAsync(15_000)
  await waiting
  expect(service.probes).toBe(15)
  await expect(breaker.admit(calm)).rejects.toThrow(words)
  expect(service.probes).toBe(15)

  for (const [seconds, probes] of Object.entries({ 5: 16, 10: 17, 20: 18, 40: 19 })) {
    await vi.advanceTimersByTimeAsync(Number(seconds) * 1000)
    const again = expect(breaker.admit(calm)).rejects.toThrow(words)
    await vi.advanceTimersByTimeAsync(1000)
    await again
    expect(service.probes).toBe(probes)
  }
  await vi.advanceTimersByTimeAsync(1_000_000)
  await expect(breaker.admit(calm)).rejects.toThrow(words)
  expect(service.probes).toBe(19)
  breaker.succeeded()
  await breaker.admit(calm)
})

test('the circuit can be left while waiting', async () => {
  const { breaker, fail } = opened()
  fail(5)
  const leaving = new AbortController()
  const waiting = expect(breaker.admit(leaving.signal)).rejects.toThrow('left')
  leaving.abort(new Error('left'))
  await waiting
})

const updates = { name: 'updates', isFile: false }
const csv = { name: 'exports as CSV', isFile: true }
const pdf = { name: 'exports as PDF', isFile: true }

function watched() {
  const clock = { ms: 0 }
  const silences = watchSilences(() => clock.ms)
  const ended: string[] = []
  const take = (kind: typeof updates) =>
    silences.take(kind, ({ message }: Trouble) => ended.push(message), calm)
  const leave = async (kind: typeof updates, times = 1) => {
    for (let i = 0; i < times; i += 1) (await take(kind)).unanswered('no response within 10 s')
  }
  return { clock, take, leave, ended }
}

const silent =
  /^the service stopped responding to updates at [\d:]{8} UTC \(no response within 10 s\)$/

test('requests of one kind that were left unanswered three times in a row are sent no more, others are', async () => {
  const { take, leave } = watched()
  await leave(updates, 2)
  ;(await take(updates)).answered()
  await leave(updates, 3)
  // One request tries again; the next one waits for it.
  const trial = await take(updates)
  const waiting = expect(take(updates)).rejects.toThrow(silent)
  trial.unanswered('no response within 10 s')
  await waiting
  await expect(take(updates)).rejects.toThrow(silent)
  ;(await take({ name: 'reads', isFile: false })).answered()
})

test('requests of one kind continue while others of the kind are answered: their content is the reason', async () => {
  const { take } = watched()
  for (let time = 1; time <= 5; time += 1) {
    const hanging = await take(updates)
    ;(await take(updates)).answered()
    hanging.unanswered('no response within 10 s')
  }
  await take(updates)
})

test('requests of one kind are tried again less and less often, and go on once one is answered', async () => {
  const { clock, take, leave } = watched()
  await leave(updates, 4)
  clock.ms = 14_000
  await expect(take(updates)).rejects.toThrow(silent)
  clock.ms = 15_000
  await leave(updates)
  clock.ms = 44_000
  await expect(take(updates)).rejects.toThrow(silent)
  clock.ms = 45_000
  const trial = await take(updates)
  const waiting = take(updates)
  trial.answered()
  ;(await waiting).answered()
})

test('of files the first timeout decides for the others, those under way too; for any format, if none came at all', async () => {
  const { take, leave, ended } = watched()
  for (const kind of [csv, pdf]) (await take(kind)).answered()
  await take(csv)
  const begun = await take(csv)
  begun.headed()
  await leave(csv)
  expect(ended).toHaveLength(1)
  await expect(take(csv)).rejects.toThrow('stopped responding to exports as CSV')
  ;(await take(pdf)).answered()
  const none = watched()
  await none.leave(csv)
  await expect(none.take(pdf)).rejects.toThrow('stopped responding to exports as CSV')
})

test('of files not if others of its kind came meanwhile, up to twice', async () => {
  const { take } = watched()
  ;(await take(csv)).answered()
  for (let time = 1; time <= 3; time += 1) {
    const slow = await take(csv)
    ;(await take(csv)).answered()
    slow.unanswered('no response within 60 s')
  }
  await expect(take(csv)).rejects.toThrow('stopped responding')
})

const reads = { name: 'reads of tasks', isFile: false }

function loaded() {
  const load = watchLoad()
  const read = () => load.take(reads, 10_000, calm)
  return { load, read }
}

test('a service that works on several at once gets as many as it was seen to work on', async () => {
  const { load, read } = loaded()
  for (const answered of await Promise.all([1, 2, 3, 4].map(read))) answered(6_000)
  expect(load.most(reads, 10_000)).toBe(4)
})

test('one that has to be alone waits for those under way, and no other begins before it ends', async () => {
  const { load, read } = loaded()
  const first = await read()
  const lone = load.take(pdf, 60_000, calm, true)
  const next = read()
  expect(await Promise.race([lone, next, 'both wait'])).toBe('both wait')
  first(10)
  const alone = await lone
  expect(await Promise.race([next, 'waits'])).toBe('waits')
  expect(alone.isAlone).toBe(true)
  alone(10)
  const [last, beside] = [await next, await read()]
  expect([last.isAlone, beside.isAlone]).toEqual([false, false])
})

test('one that stands in line goes on when another was answered', async () => {
  const { read } = loaded()
  const first = await read()
  first(9_000)
  const second = await read()
  const third = read()
  expect(await Promise.race([third, 'waits'])).toBe('waits')
  second()
  expect(await third).toBeTypeOf('function')
})
