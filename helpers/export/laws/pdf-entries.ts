// What tells the events of a PDF apart, and whether it shows times as the CSV does.

import { isoOf, offsetAt } from '../../../engine/files/dates.ts'
import { shareShown } from '../../../engine/files/entry-text.ts'
import { type Identity, learnIdentity } from '../../../engine/files/identity.ts'
import type { PdfReading } from '../../../engine/files/pdf.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { premise } from '../../service/answers.ts'
import { columnName, placeOf } from '../../service/export-facts.ts'
import type { Exports } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { haveIds } from '../learn/around-limit.ts'
import { gathered } from '../learn/confirmed.ts'
import type { Ranges } from '../learn/ranges.ts'
import { inZones, type TimeColumn } from '../learn/time-column.ts'
import { spanOf, type Window } from '../learn/window.ts'
import { problemsOfEventsShown, problemsOfFile } from './file.ts'
import { byTwin, fetchAsked } from './predict.ts'

export const learnPdfIdentity = (exports: Exports, window: Window): Promise<Identity> =>
  exports.once('pdf identity', (inner) => identityIn(inner, window))

async function identityIn(exports: Exports, window: Window): Promise<Identity> {
  const { declared, found } = exports.facts
  if (declared.pdf) {
    const { columns: names, letters: length } = declared.pdf
    const columns = names.map((name) => placeOf(name, 'what tells events apart', window.header))
    return { columns, length, others: [], titles: window.header }
  }
  const { text = [] } = await exports.pdfFile(spanOf(window))
  const identity = learnIdentity(text, window.rows)
  const columns = identity.columns.map((place) => columnName(place, window.header))
  found.pdf = { columns, letters: identity.length }
  return { ...identity, titles: window.header }
}

/** Continues only if rows are events: they have ids, or a PDF has an entry for each. */
export async function needRowsAsEvents(exports: Exports, window: Window): Promise<void> {
  if (!haveIds(window.rows)) await needEntriesAsRows(exports, window)
}

/** Continues only if the window's PDF has exactly one entry for each row of its CSV. */
export async function needEntriesAsRows(exports: Exports, window: Window): Promise<void> {
  const identity = await learnPdfIdentity(exports, window)
  const whole = { values: [], fileType: 'pdf' } as const
  const asked = await fetchAsked({ exports, window, identity }, whole, byTwin)
  const [first] = problemsOfFile(problemsOfEventsShown)(asked)
  const why = `the events in the PDF cannot be counted: ${first?.sentence}`
  premise(!first, 'clause', why, 'export.pdf-matches-csv')
}

/** Up to the minute: a narrow cell breaks a time behind that, and a zone already shows. */
const beginningOf = (text: string) => /^.*?\d:\d\d/.exec(text)?.[0] ?? text

const ofTwelveHours = (clock: string) => {
  const hours = Number(clock.slice(0, 2))
  return `${hours % 12 || 12}${clock.slice(2)} ${hours < 12 ? 'am' : 'pm'}`
}

/** A title may show a time, two events may share one, and a page may end within one. */
const isFew = (lost: number, all: number) => lost <= 3 + all / 10

/** Files in a zone; if they are suspected, those in UTC too. */
export type Zoned = Both & { timezone: string; start?: string; column: TimeColumn; inUtc?: Both }
type Both = { rows: string[][]; pdf: PdfReading }

export async function askPdfTimes(
  { exports, window: findWindow, times }: Ranges,
  { timezone, ...span }: Query & { timezone: string },
) {
  const window = await findWindow()
  const { columns, utc } = inZones(await times())
  const [column] = columns
  return gathered(exports, window, async (fetch, port, isSuspected): Promise<Zoned> => {
    const ask = async (query: Query) => {
      const [rows, pdf] = [await fetch(query), await port.pdfFile(query)]
      return { rows, pdf }
    }
    const one = { timezone, column, ...span, ...(await ask({ ...span, timezone })) }
    if (!isSuspected) return one
    return { ...one, inUtc: await ask({ ...span, ...utc }) }
  })
}

/**
 * The PDF in a zone lacks times of the CSV in that time zone, though in UTC both show the same; or it shows
 * times of day in UTC, if it writes times in another form.
 */
export function problemsOfZoned({ timezone, column, rows, pdf, inUtc }: Zoned): Problem[] {
  const lostIn = (one: Both) => {
    const times = one.rows.map(column.textIn).map(beginningOf)
    return Math.round(times.length * (1 - shareShown(one.pdf.text ?? [], times)))
  }
  const [lost, count] = [lostIn({ rows, pdf }), rows.length]
  if (isFew(lost, count)) return []
  const problemOf = (sentence: string) => [
    problem(`the PDF in ${timezone} ${sentence}`, {
      expected: column.textIn(rows[0] ?? []),
      got: 'another time',
      judged: pdf,
      control: [rows, inUtc?.rows],
    }),
  ]
  if (!inUtc || !isFew(lost - lostIn(inUtc), count))
    return problemOf(`lacks ${lost} of ${count} times of the CSV in that time zone`)
  const pages = (pdf.text ?? []).map((page) => page.toLowerCase())
  const instants = inUtc.rows.flatMap((row) => column.timeIn(row) ?? [])
  const isUtc = [(clock: string) => clock, ofTwelveHours].some((form) => {
    const shareIn = (zone: string) =>
      shareShown(
        pages,
        instants.map((time) => form(isoOf(time + offsetAt(zone, time)).slice(11, 19))),
      )
    // The text 11:16 AM contains 1:16 AM, which may be the time in the zone.
    return instants.length > 3 && shareIn('UTC') > 0.9 && shareIn(timezone) < 0.2
  })
  if (isUtc) return problemOf('shows the times of day of UTC')
  if (lost < count / 2) return []
  const open = `the PDF in ${timezone} shows few of the CSV’s times, and so does that in UTC; the contract does not specify how a PDF writes times`
  throw new NotDecidable('freedom', open)
}
