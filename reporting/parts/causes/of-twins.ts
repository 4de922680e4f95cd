import type { TwinsFinding } from '../../../engine/findings/twins.ts'
import type { Scene, Symptom } from './cause.ts'

/** One cause for what is compared, in files of one kind. */
export function causesOfTwins({ things, wanted }: TwinsFinding, { route }: Scene): Symptom[] {
  const key = `${route} ${things} not ${wanted}`
  if (things === 'dates') return [{ key, title: 'Writes the same dates in different time zones' }]
  return [{ key }]
}
