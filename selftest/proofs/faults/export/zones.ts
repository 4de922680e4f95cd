import type { AuditEvent } from '../../../../reference/calls/events.ts'
import type { Export } from '../../../../reference/calls/export-call.ts'
import { offsetsOf } from '../../../../reference/export/zones.ts'
import { open } from '../../../../reference/rules/open.ts'
import {
  cellsAs,
  inCsv,
  inPdf,
  inWindow,
  isForeign,
  isZoned,
  movedBy,
  refusing,
  shifted,
  wrongOffsets,
} from '../../bent/exports.ts'
import { alsoFoundBy, fault, faultsOf, where } from '../../fault.ts'

/** As many, but the first in place of the last. */
const withTwice = (events: AuditEvent[]) =>
  events.length > 1 ? [...events.slice(0, -1), events[0] as AuditEvent] : events

/** A time in the form of an American clock. */
const ofTwelveHours = (cell: string) =>
  cell.replace(
    /(\d\d)(:\d\d:\d\d)\.\d+Z$/,
    (_, hour, rest) => `${Number(hour) % 12 || 12}${rest} ${hour < 12 ? 'AM' : 'PM'}`,
  )

const utcInPdf = where(inPdf, { offset: () => 0 })

/** A filter is asked for in a zone and in a language too. */
const alsoFiltered = alsoFoundBy('export.filter.combined.* export.range.malformed')

export const zoneFaults = [
  ...faultsOf('export.timezone.pdf', {
    'the time zone is ignored for a PDF': utcInPdf,
    'the time zone is ignored for a PDF, which writes Z where the CSV writes +00:00': {
      ...utcInPdf,
      ...cellsAs(inCsv)((cell) => cell.replace(/(?<=\d)Z$/, '+00:00')),
    },
    'the time zone is ignored for a PDF, which writes 7:01:22 PM': {
      ...utcInPdf,
      ...cellsAs(inPdf)(ofTwelveHours),
    },
    'the time zone is ignored for a PDF without ids, and times are as 7:01:22 PM': {
      columns: () => ['time', 'event_type', 'comment'],
      dateForm: ({ local }) => ofTwelveHours(`${local.slice(0, 19).replace('T', ' ')}.0Z`),
      ...utcInPdf,
    },
    'the time zone is forgotten for some events of a PDF': where(inPdf, {
      offset: ({ instant, offset }) => (instant < '2025-10-18' ? 0 : offset),
    }),
  }).map(alsoFoundBy('export.timezone.pdf.seasons')),
  ...(['start', 'end'] as const).map((bound) =>
    fault(`the time zone moves range_${bound} alone`, {
      range: (asked) => ({ ...asked.range, [bound]: shifted(asked)[bound] }),
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
    ...wrongOffsets,
    'minutes of negative offsets are added': ({ offset }) =>
      offset < 0 ? Math.trunc(offset / 60) * 60 + (-offset % 60) : offset,
    'offsets of more than twelve hours are a day behind': ({ offset }) =>
      offset > 12 * 60 ? offset - 24 * 60 : offset,
  }),
  ...faultsOf(
    'export.timezone.same-events export.timezone.filter-unmoved ?export.timezone.offset',
    'range',
    {
      'the time zone moves the range': (asked) => shifted(asked),
      'the time zone moves the range by its offset, the other way': (asked) => shifted(asked, 1),
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
      'the time zone moves the range of a CSV': where(inCsv, { range: (asked) => shifted(asked) }),
      'the time zone moves the range by a day': where(isZoned, {
        range: ({ range }) => movedBy(range, () => 24 * 60),
      }),
      'the time zone moves the range, in a file whose titles show it': {
        range: (asked) => shifted(asked),
        titleLines: ({ range: { start, end }, zone }) => [`${start} to ${end}`, zone],
      },
      'the time zone moves the range, and no range of years without events is accepted': {
        range: (asked) => shifted(asked),
        ...refusing(
          ({ range: { start = '2025', end = '2025' } }) =>
            start < '2024' || start > '2027' || end < '2024',
        ),
      },
    },
  ),
  ...faultsOf('export.timezone.pdf', {
    'the time zone moves the range of a PDF': where(inPdf, { range: (asked) => shifted(asked) }),
    'a PDF in another time zone is refused': refusing((asked) => inPdf(asked) && isZoned(asked)),
  }),
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
      range: (asked) => shifted(asked),
      columns: () => ['id', 'event_type', 'sub_type', 'comment'],
      breaks: 'export.timezone.same-events export.timezone.filter-unmoved ?export.timezone.pdf',
    },
    'an event is lost in other time zones': {
      ...where(isZoned, { rows: ({ events }) => events.slice(0, -1) }),
      breaks: 'export.timezone.same-events export.timezone.filter-unmoved',
    },
    'the time zone moves the range in summer': {
      ...where(({ range }) => isInSummer(range.start), { range: (asked) => shifted(asked) }),
      breaks: `export.timezone.filter-unmoved ?export.timezone.same-events ?export.timezone.offset
        ?export.timezone.pdf`,
    },
    'an event gives way to another in other time zones': {
      ...where(isZoned, { rows: ({ events }) => withTwice(events) }),
      breaks: 'export.timezone.same-events export.timezone.offset',
    },
  }),
]
  .map(alsoFiltered)
  .map(inWindow)

/** The offset that a zone has at an hour of the day on which an instant falls there. */
function offsetAtHour(hour: number, zone: string, instant: string): number {
  const day = 24 * 3_600_000
  const offset = offsetsOf(zone)(instant) * 60_000
  const midnight = Math.floor((Date.parse(instant) + offset) / day) * day - offset
  return offsetsOf(zone)(new Date(midnight + hour * 3_600_000).toISOString())
}

const isInSummer = (time = '') => offsetsOf('Europe/Berlin')(time) === 120

/** Dates that are written otherwise in one language. */
const inLanguage =
  (language: string, bend: (date: string) => string): typeof open.dateForm =>
  (shown) => {
    const date = open.dateForm(shown)
    return shown.locale === language ? bend(date) : date
  }

const isForeignPdf = (asked: Export) => inPdf(asked) && isForeign(asked)

export const localeFaults = [
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
  ...faultsOf('export.locale.same-events ?export.timezone.formats', {
    'the language is taken for a filter': where(isForeign, { rows: () => [] }),
  }),
  ...faultsOf('export.locale.pdf', {
    'an event is lost in a PDF in other languages': where(isForeignPdf, {
      rows: ({ events }) => events.slice(1),
    }),
    'a PDF in another language is refused': refusing(isForeignPdf),
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
      ...where(isForeign, { rows: ({ events }) => events.slice(1) }),
      breaks: 'export.locale.same-events',
    },
    'an event gives way to another in other languages': {
      ...where(isForeign, { rows: ({ events }) => withTwice(events) }),
      breaks: 'export.locale.same-events export.locale.same-times',
    },
  }),
]
  .map(alsoFiltered)
  .map(inWindow)
