import { concurrency } from './areas/updates.ts'
import { proveArea } from './prove-area.ts'

concurrency.forEach(proveArea)
