import { updates } from './areas/updates.ts'
import { proveArea } from './prove-area.ts'

updates.forEach(proveArea)
