import { describe, expect, test } from 'vitest'
import { readCsvText } from '../../../engine/files/csv.ts'
import { linesAround, shapeOf } from '../../../engine/files/line-frame.ts'
import { needSameCount } from '../../../helpers/export/laws/pdf-limit.ts'
import { countEvents, findAroundLimit } from '../../../helpers/export/learn/around-limit.ts'

const idOf = (n: number) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`
const header = ['id', 'time', 'by', 'type']
const event = (n: number) => [
  idOf(n),
  `2026-03-01T10:00:${String(n % 60).padStart(2, '0')}Z`,
  idOf(n + 1000),
  'a',
]
const rows = Array.from({ length: 60 }, (_, n) => event(n))
const windowOf = (its = rows) =>
  ({
    start: '2026-03-01T10:00:00Z',
    end: '2026-03-01T11:00:00Z',
    rows: its,
    header,
    shape: shapeOf([header, ...its]),
    asWide: 1,
    lines: linesAround([header, ...its], its),
  }) as never

/** Neither an event, nor a line that differs from events in two columns. */
const strange = [1, 2, 3, 4].map((n) => ['part of it', `2026-03-0${n}T10:00:00Z`, idOf(n), 'b'])

/** Files with this many records, the strange ones first; a shorter range holds others. */
const exportsOf = (recordsIn: (range: { start: string; end: string }) => string[][]) => {
  const exports = {
    once: (_: string, find: (exports: unknown) => unknown) => find(exports),
    text: JSON.stringify,
    csv: async (range: never, options: never) => {
      const text = [header.join(), ...recordsIn(range)].join('\n')
      const answer = { status: 200, method: 'GET', path: '/export' }
      return { answer, csv: await readCsvText(text, Object.assign({ keep: 1000 }, options)) }
    },
  }
  return Object.assign(exports, { fresh: exports }) as never
}

test('a record that is neither an event nor a known line makes the count uncertain', async () => {
  const exports = exportsOf(() => [...strange, ...rows])
  await expect(countEvents(exports, windowOf(), {})).rejects.toThrow(
    /^a record is "part of it,2026-03-01T10:00:00Z,00000001-.*; the contract does not say what a record represents$/,
  )
})

test('parts of a range that hold more events than the whole make a count uncertain too', async () => {
  const isWhole = ({ start, end }: { start: string; end: string }) =>
    Date.parse(end) - Date.parse(start) > 1500
  const exports = exportsOf((range) => (isWhole(range) ? rows : [...rows, event(60)]))
  const stretch = { start: '2026-03-01T10:00:00.000Z', end: '2026-03-01T10:00:02.000Z', count: 60 }
  await expect(needSameCount(exports, windowOf(), stretch)).rejects.toThrow(
    /^its parts hold 244 events and the whole 60; /,
  )
})

test('a range that changes says nothing', async () => {
  const stretch = { start: '2026-03-01T10:00:00.000Z', end: '2026-03-01T10:00:02.000Z', count: 59 }
  const exports = exportsOf(() => rows)
  await expect(needSameCount(exports, windowOf(), stretch)).rejects.toThrow(
    'the number of events changed while the PDF was fetched; a range that does not change is needed',
  )
})

describe('if files show the times of their events', () => {
  /** The ends of the counted ranges, with very unevenly distributed events. */
  const countedWith = async (shift: number) => {
    const first = Date.parse('2026-02-01T10:00:00Z')
    const times = Array.from(
      { length: 120 },
      (_, n) => first + (n % 3 === 0 ? n * n : n ** 3) * 1000,
    )
    const ends: number[] = []
    const exports = exportsOf(({ start, end }) => {
      ends.push(Date.parse(end))
      return times.flatMap((time, n) => {
        if (time < Date.parse(start) || time > Date.parse(end)) return []
        return [[idOf(n), new Date(time + shift).toISOString(), idOf(n + 1000), 'a']]
      })
    })
    const window = Object.assign(windowOf(), { start: '2026-02-01T10:00:00Z' })
    const { at, over } = await findAroundLimit(exports, window, 100)
    expect([at.count, over.count]).toEqual([100, 101])
    return ends.length
  }

  test('five files are counted: one too short, the whole, and three around the limit', async () => {
    expect(await countedWith(0)).toBe(5)
  })

  test('hardly more files are counted if the times are of another zone', async () => {
    expect(await countedWith(14 * 3_600_000)).toBeLessThanOrEqual(9)
  })
})
