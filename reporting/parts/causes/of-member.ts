import type { MemberFinding } from '../../../engine/findings/member.ts'
import {
  type Symptom,
  symptomOfRejected,
  symptomsOfText,
} from '../../../engine/findings/symptom.ts'
import { isObject } from '../../../engine/http/answers.ts'
import type { Exchange } from '../../../engine/http/exchange.ts'
import { ifMatchOf, versionIn } from '../evidence.ts'
import { isAccepted, type Scene } from './cause.ts'

/** What a member shows, and where, in place of what. */
export function causesOfMember(finding: MemberFinding, scene: Scene): Symptom[] {
  const { of, wanted, got, member, isAsBefore } = finding
  const { judged, route } = scene
  const { method, status = 0 } = judged
  if (method === 'PUT' && status >= 400) return [symptomOfRejected(status)]
  if (wanted.kind === 'new value')
    return [{ key: 'old version', title: `Does not change ${nameOf(member)} with an update` }]
  if (isOfVersionBefore(judged))
    return [{ key: 'old version', title: 'Responds to an update with the version before it' }]
  const text = textIn(finding)
  if (text !== undefined) return symptomsOfText(text, got, route)
  const whole = of.status === undefined ? of.resource : route
  return [
    ...changesIn(finding).map((change) => ({
      key: `${change.member || whole}: ${change.got}`,
      title: titleOf(finding, whole),
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

function titleOf({ member, wanted, got, in: place }: MemberFinding, whole: string): string {
  const name = nameOf(member)
  if (!name) return `Returns another body than is due: ${whole}`
  if (got === undefined) return `Leaves out ${name}`
  if (place) return `Returns another ${name} in a read than the update left`
  switch (wanted.kind) {
    case 'same value':
      return wanted.as === 'before'
        ? `Changes ${name} with an update`
        : `Returns different values of ${name}`
    case 'value':
    case 'members':
      return `Returns another ${name} than was sent`
    case 'any value':
      return `Returns no value of ${name}`
    case 'no value':
      return `Returns a value of ${name} that was not sent`
    default:
      return `Returns a wrong value of ${name}`
  }
}
