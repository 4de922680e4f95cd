import { task } from './areas/reads.ts'
import { proveArea } from './prove-area.ts'

task.forEach(proveArea)
