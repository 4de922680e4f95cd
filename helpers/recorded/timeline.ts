// Puts recorded requests beside one another: each becomes a moment, as soon as what comes later can add nothing.

import { isAccepted, isObject, type JsonObject, jsonIn } from '../../engine/http/answers.ts'
import { from } from '../../engine/origin.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import { lastingMembers } from '../reads/readings.ts'
import { unlessUndecided } from './findings.ts'
import { addTo } from './looks.ts'
import {
  type Accepted,
  isAlike,
  isAtOnce,
  isKeyed,
  type Moment,
  type Pairs,
  type Shown,
} from './moments.ts'
import type { Seen } from './recorded.ts'

/** What of a moment is known when its request comes. */
type Begun = Pick<
  Moment,
  'seen' | 'isWhole' | 'before' | 'next' | 'persists' | 'names' | 'namedBy' | 'pairs'
>

/** More characters are not held for what may come: then the oldest moment is judged as it is. */
const mostHeld = 32_000_000
/** Of tasks whose assessment was not read, no more are kept. */
const mostNaming = 10_000

const placeOf = ({ recorder, operation }: Seen, id = '') =>
  `${recorder} ${operation} ${id.toLowerCase()}`
const nameOf = ({ resource, id }: Seen) => `${resource} ${id.toLowerCase()}`
const weightOf = ({ answer, requestBody = '' }: Seen) =>
  1000 + answer.text.length + 3 * requestBody.length

function briefOf({ answer, recorder, operation, end, key, who }: Seen): Accepted {
  const { sent: _, ...head } = answer
  return { recorder, operation, end, key, who, answer: { ...head, text: '', headers: {} } }
}

/** Whether a request without a key would show one: its recorder keeps headers, and no gateway knows the caller otherwise. */
const isBare = ({ key, requestHeaders }: Seen) =>
  key === 'none' &&
  ['user-agent', 'host', ':authority'].some((name) => name in requestHeaders) &&
  !('authorization' in requestHeaders || 'cookie' in requestHeaders)

function bodyIn({ answer, resource, method }: Seen): JsonObject | undefined {
  if (!resource || method !== 'GET' || !isAccepted(answer)) return undefined
  try {
    const body = jsonIn(answer)
    return isObject(body) ? body : undefined
  } catch (error) {
    return unlessUndecided(error)
  }
}

/** Takes exchanges by their start; `close` gets each as a moment, in time and memory for one exchange. */
export function createTimeline(close: (moment: Moment) => void) {
  const shown = new Map<string, Shown>()
  const known = new Set<string>()
  const controls = new Map<string, Accepted>()
  const keyed = new Set<number>()
  /** by their recorders: the last read that was accepted */
  const alive = new Map<number, Accepted & Pick<Seen, 'start'>>()
  const failed = new Map<string, number>()
  const naming = new Map<string, JsonObject[]>()
  const pairsOf = new Map<string, Pairs>()
  const waiting = new Set<Begun>()
  /** by their places: those after which no request with a key has come */
  const open = new Map<string, Set<Begun>>()
  let held = 0

  const keyOf = (seen: Seen): Moment['key'] =>
    seen.key === 'none' && !(isBare(seen) && keyed.has(seen.recorder)) ? 'unknown' : seen.key

  const controlOf = ({ seen, before }: Begun) => {
    const own = before?.recorder === seen.recorder ? before : undefined
    const other = controls.get(placeOf(seen))
    return own?.key === 'given' ? own : (other ?? own ?? alive.get(seen.recorder))
  }

  const end = (begun: Begun, isEnd: boolean, body = bodyIn(begun.seen)) => {
    const { seen } = begun
    const isKnown = seen.operation === 'export' || known.has(nameOf(seen))
    close({ ...begun, key: keyOf(seen), control: controlOf(begun), isKnown, isEnd, body })
  }

  const endWaiting = (begun: Begun, isEnd: boolean) => {
    waiting.delete(begun)
    held -= weightOf(begun.seen)
    open.get(placeOf(begun.seen, begun.seen.id))?.delete(begun)
    end(begun, isEnd)
  }

  const wait = (begun: Begun) => {
    const { body: _, ...seen } = begun.seen
    const left: Begun = { ...begun, seen }
    waiting.add(left)
    held += weightOf(seen)
    const place = placeOf(seen, seen.id)
    open.set(place, (open.get(place) ?? new Set()).add(left))
    for (const oldest of waiting) {
      if (held <= mostHeld) break
      endWaiting(oldest, false)
    }
  }

  /** Notes what a read shows; the members of a moment that depend on it. */
  const show = (seen: Seen, body: JsonObject | undefined): Pick<Begun, 'names' | 'namedBy'> => {
    const { resource = 'task', answer } = seen
    const name = nameOf(seen)
    const now = body && from(lastingMembers(resource, body), answer)
    shown.set(name, { ...briefOf(seen), body: now })
    if (!now) return { namedBy: [] }
    const named = `assessment ${now.assessment_id}`.toLowerCase()
    if (resource === 'task') {
      const names = shown.get(named)
      const tasks = naming.get(named) ?? []
      const isNew = !tasks.some(({ id }) => id === now.id)
      if (!names && isNew && naming.size < mostNaming) addTo(naming, named, now)
      return { names, namedBy: [] }
    }
    const namedBy = naming.get(name) ?? []
    naming.delete(name)
    return { namedBy }
  }

  /** How the read before it showed the resource; whether it differs from one just before it. */
  const compare = (begun: Begun, body: JsonObject): boolean => {
    const { seen, before, pairs } = begun
    if (!before?.body) return false
    const isSame = isAlike(lastingMembers(seen.resource ?? 'task', body), before.body)
    const isApart = !isSame && isAtOnce(begun)
    if (isSame) pairs.alike += 1
    if (isApart) pairs.apart += 1
    if (isApart) pairs.ids.add(nameOf(seen))
    return isApart
  }

  const persists = (seen: Seen): boolean => {
    const place = placeOf(seen, seen.id)
    if (isAccepted(seen.answer)) failed.delete(place)
    if (seen.status !== 500) return false
    const first = failed.get(place)
    failed.set(place, first ?? seen.start)
    return first !== undefined && (alive.get(seen.recorder)?.start ?? 0) > first
  }

  return {
    see(seen: Seen): void {
      const { recorder, operation, resource, answer } = seen
      const place = placeOf(seen, seen.id)
      if (seen.key === 'given') {
        keyed.add(recorder)
        for (const each of open.get(place) ?? [])
          each.next = { answer: briefOf(seen).answer, who: seen.who }
        open.delete(place)
      }
      const pairs = pairsOf.get(operation) ?? { alike: 0, apart: 0, ids: new Set() }
      pairsOf.set(operation, pairs)
      const isCounted = isKeyed({ key: keyOf(seen) })
      const begun: Begun = {
        seen,
        isWhole: seen.body !== undefined,
        before: resource && shown.get(nameOf(seen)),
        persists: isCounted && persists(seen),
        namedBy: [],
        pairs,
      }
      if (!isCounted || !isAccepted(answer)) {
        wait(begun)
        return
      }
      const body = begun.isWhole && isUuid(seen.id) ? bodyIn(seen) : undefined
      const isApart = body !== undefined && compare(begun, body)
      if (body) Object.assign(begun, show(seen, body))
      known.add(nameOf(seen))
      if (seen.method === 'GET' && resource)
        alive.set(recorder, { ...briefOf(seen), start: seen.start })
      const control = controls.get(placeOf(seen))
      if (control?.key !== 'given' && (seen.key === 'given' || !control))
        controls.set(placeOf(seen), briefOf(seen))
      if (isApart || (isBare(seen) && !keyed.has(recorder))) wait(begun)
      else end(begun, false, body)
    },
    end(): void {
      for (const each of waiting) endWaiting(each, true)
    },
  }
}
