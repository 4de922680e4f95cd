import { isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { chance } from '../../engine/time/timers.ts'
import type { CurrentVersion } from '../loans/current-version.ts'
import type { Lending, Loan } from '../loans/lending.ts'
import { needActor } from '../loans/need-lendable.ts'
import { premise, type Task } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { Shared } from '../service/service.ts'
import { type Assignee, unassignBody, updateBody } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'

/** All possible assignees in the settings, users first. */
export const assigneesIn = ({ userIds, teamIds }: Settings): Assignee[] => [
  ...userIds.map((id): Assignee => ({ id, type: 'USER' })),
  ...teamIds.map((id): Assignee => ({ id, type: 'TEAM' })),
]

/** The assignee of updates that must not be carried out. */
export const assigneeIn = (settings: Settings): Assignee | undefined => assigneesIn(settings)[0]

export function needChangers(settings: Settings): { actorId: string; to: Assignee } {
  const actorId = needActor(settings)
  const to = assigneeIn(settings)
  if (!to) throw new NotDecidable('setting', 'set USER_IDS: users to assign to')
  return { actorId, to }
}

/** The first accepted assignee; without one the clause ends undecided. */
export function needAnybody([first]: readonly Assignee[]): Assignee {
  if (!first) throw new NotDecidable('setting', 'set USER_IDS: users whom the service accepts')
  return first
}

type OnLoan = Pick<Loan, 'task' | 'current'>

/** The task after an update that a clause needs; ends the clause if it is refused. */
export const needUpdated = async (current: CurrentVersion, on: Task, body: object): Promise<Task> =>
  premise(await current.put(on, body))

export const needUnassigned = async ({ task, current }: OnLoan, actor: string): Promise<Task> =>
  task.assignment ? needUpdated(current, task, unassignBody(actor)) : task

/** The task of a loan, assigned if it was unassigned. */
export const needAssigned = async (
  { task, current }: OnLoan,
  actor: string,
  to: Assignee,
): Promise<Task> => (task.assignment ? task : needUpdated(current, task, updateBody(actor, to)))

/** Those whom the task is not assigned to. */
export const othersThan = (people: readonly Assignee[], { assignment }: Pick<Task, 'assignment'>) =>
  people.filter(({ id }) => !isSameId(id, assignment?.assigned_to_id))

/** The body that assigns the task, or unassigns it. */
export const bodyFor = (actor: string, to: Assignee | null, comment?: string | null) =>
  to ? updateBody(actor, to, comment) : unassignBody(actor, comment)

/** A unique comment. The length limit is not shown, so it is no longer than those of the sequences. */
export const commentAt = (version: string): string =>
  `Contract test, please ignore ${version.replaceAll(/\D/g, '').slice(-12)}`

/** A unique comment of this or another run: a task that shows it identifies the update. */
export const createToken = (): string => `Contract test, please ignore ${chance.hex(12)}`

/** The control and its answers; `to` is undefined if every try was refused. */
export type Controls = {
  update: Answer
  unassign: Answer
  to?: Assignee
  /** whether the accepted update had a comment; which comments are accepted is not shown */
  commented: boolean
}

/**
 * The control of every refused update: the same update without a mistake, with a comment if that is
 * accepted. Which assignees are accepted is not shown, so all are tried until one is. Assigning and
 * unassigning together leave an unassigned task as it was.
 */
export function acceptedUpdates({ shared, lending, settings }: ControlDeps): Promise<Controls> {
  const { actorId } = needChangers(settings)
  return shared('accepted updates', (service) =>
    lending.lend('unassigned', service, async ({ task, current }) => {
      let refused: Answer | undefined
      for (const to of assigneesIn(settings))
        for (const comment of [commentAt(task.updated_at), undefined]) {
          const update = await current.put(task, updateBody(actorId, to, comment))
          if (isAccepted(update)) {
            const unassign = await current.put(premise(update), unassignBody(actorId))
            return { update, unassign, to, commented: comment !== undefined }
          }
          refused = update
          if (!mayBeOfWhat(update)) return { update, unassign: update, commented: true }
        }
      const last = refused as Answer
      return { update: last, unassign: last, commented: true }
    }),
  )
}

/** Whether another assignee or comment might be accepted. */
const mayBeOfWhat = ({ status }: Answer) => status !== 403 && status !== 409 && status < 500

type ControlDeps = { shared: Shared; lending: Lending; settings: Settings }
