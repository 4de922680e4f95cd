import { faults } from './faults/export-ranges.ts'
import { proveArea } from './prove-area.ts'
import { variants } from './variants/export-ranges.ts'

proveArea(['export.range.*', 'export.timezone.*', 'export.locale*'], faults, variants)
