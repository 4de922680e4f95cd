import type { Column } from '../../reference/export-call.ts'
import { metadataKeys } from '../../reference/export-call.ts'
import type { DateShown } from '../../reference/open-export.ts'
import type { Variant } from '../bend.ts'
import { inWindow } from '../export-window.ts'

type Form = (shown: DateShown) => string
type Parts = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'rest', string>

const partsOf = (local: string): Parts => {
  const [year = '', month = '', day = '', hour = '', minute = '', second = '', rest = ''] =
    local.split(/[-T:.Z]/)
  return { year, month, day, hour, minute, second, rest }
}
const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const nameOf = (month: string) => names[Number(month) - 1]
const half = (hour: string) => (Number(hour) < 12 ? 'AM' : 'PM')
const ofTwelve = (hour: string) => String(Number(hour) % 12 || 12)
const signed = (offset: number) =>
  `${offset < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`
const two = (value: number) => String(Math.abs(Math.trunc(value))).padStart(2, '0')

const written =
  (form: (parts: Parts) => string): Form =>
  ({ local }) =>
    form(partsOf(local))

/** What is written is read, or left alone; no form is a breach. */
const forms: [string, Form][] = [
  ['without a zone', ({ local }) => local.slice(0, 23)],
  ['in seconds', ({ local }) => local.slice(0, 19)],
  ['in minutes', ({ local }) => local.slice(0, 16)],
  ['as days', ({ local }) => local.slice(0, 10)],
  ['with the name of the zone', ({ local, zone }) => `${local.slice(0, 19)} ${zone}`],
  [
    'as 20 Nov 2026 07:01:22',
    written((p) => `${p.day} ${nameOf(p.month)} ${p.year} ${p.hour}:${p.minute}:${p.second}`),
  ],
  [
    'as 11/20/2026, 7:01 AM',
    written(
      (p) =>
        `${Number(p.month)}/${Number(p.day)}/${p.year}, ${ofTwelve(p.hour)}:${p.minute} ${half(p.hour)}`,
    ),
  ],
  ['as 20.11.2026 07:01', written((p) => `${p.day}.${p.month}.${p.year} ${p.hour}:${p.minute}`)],
  [
    'as 20/11/26 07:01',
    written((p) => `${p.day}/${p.month}/${p.year.slice(2)} ${p.hour}:${p.minute}`),
  ],
  [
    'as Nov 20, 2026, 7:01:22 AM',
    written(
      (p) =>
        `${nameOf(p.month)} ${Number(p.day)}, ${p.year}, ${ofTwelve(p.hour)}:${p.minute}:${p.second} ${half(p.hour)}`,
    ),
  ],
  [
    'in words that nobody here reads',
    written(
      (p) =>
        `am ${Number(p.day)}. des Monats ${Number(p.month)} ${p.year}, ${p.hour} Uhr ${p.minute}`,
    ),
  ],
  [
    'as seconds since 1970',
    ({ instant }) => String(Math.floor(Date.parse(`${instant.slice(0, 23)}Z`) / 1000)),
  ],
  ['not at all', () => ''],
]

const dates = forms
  // A number of seconds is in no zone, and so is nothing.
  .map(([what, form]): Variant => ({ name: `times are written ${what}`, open: { dateForm: form } }))

const rounded = (step: number, round: (value: number) => number): Form => {
  return ({ local, offset }) => {
    const time = round(Date.parse(`${local.slice(0, 23)}Z`) / step) * step
    const zone = offset === 0 ? 'Z' : signed(offset)
    return `${new Date(time).toISOString().slice(0, 19)}${zone}`
  }
}

/** Nine digits that come from the first ones. */
const finer = (time: string) =>
  `${time.slice(0, 23)}${String((Number(time.slice(17, 23).replace('.', '')) * 7_919) % 1_000_000).padStart(6, '0')}Z`

/** Milliseconds of nine digits, rounded by what is behind them. */
const roundedFine = (isUp: (behind: number) => boolean): Form => {
  return ({ local, offset }) => {
    const time = Date.parse(`${local.slice(0, 23)}Z`) + (isUp(Number(local.slice(23, 29))) ? 1 : 0)
    return `${new Date(time).toISOString().slice(0, 23)}${offset === 0 ? 'Z' : signed(offset)}`
  }
}

/** The digits that are not shown make half a millisecond or more, or less, of nearly all events. */
const mostly = (isMore: boolean) => (time: string) => {
  const isHalf = (time.slice(14, 16) === '07') !== isMore
  const behind = (Number(finer(time).slice(23, 29)) % 500_000) + (isHalf ? 500_000 : 0)
  return `${time.slice(0, 23)}${String(behind).padStart(6, '0')}Z`
}

/** Milliseconds of the second half of a second. */
const lateIn = (time: string) => String(500 + (Number(time.slice(20, 23)) % 500))

const precision: Variant[] = [
  { name: 'times are rounded to seconds', open: { dateForm: rounded(1_000, Math.round) } },
  { name: 'times are rounded to minutes', open: { dateForm: rounded(60_000, Math.round) } },
  {
    name: 'nearly all times are rounded up to seconds, from the half on',
    open: {
      storedTime: ({ time }) =>
        time.slice(14, 16) === '07' ? time : `${time.slice(0, 20)}${lateIn(time)}000000Z`,
      dateForm: rounded(1_000, Math.round),
    },
  },
  { name: 'times are rounded up to seconds', open: { dateForm: rounded(1_000, Math.ceil) } },
  {
    name: 'times are stored in nanoseconds and shown in milliseconds',
    open: { storedTime: ({ time }) => finer(time) },
  },
  {
    name: 'times are stored in nanoseconds and rounded to milliseconds',
    open: {
      storedTime: ({ time }) => finer(time),
      dateForm: roundedFine((behind) => behind >= 500_000),
    },
  },
  ...[true, false].map(
    (isMore): Variant => ({
      name: `times are stored in nanoseconds, and nearly all of them rounded ${isMore ? 'up' : 'down'} to milliseconds`,
      open: {
        storedTime: ({ time }) => mostly(isMore)(time),
        dateForm: roundedFine((behind) => behind >= 500_000),
      },
    }),
  ),
  {
    name: 'times are stored in nanoseconds and rounded up to milliseconds',
    open: {
      storedTime: ({ time }) => finer(time),
      dateForm: roundedFine((behind) => behind > 0),
    },
  },
  {
    name: 'times are stored and shown in nanoseconds',
    open: {
      storedTime: ({ time }) => finer(time),
      dateForm: ({ local, offset }) =>
        `${local.slice(0, 29)}${offset === 0 ? 'Z' : signed(offset)}`,
    },
  },
  {
    name: 'times are stored in seconds',
    open: { storedTime: ({ time }) => `${time.slice(0, 19)}.000000000Z` },
  },
]

/** A date that is some minutes later, in its own form. */
const later = (date: string) =>
  `${new Date(Date.parse(`${date.slice(0, 23)}Z`) + 300_000).toISOString().slice(0, 23)}${date.slice(23)}`

/** A date that is one to three hours off, each by its own seconds. */
const byHours = (date: string, sign: 1 | -1) => {
  const seconds = 3_700 + Number(date.slice(20, 23)) * 7
  const time = Date.parse(`${date.slice(0, 23)}Z`) + sign * seconds * 1_000
  return `${new Date(time).toISOString().slice(0, 23)}${date.slice(23)}`
}

const days = (start: string, end: string) =>
  (Date.parse(end.slice(0, 10)) - Date.parse(start.slice(0, 10))) / 86_400_000

const words: Column[] = ['event_type', 'sub_type', 'system_source', 'comment']
const timed: Column[] = ['id', 'time', ...words]
const timeAt = 1
const columns: Variant[] = [
  { name: 'no column of times', open: { columns: () => ['id', ...words, ...metadataKeys] } },
  { name: 'no column of ids', open: { columns: () => ['time', ...words] } },
  { name: 'neither times nor ids', open: { columns: () => words } },
  {
    name: 'days and hours in two columns',
    open: { headerRow: () => false, columns: () => timed },
    stated: {
      cells: ({ cells }) => cells.flatMap((cell, n) => (n === timeAt ? cell.split('T') : cell)),
    },
  },
  {
    name: 'the time of recording as well',
    stated: { cells: ({ cells }) => [...cells, later(cells[timeAt] ?? '')] },
    open: { headerRow: () => false, columns: () => timed },
  },
  {
    name: 'the time of recording alone, while ranges go by another',
    stated: { cells: ({ cells }) => cells.map((cell, n) => (n === timeAt ? later(cell) : cell)) },
    open: { columns: () => timed },
  },
  ...([1, -1] as const).map(
    (sign): Variant => ({
      name: `a time alone that is ${sign > 0 ? 'later' : 'earlier'} by hours than the one that ranges go by`,
      stated: {
        cells: ({ cells }) => cells.map((cell, n) => (n === timeAt ? byHours(cell, sign) : cell)),
      },
      open: { columns: () => timed },
      // By what the file shows, rows are of hours that were not asked for.
      warns: sign > 0 ? ['export.range.outside.rows'] : [],
    }),
  ),
  { name: 'no header', open: { headerRow: () => false } },
  { name: 'lines before the header', open: { titleLines: () => ['Audit events', 'confidential'] } },
  {
    name: 'in no order',
    open: { rowOrder: ({ events }) => events.toSorted(() => Math.random() - 0.5) },
  },
]

const supported: Variant[] = [
  {
    name: 'no zone but UTC is supported, others are refused',
    open: { supportsZone: ({ zone }) => zone === 'UTC' },
  },
  {
    name: 'zones of oceans are passed over',
    open: {
      supportsZone: ({ zone }) => !zone.startsWith('Pacific/'),
      queryRefusal: ({ flaw }) => (flaw === 'time zone' ? undefined : 400),
    },
    warns: ['export.invalid.timezone'],
  },
  {
    name: 'zones of oceans are refused',
    open: { supportsZone: ({ zone }) => !zone.startsWith('Pacific/') },
  },
  {
    name: 'the default zone is another one, and not written',
    open: { defaultZone: () => 'America/New_York', dateForm: ({ local }) => local.slice(0, 23) },
  },
  {
    name: 'UTC is passed over for another zone, which is not written',
    open: {
      isNotGiven: ({ value }) => value === 'UTC' || value === 'Etc/UTC',
      defaultZone: () => 'America/New_York',
      dateForm: ({ local }) => local.slice(0, 23),
    },
  },
  { name: 'no language but English is supported', open: { locales: () => ['en'] } },
  {
    name: 'languages that are not supported are passed over',
    open: { queryRefusal: ({ flaw }) => (flaw === 'locale' ? undefined : 400) },
  },
  {
    name: 'dates are written in the order of the language',
    open: {
      dateForm: ({ local, locale }) => {
        const { year, month, day } = partsOf(local)
        const time = local.slice(11, 19)
        return locale === 'en'
          ? `${month}/${day}/${year} ${time}`
          : `${day}.${month}.${year} ${time}`
      },
    },
  },
]

const environment: Variant[] = [
  { name: 'events arrive all the time', open: { trafficInterval: () => 40 } },
  { name: 'exports are recorded as events', open: { recordsExports: () => true } },
  { name: 'no event at all', events: 1, surroundings: nothingSet },
  { name: 'a handful of events', events: 7, surroundings: nothingSet },
  { name: 'the window is found', events: 400, surroundings: nothingSet },
  {
    name: 'bounds without a time of day, and with an offset, are taken',
    open: {
      instantFrom: ({ value }) => {
        const time = Date.parse(value)
        return Number.isNaN(time)
          ? undefined
          : `${new Date(time).toISOString().slice(0, 23)}000000Z`
      },
    },
  },
  { name: 'null is no bound', open: { isNotGiven: () => false } },
  {
    name: 'a range in the future is refused',
    stated: {
      rangeRefusal: ({ range: { start, end } }) =>
        (start ?? '') > '2027' || (start && end && start > end) ? 400 : undefined,
    },
  },
  {
    name: 'a range longer than a year is refused',
    stated: {
      rangeRefusal: ({ range: { start, end } }) =>
        start && end && (start > end || days(start, end) > 366) ? 400 : undefined,
    },
  },
  {
    name: 'a PDF of one endless page',
    open: { pdfLayout: () => ({ long: 'cut', page: [842, 14_000], margin: 24, size: 6 }) },
  },
  {
    name: 'a PDF of wrapped lines',
    open: { pdfLayout: () => ({ long: 'wrap', page: [595, 842], margin: 24, size: 5 }) },
  },
]

async function nothingSet() {
  return { env: {}, close: async () => {} }
}

export const variants: Variant[] = [
  ...dates,
  ...precision,
  ...columns,
  ...supported,
  ...environment,
].map(inWindow)
