import { exportFile } from './areas/files.ts'
import { proveArea } from './prove-area.ts'

exportFile.forEach(proveArea)
