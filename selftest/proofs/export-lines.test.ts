import { proveArea } from './prove-area.ts'
import { variants } from './variants/export-lines.ts'

proveArea('export.*', [], variants)
