import { type CsvLimits, readCsvText } from '../../../engine/files/csv.ts'
import { instantAt, isoOf } from '../../../engine/files/dates.ts'
import { linesAround, shapeOf } from '../../../engine/files/line-frame.ts'
import { from } from '../../../engine/origin.ts'
import { type Exports, filesOf } from '../../../helpers/export/ask/exports.ts'
import { type Query, queryText } from '../../../helpers/export/ask/query.ts'
import { createFilters } from '../../../helpers/export/learn/filters.ts'
import type { Ranges } from '../../../helpers/export/learn/ranges.ts'
import { learnTimes } from '../../../helpers/export/learn/time-column.ts'
import type { Window } from '../../../helpers/export/learn/window.ts'

export const titles = ['id', 'time', 'auditee_id', 'event_type', 'sub_type', 'tag']
export const idOf = (n: number) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`
const first = Date.parse('2026-03-01T00:07:13.124Z')
const hourMs = 3_600_000

/** One event an hour: two users and kinds in turns, three types, and a tag for every fifth. */
export const events: string[][] = Array.from({ length: 48 }, (_, n) => [
  idOf(n),
  new Date(first + n * hourMs).toISOString(),
  idOf(900 + (n % 2)),
  `type ${'abc'[n % 3]}`,
  n % 4 < 2 ? 'created' : 'updated',
  n % 5 === 0 ? 'vip' : '',
])

const span = { start: '2026-03-01T00:00:00.000Z', end: '2026-03-03T00:00:00.000Z' }

export function wantedBy({ start, end, filters, metadata }: Query): string[][] {
  const asked = Object.entries({ ...filters, ...metadata }).map(
    ([name, values]) => [titles.indexOf(name), [values].flat()] as const,
  )
  return events.filter((row) => {
    const time = instantAt(row[1] ?? '')
    return (
      (start === undefined || time >= instantAt(start)) &&
      (end === undefined || time <= instantAt(end)) &&
      asked.every(([column, values]) => values.includes(row[column] ?? ''))
    )
  })
}

/** Replaces the answer to a query: a status, or events, with other titles. */
export type Given = number | { rows: string[][]; titles?: string[] } | undefined

/** A small audit trail; `bend` changes answers. */
export function smallTrail(
  bend: (query: Query) => Given = () => undefined,
  { declared = true } = {},
) {
  const asked: Query[] = []
  const found = new Map<string, unknown>()
  const once = <T>(name: string, find: () => T): T => {
    if (!found.has(name)) found.set(name, find())
    return found.get(name) as T
  }
  const fetch = async (query: Query, options: Partial<CsvLimits> = {}) => {
    asked.push(query)
    const given = bend(query) ?? { rows: wantedBy(query) }
    const answer = {
      ...{ exchange: asked.length, method: 'GET', path: `/export?${queryText(query, 'repeat')}` },
      status: typeof given === 'number' ? given : 200,
    }
    if (typeof given === 'number')
      return from({ answer, query: '', why: ['freedom', 'it is refused'] }, answer)
    const lines = [given.titles ?? titles, ...given.rows].map((row) => row.join())
    const csv = await readCsvText(`${lines.join('\n')}\n`, { keep: 1_000, ...options })
    from(csv.records, answer)
    return from({ answer, query: '', csv: from(csv, answer) }, answer)
  }
  const exports = {
    csv: (query: Query, options = {}) =>
      once(`csv ${JSON.stringify([query, options])}`, () => fetch(query, options)),
    once: (name: string, find: (exports: unknown) => unknown) => once(name, () => find(exports)),
    times: () => [Date.now()],
    facts: { declared: {}, found: {} },
    ...filesOf(() => exports),
  } as unknown as Exports
  exports.fresh = {
    ...exports,
    csv: fetch as never,
    once: (_, find) => find(exports.fresh),
    ...filesOf(() => exports.fresh),
  }
  exports.fresh.fresh = exports.fresh
  const records = [titles, ...events]
  const window = {
    ...span,
    rows: events,
    header: titles,
    shape: shapeOf(records),
    escapes: undefined,
    frame: { before: 0, behind: 0 },
    asWide: 1,
    dated: undefined,
    lines: linesAround(records, events),
    empty: new Set<string>(),
    columns: titles.map((_, at) => at),
  } as Window
  const ranges = {
    exports,
    window: async () => window,
    times: () => learnTimes(exports, window),
    few: async () => span,
    cuts: async () => [isoOf(BigInt(first + 20 * hourMs) * 1_000_000n)],
  } as unknown as Ranges
  const filters = createFilters(exports, {
    window,
    form: { encoding: 'repeat', declared, settled: true },
    sources: {
      settings: { actorId: undefined, userIds: [], metadataValues: { tag: ['vip'] } } as never,
      read: async () => ({ tasks: [], assessments: [] }),
    },
  })
  return { exports, window, ranges, filters, asked, span }
}
