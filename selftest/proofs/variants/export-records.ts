import { createHash } from 'node:crypto'
import { eventsBeyond, makeEvents } from '../../../reference/calls/event-maker.ts'
import { metadataKeys } from '../../../reference/calls/events.ts'
import type { Column, Export } from '../../../reference/calls/export-call.ts'
import { pdfLimit } from '../../../reference/rules/stated-export.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import {
  aroundAChange,
  columnsOf,
  csvAs,
  declared,
  inWindow,
  limitInWords,
  manyEvents,
} from '../bent/exports.ts'
import { type Variant, variant, variantsOf, withoutComments } from '../fault.ts'
import { months } from './export-dates.ts'

/** None of them has a line feed in a cell. */
const columns: Column[] = [
  'id',
  'time',
  'auditee_id',
  'event_type',
  'sub_type',
  'system_source',
  ...metadataKeys,
]

/** A CSV whose lines are written anew: the first is the header, the others are events. */
export const rewritten = (rewrite: (lines: string[], header: string) => string[]) =>
  csvAs((text) => {
    const [header = '', ...lines] = text.split('\r\n').filter(Boolean)
    return [header, ...rewrite(lines, header)].map((each) => `${each}\r\n`).join('')
  })

const width = columns.length
const padded = (...cells: string[]) => [...cells, ...Array(width - cells.length).fill('')].join(',')
const dayOf = (line: string) => /\d{4}-\d\d-\d\d/.exec(line)?.[0] ?? ''

/** The events of each day, with something before or behind them. */
const byDays = (around: (day: string, lines: string[]) => string[]) => (lines: string[]) => {
  const days = new Map<string, string[]>()
  for (const line of lines) days.set(dayOf(line), [...(days.get(dayOf(line)) ?? []), line])
  return [...days].flatMap(([day, some]) => around(day, some))
}

/** One of this many lines, chosen by its id: the same in every file. */
const isOneOf = (count: number, line: string) => Number.parseInt(line.slice(0, 8), 16) % count === 0

const every = (count: number, header: string, lines: string[]) =>
  lines.flatMap((line, at) => (at > 0 && at % count === 0 ? [header, line] : [line]))

/** Events by their running number, all of an hour with one time: as after an import. */
const numbers = new Map(makeEvents(makeWorld(1), 2_500).map(({ id }, n) => [id, n + 1]))
export const numbered = variant(
  'running numbers in place of ids, and one time for all events of an hour',
  {
    columns: () => ['id', 'time', 'event_type', 'sub_type', 'entity_id'],
    dateForm: ({ local }) => `${local.slice(0, 13)}:00:00`,
    cellForm: ({ column, text }) => (column === 'id' ? String(numbers.get(text) ?? 9_999) : text),
  },
)

/** A CSV for programs beside a PDF for people, in which nothing else tells events apart. */
const forPeople = variant('PDFs without ids, with dates for people', {
  ...columnsOf(columns, ['time', 'event_type', 'sub_type']),
  cells: ({ fileType, cells }) => (fileType === 'pdf' ? cells.map(dateForPeople) : cells),
})

function belowDays(pages: readonly string[][]): string[][] {
  let day = ''
  return pages.map((lines) =>
    lines.flatMap((line) => {
      const [, own, rest = ''] = /^(\d{4}-\d\d-\d\d)T(.*)$/.exec(line) ?? []
      if (own === undefined) return [line]
      const heading = own === day ? [] : [own]
      day = own
      return [...heading, rest]
    }),
  )
}

function dateForPeople(cell: string): string {
  const [, date, hours = '', rest] = /^([\d-]{10})T(\d\d)(:\d\d:\d\d)/.exec(cell) ?? []
  if (!date) return cell
  const [year, month, day] = date.split('-').map(Number)
  const half = Number(hours) < 12 ? 'am' : 'pm'
  return `${day} ${months[(month ?? 1) - 1]} ${year}, ${Number(hours) % 12 || 12}${rest} ${half}`
}

export const realLimit = variantsOf({
  [`the header again before every 1,000 of ${manyEvents.toLocaleString('en')} events`]: {
    events: manyEvents,
    ...columnsOf(columns),
    ...rewritten((lines, header) => every(1_000, header, lines)),
    warns: ['export.csv.titles', ...withoutComments],
  },
  [`landscape tables of ${limitInWords} events that break ids and wrap comments, with headings on each page`]:
    {
      events: pdfLimit + 600,
      ...columnsOf([...columns, 'comment'], ['time', 'id', ...columns.slice(2, 13), 'comment']),
      pdfLayout: () => ({ long: 'wrap', page: [842, 595], margin: 28, size: 7 }),
    },
  'the contract lets a PDF hold 10,000 events': {
    events: eventsBeyond(10_000),
    pdfLimit: 10_000,
  },
})

export const variants: Variant[] = [
  ...variantsOf(rewritten, {
    'a heading as wide as the rows for each day': byDays((day, lines) => [padded(day), ...lines]),
    'a sum as wide as the rows for each day': byDays((day, lines) => [
      ...lines,
      padded(`Sum of ${day}`, String(lines.length)),
    ]),
    'a delimiter behind the last cell of each row, and none behind the last title': (lines) =>
      lines.map((line) => `${line},`),
    'events of before the window lack the last column, which came later': (lines) =>
      lines.map((line) => (dayOf(line) < '2025-10-05' ? line.replace(/,[^,]*$/, '') : line)),
  }),
  ...variantsOf({
    'the header again before every 50 events': {
      ...rewritten((lines, header) => every(50, header, lines)),
      warns: 'export.csv.titles',
    },
    'a tab in some cells, which readers of other dialects take for a delimiter': {
      ...rewritten((lines) => lines.map((line) => (isOneOf(97, line) ? `${line},` : line))),
      warns: 'export.csv.well-formed',
    },
    'a record for each of what changed': {
      // An event is counted once; its records have its id.
      rows: ({ events }) =>
        events.flatMap((event) =>
          isOneOf(3, event.id)
            ? [event, { ...event, description: `${event.description}, further` }]
            : [event],
        ),
    },
  }),
  numbered,
  forPeople,

  /** A day is said once, above its events, and not again where they go on on the next page. */
  variant('PDFs without ids, whose events stand below their day', {
    // The margin has room for as many days as there are events on a page.
    ...forPeople.open,
    pdfLayout: () => ({ long: 'cut', page: [842, 595], margin: 200, size: 6 }),
    pages: ({ pages }) => belowDays(pages as string[][]) as never[],
  }),

  /** Longer times do not fit: what is behind the second stands in the next line of the row, behind its other cells. */
  variant('PDFs without ids, whose cells break times of other zones than UTC', {
    ...columnsOf(columns, ['time', 'event_type', 'sub_type']),
    cells: ({ fileType, zone, cells, event: { id } }) => {
      const [time = '', ...rest] = cells
      const isBroken = fileType === 'pdf' && zone !== 'UTC' && id < 'c'
      return isBroken
        ? [time.slice(0, 21), ...rest.with(-1, `${rest.at(-1)} ${time.slice(21)}`)]
        : cells
    },
  }),

  /** As where two programs write into one file. */
  variant('letters of two encodings in one file', {
    // Half of the events show another tag than they have.
    warns: 'export.csv.well-formed export.metadata.tag.exact',
    ...csvAs((text) => {
      const noted = (line: string, at: number) => `${line}${at === 0 ? ',note' : ',\u00fc'}\r\n`
      const lines = text.split('\r\n').filter(Boolean)
      return Buffer.concat(
        lines.map((line, at) => Buffer.from(noted(line, at), isOneOf(2, line) ? 'latin1' : 'utf8')),
      )
    }),
  }),
].map((variant) =>
  inWindow({
    ...variant,
    open: { ...columnsOf(columns), ...variant.open },
    warns: [...(variant.warns ?? []), ...withoutComments],
  }),
)

const recordsIn = (text: string) => text.split('\r\n').filter(Boolean).length
const total = (text: string) => `Total: ${recordsIn(text) - 1}\r\n`
const totalIfAny = (text: string) => (recordsIn(text) > 1 ? text + total(text) : text)
const sum = (text: string) => `SHA-256: ${createHash('sha256').update(text).digest('hex')}\r\n`
const types = ['inquiry', 'screening', 'task', 'assessment', 'entity']
const given = (name: string, { query }: Export) =>
  query.has(name) ? [`${name}: ${query.get(name)}`] : []

const lines = variantsOf({
  'a last line counts events, where there are any': csvAs(totalIfAny),
  'a last line counts events, or says that there are none': csvAs((text) =>
    recordsIn(text) > 1 ? totalIfAny(text) : `${text}No events were found\r\n`,
  ),
  'a last line as wide as the rows': csvAs(
    (text) => `${text}Total: ${recordsIn(text) - 1}${','.repeat(18)}\r\n`,
  ),
  'a file of one column with a last line where there are events': {
    columns: (): Column[] => ['id'],
    ...csvAs(totalIfAny),
    warns: withoutComments,
  },
  'no header, and an empty file where there are no events': {
    headerRow: () => false,
    ...csvAs((text) => (text.trim() === '' ? '' : `${text}Total: ${recordsIn(text)}\r\n`)),
  },
  'a checksum behind the events, where there are any': csvAs((text) =>
    recordsIn(text) > 1 ? `${text}\r\n${total(text)}${sum(text)}` : 'nothing\r\n',
  ),
  'a sum for each type that there is': csvAs((text) => {
    const counts = types.map((type) => [type, text.split(`,${type},`).length - 1] as const)
    return text + counts.flatMap(([type, count]) => (count ? `${type},${count}\r\n` : [])).join('')
  }),
  'a line for each thing that was asked for': {
    titleLines: (asked) =>
      ['timezone', 'locale', 'range_start', 'range_end'].flatMap((name) => given(name, asked)),
  },
  'titles before names in quotes, and no event in half of the window': {
    events: 100,
    // A window that is searched for goes back far beyond them.
    env: {},
    delimiter: () => ';',
    quotesAnyway: () => true,
    titleLines: () => ['Audit events', 'made just now'],
    columns: (): Column[] => ['comment', 'metadata', 'time'],
  },
  'a report: title, time, filters and an empty line before, a total behind, newest first': {
    titleLines: ({ query }) => [
      'Audit events',
      `Exported at ${new Date().toISOString().slice(0, 19)}`,
      `Filters: ${[...query].flat().join(' ') || 'none'}`,
      '',
    ],
    rowOrder: ({ events }) => events.toReversed(),
    // As on a busy machine.
    delay: ({ op, at }) => (op === 'export' && at === 'start' ? 700 : 0),
    ...csvAs((text) => `${text}Total,${recordsIn(text) - 4}\r\n`),
  },
  'no header, but a line of what was asked for': {
    headerRow: () => false,
    titleLines: ({ query }) => [`Parameters: ${[...query.keys()].join(' ')}`],
  },
})

const days = variant('a line for each day', {
  columns: (): Column[] => ['id', 'time', 'event_type', 'sub_type', 'tag'],
  ...rewritten(byDays((day, lines) => [`--- ${day} ---`, ...lines])),
  warns: ['export.csv.well-formed', ...withoutComments],
})

let isBehind = false

export const ofLines: Variant[] = [
  ...lines,
  days,
  ...[1, 3, 7, 30].map((events) =>
    variant(`a last line where there are events, of which there are ${events}`, {
      events,
      env: declared,
      ...csvAs(totalIfAny),
    }),
  ),

  /** What keeps a spreadsheet from taking a text for a number, a date or a formula. */
  variant('each cell is a formula for its text', {
    cells: ({ fileType, cells }) =>
      fileType === 'csv' ? cells.map((cell) => `="${cell.replaceAll('"', '""')}"`) : cells,
  }),
  ...variantsOf({
    'every other answer is of a server that lags behind, while others use the service': {
      // What such a server has not yet shown comes later.
      env: { ...aroundAChange, AUDIT_WAIT_S: '5' },
      trafficInterval: () => 15,
      rows: ({ events }) => {
        isBehind = !isBehind
        const latest = new Date(Date.now() - 400).toISOString()
        return isBehind ? events.filter(({ time }) => time < latest) : events
      },
    },
  }),
].map(inWindow)
