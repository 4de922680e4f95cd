import { assignment } from './areas/updates.ts'
import { proveArea } from './prove-area.ts'

assignment.forEach(proveArea)
