import { faults } from './faults/authentication.ts'
import { proveArea } from './prove-area.ts'
import { variants } from './variants/authentication.ts'

proveArea('auth.*', faults, variants)
