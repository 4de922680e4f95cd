import { proveArea } from './prove-area.ts'
import { variants } from './variants/export-records.ts'

proveArea('export.*', [], variants)
