import { faultsOfRecords } from './faults/export/malformed.ts'
import { proveArea } from './prove-area.ts'
import { late } from './variants/clocks.ts'
import { variants } from './variants/export-records.ts'

proveArea(['export.filter.event_type.*', 'export.pdf-limit.over'], faultsOfRecords)
proveArea('export.*', [], [...variants, ...late])
