import { assessment } from './areas/reads.ts'
import { proveArea } from './prove-area.ts'

assessment.forEach(proveArea)
