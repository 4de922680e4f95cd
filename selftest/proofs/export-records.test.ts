import { exportRecords } from './areas/files.ts'
import { proveArea } from './prove-area.ts'

exportRecords.forEach(proveArea)
