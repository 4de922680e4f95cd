import { addTo } from '../../engine/grouped.ts'
import { isAccepted } from '../../engine/http/answers.ts'
import { queryIn } from '../export/ask/query.ts'
import { mistakesIn } from '../export/laws/invalid-queries.ts'
import { areAtOnce, isKeyed, isRead, type Moment, type Reader, type Seen } from '../service/seen.ts'
import type { Around, UpdateInHistory } from '../updates/seen-updates.ts'

const nameOf = (resource: unknown, id: unknown) => `${resource} ${id}`.toLowerCase()
const likeOf = ({ recorder, operation }: Seen) => `${recorder} ${operation}`
const placeOf = (seen: Seen) => `${likeOf(seen)} ${seen.id.toLowerCase()}`

/** The moments of these exchanges, in order; each is read again. */
export function* momentsIn(
  all: readonly Seen[],
  readAt: Reader,
  updates: ReadonlyMap<number, UpdateInHistory> = new Map(),
): Generator<Moment & Around> {
  const places = new Map<string, Seen[]>()
  const reads = new Map<string, Seen>()
  const controls = new Map<string, Seen>()
  let lastPair: Seen | undefined
  for (const one of all.filter(isKeyed)) {
    addTo(places, placeOf(one), one)
    // A request that is accepted with a mistake is judged beside one without, and is never a control.
    const isMistaken = !one.resource && mistakesIn(queryIn(one.query)).length > 0
    if (!isAccepted(one.answer) || isMistaken) continue
    const name = nameOf(one.resource, one.id)
    if (one.resource === 'assessment' && areAtOnce(reads.get(placeOf(one)), one)) lastPair = one
    if (isRead(one)) reads.set(name, one).set(placeOf(one), one)
    const names = [placeOf(one), likeOf(one), isRead(one) ? `${one.recorder}` : '']
    for (const name of names) controls.set(name, controls.get(name) ?? one)
  }
  const counts = new Map<string, number>()
  const last = new Map<string, Seen>()
  const pairs: Moment['pairs'] = { alike: 0, apart: [] }
  const whole = (one?: Seen) => one && readAt(one.number)
  for (const one of all) {
    const seen = whole(one)
    if (!seen) continue
    const { recorder, resource, id, status, number } = seen
    const [place, like, any] = [placeOf(seen), likeOf(seen), `${recorder}`]
    const [count, before, read] = [counts.get(place) ?? 0, last.get(place), last.get(any)]
    const alike = places.get(place) ?? []
    const former = alike[count - 1]
    yield {
      seen,
      get before() {
        return whole(before)
      },
      next: alike[count + Number(isKeyed(seen))],
      control: controls.get(place) ?? controls.get(like) ?? controls.get(any),
      isKnown: !resource || reads.has(nameOf(resource, id)),
      persists: status === 500 && former?.status === 500 && former.start < (read?.start ?? 0),
      read: (...named) => whole(reads.get(nameOf(...named))),
      pairs,
      isLastPair: one === lastPair,
      update: updates.get(number),
    }
    if (!isKeyed(seen)) continue
    counts.set(place, count + 1)
    if (isRead(seen) && isAccepted(seen.answer))
      for (const name of [place, any]) last.set(name, one)
  }
}
