import type { AssigneeType, Resource } from '../contract/fields.ts'
import { resources } from '../contract/operations.ts'

/** What the first contact shows of the ids that the settings name. */
export type KnownIds = {
  tasks: KnownTask[]
  ids: Readonly<Record<Resource, IdsOfResource>>
}

export type IdsOfResource = {
  /** in the order in which clauses read them */
  present: string[]
  /** not found twice */
  absent: string[]
  /** the last that the key may read */
  readable?: string | undefined
}

export type KnownTask = {
  id: string
  lendable: boolean
  /** it may change the task */
  heldBy?: string
  assigned: 'none' | AssigneeType | 'unknown'
  /** what its assignment shows that cannot be read */
  unreadable?: string
}

/** What every task shows as its assignment tells none of them apart: it counts as missing. */
export function shownByAll(tasks: readonly KnownTask[]): string | undefined {
  const [first, ...others] = tasks
  if (others.length === 0) return undefined
  return others.every(({ unreadable }) => unreadable === first?.unreadable)
    ? first?.unreadable
    : undefined
}

/** The id of another resource, if the key may read one. */
export function readableBeside(resource: Resource, { ids }: KnownIds): string | undefined {
  const others = resources.filter((other) => other !== resource)
  return others.map((other) => ids[other].readable).find((id) => id !== undefined)
}
