import { expect, test } from 'vitest'
import { recentHour } from '../../../../helpers/export/ask/recent-hour.ts'
import {
  fitsPdf,
  pdfQueryOf,
  type Sample,
  whyEventsAreKnown,
} from '../../../../helpers/export/learn/known-events.ts'
import { noEvents } from '../../../../helpers/export/learn/spans.ts'

/** Exports whose PDF is of so many pages, or a refusal: of everything, of no time, of no value. */
const exportsOf = (all: PdfGiven, none: PdfGiven, nothing: PdfGiven = none) => {
  const pdfOf = ({ status = 200, pages = 0 }: PdfGiven) => ({
    answer: { status, method: 'GET', path: '/export' },
    read: async () => ({ pages, flaws: [] }),
  })
  const pdf = async (query: { metadata?: unknown }) => {
    if (query.metadata) return pdfOf(nothing)
    return pdfOf(query === noEvents ? none : all)
  }
  return { pdf, times: () => [Date.parse('2026-03-01T10:00:00Z')] } as never
}
type PdfGiven = { status?: number; pages?: number }

test('events are known by more pages than a PDF without any has', async () => {
  const known = await whyEventsAreKnown(exportsOf({ pages: 3 }, { pages: 1 }))
  expect(known?.why).toBe('the PDF has 3 pages, and a PDF of a time without events has 1')
  expect(await whyEventsAreKnown(exportsOf({ pages: 1 }, { pages: 1 }))).toBeUndefined()
})

test('and where a PDF of everything is one of too many, and one of no value is not', async () => {
  const known = await whyEventsAreKnown(exportsOf({ status: 400 }, { pages: 1 }))
  expect(known?.why).toBe('a PDF of everything is refused as one of too many')
  const needsRange = exportsOf({ status: 400 }, { pages: 1 }, { status: 400 })
  expect(await whyEventsAreKnown(needsRange)).toBeUndefined()
})

test('a PDF that is not given tells nothing of events', async () => {
  expect(await whyEventsAreKnown(exportsOf({ status: 503 }, { pages: 1 }))).toBeUndefined()
  expect(await whyEventsAreKnown(exportsOf({ pages: 3 }, { status: 503 }))).toBeUndefined()
})

test('a window of as many events as a PDF may hold fits it; one of more, or none, is for an hour', () => {
  const query = { start: '2026-03-01T00:00:00Z', end: '2026-03-01T08:00:00Z' }
  const sample = { query, window: { rows: [['1'], ['2'], ['3']] } } as unknown as Sample
  expect(fitsPdf(sample, 3)).toBe(true)
  expect(fitsPdf(sample, 2)).toBe(false)
  expect(fitsPdf({ query: {} }, 3)).toBe(false)
  const exports = exportsOf({}, {})
  expect(pdfQueryOf(exports, sample, 3)).toEqual(query)
  expect(pdfQueryOf(exports, sample, 2)).toEqual(recentHour(exports))
})
