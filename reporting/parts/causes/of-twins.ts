import type { Symptom } from '../../../engine/findings/symptom.ts'
import type { TwinsFinding } from '../../../engine/findings/twins.ts'
import type { Scene } from './cause.ts'

/** One cause for what is compared, in files of one kind. */
export const causesOfTwins = ({ things, wanted }: TwinsFinding, { route }: Scene): Symptom[] => [
  { key: `${route} ${things} not ${wanted}`, title: titleOf(things, wanted) },
]

function titleOf(things: TwinsFinding['things'], wanted: TwinsFinding['wanted']): string {
  if (things === 'dates') return 'Writes the same dates in different time zones'
  return `Returns ${wanted === 'alike' ? 'different' : 'the same'} ${things} where they have to be ${wanted}`
}
