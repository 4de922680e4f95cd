import { exportRanges } from './areas/filters.ts'
import { proveArea } from './prove-area.ts'

exportRanges.forEach(proveArea)
