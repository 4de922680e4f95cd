import type { Proofs } from '../fault.ts'
import { faults as ofAssessments } from '../faults/assessment.ts'
import { faults as ofKeys } from '../faults/authentication.ts'
import { faults as ofExport } from '../faults/export/keys.ts'
import { faults as ofAnswers } from '../faults/on-the-wire.ts'
import { faults as ofOtherKinds } from '../faults/other-kinds.ts'
import { faults as ofTasks } from '../faults/task.ts'
import { answeredByGateway } from '../faults/unanswered.ts'
import { variants as ofAccess } from '../variants/authentication.ts'
import { variants as alsoOtherKinds } from '../variants/other-kinds.ts'
import { variants } from '../variants/reads.ts'

export const authentication: Proofs[] = [
  { by: 'auth.*', faults: [...ofKeys, ...ofExport, ...answeredByGateway.keys], variants: ofAccess },
]

export const task: Proofs[] = [{ by: 'task.*', faults: ofTasks, variants }]

export const assessment: Proofs[] = [{ by: 'assessment.*', faults: ofAssessments, variants }]

export const otherKinds: Proofs[] = [
  {
    by: ['task.*', 'assessment.*', 'assign.not-found.*'],
    faults: [...ofOtherKinds, ...answeredByGateway.ids],
    variants: alsoOtherKinds,
  },
]

export const onTheWire: Proofs[] = [{ by: ['task.*', 'assign.*', 'version.*'], faults: ofAnswers }]
