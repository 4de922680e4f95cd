// What each recorded export shows alone.

import { maxLines, problemsOfWidths, shapeOf } from '../../engine/files/line-frame.ts'
import { isAccepted } from '../../engine/http/answers.ts'
import { mediaTypeOf } from '../../engine/http/shapes.ts'
import { from } from '../../engine/origin.ts'
import { problem } from '../../engine/problem.ts'
import { isDescribed, statusOwner } from '../export/ask/breaches.ts'
import { parameters } from '../export/ask/query.ts'
import { metadataKeys } from '../service/operations.ts'
import { judgeTogether } from './epochs.ts'
import { type Findings, unlessUndecided } from './findings.ts'
import { type BodyOf, type Look, mistakesIn, queryIn, replayed, textOf } from './looks.ts'
import { isPlainRefusal, type Seen } from './recorded.ts'

export const clausesOfExports = [
  ...[
    ...parameters.map((name) => `filter.${name}`),
    ...metadataKeys.map((key) => `metadata.${key}`),
  ].flatMap((filter) => [`${filter}.narrows`, `${filter}.exact`]),
  ...'csv.status csv.readable csv.well-formed csv-content-type cells-are-values.csv cells-are-values.pdf default-csv default-locale no-filter deterministic pdf.status pdf.readable pdf.text pdf-content-type pdf-matches-csv pdf-limit.over range.outside range.outside.rows range.split range.pdf.rows timezone.same-events locale.same-events locale.pdf timezone.pdf filter.conjunction metadata.conjunction filter.pdf filter.combined.csv filter.combined.pdf'.split(
    ' ',
  ),
].map((name) => `export.${name}`)

/** Judges recorded exports with a key that is not known to be wrong. */
export function createExportLaws(findings: Findings, bodyOf: BodyOf) {
  const looks: Look[] = []

  const seeCsv = async (look: Look) => {
    const { number, asked } = look
    const port = replayed([look], bodyOf, (owned) => findings.broken([owned]))
    const { csv, told, why } = await port.csv(asked)
    // The file is elsewhere, where no recording of this service has it.
    if (!csv || told) return
    look.count = csv.count
    findings.observed('export.csv-content-type', mediaTypeOf(look.answer) ?? 'none', number)
    if (isDescribed(asked, false)) findings.decided(['export.csv.readable'], number)
    const shape = shapeOf(csv.records)
    if (why || csv.records.length < 3 || shape.width === undefined || csv.cut) return
    const flaws = csv.flaws.map((got) =>
      problem(got, { expected: 'well-formed CSV', got, judged: number }),
    )
    // A line in front with a delimiter in its words is as wide as a row may be.
    const lines = csv.records.slice(0, maxLines).findLastIndex(({ length }) => length === 1) + 1
    const rows = csv.records.map((record, at) => (at < lines ? [] : record))
    const widths = problemsOfWidths(from(rows, number), shape.width)
    findings.judged('export.csv.well-formed', [...flaws, ...widths], number)
  }

  const seePdf = async (look: Look) => {
    const port = replayed([look], bodyOf, (owned) => findings.broken([owned]))
    const found = await port.pdf(look.asked)
    if (!found.bytes || found.told) return
    findings.observed('export.pdf-content-type', mediaTypeOf(look.answer) ?? 'none', look.number)
    await found.read({ text: false })
    if (isDescribed(look.asked, false)) findings.decided(['export.pdf.readable'], look.number)
  }

  return {
    async see(seen: Seen) {
      const { operation, key, answer, query: text, number, body } = seen
      if (operation !== 'export' || key !== 'given') return
      const asked = queryIn(text)
      const { body: _, ...kept } = seen
      const look: Look = { ...kept, asked, text: textOf(asked), bytes: body?.length ?? 0 }
      if (mistakesIn(asked).length > 0) return
      if (isPlainRefusal(seen)) looks.push(look)
      if (!isAccepted(answer)) return
      if (text === '') findings.decided(['export.no-filter'], number)
      if (isDescribed(asked, false)) findings.decided([statusOwner(asked)], number)
      if (!body) return
      await (asked.fileType === 'pdf' ? seePdf : seeCsv)(look).catch(unlessUndecided)
      looks.push(look)
    },
    end: () => judgeTogether(findings, looks, bodyOf),
  }
}
