import { NotDecidable } from '../outcome.ts'
import type { Settings } from '../settings/settings.ts'
import type { Shared } from '../shared.ts'
import { type Exports, exportsThrough, needCsv } from './exports.ts'
import type { Query } from './query.ts'
import { lastingColumns, stableColumns } from './rows.ts'

/** A closed stretch of the past with enough events and not too many, and how its file is built. */
export type Window = {
  start: string
  end: string
  /** its events, as rows without header, titles and footers */
  rows: string[][]
  /** the record that names the columns, where there is one */
  header: string[] | undefined
  frame: Frame
  /** the columns that do not differ between two requests: neither identical ones nor whole and part */
  columns: number[]
}

/** The query of a window. */
export const spanOf = ({ start, end }: Window): Query => ({ start, end })

/** Records of every file that are no events: lines before them, and lines behind them. */
export type Frame = { before: number; behind: number }

/** Too few tell little of a relation; too many cost time, and are somebody's data. */
export const enough = 150
const tooMany = 1500

const hour = 3_600_000
const spans = [1, 6, 24, 7 * 24, 30 * 24, 120 * 24, 400 * 24, 1500 * 24, 6000 * 24]

/** So long ago that no service has events of it: what a file looks like without any. */
export const noEvents: Query = {
  start: '1971-01-01T00:00:00.000Z',
  end: '1971-01-01T00:00:01.000Z',
}

/** The records of an export that are events. */
export const eventsIn = (records: string[][], { before, behind }: Frame): string[][] =>
  records.slice(before, Math.max(before, records.length - behind))

/** Rows without lines that the window does not have: one that tells of the filters, or of no events. */
export const rowsLike = (window: Window, found: string[][]): string[][] =>
  found.filter(likeIn(window))

function likeIn({ rows, header }: Window): (row: string[]) => boolean {
  const { widths, lean } = shapeOf(rows)
  return (row) => widths.has(row.length) && !same(row, header) && (lean || filledIn(row) > 1)
}

type Shape = { widths: Set<number>; lean: boolean }

const shapes = new WeakMap<string[][], Shape>()

/** How many cells the rows of a window have; every comparison with it asks. */
function shapeOf(rows: string[][]): Shape {
  const shape = shapes.get(rows) ?? {
    widths: new Set(rows.map((row) => row.length)),
    lean: rows.some((row) => filledIn(row) === 1),
  }
  shapes.set(rows, shape)
  return shape
}

const filledIn = (row: string[]) => row.filter((cell) => cell !== '').length

/** The events of an export as rows, and as nothing else. */
export const eventRows = (window: Window, records: string[][]): string[][] =>
  rowsLike(window, eventsIn(records, window.frame))

/** Hands on the records of an export that are events, one by one, for files too long to keep. */
export function eachEvent(window: Window, hear: (row: string[]) => void): (row: string[]) => void {
  const { before, behind } = window.frame
  const isLike = likeIn(window)
  const last: string[][] = []
  let records = 0
  return (record) => {
    records += 1
    if (records <= before) return
    last.push(record)
    const row = last.length > behind ? last.shift() : undefined
    if (row && isLike(row)) hear(row)
  }
}

/** The window of a run. */
export const findWindow = (shared: Shared, settings: Settings): Promise<Window> =>
  shared('closed window', (at, inner) =>
    closedWindow(exportsThrough(at, inner, 'repeat'), settings),
  )

/** Finds a window of the past that holds enough events and not too many, and reads it twice. */
export async function closedWindow(exports: Exports, settings: Settings): Promise<Window> {
  const empty = needCsv(await exports.csv(noEvents))
  const end = settings.exportTo ?? new Date(floorTo(Date.now() - hour, hour)).toISOString()
  const start = settings.exportFrom ?? (await startOf(exports, end, empty.count))
  const whole = needCsv(await exports.csv({ start, end }))
  const again = needCsv(await exports.csvAnew({ start, end }))
  const frame = await frameOf(exports, { start, end }, empty.records, whole)
  const rows = eventsIn(whole.records, frame)
  if (rows.length === 0) throw new NotDecidable(noRows({ start, end }, empty.count, whole.count))
  return {
    start,
    end,
    rows,
    header: frame.before > 0 ? whole.records[frame.before - 1] : undefined,
    frame,
    columns: lastingColumns(
      rows,
      eventsIn((await halvesOf(exports, { start, end }))[1].records, frame),
      stableColumns(rows, eventsIn(again.records, frame)),
    ),
  }
}

/** A file that is as long without any event holds none, or does not go by the range. */
const noRows = ({ start, end }: { start: string; end: string }, empty: number, whole: number) =>
  empty > 1 && whole === empty
    ? `a file from ${start} to ${end} holds ${whole} records, as one of a time without events does: is the range heeded? else set EXPORT_FROM and EXPORT_TO`
    : `the audit trail shows no event from ${start} to ${end}: set EXPORT_FROM and EXPORT_TO`

/** Goes back in time until there are enough events, then halves the last step if there are too many. */
async function startOf(exports: Exports, end: string, empty: number): Promise<string> {
  const back = (hours: number) => new Date(Date.parse(end) - hours * hour).toISOString()
  const count = async (hours: number) => {
    const { csv } = await exports.csv({ start: back(hours), end }, { read: tooMany + empty + 1 })
    return Math.max(0, (csv?.count ?? 0) - empty)
  }
  let less = 0
  for (const span of spans) {
    const found = await count(span)
    if (found < enough && span !== spans.at(-1)) {
      less = span
      continue
    }
    let more = span
    let events = found
    for (let step = 0; events > tooMany && step < 16; step += 1) {
      const middle = (less + more) / 2
      const halved = await count(middle)
      if (halved >= enough) {
        more = middle
        events = halved
      } else less = middle
    }
    return back(more)
  }
  return back(spans.at(-1) ?? 24)
}

/**
 * What in a file is no event. A file without any is all frame; where it says more than the others
 * (such as "no events found"), the two halves of the window tell, which have the frame once more.
 */
async function frameOf(
  exports: Exports,
  { start, end }: { start: string; end: string },
  empty: string[][],
  whole: { count: number; records: string[][] },
): Promise<Frame> {
  const lead = empty.findIndex((record, at) => !same(record, whole.records[at]))
  if (lead === -1 && empty.length > 0) return { before: empty.length, behind: 0 }
  const [first, second] = await halvesOf(exports, { start, end })
  if (empty.length === 0) return commonIn(first.records, second.records)
  const told = first.count + second.count - whole.count
  const size = told >= 0 && told <= 10 ? told : empty.length
  const footer = size > lead && same(formOf(empty.at(-1)), formOf(whole.records.at(-1)))
  return footer ? { before: lead, behind: size - lead } : { before: size, behind: 0 }
}

/** Two parts of the window that have no event in common; where it can be, neither is without any. */
async function halvesOf(exports: Exports, { start, end }: { start: string; end: string }) {
  const halves = async (share: number) => {
    const middle = new Date(Date.parse(start) + (Date.parse(end) - Date.parse(start)) * share)
    const next = new Date(middle.getTime() + 1).toISOString()
    const first = needCsv(await exports.csv({ start, end: middle.toISOString() }))
    return [first, needCsv(await exports.csv({ start: next, end }))] as const
  }
  for (const share of [1 / 2, 1 / 4, 3 / 4, 1 / 16]) {
    const [first, second] = await halves(share)
    if (first.count > 0 && second.count > 0) return [first, second] as const
  }
  return halves(15 / 16)
}

/** What files without a common event have in common: a file without any may be without all of it. */
function commonIn(one: string[][], other: string[][]): Frame {
  const most = Math.min(one.length, other.length)
  let before = 0
  while (before < most && same(one[before], other[before])) before += 1
  let behind = 0
  while (before + behind < most && same(one.at(-1 - behind), other.at(-1 - behind))) behind += 1
  return { before, behind }
}

/** A record but for its numbers: a last line may count the others. */
const formOf = (record: string[] | undefined) =>
  record?.map((cell) => cell.replaceAll(/\d+/g, '#').trim())

const same = (a: string[] | undefined, b: string[] | undefined) =>
  a !== undefined && a.length === b?.length && a.every((cell, at) => cell === b[at])

const floorTo = (value: number, step: number) => Math.floor(value / step) * step
