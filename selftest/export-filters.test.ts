import { faults } from './faults/export-filters.ts'
import { proveArea } from './prove-area.ts'
import { variants } from './variants/export-filters.ts'

proveArea(['export.filter.*', 'export.metadata.*'], faults, variants)
