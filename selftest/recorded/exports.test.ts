import { beforeAll, expect, test, vi } from 'vitest'
import type { Recorded } from '../../helpers/service/seen.ts'
import { bentService, worldOf } from '../bent-service.ts'
import { brokenBy, judgementOf, useService } from './client.ts'

let recorded: Recorded[] = []
beforeAll(async () => {
  const few = { events: 120 }
  // The client waits for nothing.
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] }).setTimerTickMode('nextTimerAsync')
  const all = await useService(bentService(few), worldOf(few).events, 'exports')
  vi.useRealTimers()
  // Without a second range that comes twice and has filters within.
  const isLeftOut = (path: string) => /metadata|range_end=2025-03-02.*event_type/.test(path)
  recorded = all.filter(({ path }) => /file_type=(csv|pdf)/.test(path) && !isLeftOut(path))
}, 120_000)

/** What becomes of the recording with some exchanges changed, and others left out. */
async function judged(change: (one: Recorded) => Recorded | undefined) {
  const all = await judgementOf(recorded.flatMap((each) => change(each) ?? []))
  return { all, broken: brokenBy(all) }
}

const lines = (body: Buffer | undefined, change: (lines: string[]) => string[]) =>
  Buffer.from(change((body ?? '').toString().split('\n')).join('\n'))
const withKey = (one: Recorded, apikey: string) => ({
  ...one,
  requestHeaders: { ...one.requestHeaders, apikey },
})
test('exports of a past range are compared with one another', async () => {
  const { all, broken } = await judged((one) => one)
  expect(broken).toEqual([])
  for (const id of ['export.filter.event_type.exact', 'export.deterministic'])
    expect(all.has(id), id).toBe(true)
})

test.each([
  ['a filter', /event_type=\w+$/, 'export.filter.event_type.exact'],
  ['a zone', /(?<!=[a-z]+)&timezone=Asia/, 'export.timezone.same-events'],
  ['a language', /locale=fr$/, 'export.locale.same-events'],
  ['a filter in a zone', /csv.*event_type=\w+&timezone/, 'export.filter.combined.csv'],
])('an event that %s lacks is a breach', async (_, place, owner) => {
  const { broken } = await judged((one) =>
    place.test(one.path)
      ? { ...one, body: lines(one.body, (all) => (all.length > 6 ? all.toSpliced(2, 1) : all)) }
      : one,
  )
  expect(broken).toContain(owner)
})

test('a refused PDF is a breach if every one is, also that of a month', async () => {
  const refusedWhere = (place: RegExp) =>
    judged((one) => (place.test(one.path) ? { ...one, status: 400, body: Buffer.from('{}') } : one))
  expect((await refusedWhere(/=pdf/)).broken).toContain('export.pdf.status')
  const ofQuarter = /=pdf.*range_end=2025-05-01[^&]*$/
  expect((await refusedWhere(ofQuarter)).broken).toEqual([])
  const alone = await judged((one) => {
    if (!one.path.includes('=pdf')) return one
    return ofQuarter.test(one.path) ? { ...one, status: 400, body: Buffer.from('{}') } : undefined
  })
  expect(alone.broken).toEqual([])
})

// biome-ignore format: one recording a line
test.each<[string, (one: Recorded) => Recorded | undefined]>([
  ['no export comes twice', (one) => (isWhole(one) && one !== recorded.find(isWhole) ? undefined : one)],
  ['keys were redacted', (one) => withKey(one, '[redacted]')],
  ['each request has another key', (one) => withKey(one, `key-${one.number}`)],
  ['bodies were left out', ({ body: _, ...one }) => one],
  ['the trail grew', (one) => isWhole(one) ? { ...one, body: lines(one.body, (all) => all.slice(0, 10 + recorded.filter(isWhole).indexOf(one))) } : one],
])('where %s, nothing is compared', async (_, change) => {
  const { all, broken } = await judged(change)
  expect(broken).toEqual([])
  expect(all.has('export.filter.event_type.exact')).toBe(false)
})

const isWhole = ({ path }: Recorded) =>
  /file_type=csv&range_start=2025-02-01[^&]*&range_end=2025-05-01[^&]*$/.test(path)
