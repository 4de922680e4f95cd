import { audit } from './areas/updates.ts'
import { proveArea } from './prove-area.ts'

audit.forEach(proveArea)
