import { faults } from './faults/concurrency.ts'
import { proveArea } from './prove-area.ts'

proveArea('version.*', faults)
