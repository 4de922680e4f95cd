import { otherKinds } from './areas/reads.ts'
import { proveArea } from './prove-area.ts'

otherKinds.forEach(proveArea)
