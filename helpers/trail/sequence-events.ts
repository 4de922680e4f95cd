import { type Case, caseOf } from '../../engine/clause/case.ts'
import { isNamed } from '../../engine/clause/chosen.ts'
import { isObject, jsonIn } from '../../engine/http/answers.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { type PollLimits, poll } from '../../engine/time/polling.ts'
import { clock } from '../../engine/time/timers.ts'
import type { Waiting } from '../../engine/time/waits.ts'
import { keyOf } from '../contract/metadata-keys.ts'
import { createExports } from '../export/ask/exports.ts'
import { dayBefore, filterBy, type Query } from '../export/ask/query.ts'
import type { WatchDeps } from '../loans/watch-during.ts'
import { premise } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { KnownIds } from '../service/known.ts'
import type { Shared } from '../service/service.ts'
import type { Settings } from '../settings/table.ts'
import type { SequenceView, Watcher } from '../updates/sequence.ts'
import { acceptedStepsOf, type UpdateSequence } from '../updates/sequence.ts'
import { acceptedOf, type Step } from '../updates/step.ts'
import type { Mailbox } from './mailbox.ts'
import { arrivalsOf, commentTaken } from './mails.ts'
import { type NewRows, newRowsOf } from './new-rows.ts'
import { showsWhole } from './traces.ts'

export type Trail = Awaited<ReturnType<ReturnType<typeof trailOf>>>

/** What a law needs of it, as data. */
export type ShownTrail = Omit<Trail, 'shows'>

export function caseOfTrail({ shows: _, ...trail }: Trail): Case<ShownTrail> {
  return caseOf(trail, { judged: [trail.shownBy.events, trail.updates.map(acceptedOf)] })
}

const noEntity: NewRows = { all: [], count: 0, refused: 'the task has no entity_id' }

const trailOf =
  ({ settings, stop, waiting }: Pick<PollLimits, 'stop' | 'waiting'> & { settings: Settings }) =>
  async ({ task, service, shared }: WatchDeps, makeUpdates: () => Promise<UpdateSequence>) => {
    const exports = createExports(service, shared, 'repeat')
    // A service may accept lists in brackets alone, even for one value, and refuse or ignore others.
    const bracketed = createExports(service, shared, 'brackets')
    const { id, entity_id } = task
    const ofTaskAlone: Query = { start: dayBefore(service), ...filterBy(keyOf.task, id) }
    const ofItsEntity = { ...ofTaskAlone, ...filterBy(keyOf.entity, String(entity_id)) }
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
    // If answers contradict each other about the entity, it is unknown.
    const isEntitySure = updates.flatMap(entitiesIn).every((id) => isSameId(id, entity_id))
    const comments = updates.flatMap((step) => commentTaken(step) ?? [])

    const began = clock.now()
    let soon: number | undefined
    const limitMs = settings.auditWaitS * 1000
    const { last, milliseconds } = await poll(
      async () => {
        const [ofTask, ofEntity] = await Promise.all([newByTask(), newByEntity()])
        // No other clause adds events to the task. If the task has none, only its entity's are known.
        const by = ofTask.count > 0 || ofEntity.refused ? keyOf.task : keyOf.entity
        const counted = by === keyOf.task ? ofTask : ofEntity
        const isOfTask = ofEntity.refused || !isEntitySure
        const { all, answer } = isOfTask ? ofTask : ofEntity
        const query = isOfTask ? ofTaskAlone : ofItsEntity
        const shows = (comment: string) => all.some((row) => showsWhole(row, comment))
        return { by, counted, shows, answer, query } as const
      },
      ({ counted, shows }) => {
        const isEnough = counted.count >= updates.length
        if (isEnough) soon ??= clock.now() - began
        return isEnough && comments.every(shows)
      },
      { limitMs, stop, firstMs: 40, waiting },
    )
    const { by, counted, query, shows } = last
    premise(
      !counted.refused,
      'freedom',
      `${counted.refused}, and so is a request by ${keyOf.entity}`,
    )
    if (counted.elsewhere) throw new NotDecidable('freedom', counted.elsewhere)
    // If some have arrived, the others will.
    const isPart = ({ count }: NewRows) => count > 0 && count < updates.length
    const look = (isIgnored: boolean) => Promise.all(newByUsers.map((each) => each(isIgnored)))
    const { last: byUser } = await poll(
      async () => {
        const plain = await look(false)
        const inBrackets = isAlike(plain) ? await look(true) : plain
        return isAlike(inBrackets) ? plain : inBrackets
      },
      (all) => !all.some(isPart),
      { limitMs: Math.max(1000, limitMs), stop, firstMs: 40, waiting },
    )
    const [assigner = 0, assignee = 0] = byUser.map(({ count }) => count)
    const found = byUser[0]?.all ?? []
    const showing = comments.filter((comment) => found.some((row) => showsWhole(row, comment)))
    const showsOne = (row: readonly string[]) => showing.some((each) => showsWhole(row, each))
    const own = new Set(found.filter(showsOne).map((row) => JSON.stringify(row)))
    const port = byUser[0]?.otherwise ? bracketed : exports
    /** Of each other user and team, the events with a comment that the filter finds by the assigner too. */
    const others = await Promise.all(
      othersThanActor(settings).map(async (id, at) => {
        const query = { ...ofTaskAlone, filters: { auditee_id: [id] } }
        const asked = async () => {
          const { csv, answer } = await port.csv(query)
          return { all: csv?.records ?? [], answer }
        }
        const { all, answer } = (at === 0 && byUser[1]) || (await asked())
        return { id, rows: all.filter((row) => own.has(JSON.stringify(row))), file: answer }
      }),
    )
    return {
      updates,
      /** `showing`: the comments in what the filter finds by the assigner */
      foundWith: { assigner, assignee, showing, others },
      shownBy: {
        events: [counted.answer, last.answer],
        byUser: byUser.map(({ answer }) => answer),
      },
      /** how many events the export shows more than before, and by which filter */
      newEvents: counted.count,
      by,
      query,
      shows,
      complete: soon !== undefined,
      milliseconds: soon ?? milliseconds,
      waitS: settings.auditWaitS,
    }
  }

/** A filter that is ignored finds as many events by one user as by another. */
const isAlike = ([one, other]: readonly NewRows[]) => one?.count === other?.count

const entitiesIn = (step: Step): unknown[] =>
  [step.before, jsonIn(acceptedOf(step)), step.stored].flatMap((task) =>
    isObject(task) ? [task.entity_id] : [],
  )

type Actors = Pick<Settings, 'userIds' | 'actorId'>
/** An assignable user other than the actor: the filter by user finds the events of one of them. */
export const anotherThanActor = ({ userIds, actorId = '' }: Actors): string | undefined =>
  userIds.find((id) => !isSameId(id, actorId))

function othersThanActor({ userIds, teamIds, actorId = '' }: Settings): string[] {
  const first = anotherThanActor({ userIds, actorId }) ?? ''
  const further = [...userIds, ...teamIds].filter(
    (id) => !isSameId(id, actorId) && !isSameId(id, first),
  )
  return [first, ...further]
}

/** How long another event may take: much longer than those of the sequence. */
export const lateMsOf = ({ milliseconds, waitS }: Trail) =>
  Math.min(waitS * 1000, Math.max(2000, 10 * milliseconds))

export function needComplete({ complete }: Trail): void {
  const missing = 'not every update was seen in an export'
  premise(complete, 'clause', missing, 'audit.assignment-recorded')
}

export function needTask(trail: Trail): string {
  needComplete(trail)
  const [first] = trail.updates
  const hidden = `events of a task are not found by ${keyOf.task}; the contract does not specify the fields of an event`
  if (trail.by !== keyOf.task || !first) throw new NotDecidable('freedom', hidden)
  return first.before.id
}

type Watching = {
  settings: Settings
  known: KnownIds
  mailbox: Mailbox | undefined
  stop: AbortSignal
  waits: Record<'emails' | 'events', Waiting>
}

export function createWatchers({ settings, known, mailbox, stop, waits }: Watching) {
  const tasks = known.tasks.map(({ id }) => id)
  const events = { settings, stop, waiting: waits.events }
  const emails = mailbox && { mailbox, settings, tasks, stop, waiting: waits.emails }
  return {
    events: isNamed('trail') ? { watch: trailOf(events) } : undefined,
    mails: emails && isNamed('arrivals') ? { watch: arrivalsOf(emails) } : undefined,
  }
}

export async function fetchFound<Found>(
  watcher: Watcher<Found> | undefined,
  deps: { sequence: SequenceView; shared: Shared; returning: Promise<void>[] },
): Promise<Found> {
  const { sequence, shared, returning } = deps
  await sequence.accepted('transitions')
  const found = await shared<Found>(watcher, async () => {
    throw new Error('no watcher was started before the transitions were made')
  })
  await Promise.all(returning)
  return found
}
