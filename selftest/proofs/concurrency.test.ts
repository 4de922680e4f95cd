import { faults } from './faults/concurrency.ts'
import { versionFaults } from './faults/further-updates.ts'
import { unanswered } from './faults/unanswered.ts'
import { versionForms } from './faults/versions.ts'
import { proveArea } from './prove-area.ts'

proveArea('version.*', [...faults, ...versionForms, ...versionFaults, ...unanswered])
