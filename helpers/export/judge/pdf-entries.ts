// The events of a PDF beside those of the CSV: plain, in a time zone or a language.

import { countEntries } from '../../../engine/files/entries.ts'
import { countOtherwise, shareShown } from '../../../engine/files/entry-text.ts'
import { type Identity, isOfIds, learnIdentity } from '../../../engine/files/identity.ts'
import type { PdfReading } from '../../../engine/files/pdf.ts'
import { describeAnswer } from '../../../engine/http/answers.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { columnName, placeOf } from '../../service/export-facts.ts'
import { type Exports, needCsv, needPdf } from '../ask/exports.ts'
import type { PdfExport } from '../ask/pdf-export.ts'
import type { Query } from '../ask/query.ts'
import { confirmed, confirmedOnce } from '../learn/confirmed.ts'
import { haveIds } from '../learn/event-count.ts'
import { learnOfWindow } from '../learn/find-window.ts'
import type { Searched, Span } from '../learn/spans.ts'
import type { Times } from '../learn/time-column.ts'
import { eventRows, rowsLike, type SeenOnce, spanOf, type Window } from '../learn/window.ts'
import { fewMixed, isClockOfUtc } from './clock-of-utc.ts'

/** What tells events apart in this service's PDFs, learned from that of the window. */
export const learnPdfIdentity = (exports: Exports, window: Window): Promise<Identity> =>
  exports.once(name, (inner) => identityIn(inner, window))

/** The same, and begins while the window is still looked at. */
export const learnPdfIdentityEarly = (exports: Exports, searched: Searched): Promise<Identity> =>
  learnOfWindow(name, exports, searched, identityIn)

const name = 'pdf identity'

async function identityIn(exports: Exports, window: SeenOnce): Promise<Identity> {
  const { declared, found } = exports.facts
  if (declared.pdf) {
    const { columns: names, letters: length } = declared.pdf
    const columns = names.map((name) => placeOf(name, 'what tells events apart', window.header))
    return { columns, length, others: [] }
  }
  const { text = [] } = await needPdf(await exports.pdf(spanOf(window)), { text: true })
  const identity = learnIdentity(text, window.rows)
  const columns = identity.columns.map((place) => columnName(place, window.header))
  found.pdf = { columns, letters: identity.length }
  return identity
}

/** How the events of a PDF differ from those of the CSV of the same stretch. */
export async function problemsOfPdf(
  exports: Exports,
  window: Window,
  identity: Identity,
  span: Query = spanOf(window),
): Promise<Problem[]> {
  return confirmed(exports, window, async (fetch, { pdf }) => {
    const rows = await fetch(span)
    return problemsOfEntries(await needPdf(await pdf(span), { text: true }), rows, identity)
  })
}

/** Where the entries of a PDF differ from rows. */
export function problemsOfEntries(
  pdf: PdfReading,
  rows: readonly (readonly string[])[],
  identity: Identity,
): Problem[] {
  const { text = [], pages } = pdf
  const { missing, repeated } = countEntries(text, rows, identity)
  const of = `of ${rows.length} events in the CSV`
  const problemOf = (values: readonly string[], what: string, got: string): Problem[] => {
    if (values.length === 0) return []
    const sentence = `${values.length} ${of} ${what}, such as ${values[0]}`
    const expected = `each of ${rows.length} events once`
    return [
      problem(sentence, {
        expected,
        got,
        judged: pdf,
        control: rows,
        again: pagesToRead,
      }),
    ]
  }
  return [
    ...problemOf(
      missing,
      `are missing in the ${pages} pages of the PDF`,
      `${missing.length} missing`,
    ),
    ...problemOf(repeated, 'stand in the PDF more often', `${repeated.length} more than once`),
  ]
}

/** Goes on only where rows are events: by their ids, or because a PDF has an entry for each. */
export async function needRowsAsEvents(exports: Exports, window: Window): Promise<void> {
  if (!haveIds(window.rows)) await needEntriesAsRows(exports, window)
}

/** Goes on only where the window's PDF has an entry for each row of its CSV, and no other. */
export async function needEntriesAsRows(exports: Exports, window: Window): Promise<void> {
  const identity = await learnPdfIdentity(exports, window)
  const pdf = await needPdf(await exports.pdf(spanOf(window)), { text: true })
  const [first] = problemsOfEntries(pdf, window.rows, identity)
  if (first)
    throw new NotDecidable(
      'freedom',
      `the events in the PDF cannot be counted: ${first.sentence}; what it shows of events is not shown`,
    )
}

/** What is wrong with a PDF in a zone or a language, beside the CSV in the same. */
export async function problemsOfLocalizedPdf(
  what: string,
  {
    exports,
    window,
    span,
    identity,
    query,
    times,
  }: {
    exports: Exports
    window: Window
    span: Span
    identity: Identity
    /** the zone or the language */
    query: Query
    /** where the zone is to be looked for */
    times?: Times | undefined
  },
): Promise<Problem[]> {
  /** Whether the times of a PDF are those of UTC, and whether it shows none. */
  const clockOf = (
    { columns: [column] }: Times,
    {
      found,
      text,
      rows,
      utc,
    }: { found: PdfExport; text: string[]; rows: string[][]; utc: string[][] },
  ) => {
    const [texts, textsInUtc] = [rows.map(column.textIn), utc.map(column.textIn)]
    const [inZone, inUtc] = [shareShown(text, texts), shareShown(text, textsInUtc)]
    const mixed = countOtherwise(text, texts, textsInUtc)
    const problemOf = (sentence: string) => [
      problem(sentence, {
        expected: texts[0] ?? '',
        got: textsInUtc[0] ?? '',
        judged: found,
        control: [rows, utc],
        again: pagesToRead,
      }),
    ]
    const problems = () => {
      if (inUtc > 0.5 && inZone < 0.1) return problemOf(`the PDF ${what} shows times in UTC`)
      if (mixed >= fewMixed)
        return problemOf(`the PDF ${what} shows ${mixed} of ${texts.length} times in UTC`)
      return inZone < 0.1 && isClockOfUtc(text, utc.map(column.timeIn), query.timezone)
        ? problemOf(`the PDF ${what} shows the times of day of UTC`)
        : []
    }
    return { problems: problems(), isUnseen: inZone < 0.1 }
  }
  return confirmedOnce(exports, async ({ csv, pdf }) => {
    const rowsIn = async (more: Query) => {
      const { records } = needCsv(await csv({ ...span, ...more }))
      const rows = eventRows(window, records)
      if (rows.length === 0 || rowsLike(window, records).length > 0) return rows
      // Its columns are in another order; ids are the same in every language.
      const plain = eventRows(window, needCsv(await csv(span)).records)
      if (!times && isOfIds(plain, identity)) return plain
      throw new NotDecidable(
        'freedom',
        `the CSV ${what} has its columns in another order; which fields a file shows is not shown`,
      )
    }
    const found = await pdf({ ...span, ...query })
    const { status } = found.answer
    if (status >= 400 && status < 500 && status !== 403)
      return [
        problem(`${describeAnswer(found.answer)}, and as CSV 200`, {
          expected: '200',
          got: String(status),
          judged: found,
          control: await csv({ ...span, ...query }),
        }),
      ]
    const { text = [] } = await needPdf(found, { text: true })
    const rows = await rowsIn(query)
    const { count, missing, repeated } = countEntries(text, rows, identity)
    const clock = times && clockOf(times, { found, text, rows, utc: await rowsIn(times.utc) })
    const ofClock = clock?.problems ?? []
    // What tells events apart may be written in another way in each file: a date, but not an id.
    const isUntold = count === 0 && !isOfIds(rows, identity)
    if (isUntold && ofClock.length > 0) return ofClock
    if (isUntold)
      throw new NotDecidable(
        'freedom',
        `nothing of the CSV ${what} is found in the PDF; which fields a file shows is not shown`,
      )
    const apart = missing.length + repeated.length
    let isBroken = false
    if (apart > 0) {
      const plain = await needPdf(await pdf(span), { text: true })
      const inPlain = countEntries(plain.text ?? [], await rowsIn({}), identity)
      if (inPlain.missing.length + inPlain.repeated.length > 0)
        throw new NotDecidable(
          'freedom',
          'the PDF also differs from the CSV in English and in UTC; what it shows of events is not shown',
        )
      // Narrow cells break a date anywhere, in each zone elsewhere: events that are lost would leave less text.
      isBroken =
        missing.length > rows.length / 10 &&
        !isOfIds(rows, identity) &&
        lettersOf(text) > 0.95 * lettersOf(plain.text ?? [])
    }
    const lost =
      apart === 0 || isBroken
        ? []
        : [
            problem(
              `${apart} of ${rows.length} events are lost, or come twice, in the PDF ${what}`,
              {
                expected: `each of ${rows.length} events once`,
                got: `${missing.length} missing, ${repeated.length} more than once`,
                judged: found,
                control: rows,
                again: pagesToRead,
              },
            ),
          ]
    const problems = [...lost, ...ofClock]
    if (problems.length === 0 && (isBroken || clock?.isUnseen))
      throw new NotDecidable(
        'freedom',
        isBroken
          ? `${missing.length} of ${rows.length} events are not found in the PDF ${what}, though it has as much text as the PDF without it; how it breaks its cells is not shown`
          : `the PDF ${what} shows none of the CSV’s times, in UTC or in the zone; what it shows of events is not shown`,
      )
    return problems
  })
}

const lettersOf = (pages: readonly string[]): number =>
  pages.reduce((sum, page) => sum + page.replaceAll(/\s+/g, '').length, 0)

/** A PDF that is compared is not shown once more by a script. */
export const pagesToRead = { why: 'the pages of a PDF have to be read' }
