import { isDeepStrictEqual } from 'node:util'
import { acceptedBody, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { after } from '../../engine/origin.ts'
import type { CurrentVersion } from '../loans/current-version.ts'
import type { Lending, Loan } from '../loans/lending.ts'
import { type Task, taskIn } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { Service, Shared } from '../service/service.ts'
import { type Assignee, unassignBody, updateBody } from '../service/update-request.ts'
import { commentAt, needAnybody, needUnassigned, needUpdated, type OfRun } from './controls.ts'
import { asCase } from './step.ts'

/** Updates beyond the table of transitions, one after another on one task. */
type FurtherUpdates = {
  /** in the name of a second user, if one is known */
  byAnother?: { by: string; answer: Answer; to: Assignee }
  /** to the current assignee, with another comment and assigner */
  sameAssignee: { sent: string; before: Task; answer: Answer; stored: Task }
  /** an update and an unassign with members beyond the contract, named like the task's own */
  foreignMembers: WithForeignMembers[]
  /** sent at once with the version of an answer to such an update, which no read had shown */
  atOnce: { updates?: Answer; unassigns?: Answer }
}

export type WithForeignMembers = { before: Task; answer: Answer; stored: Task }

/** Makes them once per run: each update may cost a mail. */
export function makeFurtherUpdates(
  deps: OfRun & { shared: Shared; people: Assignee[] },
): Promise<FurtherUpdates> {
  const { shared, lending, settings, people } = deps
  const { actorId = '' } = settings
  const to = needAnybody(people)
  const another = people.find(
    ({ id, type }) => type === 'USER' && !isSameId(id, actorId) && !isSameId(id, to.id),
  )
  return shared('further updates', (service) =>
    lending.lend('unassigned', service, (loan) => goThrough(loan, service), 'first'),
  )

  async function goThrough(loan: Loan, service: Service): Promise<FurtherUpdates> {
    const { current } = loan
    /** Sends them one after another: the task as read after the last, and whether that was accepted. */
    const putInRow = async (on: Task, ...bodies: object[]) => {
      let [last, isTaken] = [on, false]
      for (const body of bodies) {
        isTaken = isAccepted(await current.put(last, body))
        last = await current.read(on.id)
      }
      return { last, isTaken }
    }
    /**
     * From a team that another user, who had taken it over, assigned it to with a comment: neither may stay.
     * That user unassigns it, too. Some programs take the text null for none, and others 0.
     */
    const reassign = async (on: Task, by: string) => {
      const team = people.find(({ type }) => type === 'TEAM')
      if (!team) return on
      const taken = updateBody(by, { id: by, type: 'USER' }, `${comment} f`)
      const back = updateBody(actorId, to, '')
      const { last, isTaken } = await putInRow(on, taken, updateBody(by, team, 'null'), back)
      const plain = isTaken ? [] : [updateBody(actorId, to)]
      const unassigned = unassignBody(by, `${comment} g`)
      return (await putInRow(last, ...plain, unassigned, updateBody(actorId, to, '0'))).last
    }
    const task = await needUnassigned(loan, actorId)
    const comment = commentAt(task.updated_at)
    const inOtherName = another && updateBody(another.id, to, `${comment} a`)
    const tried =
      another && after({ by: another.id, to, answer: await current.put(task, inOtherName) }, task)
    let before = await current.read(task.id)
    if (!tried || !isAccepted(tried.answer))
      before = await needUpdated(current, before, updateBody(actorId, to))
    const sent = `${comment} b`
    const again = await current.put(before, updateBody(actorId, to, sent))
    const now = await current.read(task.id)
    const found = tried && isAccepted(tried.answer) ? await reassign(now, tried.by) : now
    const assigns = updateBody(actorId, another ?? to)
    const onUpdate = await sendForeignMembers(current, found, ['update', assigns.update])
    const unassigns = ['unassign', unassignBody(actorId).unassign] as const
    const onUnassign = await sendForeignMembers(current, onUpdate.last, unassigns, assigns)
    const kinds = {
      updates: unassignBody(actorId, `${comment} c`),
      unassigns: updateBody(actorId, to, `${comment} d`),
    }
    const order = ['updates', 'unassigns'] as const
    const atOnce: FurtherUpdates['atOnce'] = {}
    let version: unknown = onUnassign.last.updated_at
    // Directly to the service: nothing is read in between.
    for (const kind of isAccepted(onUnassign.answer) ? order.toReversed() : order) {
      if (typeof version !== 'string') break
      const answer = await service.put(task.id, version, kinds[kind])
      atOnce[kind] = answer
      version = acceptedBody(answer)?.updated_at
    }
    return {
      byAnother: tried,
      sameAssignee: asCase({ sent, before, answer: again, stored: now }),
      foreignMembers: [onUpdate, onUnassign],
      atOnce,
    }
  }
}

/** Members of a task that an update does not have, with values that no task has. */
export const foreignMembers = {
  name: 'Contract test, please ignore',
  c_name: 'Contract test, please ignore',
  custom_metadata: { contract_test: 'please ignore' },
}

/**
 * Sends them inside and outside `update` or `unassign`. If they were accepted, sends the former values the
 * same way, after `first` if the task has to be assigned for it.
 */
async function sendForeignMembers(
  current: CurrentVersion,
  before: Task,
  [kind, fields]: readonly ['update' | 'unassign', object],
  first?: object,
): Promise<WithForeignMembers & { last: Task }> {
  const { name, c_name, custom_metadata } = before
  const bodyWith = (members: object) => ({ [kind]: { ...fields, ...members }, ...members })
  const answer = await current.put(before, bodyWith(foreignMembers))
  if (!isAccepted(answer)) return asCase({ before, answer, stored: before, last: before })
  const stored = await current.read(before.id)
  const sent = asCase({ before, answer, stored })
  if (namesTaken(stored).length === 0) return Object.assign(sent, { last: taskIn(answer) })
  const ready = first ? await current.put(stored, first) : undefined
  const on = ready && isAccepted(ready) ? await current.read(before.id) : stored
  const undone = await current.put(on, bodyWith({ name, c_name, custom_metadata }))
  // If the members were accepted and the former values are refused, the clause says so.
  return Object.assign(sent, { last: isAccepted(undone) ? taskIn(undone) : on })
}

/** The members that a task shows with the sent values. */
export const namesTaken = (task: Task): (keyof typeof foreignMembers)[] =>
  (['name', 'c_name', 'custom_metadata'] as const).filter((member) =>
    isDeepStrictEqual(task[member], foreignMembers[member]),
  )

const maxRounds = 6
const readers = 4

type Beside = { lending: Lending; service: Service; actor: string; to: Assignee }

/**
 * Whether reads during an update, and during an unassign, show the version of its answer: after a
 * background touch, no later read can.
 */
export const versionsShownBeside = ({ lending, service, actor, to }: Beside) =>
  lending.lend('unassigned', service, async (loan) => {
    await needUnassigned(loan, actor)
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
