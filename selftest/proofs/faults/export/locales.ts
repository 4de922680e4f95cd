import { open } from '../../../../reference/rules/open.ts'
import { stated } from '../../../../reference/rules/stated.ts'
import { inPdf, inWindow } from '../../bent/export-window.ts'
import { type Fault, faultsNamed } from '../../fault.ts'
import { alsoFiltered, withTwice } from './zones.ts'

const locales: Fault[] = faultsNamed({
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
    breaks: ['export.locale.same-events'],
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
})

export const localeFaults = locales.map(alsoFiltered).map(inWindow)
