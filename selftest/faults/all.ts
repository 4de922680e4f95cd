import { faults as assessment } from './assessment.ts'
import { faults as authentication } from './authentication.ts'
import { faults as task } from './task.ts'

export const faults = [...authentication, ...task, ...assessment]
