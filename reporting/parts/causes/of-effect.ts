import type { FindingKinds } from '../../../engine/findings/finding.ts'
import type { Scene, Symptom } from './cause.ts'
import { causesOfSaid } from './of-said.ts'

type EffectFinding = FindingKinds['effect']

/** Updates with one status have an effect by one cause, as have those with a wrong If-Match. */
export function causesOfEffect(finding: EffectFinding, scene: Scene): Symptom[] {
  const { effect, of } = finding
  const { breach } = scene
  if (effect === 'changed another task')
    return [{ key: effect, title: 'Changes other tasks than the one that is updated' }]
  const { status } = of
  const done = {
    key: `${status}, done`,
    title: `Responds ${status} to an update that takes effect`,
  }
  if (effect === 'left a trace') {
    const { trace } = finding
    return [
      { key: `${trace} of a rejected update`, title: `Makes an ${trace} for a rejected update` },
      done,
    ]
  }
  if (status >= 400) return [done]
  // A version that was sent decides whether the update may be accepted.
  return breach.decides ? causesOfSaid(scene) : [{ key: effect }]
}
