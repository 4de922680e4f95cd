// PDFs of parts of a window: their events, and the times of a season.

import { countEntries } from '../../../../engine/files/entries.ts'
import { shareShown } from '../../../../engine/files/entry-text.ts'
import { type Identity, isOfIds, searchedOf } from '../../../../engine/files/identity.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import { type Problem, problem } from '../../../../engine/problem.ts'
import { type Exports, needCsv, needPdf } from '../../ask/exports.ts'
import type { PdfExport } from '../../ask/pdf-export.ts'
import type { Query } from '../../ask/query.ts'
import { confirmedOnce } from '../../learn/confirmed.ts'
import type { Span } from '../../learn/spans.ts'
import type { Times } from '../../learn/time-column.ts'
import { eventRows, type Window } from '../../learn/window.ts'
import { pagesToRead } from '../pdf-entries.ts'
import { acceptedValues } from '../zones-and-locales.ts'

/** Zones with another offset in summer than in winter, that of half an hour first. */
const seasonal = ['America/St_Johns', 'America/New_York', 'Europe/Berlin'] as const

/** A zone that changes its offset and that the service takes. */
export async function needSeasonalZone(exports: Exports, span: Span): Promise<string> {
  const [zone] = await acceptedValues(exports, seasonal, (timezone) => ({ ...span, timezone }))
  if (zone) return zone
  throw new NotDecidable(
    'freedom',
    'none of the zones with daylight saving that were tried is accepted; which zones are supported is not shown',
  )
}

/** As far as the minute: a narrow cell breaks a time behind that, and another zone shows before it. */
const beginningOf = (text: string) => /^.*?\d:\d\d/.exec(text)?.[0] ?? text

const enough = 0.9
const few = 0.5

/**
 * Times of a PDF that are not those of the CSV in the same zone, although without a zone they are
 * written alike in both.
 */
export async function problemsOfPdfTimes(
  exports: Exports,
  window: Window,
  times: Times,
  { span, timezone }: { span: Span; timezone: string },
): Promise<Problem[]> {
  const [column] = times.columns
  return confirmedOnce(exports, async ({ csv, pdf }) => {
    const share = async (query: Query) => {
      const rows = eventRows(window, needCsv(await csv({ ...span, ...query })).records)
      const found = await pdf({ ...span, ...query })
      const { text = [] } = await needPdf(found, { text: true })
      const texts = rows.map(column.textIn)
      const begun = shareShown(text, texts.map(beginningOf))
      return { found, rows, shown: shareShown(text, texts), begun }
    }
    const inZone = await share({ timezone })
    if (inZone.rows.length === 0 || inZone.shown >= few) return []
    const isBroken = inZone.begun >= enough
    if (isBroken || (await share(times.utc)).shown < enough)
      throw new NotDecidable(
        'freedom',
        isBroken
          ? `the PDF in ${timezone} shows the beginnings of the CSV’s times, and few of them whole; how it breaks its cells is not shown`
          : 'a PDF writes times in another way than the CSV; how it writes them is not shown',
      )
    const percent = Math.round(inZone.shown * 100)
    const sentence = `the PDF in ${timezone} from ${span.start} shows ${percent} % of the ${inZone.rows.length} times of the CSV`
    return [
      problem(sentence, {
        expected: column.textIn(inZone.rows[0] ?? []),
        got: 'another time',
        judged: inZone.found,
        control: inZone.rows,
        again: pagesToRead,
      }),
    ]
  })
}

/** A time that is not a part of another one: each of its numbers has all its digits. */
const wholeTime = /^\d{4}-\d\d-\d\d\D?\d\d:\d\d:\d\d/

/** Events that a PDF lacks, and events that it shows beside those that it should. */
export async function problemsOfShown(
  described: string,
  found: PdfExport,
  { wanted, all, identity }: { wanted: string[][]; all: string[][]; identity: Identity },
): Promise<Problem[]> {
  const { text = [] } = await needPdf(found, { text: true })
  const isWanted = new Set(wanted.map((row) => searchedOf(row, identity)))
  const others = all.filter((row) => !isWanted.has(searchedOf(row, identity)))
  const { missing, repeated } = countEntries(text, wanted, identity)
  const strange = countEntries(text, others, identity).count
  // Titles show times, an event may show that of another, and a short one may be part of any; ids are sure.
  const isWhole = all.every((row) => wholeTime.test(searchedOf(row, identity)))
  const some = Math.min(others.length / 20, isWhole ? wanted.length : Number.POSITIVE_INFINITY)
  const byChance = isOfIds(all, identity) ? 0 : 2 + some
  const of = `${wanted.length} events`
  const problemOf = (sentence: string, got: string) =>
    problem(sentence, {
      expected: of,
      got,
      judged: found,
      control: [wanted, all],
      again: pagesToRead,
    })
  return [
    ...(missing.length > 0
      ? [
          problemOf(
            `the ${described} lacks ${missing.length} of ${of}, such as ${missing[0]}`,
            `${wanted.length - missing.length} of them`,
          ),
        ]
      : []),
    ...(repeated.length > byChance
      ? [problemOf(`the ${described} shows ${repeated.length} of ${of} more often`, 'more often')]
      : []),
    ...(strange > byChance
      ? [
          problemOf(
            `the ${described} shows ${strange} events beside the ${wanted.length} that belong there`,
            `${strange} more`,
          ),
        ]
      : []),
  ]
}
