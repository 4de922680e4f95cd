import { isDeepStrictEqual } from 'node:util'
import { isAccepted, isObject, jsonIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import type { CurrentVersion } from '../loans/current-version.ts'
import type { Lending, Loan } from '../loans/lending.ts'
import { premise, type Task, taskIn } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { Service, Shared } from '../service/service.ts'
import { type Assignee, unassignBody, updateBody } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import { type CommentKind, commentKinds } from './comment-kinds.ts'
import { commentAt, needAnybody } from './controls.ts'
import type { JourneyView } from './journey.ts'

/** Updates beyond the table of transitions, one after another on one task. */
export type FurtherUpdates = {
  /** in the name of a second user, where one is known */
  byAnother?: { by: string; answer: Answer; to: Assignee }
  /** to the assignee that the task had already, with another comment and assigner */
  sameAssignee: { before: Task; answer: Answer; after: Task }
  /** with members that the contract does not name, which are names of the task's own */
  foreignMembers: { before: Task; answer: Answer; after: Task }
  /** sent at once with the version of the answer before, which no read had shown: of an update, an unassign */
  atOnce: { afterUpdate: Answer; afterUnassign?: Answer }
}

/** Makes them once a run: each update costs somebody a mail. */
export function makeFurtherUpdates(deps: {
  shared: Shared
  lending: Lending
  settings: Settings
  people: Assignee[]
}): Promise<FurtherUpdates> {
  const { shared, lending, settings, people } = deps
  const { actorId = '' } = settings
  const to = needAnybody(people)
  const another = people.find(
    ({ id, type }) => type === 'USER' && !isSameId(id, actorId) && !isSameId(id, to.id),
  )
  return shared('further updates', (service) =>
    lending.lend('unassigned', service, async ({ task: lent, current, used }) => {
      let task = lent
      /** From a team that another user assigned it to, whose name may stay. */
      const reassign = async (on: Task, by: string) => {
        const team = people.find(({ type }) => type === 'TEAM')
        if (!team) return on
        await current.put(on, updateBody(by, team))
        await current.put(await current.read(on.id), updateBody(actorId, to))
        return current.read(on.id)
      }
      if (task.assignment) task = premise(await current.put(task, unassignBody(actorId)))
      const comment = commentAt(task.updated_at)
      const tried = another && {
        by: another.id,
        to,
        answer: await current.put(task, updateBody(another.id, to, `${comment} a`)),
      }
      let before = await current.read(task.id)
      if (!tried || !isAccepted(tried.answer))
        before = premise(await current.put(before, updateBody(actorId, to)))
      const again = await current.put(before, updateBody(actorId, to, `${comment} b`))
      const after = isAccepted(again) ? await current.read(task.id) : before
      const found = tried && isAccepted(tried.answer) ? await reassign(after, tried.by) : after
      const more = await sendForeignMembers(current, found, updateBody(actorId, another ?? to))
      const latest = more.latest
      // Straight to the service: nothing is read in between.
      const sendAtOnce = async (version: string, body: object) => {
        const answer = await service.put(task.id, version, body)
        const answered = isAccepted(answer) ? jsonIn(answer) : undefined
        const next = isObject(answered) ? answered.updated_at : undefined
        if (isAccepted(answer) && next !== version) used.add(version)
        return { answer, next: typeof next === 'string' ? next : undefined }
      }
      const first = await sendAtOnce(latest, unassignBody(actorId, `${comment} c`))
      const second =
        first.next === undefined
          ? undefined
          : await sendAtOnce(first.next, updateBody(actorId, to, `${comment} d`))
      const atOnce = {
        afterUpdate: first.answer,
        ...(second ? { afterUnassign: second.answer } : {}),
      }
      return {
        byAnother: tried,
        sameAssignee: { before, answer: again, after },
        foreignMembers: more,
        atOnce,
      }
    }),
  )
}

/** Members of a task that no update names, with values that no task has. */
export const foreignMembers = {
  name: 'Contract test, please ignore',
  c_name: 'Contract test, please ignore',
  custom_metadata: { contract_test: 'please ignore' },
}

/** Sends them inside and outside of `update`; what took them gets the former values in the same way. */
async function sendForeignMembers(
  current: CurrentVersion,
  before: Task,
  { update }: ReturnType<typeof updateBody>,
) {
  const { name, c_name, custom_metadata } = before
  const bodyWith = (members: object) => ({ update: { ...update, ...members }, ...members })
  const answer = await current.put(before, bodyWith(foreignMembers))
  if (!isAccepted(answer)) return { before, answer, after: before, latest: before.updated_at }
  const after = await current.read(before.id)
  const isTaken = Object.entries(foreignMembers).some(([member, value]) =>
    isDeepStrictEqual(after[member], value),
  )
  const last = isTaken
    ? await current.put(after, bodyWith({ name, c_name, custom_metadata }))
    : answer
  // One that took the members and refuses the former values is told of by the clause.
  const { updated_at: latest } = isAccepted(last) ? taskIn(last) : after
  return { before, answer, after, latest }
}

/** The kinds of comments that the service was seen to accept. */
export async function fetchAcceptedKinds(journey: JourneyView): Promise<CommentKind[]> {
  const isTaken = async (kind: CommentKind) => {
    if (kind === 'omitted' || kind === 'null') return true
    const step =
      kind === 'plain'
        ? journey.step('transitions', 'user-to-user')
        : journey.step('comments', kind)
    return isAccepted((await step).answer)
  }
  const unlessUndecided = (error: unknown) => {
    if (error instanceof NotDecidable) return false
    throw error
  }
  const accepted: CommentKind[] = []
  for (const kind of commentKinds)
    if (await isTaken(kind).catch(unlessUndecided)) accepted.push(kind)
  return accepted
}

const maxRounds = 6
const readers = 4

type Beside = { lending: Lending; service: Service; actor: string; to: Assignee }

/**
 * Whether reads that are sent beside an update show the version of its answer, and beside an unassign: where
 * the service touches a task right after each answer, no later read can.
 */
export const versionsShownBeside = ({ lending, service, actor, to }: Beside) =>
  lending.lend('unassigned', service, async (loan) => {
    if (loan.task.assignment) premise(await loan.current.put(loan.task, unassignBody(actor)))
    const shown = { updates: false, unassigns: false }
    for (let round = 1; round <= maxRounds; round += 1) {
      shown.updates = (await isShownBeside(loan, service, updateBody(actor, to))) || shown.updates
      shown.unassigns = (await isShownBeside(loan, service, unassignBody(actor))) || shown.unassigns
      if (shown.updates && shown.unassigns) break
    }
    return shown
  })

async function isShownBeside(
  { task: { id }, current }: Loan,
  service: Service,
  body: object,
): Promise<boolean> {
  const task = await current.read(id)
  const seen = new Set<string>()
  let isAnswered = false
  const read = async () => {
    for (let isLast = false; !isLast; ) {
      isLast = isAnswered
      seen.add(taskIn(await service.readTask(id)).updated_at)
    }
  }
  const reading = Array.from({ length: readers }, read)
  const answer = await current.put(task, body).finally(() => {
    isAnswered = true
  })
  await Promise.all(reading)
  const version = isAccepted(answer) ? taskIn(answer).updated_at : undefined
  return version !== undefined && version !== task.updated_at && seen.has(version)
}
