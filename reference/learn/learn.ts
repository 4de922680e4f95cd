import type { Open } from '../rules/open.ts'
import type { World } from '../world/world.ts'
import { isObject, type Say } from './aspect.ts'
import { notImitated, table } from './table.ts'

/** What a report says of a service, by clause id. */
export type Lesson = {
  observed: Readonly<Record<string, unknown>>
  /** observing clauses without a value, with the reason */
  unseen: Readonly<Record<string, string>>
  /** clauses on which reports of one service contradict each other; the first is used */
  contradictory: readonly string[]
}

export type Learned = ReturnType<typeof learn>

/** Creates rules that make the reference service answer like the one in a report. */
export function learn({ observed, unseen, contradictory }: Lesson, world: World) {
  const values = known(observed)
  const notes = new Map<string, string>()
  const assumed = new Set<string>()
  const say: Say = {
    note(id, why) {
      if (!notes.has(id)) notes.set(id, why)
    },
    assume: (sentence) => void assumed.add(sentence),
    first(id, values = []) {
      if (values.length > 1)
        say.note(id, `saw ${values.map(shown).join(' and ')}; the first is used`)
      return values[0]
    },
  }
  for (const id of contradictory)
    say.note(id, 'the reports saw different things; the first is used')

  const open: Partial<Open> = {}
  for (const { of, rule } of table) {
    const usable = Object.entries(of).flatMap(([id, isUsable]) => {
      if (!(id in values)) return []
      const value = isObject(values[id]) ? known(values[id]) : values[id]
      if (isUsable(value)) return [[id, value] as const]
      say.note(id, `holds ${shown(value)}, which this service cannot imitate`)
      return []
    })
    if (usable.length > 0) Object.assign(open, rule(Object.fromEntries(usable), say, world))
  }
  for (const [id, why] of Object.entries(notImitated)) if (id in values) notes.set(id, why)

  const driving = [...new Set(table.flatMap(({ of }) => Object.keys(of)))]
  return {
    open,
    /** clauses whose value is imitated */
    learned: driving.filter((id) => id in values && !notes.has(id)),
    /** clauses without a value, with the reason */
    missing: driving
      .filter((id) => !(id in values))
      .map((id): [id: string, why: string] => [id, unseen[id] ?? 'it is not in the report']),
    /** clauses whose value is imitated in part or not at all, with the reason */
    unclear: [...notes],
    assumed: [...assumed],
  }
}

/** An observation without the members that the data did not show. */
const known = (members: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== 'not known'),
  )

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
