import { isAccepted, isObject, jsonIn } from '../../engine/http/answers.ts'
import { pause } from '../../engine/time/abort.ts'
import type { Assignment } from '../service/answers.ts'
import type { Service } from '../service/service.ts'

type Seen = Map<string, string>

const rounds = 2

/**
 * Which tasks change whenever another one is updated. Tasks may change by themselves: only one that
 * stands still while nothing is sent, and changes with every update, counts. The updates of other
 * clauses may be what changed it too, so before anything is held against the service, `alone` has
 * to see to it that there are none.
 */
export async function fetchChangedAlong(
  service: Service,
  among: {
    ids: readonly string[]
    settleMs: number
    stop: AbortSignal
    update: () => Promise<unknown>
    alone: () => Promise<unknown>
  },
): Promise<{ changed: string[]; restless: string[] }> {
  const { ids, settleMs, stop, update, alone } = among
  const before = await look(service, ids)
  await update()
  await pause(settleMs, stop)
  const now = await look(service, ids)
  let suspects = ids.filter((id) => before.get(id) !== now.get(id))
  if (suspects.length > 0) await alone()
  const restless: string[] = []
  for (let round = 1; round <= rounds && suspects.length > 0; round += 1) {
    const first = await look(service, suspects)
    await pause(settleMs, stop)
    const still = await look(service, suspects)
    const moving = suspects.filter((id) => first.get(id) !== still.get(id))
    restless.push(...moving)
    suspects = suspects.filter((id) => !moving.includes(id))
    await update()
    await pause(settleMs, stop)
    const after = await look(service, suspects)
    suspects = suspects.filter((id) => still.get(id) !== after.get(id))
  }
  return { changed: suspects, restless }
}

/** Assignment and version of each task, as one text to compare. */
async function look(service: Service, ids: readonly string[]): Promise<Seen> {
  const answers = await Promise.all(
    ids.map(async (id) => [id, await service.readTask(id)] as const),
  )
  return new Map(
    answers.map(([id, answer]) => {
      const body = isAccepted(answer) ? jsonIn(answer) : undefined
      const { assignment, updated_at } = isObject(body) ? body : {}
      return [id, JSON.stringify([updated_at, (assignment as Assignment | null) ?? null])]
    }),
  )
}
