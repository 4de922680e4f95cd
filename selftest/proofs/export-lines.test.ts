import { exportLines } from './areas/files.ts'
import { proveArea } from './prove-area.ts'

exportLines.forEach(proveArea)
