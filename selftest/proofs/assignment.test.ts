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
  ...readBack,
  ...refused,
  ...further,
  ...memberFaults,
])
