// What recorded traffic shows of keys.

import { isAccepted, isRefused } from '../../engine/http/answers.ts'
import { configured } from '../../engine/http/redaction.ts'
import { problemsOfStatus } from '../../engine/http/status.ts'
import { problemsOfAccepted } from '../service/must-refuse.ts'
import type { Operation } from '../service/operations.ts'
import type { Findings } from './findings.ts'
import { addTo } from './looks.ts'
import type { Seen } from './recorded.ts'

export const clausesOfKeys = (operations: readonly Operation[]): string[] => [
  'auth.refused-changes-nothing',
  ...operations.flatMap((operation) => [
    `auth.missing-key.${operation}`,
    `auth.invalid-key.${operation}`,
    `auth.key-case.${operation}`,
    ...(operation === 'export' ? [] : [`auth.before-lookup.${operation}`]),
  ]),
]

const placeOf = ({ recorder, operation }: Seen, id = '') =>
  `${recorder} ${operation} ${id.toLowerCase()}`

type Control = { exchange: number; ids: Set<string> }

/** The kinds of keys that must be refused, by the part of the clause's id. */
const kinds = { none: 'missing-key', wrong: 'invalid-key', 'another case': 'key-case' } as const

/**
 * Judges requests without a valid key. A missing header counts only if the recorder keeps headers: other
 * requests show a key, and this one shows a host or user-agent.
 */
export function createKeyLaws(findings: Findings) {
  const keyed = new Map<string, Control>()
  const locked = new Map<string, Seen[]>()
  const waiting = new Map<string, Seen[]>()

  const judge = (seen: Seen, control: Control, isOpen = false) => {
    const { operation, answer, key, id, number } = seen
    if (key === 'given') return
    const clause = `auth.${kinds[key]}.${operation}`
    const how = { key: key === 'none' ? null : '' }
    if (isAccepted(answer)) {
      const [owned] = problemsOfAccepted({ operation, how }, answer, configured)
      const problems = owned ? [{ ...owned, control: [control.exchange] }] : []
      return findings.judged(clause, problems, number)
    }
    if (!isRefused(answer) || answer.status === 429) return
    const isKnown = operation === 'export' || control.ids.has(id.toLowerCase())
    const owner = isKnown || answer.status !== 404 ? clause : `auth.before-lookup.${operation}`
    // Another 4xx may be for another mistake in the request; a 403 to a body may be a firewall's.
    const given = seen.requestBody === undefined ? [401, 403] : [401]
    if (owner === clause && !given.includes(answer.status)) return
    if (answer.status === 403 && !isKnown) return addTo(waiting, placeOf(seen, id), seen)
    // A wrong key may lock a resource: then the next request with a right one is refused too.
    if (answer.status === 403 && !isOpen) return addTo(locked, placeOf(seen, id), seen)
    findings.judged(owner, problemsOfStatus(answer, 401, { control: control.exchange }), number)
    if (answer.status === 401 && !isKnown)
      findings.decided([`auth.before-lookup.${operation}`], number)
  }

  return {
    see(seen: Seen) {
      const { answer, key, requestHeaders, id, number } = seen
      const place = placeOf(seen)
      const control = keyed.get(place)
      if (key === 'given') {
        const lock = placeOf(seen, id)
        if (control && isAccepted(answer))
          for (const each of locked.get(lock) ?? []) judge(each, control, true)
        locked.delete(lock)
        if (!isAccepted(answer)) return
        const known = control ?? { exchange: number, ids: new Set() }
        known.ids.add(id.toLowerCase())
        keyed.set(place, known)
        for (const at of [place, lock]) {
          const held = waiting.get(at) ?? []
          waiting.delete(at)
          for (const each of held) judge(each, known)
        }
        return
      }
      const isWhole = Object.keys(requestHeaders).some((name) =>
        /^(user-agent|host|:authority)$/.test(name),
      )
      // A gateway may know the caller otherwise.
      const isKnown = 'authorization' in requestHeaders || 'cookie' in requestHeaders
      if (key === 'none' && (!isWhole || isKnown)) return
      if (control) judge(seen, control)
      else addTo(waiting, place, seen)
    },
  }
}
