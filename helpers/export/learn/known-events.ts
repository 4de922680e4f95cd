// How a file is looked at where little or nothing is known of its events.

import { isAccepted } from '../../../engine/http/answers.ts'
import type { Origin } from '../../../engine/origin.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { poll } from '../../../engine/time/polling.ts'
import type { SequenceView } from '../../updates/sequence.ts'
import { type CsvExport, type Exports, type Fetching, isUsable, needPdf } from '../ask/exports.ts'
import type { PdfExport } from '../ask/pdf-export.ts'
import type { Query } from '../ask/query.ts'
import { dayBefore, recentHour } from '../ask/recent-hour.ts'
import { findWindow } from './find-window.ts'
import { unlessUndecided } from './ranges.ts'
import type { Searched } from './spans.ts'
import { noEvents } from './spans.ts'
import type { Window } from './window.ts'

/** Enough of a file to see what it is; of everything no more is read. */
export const firstRecords: Fetching = { read: 50, keep: 50 }

/** The request by which the file itself is looked at: that of the window, or one without filters. */
export type Sample = { query: Query; window?: Window }

/** The window where there is one; else everything, of which little is read. */
export async function findSample(exports: Exports, searched: Searched): Promise<Sample> {
  try {
    const window = await findWindow(exports, searched)
    return { query: { start: window.start, end: window.end }, window }
  } catch (error) {
    if (error instanceof NotDecidable) return { query: {} }
    throw error
  }
}

/** Whether it is known that a PDF may hold the sample. */
export const fitsPdf = ({ window }: Sample, limit: number): boolean =>
  window !== undefined && window.rows.length <= limit

/** What a PDF is asked for: the sample, or an hour where that is unknown or too much. */
export const pdfQueryOf = (exports: Exports, sample: Sample, limit: number): Query =>
  fitsPdf(sample, limit) ? sample.query : recentHour(exports)

/** The CSV of the sample. */
export const fetchSample = (exports: Exports, { query, window }: Sample): Promise<CsvExport> =>
  exports.csv(query, window ? {} : firstRecords)

/** A CSV, and why it is known that it has to hold events. */
export type KnownFile = { found: CsvExport; why?: KnownEvents }

/** Why it is known that there are events, and the exchanges that show it. */
export type KnownEvents = { why: string; shownBy: Origin }

/** How to make events where none are known: by updates of this run, as long as they are waited for. */
export type OwnEvents = { sequence: SequenceView; waitS: number; stop: AbortSignal }

/**
 * A CSV with a byte in it, such as that of the sample. Where none has one, a file that has to, if it
 * is known that there are events: by what PDFs are answered, or because this run made them.
 */
export const findFile = (exports: Exports, sample: Sample, own: OwnEvents): Promise<KnownFile> =>
  exports.once('a CSV with a byte', async (inner) => {
    const found = await fetchSample(inner, sample)
    if (hasByte(found) || found.told) return { found }
    const recent = await inner.csv(recentHour(inner), { read: 20 })
    if (hasByte(recent)) return { found: recent }
    const why = found.csv && (await whyEventsAreKnown(inner))
    if (why) return { found, why }
    return (await findOwnEvents(inner, own)) ?? { found }
  })

const hasByte = ({ csv }: CsvExport) => csv !== undefined && csv.bytes > 0

/** What the CSV since yesterday shows once the updates of this run are to be seen in it. */
export const findOwnEvents = (exports: Exports, own: OwnEvents): Promise<KnownFile | undefined> =>
  exports.once('a CSV with events of this run', async (inner) => {
    const updates = await own.sequence.accepted('transitions').catch(unlessUndecided)
    if (!updates) return undefined
    const start = dayBefore(inner)
    // Both anew: where ranges have no effect, both gain what others do.
    const look = async () => ({
      found: await inner.fresh.csv({ start }, firstOfMany),
      none: await inner.fresh.csv(noEvents, firstOfMany),
    })
    const isShown = ({ found, none }: Awaited<ReturnType<typeof look>>) =>
      (found.csv?.count ?? 0) > (none.csv?.count ?? 0)
    const limits = { limitMs: own.waitS * 1000, stop: own.stop, firstMs: 100, maxMs: 2000 }
    const { last, met } = await poll(look, isShown, limits)
    const { found, none } = last
    if (!isUsable(found) || !isUsable(none) || none.csv?.cut) return undefined
    const why = {
      why: `${updates.length} updates of this run were accepted and AUDIT_WAIT_S=${own.waitS} is over`,
      shownBy: [...updates.map(({ answer }) => answer), none],
    }
    // Nobody said how long an event may take.
    return met || own.waitS === 0 ? { found } : { found, why }
  })

/** More lines are around the events of no file. */
const firstOfMany: Fetching = { read: 400, keep: 1 }

/** A value of no event. */
const nothing: Query = { metadata: { tag: 'none-4f1c2a7be09d' } }

/**
 * Why it is known that there are events although no CSV shows any: by what PDFs are answered. A
 * file of nothing but events is empty where there are none.
 */
export async function whyEventsAreKnown(exports: Exports): Promise<KnownEvents | undefined> {
  const [all, none] = [await exports.pdf({}), await exports.pdf(noEvents)]
  if (!isAccepted(none.answer)) return undefined
  if (all.answer.status === 400) {
    // A range may be needed, however few events there are.
    const { answer } = await exports.pdf(nothing)
    const why = 'a PDF of everything is refused as one of too many'
    return isAccepted(answer) ? { why, shownBy: [all, none, answer] } : undefined
  }
  if (!isAccepted(all.answer)) return undefined
  const pagesOf = async (pdf: PdfExport) =>
    (await needPdf(pdf, { text: false }).catch(unlessUndecided))?.pages
  const [pages, fewest] = [await pagesOf(all), await pagesOf(none)]
  return pages !== undefined && fewest !== undefined && pages > fewest
    ? {
        why: `the PDF has ${pages} pages, and a PDF of a time without events has ${fewest}`,
        shownBy: [all, none],
      }
    : undefined
}
