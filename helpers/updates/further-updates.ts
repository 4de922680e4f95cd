import { isDeepStrictEqual } from 'node:util'
import { acceptedBody, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Loan } from '../loans/lending.ts'
import { premise, type Task } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { Shared } from '../service/service.ts'
import { versionIn } from '../service/task-members.ts'
import type { Assignee } from '../service/update-request.ts'
import { createToken, needAnybody, type OfRun } from './controls.ts'
import { bodyOf, needUnassigned, send, type Update } from './sender.ts'
import { rowOn, type Updated } from './step.ts'

type FurtherUpdates = {
  byAnother?: Updated & { by: string; to: Assignee }
  sameAssignee: Updated & { sent: string }
  /** an update and an unassign with members beyond the contract, named like the task's own */
  foreignMembers: readonly Updated[]
  /** sent at once with the version of an answer to such an update, which no read had shown */
  atOnce: { updates?: Answer; unassigns?: Answer }
}

/** once per run: each update may cost a mail */
export function makeFurtherUpdates(
  deps: OfRun & { shared: Shared; people: Assignee[] },
): Promise<FurtherUpdates> {
  const { shared, lending, people, history } = deps
  return shared('further updates', (service) =>
    lending.lend(
      'unassigned',
      service,
      (loan) => goThrough(loan, people, createToken(history)),
      'first',
    ),
  )
}

async function goThrough(
  loan: Loan,
  people: readonly Assignee[],
  comment: string,
): Promise<FurtherUpdates> {
  const to = needAnybody(people)
  const another = people.find(
    ({ id, type }) => type === 'USER' && !isSameId(id, loan.actor) && !isSameId(id, to.id),
  )
  const row = rowOn({ ...loan, task: await needUnassigned(loan) })

  const tried = another && (await row.send({ to, comment: `${comment} a`, by: another.id }))
  const by = tried && isAccepted(tried.answer) ? another : undefined
  if (!by) premise((await row.send({ to })).answer)
  const sent = `${comment} b`
  const sameAssignee = Object.assign(await row.send({ to, comment: sent }), { sent })
  const team = people.find(({ type }) => type === 'TEAM')
  if (by && team) {
    // From a team that another user, who had taken it over, assigned it to with a comment: neither may stay.
    // That user unassigns it, too. Some programs take the text null for none, and others 0.
    await row.send({ to: by, comment: `${comment} f`, by: by.id })
    await row.send({ to: team, comment: 'null', by: by.id })
    if (isAccepted((await row.send({ to, comment: '' })).answer)) await row.send({ to })
    await row.send({ comment: `${comment} g`, by: by.id })
    await row.send({ to, comment: '0' })
  }
  const assigns = { to: another ?? to }
  const foreign = [await sendForeign(assigns), await sendForeign({}, assigns)] as const

  const kinds = {
    updates: { comment: `${comment} c` },
    unassigns: { to, comment: `${comment} d` },
  }
  const order = ['updates', 'unassigns'] as const
  const atOnce: FurtherUpdates['atOnce'] = {}
  let version: unknown = row.answered()
  // Nothing is read in between.
  for (const kind of isAccepted(foreign[1].answer) ? order.toReversed() : order) {
    if (typeof version !== 'string') break
    const answer = await send(loan, { ...kinds[kind], ifMatch: version })
    atOnce[kind] = answer
    version = versionIn(acceptedBody(answer) ?? {})
  }
  return {
    ...(another && tried && { byAnother: Object.assign(tried, { by: another.id, to }) }),
    ...{ sameAssignee, foreignMembers: foreign, atOnce },
  }

  /**
   * Sends them inside and outside `update` or `unassign`. If they were accepted, sends the former values the same
   * way, after `first` if the task has to be assigned for it.
   */
  async function sendForeign(update: Update, first?: Update): Promise<Updated> {
    const bodyWith = (members: object) => {
      const [[kind = '', fields] = []] = Object.entries(bodyOf(loan, update) as object)
      return { body: { [kind]: { ...fields, ...members }, ...members } }
    }
    const formerMembers = foreignMembersOf(row.task())
    const sent = await row.send(bodyWith(foreignMembers))
    if (namesTaken(sent.stored).length === 0) return sent
    if (first) await row.send(first)
    await row.send(bodyWith(formerMembers))
    return sent
  }
}

/** Members of a task that an update does not have, with values that no task has. */
export const foreignMembers = {
  name: 'Contract test, please ignore',
  c_name: 'Contract test, please ignore',
  custom_metadata: { contract_test: 'please ignore' },
}

const foreignNames = Object.keys(foreignMembers) as (keyof typeof foreignMembers)[]

/** The task's own values of them. */
const foreignMembersOf = (task: Task): object =>
  Object.fromEntries(foreignNames.map((name) => [name, task[name]]))

export const namesTaken = (task: Task): (keyof typeof foreignMembers)[] =>
  foreignNames.filter((member) => isDeepStrictEqual(task[member], foreignMembers[member]))
