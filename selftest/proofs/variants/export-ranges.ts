import { metadataKeys } from '../../../reference/calls/events.ts'
import type { Column } from '../../../reference/calls/export-call.ts'
import type { Stated } from '../../../reference/rules/stated.ts'
import { instantOf } from '../../../reference/world/versions.ts'
import { oneAtATime } from '../bent/around.ts'
import { cellsAs, inPdf, inWindow, moved, toMilliseconds, toSeconds } from '../bent/exports.ts'
import { type Variant, variant, variantsOf } from '../fault.ts'
import { onTheEdges, someInSeconds } from '../faults/export/bounds.ts'
import { dates, finer, partsOf, precision } from './export-dates.ts'

/** A date that is some minutes later, in its own form. */
const later = (date: string) => moved(date, 5)

/** A date that is one to three hours off, each by its own seconds. */
const byHours = (date: string, sign: 1 | -1) =>
  moved(date, (sign * (3_700 + Number(date.slice(20, 23)) * 7)) / 60)

const days = (start: string, end: string) =>
  (Date.parse(end.slice(0, 10)) - Date.parse(start.slice(0, 10))) / 86_400_000

/** Events of updates are of long ago there too, and most would look for them at the time of the update. */
const ofLongAgo = ['audit.assignment-recorded', 'audit.assign-comment', 'audit.unassign-comment']

const words: Column[] = ['event_type', 'sub_type', 'system_source', 'comment']
const timed: Column[] = ['id', 'time', ...words]
const timeAt = 1
const columns: Variant[] = [
  ...([1, -1] as const).map((sign) =>
    variant(
      `a time alone that is ${sign > 0 ? 'later' : 'earlier'} by hours than the one that ranges go by`,
      {
        cells: ({ cells }) => cells.map((cell, n) => (n === timeAt ? byHours(cell, sign) : cell)),
        columns: () => timed,
        // By what the file shows, rows are of hours that were not asked for.
        warns: sign > 0 ? ['export.range.outside.rows'] : [],
      },
    ),
  ),
  ...variantsOf({
    'no column of times': { columns: () => ['id', ...words, ...metadataKeys] },
    'no column of ids': { columns: () => ['time', ...words] },
    'neither times nor ids': { columns: () => words },
    'days and hours in two columns': {
      headerRow: () => false,
      columns: () => timed,
      cells: ({ cells }) => cells.flatMap((cell, n) => (n === timeAt ? cell.split('T') : cell)),
    },
    'the time of recording as well': {
      cells: ({ cells }) => [...cells, later(cells[timeAt] ?? '')],
      headerRow: () => false,
      columns: () => timed,
    },
    'the time of recording alone, while ranges go by another': {
      cells: ({ cells }) => cells.map((cell, n) => (n === timeAt ? later(cell) : cell)),
      columns: () => timed,
    },
    'no header': { headerRow: () => false },
    'lines before the header': { titleLines: () => ['Audit events', 'confidential'] },
    'in no order': { rowOrder: ({ events }) => events.toSorted(() => Math.random() - 0.5) },
  }),
]

const spokenDay = (iso = '') =>
  new Date(`${iso.slice(0, 23)}Z`).toLocaleString('en', { dateStyle: 'full', timeZone: 'UTC' })

const coarseBounds = (cut: (time: string) => string): Partial<Stated> => ({
  isFrom: ({ time, start }) => time >= cut(start),
  isUpTo: ({ time, end }) => time <= cut(end),
})
const toHundredths = (time: string) => `${time.slice(0, 22)}0000000Z`
/** As some databases keep times: to the nearest of 300 ticks a second, shown in milliseconds. */
const toTicks = (time: string) => {
  const at = Date.parse(`${time.slice(0, 23)}Z`)
  return `${new Date(Math.round((Math.round((at * 3) / 10) * 10) / 3)).toISOString().slice(0, 23)}000000Z`
}
const isFiner = (value: string) => /\.\d{4,}/.test(value)
const millisecondsAlone = (value: string) => (isFiner(value) ? undefined : instantOf(value))

export const variants: Variant[] = [
  ...dates,
  ...precision,
  ...columns,
  ...variantsOf('dateForm', {
    'dates are written in the order and the calendar of the language': ({ local, locale }) => {
      const { year, month, day } = partsOf(local)
      const time = local.slice(11, 16)
      if (locale === 'de') return `${day}.${month}.${year}, ${time} Uhr`
      if (locale === 'fr') return `${day}/${month}/${year} ${time}`
      return locale === 'es'
        ? `${Number(year) + 543}-${month}-${day} ${time}`
        : `${month}/${day}/${year} ${time}`
    },
    'dates are written in the order of the language': ({ local, locale }) => {
      const { year, month, day } = partsOf(local)
      const time = local.slice(11, 19)
      return locale === 'en' ? `${month}/${day}/${year} ${time}` : `${day}.${month}.${year} ${time}`
    },
  }),
  ...variantsOf('instantFrom', {
    'bounds without a time of day, and with an offset, are taken': ({ value }) => {
      const time = Date.parse(value)
      return Number.isNaN(time) ? undefined : `${new Date(time).toISOString().slice(0, 23)}000000Z`
    },
    'bounds finer than milliseconds are refused': ({ value }) => millisecondsAlone(value),
  }),
  ...variantsOf('titleLines', {
    'titles show the range and the zone': ({ range: { start, end }, zone }) => [
      `Events from ${start} to ${end}`,
      zone,
    ],
    'titles show the day of the range in words, beside another zone alone': ({
      range: { start, end },
      zone,
    }) => (zone === 'UTC' ? [] : [`${zone}, from ${spokenDay(start)}`, `to ${spokenDay(end)}`]),
  }),
  ...variantsOf({
    'no zone but UTC is supported, others are refused': {
      supportsZone: ({ zone }) => zone === 'UTC',
      warns: 'export.timezone.accepted',
    },
    'zones of oceans are passed over': {
      supportsZone: ({ zone }) => !zone.startsWith('Pacific/'),
      queryRefusal: ({ flaw }) => (flaw === 'time zone' ? undefined : 400),
      warns: 'export.invalid.timezone',
    },
    'zones of oceans are refused': { supportsZone: ({ zone }) => !zone.startsWith('Pacific/') },
    'the default zone is another one, and not written': {
      defaultZone: () => 'America/New_York',
      dateForm: ({ local }) => local.slice(0, 23),
    },
    'UTC is passed over for another zone, which is not written': {
      isNotGiven: ({ value }) => value === 'UTC' || value === 'Etc/UTC',
      defaultZone: () => 'America/New_York',
      dateForm: ({ local }) => local.slice(0, 23),
    },
    'no language but English is supported': { locales: () => ['en'] },
    'languages that are not supported are passed over': {
      queryRefusal: ({ flaw }) => (flaw === 'locale' ? undefined : 400),
    },
    'one PDF is made at a time, and eight take longer than DOWNLOAD_TIMEOUT_S': {
      delay: oneAtATime(400, ({ query }) => query.get('file_type') === 'pdf'),
      env: { DOWNLOAD_TIMEOUT_S: '2' },
    },
    'events arrive all the time': { trafficInterval: () => 40 },
    'exports are recorded as events': { recordsExports: () => true },
    'no event at all': { events: 1, env: {} },
    'a handful of events': { events: 7, env: {} },
    'the window is found': { events: 400, env: {} },
    'null is no bound': { isNotGiven: () => false },
    'a PDF writes times in another form than a CSV': cellsAs(inPdf)((cell) =>
      cell.replace(/^(\d+-\d+-\d+)T/, '$1 at '),
    ),
    'bounds are cut to milliseconds': coarseBounds(toMilliseconds),
    'times are stored in milliseconds, or none, shown in seconds, and bounds are cut to microseconds':
      {
        ...coarseBounds((time) => `${time.slice(0, 26)}000Z`),
        storedTime: someInSeconds,
        dateForm: ({ local }) => local.slice(0, 19),
      },
    'times and bounds are compared in whole seconds, and times are shown in them': {
      isFrom: ({ time, start }) => toSeconds(time) >= toSeconds(start),
      isUpTo: ({ time, end }) => toSeconds(time) <= toSeconds(end),
      dateForm: ({ local }) => local.slice(0, 19),
    },
    'events lie on the edges of the window': { storedTime: onTheEdges },
    'times are stored in seconds, and bounds are cut to seconds': {
      ...coarseBounds(toSeconds),
      storedTime: ({ time }) => toSeconds(time),
    },
    'times are stored in hundredths of a second, and bounds are cut to them': {
      ...coarseBounds(toHundredths),
      storedTime: ({ time }) => toHundredths(time),
    },
    'times are stored in 300 ticks a second, and bounds are rounded to them': {
      ...coarseBounds(toTicks),
      storedTime: ({ time }) => toTicks(time),
    },
    'events are stored in nanoseconds as tasks show them, and shown and asked for in milliseconds':
      {
        ...coarseBounds(toMilliseconds),
        storedTime: ({ time }) => finer(time),
        timestampForm: ({ resource, value }) => (resource === 'task' ? finer(value) : value),
      },
    'times are stored in nanoseconds, and bounds finer than milliseconds are refused': {
      storedTime: ({ time }) => finer(time),
      instantFrom: ({ value }) => millisecondsAlone(value),
    },
    'all events are of one second': {
      events: 900,
      storedTime: ({ time }) => `2025-10-20T12:30:15.${time.slice(20, 23)}000000Z`,
      warns: ofLongAgo,
    },
    'all events are of a week in winter': {
      events: 900,
      storedTime: ({ time }) => `2025-11-0${(Number(time.slice(8, 10)) % 7) + 2}${time.slice(10)}`,
      warns: ofLongAgo,
    },
  }),
  ...variantsOf('rangeRefusal', {
    'a range in the future is refused': ({ range: { start, end } }) =>
      (start ?? '') > '2027' || (start && end && start > end) ? 400 : undefined,
    'a range before the first event, and one in the future, are refused': ({
      range: { start, end },
    }) =>
      (start ?? '9') < '2000' ||
      (end ?? '9') < '2000' ||
      (start ?? '') > '2027' ||
      (start && end && start > end)
        ? 400
        : undefined,
    'a range longer than a year is refused': ({ range: { start, end } }) =>
      start && end && (start > end || days(start, end) > 366) ? 400 : undefined,
  }),
  ...variantsOf('pdfLayout', {
    'a PDF of one endless page': () => ({ long: 'cut', page: [842, 14_000], margin: 24, size: 6 }),
    'a PDF of wrapped lines': () => ({ long: 'wrap', page: [595, 842], margin: 24, size: 5 }),
  }),
].map(inWindow)
