import { wordsOf } from '../../long.ts'
import type { Proofs } from '../fault.ts'
import { faults as csvFaults, titled } from '../faults/export/csv.ts'
import { faults as edges, lossy } from '../faults/export/edges.ts'
import { faults as handed } from '../faults/export/handed.ts'
import { faultsOfRecords } from '../faults/export/malformed.ts'
import { faults as marks, untitled } from '../faults/export/marks.ts'
import { faults as mixing } from '../faults/export/mixing.ts'
import { noRange } from '../faults/export/odd-bounds.ts'
import { faults as pdfFaults, realLimit } from '../faults/export/pdf.ts'
import { variants as ofFiles, quoting } from '../variants/export-file.ts'
import { variants as kept, serial } from '../variants/export-kept.ts'
import { variants as ofLines } from '../variants/export-lines.ts'
import { variants as ofRecords, realLimit as repeatedTitles } from '../variants/export-records.ts'
import { besideOthers, ofLimit } from '../variants/export-unclear.ts'

const ofPdf = ['export.pdf.*', 'export.pdf-*']
const ofCsv = wordsOf(`
  export.csv* export.default-* export.no-filter* export.deterministic export.text-intact
  export.invalid.* export.error-* export.unknown-parameter
`)
const silences = wordsOf(`
  export.delivery export.file-name export.header-row export.columns export.delimiter export.bom
  export.line-ending export.row-order export.dates export.formula-cells
`)

export const exportFile: Proofs[] = [
  { by: 'export.cells-are-values.*', faults: marks, variants: quoting },
  { by: 'export.deterministic', faults: untitled },
  { by: ofCsv, faults: [...csvFaults, ...noRange] },
  // By files of other languages and with filters.
  {
    by: [...ofCsv, 'export.locale.same-events', 'export.metadata.tag.exact'],
    faults: titled,
  },
  { by: 'export.deterministic.*', faults: mixing, variants: kept },
  {
    by: ['export.range.split.rows', 'export.filter.same-rows', 'export.few-events.*'],
    faults: edges,
    variants: kept,
  },
  { by: ['export.range.open-ended', 'export.no-filter.rows'], variants: kept },
  { by: ofPdf, faults: pdfFaults },
  { by: ['export.*', 'task.read.*'], variants: serial },
  { by: ['export.pdf-limit.*', 'export.range.split.rows'], faults: lossy },
  { by: [...ofCsv, ...ofPdf, 'export.metadata.*', 'export.range.*'], faults: handed },
  { by: ['export.pdf-limit.*'], faults: realLimit, variants: repeatedTitles },
  // Without these, another clause has to be decided: otherwise nothing was.
  { by: ['export.pdf-limit.*', 'export.csv.status', 'export.pdf.status'], variants: ofLimit },
  {
    by: ['export.few-events.*', 'export.deterministic.*', 'export.csv.status'],
    variants: besideOthers,
  },
  { by: [...ofCsv, ...ofPdf, ...silences], variants: ofFiles },
]

export const exportLines: Proofs[] = [{ by: 'export.*', variants: ofLines }]

export const exportRecords: Proofs[] = [
  { by: ['export.filter.event_type.*', 'export.pdf-limit.over'], faults: faultsOfRecords },
  { by: 'export.*', variants: ofRecords },
]
