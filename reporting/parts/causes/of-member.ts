import type { MemberFinding } from '../../../engine/findings/member.ts'
import { isObject } from '../../../engine/http/answers.ts'
import type { Exchange } from '../../../engine/http/exchange.ts'
import { ifMatchOf, versionIn } from '../evidence.ts'
import { isAccepted, type Scene, type Symptom } from './cause.ts'
import { causesOfComment } from './of-text.ts'

/** What a member shows, and where, in place of what. */
export function causesOfMember(finding: MemberFinding, scene: Scene): Symptom[] {
  const { of, wanted, got, member, isAsBefore } = finding
  const { judged, route } = scene
  const { method, status = 0 } = judged
  if (method === 'PUT' && status >= 400)
    return [{ key: `${status}, done`, title: `Responds ${status} to an update that takes effect` }]
  if (wanted.kind === 'new value')
    return [{ key: 'old version', title: `Does not change ${nameOf(member)} with an update` }]
  if (isOfVersionBefore(judged))
    return [{ key: 'old version', title: 'Responds to an update with the version before it' }]
  const text = textIn(finding)
  if (text !== undefined) return causesOfComment(text, got, route)
  const whole = of.status === undefined ? of.resource : route
  return [
    ...changesIn(finding).map((change) => ({
      key: `${change.member || whole}: ${change.got}`,
      ...titleOf(finding),
    })),
    ...(isAsBefore ? [{ key: `${member || whole}: as before in a read` }] : []),
  ]
}

/** An answer that shows the task before its update lacks all that the update changed. */
function isOfVersionBefore(judged: Partial<Exchange>): boolean {
  if (judged.method !== 'PUT' || !isAccepted(judged)) return false
  const version = versionIn(judged as Exchange)
  return version !== undefined && version === ifMatchOf(judged as Exchange)
}

/** The comment that was sent: each client sends its own. */
function textIn({ member, wanted }: MemberFinding): string | undefined {
  if (!member.endsWith('_comment')) return undefined
  const isSent = wanted.kind === 'same value' || (wanted.kind === 'value' && wanted.isSent)
  return isSent && typeof wanted.value === 'string' ? wanted.value : undefined
}

type Change = { member: string; got: string }

/** Each member that differs. */
function changesIn({ member, wanted, got }: MemberFinding): Change[] {
  if (wanted.kind !== 'members') return [{ member, got: typeOf(got) }]
  const shown = isObject(got) ? got : {}
  return Object.entries(wanted.values)
    .filter(([name, value]) => shown[name] !== value)
    .map(([name]) => ({ member: `${member}.${name}`, got: typeOf(shown[name]) }))
}

const nameOf = (member: string): string => member.split('.').at(-1) ?? ''

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const time = /^\d{4}-\d\d-\d\d[T ]/

/** Values differ from task to task: their type is what one cause has in common. */
function typeOf(value: unknown): string {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  if (typeof value !== 'string') return isObject(value) ? 'an object' : typeof value
  if (uuid.test(value)) return 'an id'
  if (time.test(value)) return 'a time'
  return 'a text'
}

function titleOf({ member, wanted, got, in: place }: MemberFinding): { title?: string } {
  const name = nameOf(member)
  if (!name) return {}
  if (got === undefined) return { title: `Leaves out ${name}` }
  if (place) return { title: `Returns another ${name} in a read than the update left` }
  if (wanted.kind === 'same value' && wanted.as === 'before')
    return { title: `Changes ${name} with an update` }
  if (wanted.kind === 'value' || wanted.kind === 'members')
    return { title: `Returns another ${name} than was sent` }
  return {}
}
