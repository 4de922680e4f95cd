import type { RevealsFinding } from '../../../engine/findings/reveals.ts'
import type { Symptom } from '../../../engine/findings/symptom.ts'
import type { Scene } from './cause.ts'

/** Who may read nothing reads values; or a resource comes for an id that it cannot have. */
export function causesOfReveals(
  { members, resource }: RevealsFinding,
  { route }: Scene,
): Symptom[] {
  if (members)
    return [
      { key: 'reveals', title: `Shows values of the ${resource} in a rejection`, isGrave: true },
    ]
  return [
    {
      key: `${route} returns ${resource}`,
      title: `Returns the ${resource} where none is due, to ${route}`,
    },
  ]
}
