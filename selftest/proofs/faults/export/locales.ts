import { open } from '../../../../reference/rules/open.ts'
import { stated } from '../../../../reference/rules/stated.ts'
import { inPdf, inWindow } from '../../bent/export-window.ts'
import type { Fault } from '../../fault.ts'
import { alsoFiltered, withTwice } from './zones.ts'

const locales: Fault[] = [
  {
    name: 'the titles of a PDF are in English in every language',
    open: {
      columnTitle: ({ locale, ...title }) =>
        open.columnTitle({ ...title, locale: title.fileType === 'pdf' ? 'en' : locale }),
    },
    breaks: ['export.locale.pdf.titles'],
  },
  {
    name: 'an event is lost in other languages',
    stated: { rows: ({ locale, events }) => (locale === 'en' ? events : events.slice(1)) },
    breaks: ['export.locale.same-events'],
  },
  {
    name: 'an event gives way to another in other languages',
    stated: { rows: ({ locale, events }) => (locale === 'en' ? events : withTwice(events)) },
    breaks: ['export.locale.same-events'],
  },
  {
    name: 'the language is taken for a filter',
    stated: { rows: ({ locale, events }) => (locale === 'en' ? events : []) },
    breaks: ['export.locale.same-events'],
    mayBreak: ['export.timezone.formats'],
  },
  {
    name: 'an event is lost in a PDF in other languages',
    stated: {
      rows: ({ locale, events, fileType }) =>
        locale !== 'en' && fileType === 'pdf' ? events.slice(1) : events,
    },
    breaks: ['export.locale.pdf'],
  },
  {
    name: 'a PDF in another language is refused',
    stated: {
      rangeRefusal: (asked) =>
        inPdf(asked) && asked.locale !== 'en' ? 400 : stated.rangeRefusal(asked),
    },
    breaks: ['export.locale.pdf'],
  },
]

export const localeFaults = locales.map(alsoFiltered).map(inWindow)
