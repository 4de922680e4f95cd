import { counted } from '../../../engine/counted.ts'
import { isAccepted } from '../../../engine/http/answers.ts'
import type { Origin } from '../../../engine/origin.ts'
import { type PollLimits, poll } from '../../../engine/time/polling.ts'
import { keyOf } from '../../contract/metadata-keys.ts'
import { statuses } from '../../contract/statuses.ts'
import type { SequenceView } from '../../updates/sequence.ts'
import { type CsvExport, type Exports, type Fetching, isUsable, needPdf } from '../ask/exports.ts'
import type { PdfExport } from '../ask/pdf-export.ts'
import { dayBefore, filterBy, type Query, recentHour } from '../ask/query.ts'
import { unlessUndecided } from './ranges.ts'
import { noEvents, type Searched } from './spans.ts'
import { findWindow, spanOf, type Window } from './window.ts'

/** Enough to recognise a file; an export of everything is not read further. */
export const firstRecords: Fetching = { read: 50, keep: 50 }

type Sample = { query: Query; window?: Window }

export async function findSample(exports: Exports, searched: Searched): Promise<Sample> {
  const window = await findWindow(exports, searched).catch(unlessUndecided)
  return window ? { query: spanOf(window), window } : { query: {} }
}

/** Whether the sample is known to fit into a PDF. */
export const fitsPdf = ({ window }: Sample, limit: number): boolean =>
  window !== undefined && window.rows.length <= limit

export const pdfQueryOf = (exports: Exports, sample: Sample, limit: number): Query =>
  fitsPdf(sample, limit) ? sample.query : recentHour(exports)

export const fetchSample = (exports: Exports, { query, window }: Sample): Promise<CsvExport> =>
  exports.csv(query, window ? {} : firstRecords)

export type KnownFile = { found: CsvExport; why?: KnownEvents }

type KnownEvents = { why: string; shownBy: Origin }

/** How to make events if none are known: by updates of this run, with a time limit. */
export type OwnEvents = { sequence: SequenceView; waitS: number } & Pick<
  PollLimits,
  'stop' | 'waiting'
>

/** If all are empty: a file that must hold events, because PDFs show some or because this run made them. */
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

export const hasByte = ({ csv }: CsvExport) => csv !== undefined && csv.bytes > 0

/** The CSV since yesterday, once this run's updates should show in it. */
export const findOwnEvents = (exports: Exports, own: OwnEvents): Promise<KnownFile | undefined> =>
  exports.once('a CSV with events of this run', async (inner) => {
    const updates = await own.sequence.accepted('transitions').catch(unlessUndecided)
    if (!updates) return undefined
    const start = dayBefore(inner)
    // Both anew: if ranges have no effect, both get other writers' events too.
    const look = async () => ({
      found: await inner.fresh.csv({ start }, firstOfMany),
      none: await inner.fresh.csv(noEvents, firstOfMany),
    })
    const isShown = ({ found, none }: Awaited<ReturnType<typeof look>>) =>
      (found.csv?.count ?? 0) > (none.csv?.count ?? 0)
    const { waitS, stop, waiting } = own
    const limits = { limitMs: waitS * 1000, stop, firstMs: 100, maxMs: 2000, waiting }
    const { last, met } = await poll(look, isShown, limits)
    const { found, none } = last
    if (!isUsable(found) || !isUsable(none) || none.csv?.cut) return undefined
    const why = {
      why: `this run made ${counted(updates.length, 'update')} and AUDIT_WAIT_S=${own.waitS} is over`,
      shownBy: [...updates.map(({ answer }) => answer), none],
    }
    // It is unknown how long an event may take.
    return met || own.waitS === 0 ? { found } : { found, why }
  })

/** No file has more lines around its events. */
const firstOfMany: Fetching = { read: 400, keep: 1 }

/** No event has this tag. */
const nothing: Query = filterBy(keyOf.tag, 'none-4f1c2a7be09d')

/** A file of events alone is empty without events. */
export async function whyEventsAreKnown(exports: Exports): Promise<KnownEvents | undefined> {
  const [all, none] = [await exports.pdf({}), await exports.pdf(noEvents)]
  if (!isAccepted(none.answer)) return undefined
  if (all.answer.status === statuses.invalidExport) {
    // A range may be required, however few the events.
    const { answer } = await exports.pdf(nothing)
    const why = 'a PDF of everything is rejected as one of too many'
    return isAccepted(answer) ? { why, shownBy: [all, none, answer] } : undefined
  }
  if (!isAccepted(all.answer)) return undefined
  const pagesOf = async (pdf: PdfExport) =>
    (await needPdf(pdf, { text: false }).catch(unlessUndecided))?.pages
  const [pages, fewest] = [await pagesOf(all), await pagesOf(none)]
  if (pages === undefined || fewest === undefined || pages <= fewest) return undefined
  const why = `the PDF has ${pages} pages, but a PDF of a range without events has ${fewest}`
  return { why, shownBy: [all, none] }
}
