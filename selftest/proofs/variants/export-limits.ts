// A CSV has a limit of its own, which the contract leaves open.
import { inPdf } from '../bent/exports.ts'
import { type ProofRules, type Variant, variantsOf } from '../fault.ts'

/** More events than a PDF may hold. */
const events = 5_600

const csvUpTo = (csvLimit: number): ProofRules<Variant> => ({
  events,
  sizeRefusal: (asked) => {
    const limit = inPdf(asked) ? asked.limit : csvLimit
    return asked.count > limit ? 400 : undefined
  },
})

/** What a narrower window shows. */
const ofWindow = `export.csv.* export.default-* export.range.* export.filter.event_type.*
  export.metadata.* export.timezone.* export.pdf.*`

export const csvLimits = variantsOf({
  'a CSV of more than 5,000 events is refused': { ...csvUpTo(5_000), decides: ofWindow },
  'a CSV of more than 500 events is refused': { ...csvUpTo(500), decides: ofWindow },
  'a CSV of more than 500 events is refused, and the given window holds more': {
    ...csvUpTo(500),
    env: { EXPORT_FROM: '2024-06-01T00:00:00Z', EXPORT_TO: '2025-12-01T00:00:00Z' },
    decides: ofWindow,
  },
})
