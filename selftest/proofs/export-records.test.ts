import { proveArea } from './prove-area.ts'
import { late } from './variants/clocks.ts'
import { variants } from './variants/export-records.ts'

proveArea('export.*', [], [...variants, ...late])
