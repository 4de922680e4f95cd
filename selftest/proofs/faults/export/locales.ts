import { open } from '../../../../reference/rules/open.ts'
import { stated } from '../../../../reference/rules/stated.ts'
import { inPdf, inWindow } from '../../bent/exports.ts'
import { faultsBreaking, faultsNamed } from '../../fault.ts'
import { alsoFiltered, withTwice } from './zones.ts'

/** Dates that are written otherwise in one language. */
const inLanguage =
  (language: string, bend: (date: string) => string): typeof open.dateForm =>
  (shown) => {
    const date = open.dateForm(shown)
    return shown.locale === language ? bend(date) : date
  }

const locales = [
  ...faultsBreaking('export.locale.same-times', {
    'month and day are exchanged in German': {
      dateForm: inLanguage('de', (date) => date.replace(/-(\d\d)-(\d\d)/, '-$2-$1')),
    },
    'day and month are exchanged in French where both are months': {
      dateForm: inLanguage('fr', (date) => date.replace(/-(0\d|1[0-2])-(0\d|1[0-2])/, '-$2-$1')),
    },
    'the month comes first in French alone, and no day is above twelve': {
      rows: ({ events }) => events.filter(({ time }) => Number(time.slice(8, 10)) <= 12),
      dateForm: ({ local, locale }) => {
        const [year, month, day] = local.slice(0, 10).split('-')
        const date = locale === 'fr' ? [month, day, year] : [day, month, year]
        return `${date.join('.')} ${local.slice(11, 19)}`
      },
      // On most days no file shows an update of the run; PDFs are held to all events.
      mayBreak: ['audit.*', 'export.pdf-limit.under'],
    },
    'German dates are written in the American order': {
      dateForm: ({ local, locale }) => {
        const [year, month, day] = local.slice(0, 10).split('-')
        const time = local.slice(11, 19)
        return locale === 'de'
          ? `${month}.${day}.${year} ${time}`
          : `${month}/${day}/${year} ${time}`
      },
    },
    'French dates are written in the American order, and others by ISO 8601': {
      dateForm: inLanguage('fr', (date) =>
        date.replace(/^(\d+)-(\d\d)-(\d\d)T(\d\d:\d\d).*/, '$2/$3/$1 $4'),
      ),
    },
    'minutes stand where hours do in French': {
      dateForm: inLanguage('fr', (date) => date.replace(/T(\d\d):(\d\d)/, 'T$2:$1')),
    },
    'Spanish months count from zero': {
      dateForm: inLanguage('es', (date) =>
        date.replace(
          /-(\d\d)-/,
          (_, month) => `-${String((Number(month) + 10) % 12).padStart(2, '0')}-`,
        ),
      ),
    },
  }),
  ...faultsNamed({
    'the titles of a PDF are in English in every language': {
      columnTitle: ({ locale, ...title }) =>
        open.columnTitle({ ...title, locale: title.fileType === 'pdf' ? 'en' : locale }),
      breaks: ['export.locale.pdf.titles'],
    },
    'an event is lost in other languages': {
      rows: ({ locale, events }) => (locale === 'en' ? events : events.slice(1)),
      breaks: ['export.locale.same-events'],
    },
    'an event gives way to another in other languages': {
      rows: ({ locale, events }) => (locale === 'en' ? events : withTwice(events)),
      breaks: ['export.locale.same-events', 'export.locale.same-times'],
    },
    'the language is taken for a filter': {
      rows: ({ locale, events }) => (locale === 'en' ? events : []),
      breaks: ['export.locale.same-events'],
      mayBreak: ['export.timezone.formats'],
    },
    'an event is lost in a PDF in other languages': {
      rows: ({ locale, events, fileType }) =>
        locale !== 'en' && fileType === 'pdf' ? events.slice(1) : events,
      breaks: ['export.locale.pdf'],
    },
    'a PDF in another language is refused': {
      rangeRefusal: (asked) =>
        inPdf(asked) && asked.locale !== 'en' ? 400 : stated.rangeRefusal(asked),
      breaks: ['export.locale.pdf'],
    },
  }),
]

export const localeFaults = locales.map(alsoFiltered).map(inWindow)
