import { faults } from './faults/task.ts'
import { proveArea } from './prove-area.ts'
import { variants } from './variants/reads.ts'

proveArea('task.*', faults, variants)
