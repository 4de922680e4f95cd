import type { World } from '../world/world.ts'
import type { Bends } from './aspect.ts'
import { bendsOfBreaches, breakable } from './breaches.ts'
import { isKnownValue } from './known-values.ts'
import { type Observed, openSeen, shown } from './seen.ts'
import { aspects, notImitated } from './table.ts'

/** What a report says of a service, by the ids of clauses. */
export type Lesson = {
  observed: Observed
  /** observing clauses that saw nothing, with the reason */
  unseen: Readonly<Record<string, string>>
  /** clauses of which reports of one service saw different things; the first is taken */
  contradictory: readonly string[]
  /** clauses that were left undecided because what they need was refused */
  refused: readonly string[]
  /** musts that were broken */
  broken: readonly string[]
  /** shoulds that were broken: a lawful choice, though not the expected one */
  warned: readonly string[]
}

export type Learned = Required<Bends> & {
  /** clauses whose value is imitated */
  learned: string[]
  /** clauses of which the report has no value, with the reason */
  missing: [id: string, why: string][]
  /** clauses whose value is imitated in part or not at all, with the reason */
  unclear: [id: string, why: string][]
  assumed: string[]
  /** broken clauses that are broken here too, and those that are not */
  breaches: { imitated: string[]; others: string[] }
}

/** Makes the rules by which the reference service answers as a report shows that another one does. */
export function learn(
  { observed, unseen, contradictory, refused, broken, warned }: Lesson,
  world: World,
): Learned {
  const notes = new Map<string, string>()
  for (const id of contradictory)
    notes.set(id, 'the reports saw different things; the first is used')
  const assumed = new Set<string>()
  const seen = openSeen(observed, notes, assumed, refused)
  const bends: Required<Bends> = { open: {}, stated: {} }
  const take = ({ open, stated }: Bends) => {
    Object.assign(bends.open, open)
    Object.assign(bends.stated, stated)
  }
  for (const aspect of aspects) take(aspect.rules(seen, world))
  take(bendsOfBreaches(warned, bends))

  const driving = [...new Set(aspects.flatMap(({ of }) => of))]
  const has = (id: string) => observed[id] !== undefined
  for (const id of driving)
    if (has(id) && !notes.has(id) && !isKnownValue(id, observed[id]))
      notes.set(id, `holds ${shown(observed[id])}, which is not a value that is known`)
  for (const [id, why] of Object.entries(notImitated)) if (has(id)) notes.set(id, why)
  const imitated = warned.filter((id) => breakable.has(id))
  return {
    ...bends,
    learned: driving.filter((id) => has(id) && !notes.has(id)),
    missing: driving
      .filter((id) => !has(id))
      .map((id) => [id, unseen[id] ?? 'it is not in the report']),
    unclear: [...notes],
    assumed: [...assumed],
    breaches: { imitated, others: [...broken, ...warned].filter((id) => !imitated.includes(id)) },
  }
}
