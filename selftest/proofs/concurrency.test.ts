import { faults } from './faults/concurrency.ts'
import { versionFaults } from './faults/further-updates.ts'
import { unanswered } from './faults/unanswered.ts'
import { proveArea } from './prove-area.ts'

proveArea('version.*', [...faults, ...versionFaults, ...unanswered])
