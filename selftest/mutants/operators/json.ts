import { type Answer, textOf, withText } from './operator.ts'

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
export type Members = { [name: string]: Json }

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function membersIn(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isMembers(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Changes the body when it is a JSON object. */
export function changeJson(
  answer: Answer,
  by: (members: Members) => Json | undefined,
): Answer | undefined {
  const members = membersIn(textOf(answer))
  const changed = members && by(members)
  return changed === undefined ? undefined : withText(answer, JSON.stringify(changed))
}

/** Changes the member at a path of one or two names; `by` gives `undefined` to drop it. */
export function changeMember(
  members: Members,
  path: string,
  by: (value: Json) => Json | undefined,
): Members | undefined {
  const [name = '', ...rest] = path.split('.')
  const value = members[name]
  if (value === undefined) return undefined
  if (rest.length > 0) {
    const inner = isMembers(value) ? changeMember(value, rest.join('.'), by) : undefined
    return inner && { ...members, [name]: inner }
  }
  const changed = by(value)
  if (changed !== undefined) return { ...members, [name]: changed }
  const { [name]: _, ...others } = members
  return others
}

/** The same members, with the values of two of them swapped. */
export function swapMembers(members: Members, one: string, two: string): Members | undefined {
  const a = members[one]
  const b = members[two]
  return a === undefined || b === undefined || a === b
    ? undefined
    : { ...members, [one]: b, [two]: a }
}

/** A value of another JSON type. */
export function retyped(value: Json): Json {
  if (typeof value === 'string') return Number.isNaN(Date.parse(value)) ? 7 : Date.parse(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return String(value)
  return value === null ? 'null' : Array.isArray(value) ? {} : [value]
}

export const anHourLater = (text: string) => new Date(Date.parse(text) + 3_600_000).toISOString()

const isTime = (text: string) => /^\d{4}-\d\d-\d\dT/.test(text)

/** Another value that looks like one of the same member. */
export function otherwise(value: Json): Json {
  const partners: Members = { USER: 'TEAM', TEAM: 'USER', Active: 'Cancelled', Cancelled: 'Active' }
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (value === null) return 'something'
  if (typeof value !== 'string') return Array.isArray(value) ? [...value, null] : { extra: 'value' }
  if (isTime(value)) return anHourLater(value)
  const partner = partners[value]
  if (partner !== undefined) return partner
  const last = value.at(-1) ?? ''
  return `${value.slice(0, -1)}${last === '0' ? '1' : '0'}`
}
