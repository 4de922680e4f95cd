// What each recorded export shows alone.

import { Readable } from 'node:stream'
import { contentOf, whereabouts } from '../../engine/files/content.ts'
import { createKnownFiles, readCsv } from '../../engine/files/csv.ts'
import { instantAt } from '../../engine/files/dates.ts'
import { problemsOfWidths, shapeOf, tableIn } from '../../engine/files/line-frame.ts'
import { readPdf } from '../../engine/files/pdf.ts'
import { isTitles } from '../../engine/files/sure-columns.ts'
import { isAccepted, isRefused } from '../../engine/http/answers.ts'
import { mediaTypeOf } from '../../engine/http/shapes.ts'
import { problemsOfStatus } from '../../engine/http/status.ts'
import { from } from '../../engine/origin.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { problem } from '../../engine/problem.ts'
import {
  cellsToRead,
  isDescribed,
  problemOfNoByte,
  problemsOfStatus as problemsOf200,
  problemsOfContent,
} from '../export/ask/breaches.ts'
import { problemOfFlaw } from '../export/ask/pdf-export.ts'
import { type Field, parameters, type Query } from '../export/ask/query.ts'
import { problemsOfCells } from '../export/laws/marks.ts'
import { problemsOfNonJson } from '../reads/refusals.ts'
import { metadataKeys } from '../service/operations.ts'
import { epochsOf, judgeEpoch, judgeRepeats } from './epochs.ts'
import type { Findings } from './findings.ts'

import { clauseOf, isPdf, type Look, queryIn, textOf } from './looks.ts'
import type { Seen } from './recorded.ts'

const fields: readonly Field[] = [...parameters, ...metadataKeys]
/** The clauses on exports that a recording can decide. */
export const clausesOfExports = [
  ...fields.flatMap((field) => [clauseOf(field, 'narrows'), clauseOf(field, 'exact')]),
  ...'csv.status csv.readable csv.well-formed csv-content-type cells-are-values.csv default-csv default-locale no-filter deterministic pdf.status pdf.readable pdf.text pdf-content-type pdf-matches-csv pdf-limit.over range.reversed.csv range.reversed.pdf invalid.file-type invalid.metadata-key invalid.range-form invalid.timezone error-is-json range.outside range.split range.apart range.pdf.rows timezone.same-events locale.same-events locale.pdf timezone.pdf filter.conjunction metadata.conjunction filter.pdf'
    .split(' ')
    .map((name) => `export.${name}`),
]

/** Rows that are kept of all exports together: more are counted, and compared with nothing. */
const maxRows = 400_000
/** Reading the text of a longer PDF takes seconds. */
const maxPdfBytes = 2_000_000

/** Judges recorded exports with a key that is not known to be wrong. */
export function createExportLaws(findings: Findings) {
  const looks: Look[] = []
  const known = createKnownFiles()
  const refused: { seen: Seen; query: Query; wrong: string[] }[] = []
  let control: number | undefined
  let room = maxRows

  const judgeCsv = async (seen: Seen, look: Look, described: boolean) => {
    const { body, answer, number, headers } = seen
    if (!body) return
    const [, charset] =
      /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(headers['content-type'] ?? '') ?? []
    const csv = await readCsv(Readable.from([body]), {
      keep: Math.min(20_000, room),
      known,
      ...(charset ? { charset } : {}),
    })
    // The file is elsewhere, where no recording of this service has it.
    if (whereabouts(answer, csv.beginning)) return
    findings.observed('export.csv-content-type', mediaTypeOf(answer) ?? 'none', number)
    if (described)
      findings.judged('export.csv.readable', problemsOfContent(answer as never, csv), number)
    if (contentOf(csv.beginning) !== 'text' || csv.dialect.unread) return
    const shape = shapeOf(csv.records)
    const table = tableIn(shape, csv.records)
    const header = table[0] && isTitles(table[0]) ? table[0] : undefined
    const rows = from(header ? table.slice(1) : table, number)
    if (rows.length > 1 && shape.width !== undefined && !csv.cut) {
      const flaws = csv.flaws.map((flaw) =>
        problem(flaw, {
          expected: 'well-formed CSV',
          got: flaw,
          judged: number,
          again: cellsToRead,
        }),
      )
      const widths = problemsOfWidths(from(csv.records, number), shape.width)
      findings.judged('export.csv.well-formed', [...flaws, ...widths], number)
      findings.judged(
        'export.cells-are-values.csv',
        problemsOfCells({ header, rows }, rows),
        number,
      )
    }
    if (csv.count > csv.records.length) return
    room -= rows.length
    Object.assign(look, { header, rows })
  }

  const judgePdf = async ({ body, answer, number }: Seen, look: Look, described: boolean) => {
    if (!body || whereabouts(answer, body.toString('utf8', 0, 8192))) return
    findings.observed('export.pdf-content-type', mediaTypeOf(answer) ?? 'none', number)
    if (described && body.length === 0)
      return findings.judged(
        'export.pdf.status',
        [problemOfNoByte(answer as never, number)],
        number,
      )
    const pdf = await readPdf(body, { text: body.length <= maxPdfBytes, timeoutMs: 60_000 })
    if (described)
      findings.judged(
        'export.pdf.readable',
        pdf.flaws.map((flaw) => problemOfFlaw(answer as never, flaw, number)),
        number,
      )
    if (pdf.flaws.length === 0) look.pdf = from(pdf, number)
  }

  const seeAccepted = async (seen: Seen, query: Query) => {
    const { answer, number, start, end } = seen
    control = number
    const look: Look = { number, start, end, query, text: textOf(query), answer }
    const described = isDescribed(query, false)
    if (described)
      findings.judged(
        isPdf(query) ? 'export.pdf.status' : 'export.csv.status',
        problemsOf200(query, answer as never),
        number,
      )
    if (seen.query === '') findings.decided(['export.no-filter'], number)
    await (isPdf(query) ? judgePdf(seen, look, described) : judgeCsv(seen, look, described)).catch(
      (error) => {
        // What our limits cut short says nothing of the service.
        if (!(error instanceof Trouble || error instanceof NotDecidable)) throw error
      },
    )
    if (look.rows || look.pdf) looks.push(look)
  }

  return {
    async see(seen: Seen) {
      const { operation, key, answer, query: text, number, body } = seen
      if (operation !== 'export' || key !== 'given') return
      const query = queryIn(text)
      const wrong = mistakesIn(query)
      if (isRefused(answer) && body && answer.text !== '' && /json/.test(mediaTypeOf(answer) ?? ''))
        findings.judged('export.error-is-json', problemsOfNonJson(answer), number)
      if (wrong.length > 0 || text === '' || isRefused(answer)) refused.push({ seen, query, wrong })
      if (isAccepted(answer) && wrong.length === 0) await seeAccepted(seen, query)
    },
    async end() {
      judgeMistakes(findings, refused, control)
      for (const epoch of epochsOf(looks)) await judgeEpoch(findings, epoch, refused)
      judgeRepeats(findings, looks)
    },
  }
}

/** What is wrong with a query, by the clauses that state 400. */
function mistakesIn({ start, end, fileType, timezone, more = '' }: Query): string[] {
  const isTime = (text: string) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) && !Number.isNaN(Date.parse(text))
  const isReversed =
    start !== undefined &&
    end !== undefined &&
    isTime(start) &&
    isTime(end) &&
    instantAt(start) > instantAt(end)
  return [
    ...(isReversed ? [`export.range.reversed.${fileType === 'pdf' ? 'pdf' : 'csv'}`] : []),
    ...(fileType != null && !['csv', 'pdf'].includes(fileType) ? ['export.invalid.file-type'] : []),
    ...(/(^|&)metadata\[\w+\]=/.test(more) ? ['export.invalid.metadata-key'] : []),
    ...([start, end].some(
      (bound) => bound !== undefined && /^[a-z ]*$/i.test(bound) && !/^(null)?$/.test(bound),
    )
      ? ['export.invalid.range-form']
      : []),
    ...(timezone !== undefined && !/^[A-Z]{1,5}$/i.test(timezone) && !isZone(timezone)
      ? ['export.invalid.timezone']
      : []),
  ]
}

const isZone = (name: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** Requests that have to be refused with 400, and one that has not: each beside one that was accepted. */
function judgeMistakes(
  findings: Findings,
  refused: { seen: Seen; wrong: string[] }[],
  control: number | undefined,
) {
  if (control === undefined) return
  for (const { seen, wrong } of refused) {
    const { answer, number } = seen
    if ([401, 403, 408, 413, 414, 429, 431].includes(answer.status) || answer.status >= 500)
      continue
    const [clause, other] = wrong
    if (clause && !other)
      findings.judged(clause, problemsOfStatus(answer, 400, { control }), number)
  }
}
