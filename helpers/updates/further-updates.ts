import { isDeepStrictEqual } from 'node:util'
import { acceptedBody, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Loan } from '../loans/lending.ts'
import { premise, type Task } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { Service, Shared } from '../service/service.ts'
import { type Assignee, unassignBody, updateBody } from '../service/update-request.ts'
import { commentAt, needAnybody, needUnassigned, type OfRun } from './controls.ts'
import { rowOn, type SentBody } from './step.ts'

type FurtherUpdates = {
  byAnother?: SentBody & { by: string; to: Assignee }
  sameAssignee: SentBody & { sent: string }
  /** an update and an unassign with members beyond the contract, named like the task's own */
  foreignMembers: SentBody[]
  /** sent at once with the version of an answer to such an update, which no read had shown */
  atOnce: { updates?: Answer; unassigns?: Answer }
}

/** once per run: each update may cost a mail */
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
    const task = await needUnassigned(loan, actorId)
    const comment = commentAt(task.updated_at)
    const row = rowOn({ ...loan, task })
    const assign = (to: Assignee, text?: string, by = actorId) => row.send(updateBody(by, to, text))

    const tried = another && (await assign(to, `${comment} a`, another.id))
    const by = tried && isAccepted(tried.answer) ? another : undefined
    if (!by) premise((await assign(to)).answer)
    const sent = `${comment} b`
    const sameAssignee = Object.assign(await assign(to, sent), { sent })
    const team = people.find(({ type }) => type === 'TEAM')
    if (by && team) {
      // From a team that another user, who had taken it over, assigned it to with a comment: neither may stay.
      // That user unassigns it, too. Some programs take the text null for none, and others 0.
      await assign(by, `${comment} f`, by.id)
      await assign(team, 'null', by.id)
      if (isAccepted((await assign(to, '')).answer)) await assign(to)
      await row.send(unassignBody(by.id, `${comment} g`))
      await assign(to, '0')
    }
    const assigns = updateBody(actorId, another ?? to)
    const onUpdate = await sendForeign(['update', assigns.update])
    const unassigns = ['unassign', unassignBody(actorId).unassign] as const
    const onUnassign = await sendForeign(unassigns, assigns)

    const kinds = {
      updates: unassignBody(actorId, `${comment} c`),
      unassigns: updateBody(actorId, to, `${comment} d`),
    }
    const order = ['updates', 'unassigns'] as const
    const atOnce: FurtherUpdates['atOnce'] = {}
    let version: unknown = row.answered()
    // Directly to the service: nothing is read in between.
    for (const kind of isAccepted(onUnassign.answer) ? order.toReversed() : order) {
      if (typeof version !== 'string') break
      const answer = await service.put(task.id, version, kinds[kind])
      atOnce[kind] = answer
      version = acceptedBody(answer)?.updated_at
    }
    return {
      ...(another && tried && { byAnother: Object.assign(tried, { by: another.id, to }) }),
      ...{ sameAssignee, foreignMembers: [onUpdate, onUnassign], atOnce },
    }

    /**
     * Sends them inside and outside `update` or `unassign`. If they were accepted, sends the former values the same
     * way, after `first` if the task has to be assigned for it.
     */
    async function sendForeign(
      [kind, fields]: readonly ['update' | 'unassign', object],
      first?: object,
    ): Promise<SentBody> {
      const bodyWith = (members: object) => ({ [kind]: { ...fields, ...members }, ...members })
      const { name, c_name, custom_metadata } = row.task()
      const sent = await row.send(bodyWith(foreignMembers))
      if (namesTaken(sent.stored).length === 0) return sent
      if (first) await row.send(first)
      await row.send(bodyWith({ name, c_name, custom_metadata }))
      return sent
    }
  }
}

/** Members of a task that an update does not have, with values that no task has. */
export const foreignMembers = {
  name: 'Contract test, please ignore',
  c_name: 'Contract test, please ignore',
  custom_metadata: { contract_test: 'please ignore' },
}

export const namesTaken = (task: Task): (keyof typeof foreignMembers)[] =>
  (['name', 'c_name', 'custom_metadata'] as const).filter((member) =>
    isDeepStrictEqual(task[member], foreignMembers[member]),
  )
