import type { Problem } from '../problem.ts'
import type { Evidence, Role } from './report.ts'

/** Each exchange of a clause once, in the order of their numbers, with what it is to its breaches. */
export function evidenceOf(
  rests: readonly Evidence[],
  breaches: readonly Problem[] = [],
): Evidence[] {
  const byNumber = new Map<number, Role>()
  const note = (numbers: readonly number[], role: Role) => {
    for (const number of numbers) byNumber.set(number, role)
  }
  for (const { exchange, role } of rests) byNumber.set(exchange, role)
  note(
    breaches.flatMap(({ control }) => control),
    'control',
  )
  note(
    breaches.flatMap(({ judged }) => judged),
    'judged',
  )
  return [...byNumber]
    .map(([exchange, role]) => ({ exchange, role }))
    .sort((a, b) => a.exchange - b.exchange)
}
