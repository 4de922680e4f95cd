import { faults } from './faults/assignment.ts'
import { faults as bystanders } from './faults/bystanders.ts'
import { faults as comments } from './faults/comments.ts'
import { faults as further, memberFaults } from './faults/further-updates.ts'
import { faults as readBack } from './faults/read-back.ts'
import { faults as refused } from './faults/refused-updates.ts'
import { faults as transitions } from './faults/transitions.ts'
import { proveArea } from './prove-area.ts'

proveArea('assign.*', [
  ...transitions,
  ...faults,
  ...bystanders,
  ...comments,
  ...refused,
  ...further,
  ...memberFaults,
])

// Seen in whichever update: most of them are those of the walk.
proveArea(['assign.*', 'version.model'], readBack)
