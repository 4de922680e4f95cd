// What the export shows of the updates of a sequence.

import { intersection, type Multiset } from '../../engine/files/multiset.ts'
import { isObject, jsonIn } from '../../engine/http/answers.ts'
import type { Origin } from '../../engine/origin.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { poll } from '../../engine/time/polling.ts'
import { createExports } from '../export/ask/exports.ts'
import { type NewRows, newRowsOf } from '../export/ask/new-rows.ts'
import type { Query } from '../export/ask/query.ts'
import { dayBefore } from '../export/ask/recent-hour.ts'
import type { Watch } from '../loans/watch-during.ts'
import { premise } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { Settings } from '../settings/table.ts'
import { acceptedStepsOf, type UpdateSequence } from '../updates/planned-steps.ts'
import { acceptedOf, type Step } from '../updates/step.ts'
import { commentTaken } from './mails.ts'

export type Trail = {
  updates: Step[]
  /** how many events the export shows more than before, and by which filter */
  newEvents: number
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

const noEntity: NewRows = {
  rows: new Map(),
  count: 0,
  text: '',
  refused: 'the task has no entity_id',
}

/** Waits for the events of a sequence, while nobody else updates its task. */
export const trailOf =
  ({ settings, stop }: { settings: Settings; stop: AbortSignal }): Watch<UpdateSequence, Trail> =>
  async ({ task, service, shared }, makeUpdates) => {
    const exports = createExports(service, shared, 'repeat')
    // A service may take lists in brackets alone, also of one value.
    const bracketed = createExports(service, shared, 'brackets')
    const { id: task_id, entity_id } = task
    const ofTaskAlone: Query = { start: dayBefore(service), metadata: { task_id } }
    const ofItsEntity = { ...ofTaskAlone, metadata: { entity_id: String(entity_id) } }
    const [newByTask, newByEntity] = await Promise.all([
      newRowsOf(exports, ofTaskAlone),
      typeof entity_id === 'string' ? newRowsOf(exports, ofItsEntity) : async () => noEntity,
    ])
    const newByUsers = await Promise.all(
      [settings.actorId ?? '', anotherThanActor(settings) ?? ''].map((id) =>
        newRowsOf(exports, { ...ofTaskAlone, filters: { auditee_id: [id] } }, bracketed),
      ),
    )
    const updates = acceptedStepsOf(await makeUpdates()).map(({ step }) => step)
    // Where answers do not agree on the entity, nobody knows whose its events are.
    const isEntitySure = updates.every((step) =>
      entitiesIn(step).every((id) => isSameId(id, entity_id)),
    )
    const comments = updates.flatMap((step) => commentTaken(step) ?? [])

    const began = performance.now()
    let soon: number | undefined
    const limitMs = settings.auditWaitS * 1000
    const { last, milliseconds } = await poll(
      async () => {
        const [ofTask, ofEntity] = await Promise.all([newByTask(), newByEntity()])
        // Nobody else adds to those of the task; where there is none, they are the entity's alone.
        const by = ofTask.count > 0 || ofEntity.refused ? 'task_id' : 'entity_id'
        const counted = by === 'task_id' ? ofTask : ofEntity
        const isOfTask = ofEntity.refused || !isEntitySure
        const { text, answer } = isOfTask ? ofTask : ofEntity
        const query = isOfTask ? ofTaskAlone : ofItsEntity
        return { by, counted, text, answer, query } as const
      },
      ({ counted, text }) => {
        const isEnough = counted.count >= updates.length
        if (isEnough) soon ??= performance.now() - began
        return isEnough && comments.every((comment) => text.includes(comment))
      },
      { limitMs, stop, firstMs: 40 },
    )
    const { by, counted, text, query } = last
    if (counted.refused)
      throw new NotDecidable('freedom', `${counted.refused}, and so is asking by entity_id`)
    if (counted.elsewhere) throw new NotDecidable('freedom', counted.elsewhere)
    // Some of them already: the others come.
    const isPart = ({ count }: NewRows) => count > 0 && count < updates.length
    const { last: byUser } = await poll(
      () => Promise.all(newByUsers.map((each) => each())),
      (all) => !all.some(isPart),
      { limitMs: Math.max(1000, limitMs), stop, firstMs: 40 },
    )
    const [assigner = 0, assignee = 0] = byUser.map(({ count }) => count)
    const showing = comments.filter((comment) => byUser[0]?.showing?.(comment))
    const either = await foundByEither(showing, byUser, newByTask)
    return {
      updates,
      foundWith: { assigner, assignee, showing, either },
      shownBy: {
        events: [counted.answer, last.answer],
        byUser: byUser.map(({ answer }) => answer),
      },
      newEvents: counted.count,
      by,
      query,
      shows: (part) => text.includes(part),
      complete: soon !== undefined,
      milliseconds: soon ?? milliseconds,
    }
  }

const entitiesIn = (step: Step): unknown[] =>
  [step.before, jsonIn(acceptedOf(step)), step.stored].flatMap((task) =>
    isObject(task) ? [task.entity_id] : [],
  )

/**
 * The events that are found by the id of the one user and of the other, one event each time. Events differ
 * from other lines in the cells that they fill: those of an event that shows a comment, or all but that.
 * Undefined where the service may not have taken the filter.
 */
async function foundByEither(
  comments: readonly string[],
  [one, other]: readonly NewRows[],
  withoutUser: () => Promise<NewRows>,
): Promise<string[][] | undefined> {
  // A service may pass over an encoding that it does not take: then either finds all of them.
  if (!one || !other || one.otherwise !== other.otherwise || other.count >= one.count)
    return undefined
  const rowsOf = (rows: Multiset): string[][] => [...rows.keys()].map((key) => JSON.parse(key))
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
    const times = (some: Multiset) => some.get(JSON.stringify(row)) ?? 0
    return times(rows) > 0 && times(one.rows) + times(other.rows) > times(rows)
  })
}

/** A user to assign to who is not the one who assigns: the filter by user finds the events of one of them. */
export const anotherThanActor = ({
  userIds,
  actorId = '',
}: Pick<Settings, 'userIds' | 'actorId'>): string | undefined =>
  userIds.find((id) => !isSameId(id, actorId))

/** How long another event may take: as long as those of the sequence did, and longer by far. */
export const lateMsOf = ({ milliseconds }: Trail, { auditWaitS }: Pick<Settings, 'auditWaitS'>) =>
  Math.min(auditWaitS * 1000, Math.max(2000, 10 * milliseconds))

/** Goes on only where every update of the sequence has its event. */
export function needComplete({ complete }: Trail): void {
  const missing = 'not every update was seen in an export'
  premise(complete, 'clause', missing, 'audit.assignment-recorded')
}

/** A task of which it was seen that the export finds its events. */
export function needTask(trail: Trail): string {
  needComplete(trail)
  const [first] = trail.updates
  const hidden =
    'events of a task are not found by task_id; the fields of a stored event are not shown'
  if (trail.by !== 'task_id' || !first) throw new NotDecidable('freedom', hidden)
  return first.before.id
}
