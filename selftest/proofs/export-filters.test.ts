import { exportFilters } from './areas/filters.ts'
import { proveArea } from './prove-area.ts'

exportFilters.forEach(proveArea)
