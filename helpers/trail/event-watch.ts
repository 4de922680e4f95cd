import { intersection, type Multiset } from '../../engine/files/multiset.ts'
import { isObject, jsonIn } from '../../engine/http/answers.ts'
import type { Origin } from '../../engine/origin.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { poll } from '../../engine/time/polling.ts'
import type { Watch } from '../aftermath/watch-during.ts'
import { createExports } from '../export/ask/exports.ts'
import { type Gain, gainsOf } from '../export/ask/gains.ts'
import type { Query } from '../export/ask/query.ts'
import { dayBefore } from '../export/ask/recent-hour.ts'
import { isSameId } from '../service/ids.ts'
import type { Settings } from '../settings/table.ts'
import { acceptedStepsOf, type Journey } from '../updates/legs.ts'
import { acceptedOf, type Step } from '../updates/step.ts'
import { commentTaken } from './mails.ts'

/** What the export shows of the updates of a journey. */
export type Trail = {
  updates: Step[]
  /** how many events it shows more than before, and by which filter */
  gained: number
  by: 'task_id' | 'entity_id'
  /** whether the events of the task's entity show a text */
  shows(text: string): boolean
  /**
   * how many events the filter by user finds: by who assigned, and by a user they were assigned to; the
   * comments that the former show, and the cells of those that it finds by either
   */
  foundWith: {
    assigner: number
    assignee: number
    showing: string[]
    either?: string[][] | undefined
  }
  /** asks for the file in which texts are looked for */
  query: Query
  /** the exports that show the events of the task, or of its entity, and those by user */
  shownBy: { events: Origin; byUser: Origin[] }
  /** whether there were enough events before the time was over */
  complete: boolean
  /** from the last update until then */
  milliseconds: number
}

/** How long another event may take: as long as those of the journey did, and longer by far. */
export const lateMsOf = ({ milliseconds }: Trail, { auditWaitS }: Pick<Settings, 'auditWaitS'>) =>
  Math.min(auditWaitS * 1000, Math.max(2000, 10 * milliseconds))

/** Waits for the events of a journey, while nobody else updates its task. */
export const trailOf =
  ({ settings, stop }: { settings: Settings; stop: AbortSignal }): Watch<Journey, Trail> =>
  async ({ task, service, shared }, travel) => {
    const exports = createExports(service, shared, 'repeat')
    // A service may take lists in brackets alone, also of one value.
    const bracketed = createExports(service, shared, 'brackets')
    const start = dayBefore(service)
    const { id: task_id, entity_id } = task
    const ofTaskAlone: Query = { start, metadata: { task_id } }
    const ofItsEntity: Query = { start, metadata: { entity_id: String(entity_id) } }
    const [gainedByTask, gainedByEntity] = await Promise.all([
      gainsOf(exports, ofTaskAlone),
      typeof entity_id === 'string'
        ? gainsOf(exports, ofItsEntity)
        : async (): Promise<Gain> => ({
            rows: new Map(),
            count: 0,
            text: '',
            refused: 'the task has no entity_id',
          }),
    ])
    const [gainedByAssigner, gainedByAssignee] = await Promise.all(
      [settings.actorId ?? '', anotherThanActor(settings) ?? ''].map((id) =>
        gainsOf(
          exports,
          { start, metadata: { task_id }, filters: { auditee_id: [id] } },
          bracketed,
        ),
      ),
    )
    const updates = acceptedStepsOf(await travel()).map(({ step }) => step)
    // Where answers do not agree on the entity, its events are nobody knows whose.
    const entitySure = updates.every((step) =>
      entitiesIn(step).every((id) => isSameId(id, entity_id)),
    )
    const comments = updates.flatMap((step) => commentTaken(step) ?? [])

    const began = performance.now()
    let soon: number | undefined
    const { last, milliseconds } = await poll(
      async () => {
        const [ofTask, ofEntity] = await Promise.all([gainedByTask(), gainedByEntity()])
        // Nobody else adds to those of the task; where there is none, they are the entity's alone.
        const by = ofTask.count > 0 || ofEntity.refused ? 'task_id' : 'entity_id'
        const counted = by === 'task_id' ? ofTask : ofEntity
        const isOfTask = ofEntity.refused || !entitySure
        const text = isOfTask ? ofTask : ofEntity
        const query = isOfTask ? ofTaskAlone : ofItsEntity
        return { by, counted, shown: text.text, text: text.answer, query } as const
      },
      ({ counted, shown }) => {
        const isEnough = counted.count >= updates.length
        if (isEnough) soon ??= performance.now() - began
        return isEnough && comments.every((comment) => shown.includes(comment))
      },
      { limitMs: settings.auditWaitS * 1000, stop, firstMs: 40 },
    )
    const { by, counted, shown, query } = last
    if (counted.refused)
      throw new NotDecidable('freedom', `${counted.refused}, and so is asking by entity_id`)
    if (counted.elsewhere) throw new NotDecidable('freedom', counted.elsewhere)
    // Some of them already: the others come.
    const assigned = async () => [await gainedByAssigner?.(), await gainedByAssignee?.()]
    const isPart = (gain: Gain | undefined) =>
      gain !== undefined && gain.count > 0 && gain.count < updates.length
    const { last: byUser } = await poll(assigned, (gains) => !gains.some(isPart), {
      limitMs: Math.max(1000, settings.auditWaitS * 1000),
      stop,
      firstMs: 40,
    })
    const [assigner = 0, assignee = 0] = byUser.map((gain) => gain?.count)
    const showing = comments.filter((comment) => byUser[0]?.showing?.(comment))
    const either = await foundByEither(showing, byUser, gainedByTask)
    return {
      updates,
      foundWith: { assigner, assignee, showing, either },
      shownBy: {
        events: [counted.answer, last.text],
        byUser: byUser.map((gain) => gain?.answer),
      },
      gained: counted.count,
      by,
      query,
      shows: (text) => shown.includes(text),
      complete: soon !== undefined,
      milliseconds: soon ?? milliseconds,
    }
  }

const entitiesIn = (step: Step): unknown[] => {
  const answered = jsonIn(acceptedOf(step))
  return [step.before, answered, step.stored].flatMap((task) =>
    isObject(task) ? [task.entity_id] : [],
  )
}

/**
 * The events that are found by the id of the one user and of the other, one event each time. An event is
 * told from other lines by the cells it fills: those of an event that shows a comment, or all but that.
 * Undefined where the filter may not have been taken.
 */
async function foundByEither(
  comments: readonly string[],
  [one, other]: readonly (Gain | undefined)[],
  withoutUser: () => Promise<Gain>,
): Promise<string[][] | undefined> {
  // An encoding that the service does not take may be passed over: then either finds all of them.
  if (!one || !other || one.otherwise !== other.otherwise || other.count >= one.count)
    return undefined
  const rowsOf = (gain: Multiset): string[][] => [...gain.keys()].map((key) => JSON.parse(key))
  const showsOne = (cell: string) => comments.some((comment) => cell.includes(comment))
  const commented = rowsOf(one.rows).filter((row) => row.some(showsOne))
  const isEvent = (row: string[]) =>
    commented.some((like) =>
      like.every((cell, at) => showsOne(cell) || (cell === '') === (row[at] === '')),
    )
  const both = rowsOf(intersection(one.rows, other.rows)).filter(isEvent)
  if (both.length === 0) return []
  // Of two events that look alike, the file without the filter shows both.
  const { rows } = await withoutUser()
  return both.filter((row) => {
    const times = (gain: Multiset) => gain.get(JSON.stringify(row)) ?? 0
    return times(rows) > 0 && times(one.rows) + times(other.rows) > times(rows)
  })
}

/** A user to assign to who is not the one who assigns: their events are to be told apart. */
export const anotherThanActor = ({
  userIds,
  actorId = '',
}: Pick<Settings, 'userIds' | 'actorId'>): string | undefined =>
  userIds.find((id) => !isSameId(id, actorId))
