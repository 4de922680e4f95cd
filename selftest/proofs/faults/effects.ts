import type { Reason, Update } from '../../../reference/calls/call.ts'
import { type Stated, stated } from '../../../reference/rules/stated.ts'
import type { Task } from '../../../reference/world/world.ts'
import { alsoFoundBy, type Fault, fault, faultsOf, tableOf } from '../fault.ts'

type AlsoStored = Stated['alsoStored']

/** Other tasks get the version that the update made. */
const touching =
  (which: AlsoStored): AlsoStored =>
  (update) =>
    which(update).map((task) => ({ ...task, updated_at: update.after.updated_at }))

/** A store that forgets each update some time after it was accepted, when the task is asked for. */
function forgetting(
  after: number,
  versionOf: (before: Task, now: Task) => string,
): Partial<Stated> {
  const made = new WeakMap<Task, { before: Task; at: number }>()
  return {
    stored: ({ task, after: now }) => {
      made.set(now, { before: task, at: Date.now() })
      return now
    },
    taskFor: ({ id, tasks }) => {
      const found = tasks.find((each) => each.id.toLowerCase() === id.toLowerCase())
      const update = found && made.get(found)
      if (!found || !update || Date.now() - update.at < after) return found
      made.delete(found)
      found.updated_at = versionOf(update.before, found)
      found.assignment = update.before.assignment
      return found
    },
  }
}

// The last look comes that long after the last request that is refused.
const around = { mayBreak: '*', env: { SETTLE_MS: '2000' } }

export const unshown = faultsOf('assign.answer-is-task ?*', 'answerText', {
  'the answer to an update without a comment is empty': ({ op, resource }) => {
    const { assignment } = resource as { assignment?: { assignment_comment?: string } }
    const isBare = op.startsWith('assign.') && !assignment?.assignment_comment
    return isBare ? '' : JSON.stringify(resource)
  },
})

export const faults = [
  ...(['created_at', 'entity_id', 'step_name', 'workflow_instance_id'] as const).map((field) =>
    fault(`an update changes ${field} too`, {
      stored: ({ after }) => ({
        ...after,
        [field]:
          { created_at: after.updated_at, step_name: 'Assigned' }[field as string] ?? after.id,
      }),
      breaks: 'assign.only-the-assignment ?audit.all-comments',
    }),
  ),
  ...faultsOf('assign.only-the-assignment', 'stored', {
    'a task without a name is given an empty one when it is assigned': ({ after }) =>
      after.assignment ? { ...after, name: after.name ?? '' } : after,
    'the second update of a task empties its custom_metadata': ({ task, after }) =>
      task.updated_at === task.created_at ? after : { ...after, custom_metadata: {} },
    'assigning to a team empties the custom_metadata of a task': ({ sent, after }) =>
      sent.assigned_to_type === 'TEAM' ? { ...after, custom_metadata: {} } : after,
    'unassigning writes into custom_metadata': ({ after }) =>
      after.assignment ? after : { ...after, custom_metadata: { open: true } },
    'an update names the task after its assignee': ({ after }) =>
      after.assignment ? { ...after, c_name: after.assignment.assigned_to_id } : after,
  }),
  ...faultsOf('assign.only-this-task ?task.read.repeatable', 'alsoStored', {
    'an update touches another task': touching(({ tasks }) => tasks.slice(-1)),
    'an update to a team touches another task': touching(({ after, tasks }) =>
      after.assignment?.assigned_to_type === 'TEAM' ? tasks.slice(-1) : [],
    ),
    'an update assigns another task too': ({ after, tasks }) =>
      tasks.slice(-1).map(({ assignment: _, updated_at: __, ...task }) => ({ ...after, ...task })),
  }),
  ...faultsOf('assign.only-this-task', 'alsoStored', {
    'an update touches one of the given tasks too': touching(({ after, tasks }) =>
      tasks.filter(({ id }) => id !== after.id).slice(0, 1),
    ),
    'an update touches the other tasks of its workflow instance': touching(({ after, tasks }) =>
      tasks.filter(
        ({ id, workflow_instance_id }) =>
          id !== after.id && workflow_instance_id === after.workflow_instance_id,
      ),
    ),
  }),
  ...faultsOf({
    'the answer to an update names another entity': {
      answered: ({ after }) => ({ ...after, entity_id: after.institution_id }),
      breaks: 'assign.only-the-assignment',
    },
    'an update assigns all tasks of the same assessment': {
      alsoStored: ({ after, tasks }) =>
        tasks
          .filter((each) => each.id !== after.id && each.assessment_id === after.assessment_id)
          .map((task) => ({ ...task, assignment: after.assignment, updated_at: after.updated_at })),
      breaks: 'assign.only-this-task ?task.read.repeatable ?assign.persisted.comment',
    },
    'tasks show a word in place of their assignment': {
      fieldValue: ({ field, value }) => (field === 'assignment' ? 'somebody' : value),
      breaks: `task.read.assignment assign.answer-is-task assign.fields-as-given assign.persisted assign.team-to-team
        assign.team-to-user assign.unassign-team assign.unassign-user assign.unassigned-to-team
        assign.unassigned-to-user assign.user-to-team assign.user-to-user`,
    },
    'updates are undone after a while': {
      ...forgetting(1000, ({ updated_at }) => updated_at),
      ...around,
      breaks: 'assign.persisted.version',
    },
    'updates are undone after a while, and the task has a new version then': {
      ...forgetting(1000, (_, now) => new Date(Date.parse(now.updated_at) + 1).toISOString()),
      likeOthers: true,
      ...around,
      breaks: 'assign.persisted.comment',
    },
  }),
]

/** What is stored, and so read, departs from what the answer showed. */
const inReads = (bend: (comment: string) => string): Partial<Stated> => ({
  stored: ({ after }) => {
    const { assignment } = after
    const comment = assignment?.assignment_comment
    if (!assignment || typeof comment !== 'string') return after
    return { ...after, assignment: { ...assignment, assignment_comment: bend(comment) } }
  },
})

const fromTeam = ({ task }: Update) => task.assignment?.assigned_to_type === 'TEAM'
const toTeam = ({ sent }: Update) => sent.assigned_to_type === 'TEAM'
/** Comments to teams are others. */
const toTeams = (bend: (comment: string) => string): Partial<Stated> => ({
  comment: ({ comment, ...update }) =>
    toTeam(update) && typeof comment === 'string' ? bend(comment) : comment,
})
const emoji = /[\u{10000}-\u{10ffff}]/gu

export const readBack = [
  ...faultsOf('assign.comment.plain', 'comment', {
    'a comment is lost on the way from a team to a user': ({ comment, ...update }) =>
      fromTeam(update) && !toTeam(update) ? null : comment,
    'a comment is lost on the way from a team to another': ({ comment, ...update }) =>
      fromTeam(update) && toTeam(update) ? null : comment,
    'a comment is lost where nobody was assigned before': ({ task, comment }) =>
      task.assignment ? comment : null,
  }).map(alsoFoundBy('assign.comment.*')),
  ...faultsOf('assign.comment.emoji', {
    'emoji of a comment are lost in reads': inReads((comment) => comment.replaceAll(emoji, '?')),
    'emoji are lost in comments to teams': toTeams((comment) => comment.replaceAll(emoji, '')),
  }),
  ...faultsOf('assign.comment.quotes assign.comment.newlines', {
    'quotes and markup of a comment are escaped in reads': inReads((comment) =>
      comment.replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    ),
    'quotes are doubled in comments to teams': toTeams((comment) => comment.replaceAll('"', '""')),
  }),
  ...faultsOf('assign.comment.newlines', inReads, {
    'line breaks of a comment become spaces in reads': (comment) => comment.replaceAll('\n', ' '),
  }),
  ...faultsOf('assign.comment.long', inReads, {
    'a comment of 255 characters and more is cut in reads': (comment) => comment.slice(0, 255),
  }),
  ...faultsOf('assign.comment.non-latin', toTeams, {
    'Greek and Cyrillic letters are lost in comments to teams': (comment) =>
      comment.replaceAll(/[\u0370-\u04ff]/g, ''),
  }),
  ...faultsOf({
    'letters of other scripts become question marks in reads': {
      ...inReads((comment) => comment.replaceAll(/[^ -\u00ff\n]/g, '?')),
      breaks: `assign.comment.non-latin assign.comment.emoji ?assign.comment.right-to-left
        ?assign.comment.newlines`,
    },
    'a comment of null leaves the one before': {
      comment: ({ task, sent, comment }) =>
        sent.assignment_comment === null ? (task.assignment?.assignment_comment ?? null) : comment,
      breaks: 'assign.comment.null',
    },
    'who assigned stays when a team’s task goes on': {
      assigned: ({ task, sent, comment }) => ({
        ...sent,
        assigned_by_id:
          task.assignment?.assigned_to_type === 'TEAM'
            ? task.assignment.assigned_to_id
            : sent.assigned_by_id,
        assignment_comment: comment,
      }),
      breaks: 'assign.fields-as-given',
    },
  }),
]

type Refused = Update & { reason: Reason }
type When = number | 'next change' | 'replica'

const kinds = tableOf<[what: string, op: string, reason: Reason, breaks: string]>([
  ['an update without If-Match', 'assign.update', 'no if-match', 'version.required'],
  ['an unassign without If-Match', 'assign.unassign', 'no if-match', 'version.required.unassign'],
  [
    'an update with a wrong If-Match',
    ...(['assign.update', 'version mismatch', 'version.refused-changes-nothing'] as const),
  ],
  [
    'an update without assigned_by_id',
    ...(['assign.update', 'invalid body', 'assign.required.assigned_by_id'] as const),
  ],
  [
    'an unassign without a key',
    ...(['assign.unassign', 'unauthorized', 'auth.refused-changes-nothing'] as const),
  ],
])

const describeWhen = (when: When) => {
  if (when === 'replica') return 'in what reads show alone'
  return when === 'next change' ? 'with the next accepted one' : `${when} ms later`
}

const filled: typeof stated.assigned = ({ sent, comment }) => ({
  ...sent,
  assigned_by_id: sent.assigned_by_id ?? '00000000-0000-4000-8000-000000000000',
  assignment_comment: comment,
})

const later = (isSo: (refused: Refused) => boolean, when: number | 'next change') => ({
  assigned: filled,
  effectOfRefusal: (refused: Refused) => (isSo(refused) ? when : ('none' as const)),
})

/** What is carried out there is lost with the next change. */
function inReplica(isSo: (refused: Refused) => boolean): Partial<Stated> {
  const shown = new Map<string, { of: string; task: Task }>()
  const taskOf = ({ task, op, sent }: Update): Task => ({
    ...task,
    assignment:
      op === 'assign.unassign'
        ? null
        : filled({ sent, comment: sent.assignment_comment ?? null } as never),
    updated_at: task.updated_at.replace(/\d(?=Z$)/, (digit) => String((Number(digit) + 1) % 10)),
  })
  return {
    effectOfRefusal: (refused) => {
      if (isSo(refused))
        shown.set(refused.task.id, { of: refused.task.updated_at, task: taskOf(refused) })
      return 'none'
    },
    taskFor: (call) => {
      const task = stated.taskFor(call)
      const other = shown.get(call.id)
      return call.op === 'task.read' && other && other.of === task?.updated_at ? other.task : task
    },
  }
}

export const lateEffects: Fault[] = ([200, 'next change', 'replica'] as const).flatMap((when) =>
  kinds.map(([what, op, reason, breaks]) => {
    // Of invalid bodies the one that lacks who assigns.
    const isSo = (refused: Refused) =>
      refused.op === op &&
      refused.reason === reason &&
      (reason !== 'invalid body' || !('assigned_by_id' in refused.sent))
    return fault(`${what} is refused, and carried out ${describeWhen(when)}`, {
      ...(when === 'replica' ? inReplica(isSo) : later(isSo, when)),
      breaks,
      mayBreak: `
        assign.persisted assign.comment.* auth.invalid-besides.* task.read.assignment version.*
      `,
      env: { SETTLE_MS: '400' },
    })
  }),
)
