// Each request becomes a moment as soon as later requests cannot add anything.

import { addTo } from '../../engine/grouped.ts'
import { isAccepted, isObject, type JsonObject, jsonIn } from '../../engine/http/answers.ts'
import { from } from '../../engine/origin.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import { lastingMembers } from '../reads/readings.ts'
import { unlessUndecided } from './findings.ts'
import { mistakesIn, queryIn } from './looks.ts'
import { isAlike, isAtOnce, isKeyed, type Moment, type Shown, type Update } from './moments.ts'
import { headOf, type Seen } from './recorded.ts'

type Begun = Omit<Moment, 'key' | 'control' | 'isKnown' | 'isEnd' | 'body'>

/** The longest text that is kept of an answer until the end of a recording. */
const mostText = 65_536

const likeOf = ({ recorder, operation }: Seen) => `${recorder} ${operation}`
const placeOf = (seen: Seen) => `${likeOf(seen)} ${seen.id.toLowerCase()}`
const nameOf = ({ resource, id }: Seen) => `${resource} ${id.toLowerCase()}`

const briefOf = ({ answer, recorder, operation, start, end, key, who }: Seen): Shown => ({
  ...{ recorder, operation, start, end, key, who },
  answer: headOf(answer),
})

/** the recorder keeps headers, and no gateway identifies the caller in another way */
const isBare = ({ key, requestHeaders }: Seen) =>
  key === 'none' &&
  ['user-agent', 'host', ':authority'].some((name) => name in requestHeaders) &&
  !('authorization' in requestHeaders || 'cookie' in requestHeaders)

const isMistaken = ({ operation, query }: Seen) =>
  operation === 'export' && mistakesIn(queryIn(query)).length > 0

function bodyIn({ answer, resource, method, id }: Seen): JsonObject | undefined {
  if (!resource || method !== 'GET' || !isUuid(id) || !isAccepted(answer)) return undefined
  try {
    const body = jsonIn(answer)
    return isObject(body) ? body : undefined
  } catch (error) {
    return unlessUndecided(error)
  }
}

/** Takes exchanges by their start; `close` gets each as a moment. */
export function createTimeline(close: (moment: Moment) => void) {
  const shown = new Map<string, Shown>()
  const keyed = new Set<number>()
  /** the first accepted request with a key, of a recorder and an operation; the last accepted read, of a recorder */
  const controls = new Map<string, Shown>()
  const alive = new Map<number, Shown>()
  const naming = new Map<string, JsonObject[]>()
  const pairs = { alike: 0, apart: 0, ids: new Set<string>() }
  const waiting: Begun[] = []
  /** those after which no request with a key has come to their places */
  const open = new Map<string, Begun[]>()

  const keyOf = (seen: Seen): Moment['key'] =>
    seen.key === 'none' && !(isBare(seen) && keyed.has(seen.recorder)) ? 'unknown' : seen.key

  const controlOf = ({ seen, before }: Begun): Shown | undefined => {
    const isLike = before?.recorder === seen.recorder && before.operation === seen.operation
    const other = controls.get(likeOf(seen)) ?? alive.get(seen.recorder)
    return isLike && (before.key === 'given' || other?.key !== 'given') ? before : other
  }

  const end = (begun: Begun, isEnd: boolean, body = bodyIn(begun.seen)) => {
    const { seen } = begun
    const isKnown = seen.operation === 'export' || shown.has(nameOf(seen))
    close({ ...begun, key: keyOf(seen), control: controlOf(begun), isKnown, isEnd, body })
  }

  const wait = ({ seen: { body: _, ...seen }, ...begun }: Begun) => {
    const isLong = seen.answer.text.length > mostText
    const answer = { ...seen.answer, ...((isLong || begun.update) && { text: '' }) }
    const left: Begun = { ...begun, isWhole: begun.isWhole && !isLong, seen: { ...seen, answer } }
    waiting.push(left)
    addTo(open, placeOf(seen), left)
  }

  /** Notes what a read shows, and adds to its moment what that is compared with. */
  const show = (begun: Begun, body: JsonObject | undefined) => {
    const { seen } = begun
    const { resource = 'task', answer } = seen
    const name = nameOf(seen)
    const now = body && from(lastingMembers(resource, body), answer)
    shown.set(name, { ...briefOf(seen), body: now })
    if (!now) return
    if (resource === 'assessment') {
      begun.namedBy = naming.get(name) ?? []
      naming.delete(name)
      return
    }
    const named = `assessment ${now.assessment_id}`.toLowerCase()
    begun.names = shown.get(named)
    const isNew = !naming.get(named)?.some(({ id }) => id === now.id)
    if (!begun.names && isNew) addTo(naming, named, now)
  }

  /** Whether an assessment, which has no version, differs from what a read showed just before. */
  const isApart = (begun: Begun, body: JsonObject | undefined): boolean => {
    const { seen, before } = begun
    if (seen.resource !== 'assessment' || !before?.body || !body) return false
    const isSame = isAlike(lastingMembers('assessment', body), before.body)
    if (isSame) pairs.alike += 1
    if (isSame || !isAtOnce(begun)) return false
    pairs.apart += 1
    pairs.ids.add(seen.id)
    return true
  }

  /** Ends what waits for the next request with a key at this place; whether one of them was answered 500 as well. */
  const endOpen = (seen: Seen): boolean => {
    const before = open.get(placeOf(seen)) ?? []
    open.delete(placeOf(seen))
    const next = { answer: headOf(seen.answer), who: seen.who }
    for (const each of before) each.next = next
    const last = alive.get(seen.recorder)?.start ?? 0
    return before.some((each) => each.seen.status === 500 && each.seen.start < last)
  }

  return {
    see(seen: Seen, update?: Update): void {
      const { recorder, resource, answer } = seen
      const before = resource && shown.get(nameOf(seen))
      const isWhole = seen.body !== undefined
      if (seen.key === 'given') keyed.add(recorder)
      const mayHaveKey = isKeyed({ key: keyOf(seen) })
      const persists = mayHaveKey && endOpen(seen) && seen.status === 500
      const begun: Begun = { seen, isWhole, before, persists, namedBy: [], pairs, update }
      // A request that is accepted with a mistake is judged beside one without, and is never a control.
      if (!mayHaveKey || !isAccepted(answer) || isMistaken(seen)) {
        wait(begun)
        return
      }
      const body = isWhole ? bodyIn(seen) : undefined
      const isDifferent = isApart(begun, body)
      if (resource && seen.method === 'GET') {
        show(begun, body)
        alive.set(recorder, briefOf(seen))
      }
      const control = controls.get(likeOf(seen))
      if (control?.key !== 'given' && (seen.key === 'given' || !control))
        controls.set(likeOf(seen), briefOf(seen))
      if (isDifferent || update || (isBare(seen) && !keyed.has(recorder))) wait(begun)
      else end(begun, false, body)
    },
    end(): void {
      for (const each of waiting) end(each, true)
    },
  }
}
