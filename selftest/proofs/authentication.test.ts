import { faults } from './faults/authentication.ts'
import { faults as ofExport } from './faults/export/keys.ts'
import { proveArea } from './prove-area.ts'
import { variants } from './variants/authentication.ts'

proveArea('auth.*', [...faults, ...ofExport], variants)
