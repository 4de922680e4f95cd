// How a file is looked at where little or nothing is known of its events.

import { NotDecidable } from '../../../engine/outcome.ts'
import type { Settings } from '../../settings/table.ts'
import { type Exports, type Fetching, needPdf } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { noEvents } from './spans.ts'
import { closedWindow, type Window } from './window.ts'

/** Enough of a file to see what it is; of everything no more is read. */
export const firstRecords: Fetching = { read: 50, keep: 50 }

/** The request by which the file itself is looked at: that of the window, or one without filters. */
export type Sample = { query: Query; window?: Window }

/** The window where there is one; else everything, of which little is read. */
export async function findSample(exports: Exports, settings: Settings): Promise<Sample> {
  try {
    const window = await closedWindow(exports, settings)
    return { query: { start: window.start, end: window.end }, window }
  } catch (error) {
    if (error instanceof NotDecidable) return { query: {} }
    throw error
  }
}

/**
 * Why it is known that there are events although no CSV shows any: by what PDFs are answered. A
 * file of nothing but events is empty where there are none.
 */
export async function whyEventsAreKnown(exports: Exports): Promise<string | undefined> {
  const [all, none] = [await exports.pdf({}), await exports.pdf(noEvents)]
  if (none.answer.status !== 200) return undefined
  if (all.answer.status === 400) return 'a PDF of everything is refused as one of too many'
  if (all.answer.status !== 200) return undefined
  const [pages, fewest] = [
    await needPdf(all, { text: false }),
    await needPdf(none, { text: false }),
  ]
  return pages.pages > fewest.pages
    ? `the PDF has ${pages.pages} pages, and ${fewest.pages} where there is no event`
    : undefined
}
