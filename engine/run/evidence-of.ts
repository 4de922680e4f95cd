import type { Problem } from '../problem.ts'
import type { Evidence, Role } from './report.ts'

export function evidenceOf(rests: readonly Evidence[], breaches: readonly Problem[]): Evidence[] {
  const byNumber = new Map<number, Role>(rests.map(({ exchange, role }) => [exchange, role]))
  for (const { control } of breaches) for (const each of control) byNumber.set(each, 'control')
  for (const { judged } of breaches) for (const each of judged) byNumber.set(each, 'judged')
  return [...byNumber]
    .map(([exchange, role]) => ({ exchange, role }))
    .sort((a, b) => a.exchange - b.exchange)
}
