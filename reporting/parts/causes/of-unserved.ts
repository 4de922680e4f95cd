import type { Symptom } from '../../../engine/findings/symptom.ts'
import type { UnservedFinding } from '../../../engine/findings/unserved.ts'
import type { Scene } from './cause.ts'

/** One cause for each kind of request that gets nothing. */
export const causesOfUnserved = ({ lacks }: UnservedFinding, { route }: Scene): Symptom[] =>
  lacks === 'file'
    ? [{ key: 'no file at its address', title: 'Names an address that has no file' }]
    : [{ key: `${route} without a response`, title: `Does not respond to ${route}` }]
