// A CSV has a limit of its own, which the contract leaves open.
import { dayMs } from '../../../engine/files/dates.ts'
import type { Export } from '../../../reference/calls/export-call.ts'
import { pdfLimit } from '../../../reference/rules/stated-export.ts'
import { aroundAChange, inCsv, inPdf, limitInWords, refusing, smallLimit } from '../bent/exports.ts'
import { type ProofRules, type Variant, variantsOf } from '../fault.ts'

/** More events than a PDF may hold. */
const events = pdfLimit + 600

const csvUpTo = (csvLimit: number): ProofRules<Variant> => ({
  events,
  sizeRefusal: (asked) => {
    const limit = inPdf(asked) ? asked.limit : csvLimit
    return asked.count > limit ? 400 : undefined
  },
})

/** What a narrower window shows. */
const ofWindow = `export.csv.* export.default-* export.range.split
  export.range.split.filtered export.range.*-* export.range.apart export.range.outside export.filter.event_type.*
  export.metadata.* export.timezone.* export.pdf.*`

const isLong = ({ range: { start, end } }: Export) =>
  start !== undefined && end !== undefined && Date.parse(end) - Date.parse(start) > 60 * dayMs

export const csvLimits = variantsOf({
  [`a CSV of more than ${limitInWords} events is refused`]: {
    ...csvUpTo(pdfLimit),
    decides: `${ofWindow} export.pdf-limit.*`,
    // "Use CSV or split the export": a limit of PDFs reads as one that CSVs do not have.
    warns: 'export.pdf-limit.csv-free',
  },
  'a CSV of more than 500 events is refused': { ...csvUpTo(500), decides: ofWindow },
  'a CSV of more than 500 events is refused, and the given window holds more': {
    ...csvUpTo(500),
    env: { EXPORT_FROM: '2024-06-01T00:00:00Z', EXPORT_TO: '2025-12-01T00:00:00Z' },
    decides: ofWindow,
  },
  'a CSV of more than 60 days is refused, and these hold fewer events than a PDF may': smallLimit({
    ...refusing((asked) => inCsv(asked) && isLong(asked)),
    env: aroundAChange,
    decides: ofWindow,
  }),
})
