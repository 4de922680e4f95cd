import { authentication } from './areas/reads.ts'
import { proveArea } from './prove-area.ts'

authentication.forEach(proveArea)
