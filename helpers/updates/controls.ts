import { NotDecidable, toSet } from '../../engine/outcome.ts'
import type { History } from '../history/history.ts'
import type { SettleWindow } from '../history/settle-window.ts'
import { type Lending, needActor } from '../loans/lending.ts'
import type { Task } from '../service/answers.ts'
import { plainComment } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import type { KnownIds } from '../service/known.ts'
import type { Assignee } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'

export const assigneesIn = ({ userIds, teamIds }: Settings): Assignee[] => [
  ...userIds.map((id): Assignee => ({ id, type: 'USER' })),
  ...teamIds.map((id): Assignee => ({ id, type: 'TEAM' })),
]

export const assigneeIn = (settings: Settings): Assignee | undefined => assigneesIn(settings)[0]

export function needChangers(settings: Settings): { actorId: string; to: Assignee } {
  const actorId = needActor(settings)
  const to = assigneeIn(settings)
  if (!to) throw new NotDecidable(...toSet(['USER_IDS'], ': users to assign to'))
  return { actorId, to }
}

export function needAnybody([first]: readonly Assignee[]): Assignee {
  if (!first) throw new NotDecidable(...toSet(['USER_IDS'], ': users whom the service accepts'))
  return first
}

export type OfRun = {
  history: History
  settleWindow: SettleWindow
  lending: Lending
  settings: Settings
  known: KnownIds
  stop: AbortSignal
}

export const othersThan = (people: readonly Assignee[], { assignment }: Pick<Task, 'assignment'>) =>
  people.filter(({ id }) => !isSameId(id, assignment?.assigned_to_id))

/** A unique comment, no longer than those of the sequences: a task that shows it identifies the update. */
export const createToken = ({ names }: Pick<History, 'names'>): string => plainComment(names.next())
