import type { FindingKinds } from '../../../engine/findings/finding.ts'
import type { Symptom } from './cause.ts'

/** One cause where several updates with one version are accepted, and one where none is. */
export const causesOfWinners = ({ accepted }: FindingKinds['winners']): Symptom[] => [
  accepted > 1
    ? { key: 'several winners', title: 'Accepts several updates with the same If-Match' }
    : { key: 'no winner', title: 'Rejects each of several simultaneous updates' },
]
