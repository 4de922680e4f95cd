import { faults } from './faults/assessment.ts'
import { proveArea } from './prove-area.ts'
import { variants } from './variants/reads.ts'

proveArea('assessment.*', faults, variants)
