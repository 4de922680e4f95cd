import { faults as csvFaults } from './faults/export/csv.ts'
import { faults as edges } from './faults/export/edges.ts'
import { faults as handed } from './faults/export/handed.ts'
import { faults as mixing } from './faults/export/mixing.ts'
import { faults as pdfFaults, realLimit } from './faults/export/pdf.ts'
import { proveArea } from './prove-area.ts'
import { variants } from './variants/export-file.ts'
import { variants as kept } from './variants/export-kept.ts'

const ofPdf = ['export.pdf.*', 'export.pdf-*']
const ofCsv = [
  'export.csv*',
  'export.default-*',
  'export.no-filter',
  'export.deterministic',
  'export.text-intact',
  'export.invalid.*',
  'export.error-*',
  'export.unknown-parameter',
]
const silences = [
  'export.delivery',
  'export.file-name',
  'export.header-row',
  'export.columns',
  'export.delimiter',
  'export.bom',
  'export.line-ending',
  'export.row-order',
  'export.dates',
  'export.formula-cells',
]

proveArea(ofCsv, csvFaults)
proveArea('export.deterministic.*', mixing, kept)
proveArea(
  ['export.range.split.rows', 'export.filter.same-rows', 'export.few-events.*'],
  edges,
  kept,
)
proveArea(ofPdf, pdfFaults)
proveArea([...ofCsv, ...ofPdf, 'export.metadata.*', 'export.range.*'], handed)
proveArea(['export.pdf-limit.*'], realLimit)
proveArea([...ofCsv, ...ofPdf, ...silences], [], variants)
