import { byArea } from './faults/export/filters.ts'
import { proveArea } from './prove-area.ts'
import { variants as columns } from './variants/export-columns.ts'
import { variants } from './variants/export-filters.ts'

const parameters = ['export.filter.*.*', 'export.filter.conjunction', 'export.filter.partition']
const metadata = ['export.metadata.*']

proveArea(parameters, byArea.ofParameters)
proveArea(metadata, byArea.ofMetadata)
proveArea([...parameters, ...metadata], byArea.ofBoth)
proveArea(['export.filter.*'], byArea.ofPdf)
// Where nothing can be exported, something else has to be checked, or nothing was.
proveArea([...parameters, ...metadata, 'auth.missing-key.*'], [], [...variants, ...columns])
