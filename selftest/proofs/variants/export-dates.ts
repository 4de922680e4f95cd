import type { DateShown } from '../../../reference/rules/open-export.ts'
import { inWindow, twoTimes } from '../bent/exports.ts'
import { type Variant, variant, variantsOf } from '../fault.ts'

type Form = (shown: DateShown) => string
type Parts = Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'rest', string>

export const partsOf = (local: string): Parts => {
  const [year = '', month = '', day = '', hour = '', minute = '', second = '', rest = ''] =
    local.split(/[-T:.Z]/)
  return { year, month, day, hour, minute, second, rest }
}
export const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const nameOf = (month: string) => months[Number(month) - 1]
const half = (hour: string) => (Number(hour) < 12 ? 'AM' : 'PM')
const ofTwelve = (hour: string) => String(Number(hour) % 12 || 12)
const signed = (offset: number) =>
  `${offset < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`
const two = (value: number) => String(Math.abs(Math.trunc(value))).padStart(2, '0')

/** A date by a pattern. */
const written =
  (pattern: string): Form =>
  ({ local }) => {
    const { year, month, day, hour, minute, second } = partsOf(local)
    const parts: Record<string, string | number | undefined> = {
      ...{ YYYY: year, YY: year.slice(2) },
      ...{ MM: month, M: Number(month), MMM: nameOf(month), DD: day, D: Number(day) },
      ...{ HH: hour, h: ofTwelve(hour), mm: minute, ss: second, a: half(hour) },
    }
    return pattern.replaceAll(/\{(\w+)\}/g, (_, part) => String(parts[part]))
  }

/** The days since 30 December 1899, on the clock of the zone. */
function inSpreadsheetDays({ local }: DateShown): string {
  const days = Date.parse(`${local.slice(0, 23)}Z`) / 86_400_000
  return String(days + 25_569)
}

/** What is written is read, or left alone; no form is a breach. */
const forms: [string, Form][] = [
  ['without a zone', ({ local }) => local.slice(0, 23)],
  ['in seconds', ({ local }) => local.slice(0, 19)],
  ['in minutes', ({ local }) => local.slice(0, 16)],
  ['as days', ({ local }) => local.slice(0, 10)],
  ['with the name of the zone', ({ local, zone }) => `${local.slice(0, 19)} ${zone}`],
  ['as 20 Nov 2026 07:01:22', written('{DD} {MMM} {YYYY} {HH}:{mm}:{ss}')],
  ['as 11/20/2026, 7:01 AM', written('{M}/{D}/{YYYY}, {h}:{mm} {a}')],
  ['as 20.11.2026 07:01', written('{DD}.{MM}.{YYYY} {HH}:{mm}')],
  ['as 20/11/26 07:01', written('{DD}/{MM}/{YY} {HH}:{mm}')],
  ['as Nov 20, 2026, 7:01:22 AM', written('{MMM} {D}, {YYYY}, {h}:{mm}:{ss} {a}')],
  ['in words that nobody here reads', written('am {D}. des Monats {M} {YYYY}, {HH} Uhr {mm}')],
  [
    'as seconds since 1970',
    ({ instant }) => String(Math.floor(Date.parse(`${instant.slice(0, 23)}Z`) / 1000)),
  ],
  ['as milliseconds since 1970', ({ instant }) => String(Date.parse(`${instant.slice(0, 23)}Z`))],
  [
    'with the name of the zone behind the offset',
    ({ local, offset, zone }) => `${local.slice(0, 19)}${signed(offset)}[${zone}]`,
  ],
  ['as days of a spreadsheet', inSpreadsheetDays],
  [
    'by the day of the year',
    ({ local }) => `${local.slice(0, 4)}-${dayOfYear(local)} ${local.slice(11, 19)}`,
  ],
  ['by weeks', ({ local }) => `${local.slice(0, 4)}-${weekOf(local)} ${local.slice(11, 19)}`],
  ['not at all', () => ''],
]

// A number of seconds is in no zone, and so is nothing.
export const dates = forms.map(([what, form]) =>
  variant(`times are written ${what}`, { dateForm: form }),
)

const dayMs = 86_400_000

export function dayOfYear(local: string): string {
  const from = Date.parse(`${local.slice(0, 4)}-01-01T00:00Z`)
  const days = (Date.parse(`${local.slice(0, 10)}T00:00Z`) - from) / dayMs
  return String(days + 1).padStart(3, '0')
}

/** The week, from the first day of the year on, and the day in it. */
function weekOf(local: string): string {
  const days = Number(dayOfYear(local)) - 1
  return `${two(Math.floor(days / 7) + 1)}-${(days % 7) + 1}`
}

let answers = 0

export const unsteady = variantsOf('dateForm', {
  'the column of times differs between two equal requests': ({ local }) => {
    answers += 1
    return `${local.slice(0, 19)} (${answers})`
  },
})

const rounded = (step: number, round: (value: number) => number): Form => {
  return ({ local, offset }) => {
    const time = round(Date.parse(`${local.slice(0, 23)}Z`) / step) * step
    const zone = offset === 0 ? 'Z' : signed(offset)
    return `${new Date(time).toISOString().slice(0, 19)}${zone}`
  }
}

/** Nine digits that come from the first ones. */
export const finer = (time: string) =>
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

export const precision: Variant[] = [
  ...[true, false].map((isMore) =>
    variant(
      `times are stored in nanoseconds, and nearly all of them rounded ${isMore ? 'up' : 'down'} to milliseconds`,
      {
        storedTime: ({ time }) => mostly(isMore)(time),
        dateForm: roundedFine((behind) => behind >= 500_000),
      },
    ),
  ),
  ...variantsOf({
    'times are rounded to seconds': { dateForm: rounded(1_000, Math.round) },
    'times are rounded to minutes': { dateForm: rounded(60_000, Math.round) },
    'nearly all times are rounded up to seconds, from the half on': {
      storedTime: ({ time }) =>
        time.slice(14, 16) === '07' ? time : `${time.slice(0, 20)}${lateIn(time)}000000Z`,
      dateForm: rounded(1_000, Math.round),
    },
    'times are rounded up to seconds': { dateForm: rounded(1_000, Math.ceil) },
    'times are stored in nanoseconds and shown in milliseconds': {
      storedTime: ({ time }) => finer(time),
    },
    'times are stored in nanoseconds and rounded to milliseconds': {
      storedTime: ({ time }) => finer(time),
      dateForm: roundedFine((behind) => behind >= 500_000),
    },
    'times are stored in nanoseconds and rounded up to milliseconds': {
      storedTime: ({ time }) => finer(time),
      dateForm: roundedFine((behind) => behind > 0),
    },
    'times are stored and shown in nanoseconds': {
      storedTime: ({ time }) => finer(time),
      dateForm: ({ local, offset }) =>
        `${local.slice(0, 29)}${offset === 0 ? 'Z' : signed(offset)}`,
    },
    'times are stored in seconds': { storedTime: ({ time }) => `${time.slice(0, 19)}.000000000Z` },
  }),
]

/** The times of the window in another half of their days. */
const inHalf =
  (first: 0 | 12) =>
  ({ time }: { time: string }) =>
    /^2025-1[01]/.test(time)
      ? `${time.slice(0, 11)}${two(first + (Number(time.slice(11, 13)) % 12))}${time.slice(13, 23)}000000Z`
      : time

const withoutZone = ({ local }: { local: string }) => local.slice(0, 19).replace('T', ' ')

/** A time by twelve hours, and the half of the day. */
function halved(cell: string): [string, string] {
  const hours = Number(cell.slice(11, 13))
  return [`${cell.slice(0, 11)}${two(hours % 12 || 12)}${cell.slice(13)}`, hours < 12 ? 'am' : 'pm']
}

export const readableTimes = variantsOf({
  'milliseconds since 1970 stand beside a date that is less fine': twoTimes,
  'UTC is passed over for a zone twelve hours behind, which is not written': {
    isNotGiven: ({ value }) => value === 'UTC' || value === 'Etc/UTC',
    defaultZone: () => 'Etc/GMT+12',
    dateForm: withoutZone,
  },
  'a zone twelve hours behind beside events of afternoons alone': {
    isNotGiven: ({ value }) => value === 'UTC' || value === 'Etc/UTC',
    defaultZone: () => 'Etc/GMT+12',
    dateForm: withoutZone,
    storedTime: inHalf(12),
  },
  'all events are of mornings, and times have no zone': {
    storedTime: inHalf(0),
    dateForm: withoutZone,
  },
  'am and pm stand in a column of their own': {
    headerRow: () => false,
    columns: () => ['id', 'time', 'event_type', 'comment'],
    dateForm: withoutZone,
    cells: ({ cells: [id = '', time = '', ...rest] }) => [id, ...halved(time), ...rest],
  },
  'a second column of times holds zeros and nines where there is none': {
    headerRow: () => false,
    columns: () => ['id', 'time', 'event_type', 'comment'],
    cells: ({ cells, event: { id } }) => [
      ...cells,
      id < '8' ? '0000-00-00 00:00:00' : '9999-99-99 99:99:99',
    ],
  },
}).map(inWindow)
