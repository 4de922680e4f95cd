import type { RevealsFinding } from '../../../engine/findings/reveals.ts'
import type { Scene, Symptom } from './cause.ts'

/** Who may read nothing reads values; or a resource comes for an id that it cannot have. */
export const causesOfReveals = (
  { members, resource }: RevealsFinding,
  { route }: Scene,
): Symptom[] =>
  members ? [{ key: 'reveals', isGrave: true }] : [{ key: `${route} returns ${resource}` }]
