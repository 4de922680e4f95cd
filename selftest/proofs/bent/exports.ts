import { setTimeout } from 'node:timers/promises'
import { eventsBeyond, makeEvents } from '../../../reference/calls/event-maker.ts'
import { type AuditEvent, metadataKeys } from '../../../reference/calls/events.ts'
import type { Column, Export, Filter } from '../../../reference/calls/export-call.ts'
import { offsetsOf } from '../../../reference/export/zones.ts'
import type { Open } from '../../../reference/rules/open.ts'

import type { Stated } from '../../../reference/rules/stated.ts'
import { type ExportFile, pdfLimit } from '../../../reference/rules/stated-export.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { type Bent, where } from '../fault.ts'

/** The window of `inWindow`. */
export const aroundAChange = {
  EXPORT_FROM: '2025-10-10T00:00:00Z',
  EXPORT_TO: '2025-11-10T00:00:00Z',
}
/** The window of `smallLimit`. */
export const autumn = { EXPORT_FROM: '2025-09-01T00:00:00Z', EXPORT_TO: '2025-12-01T00:00:00Z' }

/** The most events of a PDF as the contract writes it, and as many events as a service makes by itself. */
export const limitInWords = pdfLimit.toLocaleString('en')
export const manyEvents = eventsBeyond(pdfLimit)

/**
 * The same with fewer events and a configured window: independent of today, and across a change of daylight
 * saving.
 */
export const inWindow = <B extends Bent>(bent: B): B => ({
  events: 2_500,
  pdfLimit: 1_000,
  env: aroundAChange,
  ...bent,
})

/** The same, with a limit for PDFs slightly above the window and below the whole. */
export const smallLimit = <B extends Bent>(bent: B): B => ({
  events: 1_200,
  pdfLimit: 300,
  env: autumn,
  ...bent,
})

export const moved = (time: string, minutes: number) =>
  `${new Date(Date.parse(`${time.slice(0, 23)}Z`) + minutes * 60_000).toISOString().slice(0, 23)}${time.slice(23)}`

/** A time of the service, cut to milliseconds or to seconds. */
export const toMilliseconds = (time: string) => `${time.slice(0, 23)}000000Z`
export const toSeconds = (time: string) => `${time.slice(0, 19)}.000000000Z`

const offsetOn =
  (day: string): Stated['offset'] =>
  ({ zone }) =>
    offsetsOf(zone)(`${day}T00:00:00.000Z`)

/** Offsets that are wrong in some zones and seasons. */
export const wrongOffsets = {
  'the offset of winter is written all year': offsetOn('2025-01-15'),
  'the offset of summer is written all year': offsetOn('2025-07-15'),
  'the offset of the other season is written': ({ zone, instant }) =>
    offsetsOf(zone)(moved(instant, 182 * 24 * 60)),
  'offsets are subtracted': ({ offset }) => -offset,
  'offsets are whole hours': ({ offset }) => Math.trunc(offset / 60) * 60,
} satisfies Record<string, Stated['offset']>

/** Bounds that are taken for the clock of the zone. */
export const shifted = ({ range, zone }: Export, sign: 1 | -1 = -1): Export['range'] =>
  movedBy(range, (time) => sign * offsetsOf(zone)(time))

export function movedBy(range: Export['range'], by: (time: string) => number): Export['range'] {
  const turn = (time: string | undefined) => time && moved(time, by(time))
  return { start: turn(range.start), end: turn(range.end) }
}

export const inPdf = ({ fileType }: Pick<Export, 'fileType'>) => fileType === 'pdf'
export const inCsv = ({ fileType }: Pick<Export, 'fileType'>) => fileType === 'csv'
export const isZoned = ({ zone }: Export) => zone !== 'UTC'
export const isForeign = ({ locale }: Export) => locale !== 'en'
export const isFiltered = ({ filters }: Export) => filters.length > 0

export const noRange: Export['range'] = { start: undefined, end: undefined }

/** These exports are refused as well. */
export const refusing = (isMeant: (asked: Export) => unknown, status = 400) =>
  where(isMeant, { rangeRefusal: () => status })

/** What stands in place of the events of some files. */
export const rowsOf =
  (isMeant: (asked: Export) => boolean) => (bend: (events: AuditEvent[]) => AuditEvent[]) =>
    where(isMeant, { rows: ({ events }) => bend(events) })

/** The columns of CSVs, and those of PDFs. */
export const columnsOf = (csv: Column[], pdf: Column[] = ['id', 'time']) => ({
  columns: (asked: Export) => (inPdf(asked) ? pdf : csv),
})

/** PDFs have columns of their own. */
export const columnsOfPdf = (...columns: Column[]) => where(inPdf, { columns: () => columns })

export const bytesOf = async ({ content }: ExportFile) =>
  Buffer.from(await new Response(content).arrayBuffer())

/** Some files have other bytes. */
export const bytesAs = (
  isMeant: (asked: Export) => boolean,
  bend: (bytes: Buffer, asked: Export) => string | Buffer,
) =>
  where(isMeant, {
    file: async ({ file, ...asked }) => ({
      ...file,
      content: bend(await bytesOf(file), asked) as never,
    }),
  })

type Size = { count: number; limit: number }

/** What the contract says of a PDF with too many events; bent with other numbers. */
export const refusedOver = ({ fileType, count, limit }: Pick<Export, 'fileType'> & Size) =>
  fileType === 'pdf' && count > limit ? 400 : undefined

/** Fewer than in a world: all relations between filters show in them as well. */
export const events = 300

/** Declared facts are judged; found ones are not. */
export const declared = { ARRAY_ENCODING: 'repeat' }

/** A value of every key that an event has. */
export const knownValues = () => {
  const made = makeEvents(makeWorld(1), events)
  const pairs = metadataKeys.map((name) => {
    const values = made.map(({ metadata }) => metadata[name])
    return `${name}=${values.find((value) => value !== undefined && !value.includes(','))}`
  })
  return { METADATA_VALUES: pairs.join(',') }
}

/** Few of many events: all events with a value are more. */
export const twoDays = { EXPORT_FROM: '2025-03-01T00:00:00Z', EXPORT_TO: '2025-03-03T00:00:00Z' }

export const isOf = (name: string) => (filter: Filter) => filter.name === name
export const isMetadata = ({ of }: Filter) => of === 'metadata'

/** Which events have what these columns show. */
const typesWith: Partial<Record<Column, string[]>> = {
  cache_id: ['screening', 'entity'],
  task_id: ['task', 'inquiry'],
}

/** Columns without any value in a file are left out. */
export function columnsInUse({ filters }: Export): Column[] {
  const types = filters.find(isOf('event_type'))?.values
  const columns: Column[] = ['id', 'time', 'event_type', 'cache_id', 'sub_type', 'task_id']
  return columns.filter((column) => {
    const some = typesWith[column]
    return !types || !some || types.some((type) => some.includes(type))
  })
}

export type ExportWithFile = Export & { file: ExportFile }

type Cell = Export & { event: AuditEvent }

/** What stands in place of some cells of a file. */
export const cellsAs =
  (isMeant: (asked: Export) => unknown) => (as: (cell: string, asked: Cell) => string) =>
    where(isMeant, { cells: (asked) => asked.cells.map((cell) => as(cell, asked)) })

/** CSVs whose text is another. */
export const csvAs = (bend: (text: string, asked: Export) => string | Buffer) =>
  bytesAs(inCsv, (bytes, asked) => bend(String(bytes), asked))

/** Filters by a name or a key go by another. */
export const goingBy = (name: string, other: string): Partial<Stated> => ({
  filters: ({ filters }) =>
    filters.map((filter) => (filter.name === name ? { ...filter, name: other } : filter)),
})

/** Of several values these count. */
export const only = {
  first: (values: string[]) => values.slice(0, 1),
  last: (values: string[]) => values.slice(-1),
  firstTwo: (values: string[]) => values.slice(0, 2),
}

/** Of the values of each filter these count. */
export const valuesAs = (pick: (values: string[], filter: Filter) => string[]) => ({
  filters: ({ filters }: Export) =>
    filters.map((filter) => ({ ...filter, values: pick(filter.values, filter) })),
})

/** A cache of files for this long, by a key. A correct key is the whole query. */
export function keptUnder(keyOf: (asked: Export) => unknown, ms: number): Partial<Stated> {
  const kept = new Map<string, { until: number; file: ExportFile }>()
  return {
    file: async (asked: ExportWithFile) => {
      const key = JSON.stringify(keyOf(asked))
      const found = kept.get(key)
      if (found && found.until > Date.now()) return found.file
      const file = { ...asked.file, content: (await bytesOf(asked.file)) as never }
      kept.set(key, { until: Date.now() + ms, file })
      return file
    },
  }
}

/** The query of an export without some parameters, in any order. */
export const without =
  (...names: string[]) =>
  ({ query }: Export): string[][] =>
    [...query]
      .filter(([name]) => !names.some((each) => name === each || name.startsWith(`${each}[`)))
      .sort(([one], [other]) => one.localeCompare(other))

/** One slot for the files of a range and a format: a waiting request gets what was made last. */
export function inOnePlace(): Partial<Stated> {
  const latest = new Map<string, ExportFile>()
  return {
    file: async (asked: ExportWithFile) => {
      const names = ['range_start', 'range_end', 'file_type']
      const place = JSON.stringify(names.map((name) => asked.query.get(name)))
      const file = { ...asked.file, content: (await bytesOf(asked.file)) as never }
      latest.set(place, file)
      await setTimeout(15)
      return latest.get(place) ?? file
    },
  }
}

/** A date without a fraction of a second, and milliseconds since 1970 in a column of their own. */
export const twoTimes: Partial<Stated & Open> = {
  cells: ({ event, cells }) => cells.with(-1, String(Date.parse(event.time))),
  columns: () => ['id', 'time', 'comment', 'sub_type'],
  dateForm: ({ local }) => local.slice(0, 19).replace('T', ' '),
}
