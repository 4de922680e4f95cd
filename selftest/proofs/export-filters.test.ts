import { faults as combined } from './faults/export/combined.ts'
import { byArea } from './faults/export/filters.ts'
import { proveArea } from './prove-area.ts'
import { variants as columns } from './variants/export-columns.ts'
import { variants as refusing } from './variants/export-combined.ts'
import { variants } from './variants/export-filters.ts'

const parameters = ['export.filter.*_*', 'export.filter.conjunction', 'export.filter.partition']
const metadata = ['export.metadata.*']

proveArea(parameters, byArea.ofParameters)
proveArea(metadata, byArea.ofMetadata)
proveArea([...parameters, ...metadata], byArea.ofBoth)
proveArea(['export.filter.pdf'], byArea.ofPdf)
proveArea(['export.filter.combined.*', 'export.filter.pdf'], combined, refusing)
// Where nothing can be exported, something else has to be checked, or nothing was.
proveArea(
  [...parameters, ...metadata, 'export.filter.combined.*', 'auth.missing-key.*'],
  [],
  [...variants, ...columns],
)
