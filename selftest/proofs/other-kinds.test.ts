import { faults } from './faults/other-kinds.ts'
import { proveArea } from './prove-area.ts'
import { variants } from './variants/other-kinds.ts'

proveArea(['task.*', 'assessment.*', 'assign.not-found.*'], faults, variants)
