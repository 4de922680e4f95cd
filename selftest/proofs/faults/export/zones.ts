import type { AuditEvent } from '../../../../reference/calls/events.ts'
import type { Export } from '../../../../reference/calls/export-call.ts'
import { offsetsOf } from '../../../../reference/export/zones.ts'
import { open } from '../../../../reference/rules/open.ts'
import type { Stated } from '../../../../reference/rules/stated.ts'
import { inPdf, inWindow, isForeign, isZoned, moved, refusing, rowsOf } from '../../bent/exports.ts'
import { alsoFoundBy, type Fault, fault, faultsOf } from '../../fault.ts'

/** As many, but the first in place of the last. */
const withTwice = (events: AuditEvent[]) =>
  events.length > 1 ? [...events.slice(0, -1), events[0] as AuditEvent] : events

/** A time in the form of an American clock. */
const ofTwelveHours = (cell: string) =>
  cell.replace(
    /(\d\d)(:\d\d:\d\d)\.\d+Z$/,
    (_, hour, rest) => `${Number(hour) % 12 || 12}${rest} ${hour < 12 ? 'AM' : 'PM'}`,
  )

const utcInPdf: Partial<Stated> = {
  offset: (shown) => (inPdf(shown) ? 0 : shown.offset),
}

const zones: Fault[] = [
  ...faultsOf('export.timezone.pdf', {
    'the time zone is ignored for a PDF': utcInPdf,
    'the time zone is ignored for a PDF, which writes Z where the CSV writes +00:00': {
      ...utcInPdf,
      cells: ({ fileType, cells }) =>
        fileType === 'pdf' ? cells : cells.map((cell) => cell.replace(/(?<=\d)Z$/, '+00:00')),
    },
    'the time zone is ignored for a PDF, which writes 7:01:22 PM': {
      ...utcInPdf,
      cells: ({ fileType, cells }) => (fileType === 'pdf' ? cells.map(ofTwelveHours) : cells),
    },
    'the time zone is ignored for a PDF without ids, and times are as 7:01:22 PM': {
      columns: () => ['time', 'event_type', 'comment'],
      dateForm: ({ local }) => ofTwelveHours(`${local.slice(0, 19).replace('T', ' ')}.0Z`),
      ...utcInPdf,
    },
    'the time zone is forgotten for some events of a PDF': {
      offset: (shown) => (inPdf(shown) && shown.instant < '2025-10-18' ? 0 : shown.offset),
    },
  }).map(alsoFoundBy('export.timezone.pdf.seasons')),
  ...(['start', 'end'] as const).map((bound) =>
    fault(`the time zone moves range_${bound} alone`, {
      range: ({ range, zone }) => ({ ...range, [bound]: shifted(range, zone)[bound] }),
      breaks: 'export.timezone.filter-unmoved',
      mayBreak: 'export.timezone.same-events export.timezone.offset export.timezone.pdf',
    }),
  ),
  ...faultsOf('export.timezone.accepted', 'supportsZone', {
    'zones with a name of three parts are refused': ({ zone }) => zone.split('/').length < 3,
    'zones with an offset in their name are refused': ({ zone }) => !/\d/.test(zone),
  }),
  ...faultsOf('export.timezone.offset', 'offset', {
    'the offset in the name of a zone is taken by its sign': ({ zone, offset }) =>
      zone.startsWith('Etc/GMT') ? -offset : offset,
    'quarters of an hour are lost in offsets': ({ offset }) => Math.trunc(offset / 30) * 30,
    'a day has one offset, that of its first moment': ({ zone, instant }) =>
      offsetAtHour(0, zone, instant),
    'a day has one offset, that of its noon': ({ zone, instant }) =>
      offsetAtHour(12, zone, instant),
    'the offset of winter is written all year': ({ zone }) =>
      offsetsOf(zone)('2025-01-15T00:00:00.000Z'),
    'the offset of summer is written all year': ({ zone }) =>
      offsetsOf(zone)('2025-07-15T00:00:00.000Z'),
    'the offset of the other season is written': ({ zone, instant }) =>
      offsetsOf(zone)(moved(instant, 182 * 24 * 60)),
    'offsets are subtracted': ({ offset }) => -offset,
    'minutes of negative offsets are added': ({ offset }) =>
      offset < 0 ? Math.trunc(offset / 60) * 60 + (-offset % 60) : offset,
    'offsets of more than twelve hours are a day behind': ({ offset }) =>
      offset > 12 * 60 ? offset - 24 * 60 : offset,
    'offsets are whole hours': ({ offset }) => Math.trunc(offset / 60) * 60,
  }),
  ...faultsOf(
    'export.timezone.same-events export.timezone.filter-unmoved ?export.timezone.offset',
    'range',
    {
      'the time zone moves the range': ({ range, zone }) => shifted(range, zone),
      'the time zone moves the range by its offset, the other way': ({ range, zone }) =>
        shifted(range, zone, 1),
    },
  ),
  ...faultsOf(
    `export.timezone.same-events export.timezone.filter-unmoved ?export.timezone.offset
      ?export.timezone.pdf`,
    'range',
    {
      'the time zone moves the range of a CSV': (asked) =>
        inPdf(asked) ? asked.range : shifted(asked.range, asked.zone),
      'the time zone moves the range by a day': ({ range, zone }) =>
        zone === 'UTC' ? range : movedBy(range, () => 24 * 60),
    },
  ),
  ...faultsOf('export.timezone.readable', 'dateForm', {
    'minutes are written in place of the month': ({ local }) =>
      `${local.slice(0, 5)}${local.slice(14, 16)}${local.slice(7, 19).replace('T', ' ')}`,
    'the month is 00, and the year has two digits': ({ local }) =>
      `${local.slice(8, 10)}.00.${local.slice(2, 4)} ${local.slice(11, 19)}`,
    'seconds are written in place of the month': ({ local }) =>
      `${local.slice(17, 19)}/${local.slice(8, 10)}/${local.slice(0, 4)} ${local.slice(11, 19)}`,
    'milliseconds are written in place of the seconds': ({ local }) =>
      `${local.slice(0, 17).replace('T', ' ')}${local.slice(20, 23)}`,
    'the month, the day and minutes are letters of a pattern': ({ local }) =>
      `${local.slice(0, 4)}-MM-DDT${local.slice(11, 13)}:mm:${local.slice(17, 23)}Z`,
  }),
  ...faultsOf('export.timezone.formats', {
    'the time zone is ignored': { offset: () => 0 },
    'the time zone is ignored where a language is given': {
      zone: ({ zone, query }) => (query.has('locale') ? 'UTC' : zone),
    },
    'the time zone is ignored where a language other than en is given': {
      zone: ({ zone, query }) => (/^(en)?$/.test(query.get('locale') ?? '') ? zone : 'UTC'),
    },
    'every time zone is refused': { supportsZone: () => false },
  }),
  ...faultsOf(
    `export.timezone.same-events export.timezone.filter-unmoved ?export.timezone.offset
      ?export.timezone.pdf`,
    {
      'the time zone moves the range, in a file whose titles show it': {
        range: ({ range, zone }) => shifted(range, zone),
        titleLines: ({ range: { start, end }, zone }) => [`${start} to ${end}`, zone],
      },
      'the time zone moves the range, and no range of years without events is accepted': {
        range: ({ range, zone }) => shifted(range, zone),
        ...refusing(
          ({ range: { start = '2025', end = '2025' } }) =>
            start < '2024' || start > '2027' || end < '2024',
        ),
      },
    },
  ),
  ...faultsOf({
    'zones with a name of one part are taken for UTC': {
      zone: ({ zone }) => (zone.includes('/') ? zone : 'UTC'),
      breaks: 'export.timezone.accepted',
    },
    'local times are written with a Z behind them': {
      cells: ({ cells }) => cells.map((cell) => cell.replace(/(?<=T[\d:.]+)[+-]\d\d:\d\d$/, 'Z')),
      breaks: 'export.timezone.offset ?export.timezone.pdf*',
    },
    'the hour of midnight is written as 24': {
      cells: ({ cells }) =>
        cells.map((cell) => cell.replace(/(?<=^\d{4}-\d\d-\d\dT)00(?=:)/, '24')),
      breaks: 'export.timezone.offset ?export.few-events.csv ?export.range.outside.rows',
    },
    'hours are written 25 too high': {
      dateForm: ({ local }) =>
        `${local.slice(0, 10)} ${Number(local.slice(11, 13)) + 25}${local.slice(13, 19)}`,
      breaks: 'export.timezone.readable ?export.cells-are-values.*',
    },
    'hours are written by twelve, without am and pm': {
      dateForm: ({ local }) =>
        ofTwelveHours(`${local.slice(0, 19).replace('T', ' ')}.0Z`).replace(/ [AP]M$/, ''),
      breaks: 'export.timezone.readable ?export.few-events.csv',
    },
    'the time zone moves the range, in a file without dates': {
      range: ({ range, zone }) => shifted(range, zone),
      columns: () => ['id', 'event_type', 'sub_type', 'comment'],
      breaks: 'export.timezone.same-events export.timezone.filter-unmoved ?export.timezone.pdf',
    },
    'an event is lost in other time zones': {
      rows: ({ zone, events }) => (zone === 'UTC' ? events : events.slice(0, -1)),
      breaks: 'export.timezone.same-events export.timezone.filter-unmoved',
    },
    'the time zone moves the range in summer': {
      range: ({ range, zone }) => (isInSummer(range.start) ? shifted(range, zone) : range),
      breaks: `export.timezone.filter-unmoved ?export.timezone.same-events ?export.timezone.offset
        ?export.timezone.pdf`,
    },
    'the time zone moves the range of a PDF': {
      range: (asked) => (inPdf(asked) ? shifted(asked.range, asked.zone) : asked.range),
      breaks: 'export.timezone.pdf',
    },
    'an event gives way to another in other time zones': {
      rows: ({ zone, events }) => (zone === 'UTC' ? events : withTwice(events)),
      breaks: 'export.timezone.same-events export.timezone.offset',
    },
    'a PDF in another time zone is refused': {
      ...refusing((asked) => inPdf(asked) && isZoned(asked)),
      breaks: 'export.timezone.pdf',
    },
  }),
]

function movedBy(range: Export['range'], by: (time: string) => number): Export['range'] {
  const turn = (time: string | undefined) => time && moved(time, by(time))
  return { start: turn(range.start), end: turn(range.end) }
}

/** Bounds that are taken for the clock of the zone. */
const shifted = (range: Export['range'], zone: string, sign: 1 | -1 = -1): Export['range'] =>
  movedBy(range, (time) => sign * offsetsOf(zone)(time))

/** The offset that a zone has at an hour of the day on which an instant falls there. */
function offsetAtHour(hour: number, zone: string, instant: string): number {
  const day = 24 * 3_600_000
  const offset = offsetsOf(zone)(instant) * 60_000
  const midnight = Math.floor((Date.parse(instant) + offset) / day) * day - offset
  return offsetsOf(zone)(new Date(midnight + hour * 3_600_000).toISOString())
}

const isInSummer = (time = '') => offsetsOf('Europe/Berlin')(time) === 120

/** A filter is asked for in a zone and in a language too. */
const alsoFiltered = alsoFoundBy('export.filter.combined.* export.range.malformed')

export const zoneFaults = zones.map(alsoFiltered).map(inWindow)

/** Dates that are written otherwise in one language. */
const inLanguage =
  (language: string, bend: (date: string) => string): typeof open.dateForm =>
  (shown) => {
    const date = open.dateForm(shown)
    return shown.locale === language ? bend(date) : date
  }

const locales = [
  ...faultsOf('export.locale.same-times', 'dateForm', {
    'month and day are exchanged in German': inLanguage('de', (date) =>
      date.replace(/-(\d\d)-(\d\d)/, '-$2-$1'),
    ),
    'day and month are exchanged in French where both are months': inLanguage('fr', (date) =>
      date.replace(/-(0\d|1[0-2])-(0\d|1[0-2])/, '-$2-$1'),
    ),
    'German dates are written in the American order': ({ local, locale }) => {
      const [year, month, day] = local.slice(0, 10).split('-')
      const time = local.slice(11, 19)
      return locale === 'de' ? `${month}.${day}.${year} ${time}` : `${month}/${day}/${year} ${time}`
    },
    'French dates are written in the American order, and others by ISO 8601': inLanguage(
      'fr',
      (date) => date.replace(/^(\d+)-(\d\d)-(\d\d)T(\d\d:\d\d).*/, '$2/$3/$1 $4'),
    ),
    'minutes stand where hours do in French': inLanguage('fr', (date) =>
      date.replace(/T(\d\d):(\d\d)/, 'T$2:$1'),
    ),
    'Spanish months count from zero': inLanguage('es', (date) =>
      date.replace(
        /-(\d\d)-/,
        (_, month) => `-${String((Number(month) + 10) % 12).padStart(2, '0')}-`,
      ),
    ),
  }),
  ...faultsOf({
    'the month comes first in French alone, and no day is above twelve': {
      rows: ({ events }) => events.filter(({ time }) => Number(time.slice(8, 10)) <= 12),
      dateForm: ({ local, locale }) => {
        const [year, month, day] = local.slice(0, 10).split('-')
        const date = locale === 'fr' ? [month, day, year] : [day, month, year]
        return `${date.join('.')} ${local.slice(11, 19)}`
      },
      breaks: 'export.locale.same-times ?audit.* ?export.pdf-limit.under',
    },
    'the titles of a PDF are in English in every language': {
      columnTitle: ({ locale, ...title }) =>
        open.columnTitle({ ...title, locale: title.fileType === 'pdf' ? 'en' : locale }),
      breaks: 'export.locale.pdf.titles',
    },
    'an event is lost in other languages': {
      rows: ({ locale, events }) => (locale === 'en' ? events : events.slice(1)),
      breaks: 'export.locale.same-events',
    },
    'an event gives way to another in other languages': {
      rows: ({ locale, events }) => (locale === 'en' ? events : withTwice(events)),
      breaks: 'export.locale.same-events export.locale.same-times',
    },
    'the language is taken for a filter': {
      rows: ({ locale, events }) => (locale === 'en' ? events : []),
      breaks: 'export.locale.same-events ?export.timezone.formats',
    },
    'an event is lost in a PDF in other languages': {
      ...rowsOf((asked) => inPdf(asked) && isForeign(asked))((events) => events.slice(1)),
      breaks: 'export.locale.pdf',
    },
    'a PDF in another language is refused': {
      ...refusing((asked) => inPdf(asked) && isForeign(asked)),
      breaks: 'export.locale.pdf',
    },
  }),
]

export const localeFaults = locales.map(alsoFiltered).map(inWindow)
