import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { endTape, startTape } from '../../engine/http/record/tape.ts'
import { inThread } from '../../engine/run/clause-thread.ts'
import { pause } from '../../engine/time/abort.ts'
import { depart } from '../../engine/time/entering.ts'
import { poll } from '../../engine/time/polling.ts'
import { clock } from '../../engine/time/timers.ts'
import { createWaits } from '../../engine/time/waits.ts'
import { atTestEnd, openTestFolder } from '../test-end.ts'

const { signal: stop } = new AbortController()

// biome-ignore format: one look a line
test.each([
  ['comes at once', { limitMs: 5 }, 1, true],
  ['comes after a pause where one was just made', { limitMs: 5, isSeen: true }, 0, true],
  ['comes after one that was just made, however short the time is', { limitMs: 0, isSeen: true }, 0, false],
])('a look %s', async (_, how, atOnce, met) => {
  let looks = 0
  const polled = poll(async () => (looks += 1), () => met, { ...how, stop })
  expect(looks).toBe(atOnce)
  expect(await polled).toMatchObject({ last: 1, met })
})

test('polling looks until the condition holds, and once more at the very end of the time', async () => {
  vi.useFakeTimers()
  atTestEnd(() => vi.useRealTimers())
  let looks = 0
  const look = async () => ++looks
  const met = poll(look, (n) => n === 3, { limitMs: 60_000, stop, firstMs: 1 })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await met).toEqual({ last: 3, met: true, milliseconds: 3 })
  const late = poll(look, () => false, { limitMs: 40, stop, firstMs: 1000 })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await late).toEqual({ last: 5, met: false, milliseconds: 40 })
})

test('polling says from its first pause to its end how long it may wait', async () => {
  const said: string[] = []
  const waiting = (limitMs: number) => {
    said.push(`begins: ${Math.round(limitMs / 100) * 100}`)
    return () => said.push('ends')
  }
  let looks = 0
  const look = async () => ++looks
  const limits = { limitMs: 60_000, stop, firstMs: 1, waiting }
  await poll(look, () => true, limits)
  expect(said).toEqual([])
  await poll(look, (n) => n === 4, limits)
  expect(said.splice(0)).toEqual(['begins: 60000', 'ends'])
  const failing = async () => {
    if (++looks > 6) throw new Error('it failed')
  }
  await expect(poll(failing, () => false, limits)).rejects.toThrow('it failed')
  expect(said).toEqual(['begins: 60000', 'ends'])
})

test('waits are all said whenever one begins or ends', () => {
  const said: string[] = []
  const waitFor = createWaits((waits) => said.push(waits.map(({ what }) => what).join(' and ')))
  const endEmails = waitFor('emails')(1000)
  const endEvents = waitFor('events')(1000)
  endEmails()
  endEvents()
  expect(said).toEqual(['emails', 'emails and events', 'events', ''])
})

test('waiting ends with the run', async () => {
  const stopping = new AbortController()
  const look = async () => 0
  const waiting = poll(look, () => false, { limitMs: 60_000, stop: stopping.signal })
  stopping.abort(new Error('the run was interrupted'))
  await expect(waiting).rejects.toThrow('the run was interrupted')
})

/** Two steps, each with a limit, as requests are sent; returns which limits rang. */
async function steps(mode: 'record' | 'replay', dir: string, before: () => void) {
  startTape({ mode, dir, name: 'main', secrets: [] })
  const rang: number[] = []
  for (const ms of [2, 3]) {
    before()
    const limit = clock.setTimeout(() => void rang.push(ms), 5000)
    await pause(ms, new AbortController().signal)
    clock.clear(limit)
  }
  return { rang, departed: endTape() }
}

const aPause = () => void clock.setTimeout(() => {}, 60_000).unref()

test.each([
  ['one turn of the event loop more', () => {}, () => clock.setImmediate(() => {})],
  ['one pause more', () => {}, aPause],
  ['one pause less', aPause, () => {}],
])('%s rings no limit of a replay', async (_, then, now) => {
  const dir = openTestFolder()
  await steps('record', dir, then)
  expect(await steps('replay', dir, now)).toEqual({ rang: [], departed: undefined })
})

test('no limit of a run rings while the thread of its clauses ends', async () => {
  const dir = openTestFolder()
  const entry = join(dir, 'no-clauses.mjs')
  writeFileSync(entry, 'export const close = async () => {}')
  await steps('record', dir, () => {})
  startTape({ mode: 'replay', dir, name: 'main', secrets: [] })
  const rang: string[] = []
  clock.setTimeout(() => void rang.push('the limit of the run'), 1_800_000)
  depart('it asks for something else')
  await inThread({ entry, provide: {} }, () => {}).done
  endTape()
  expect(rang).toEqual([])
})
