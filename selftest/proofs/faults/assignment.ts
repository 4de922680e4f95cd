import type { Field, Operation, Update } from '../../../reference/calls/call.ts'
import { stated } from '../../../reference/rules/stated.ts'
import type { Assignment } from '../../../reference/world/world.ts'
import { wordsOf } from '../../long.ts'
import { lent } from '../bent/lent.ts'
import { byExactName } from '../bent/on-the-way.ts'
import { type Fault, fault, faultsBreaking, faultsNamed, tableOf } from '../fault.ts'
import { everyTransition, unmoved } from './transitions.ts'

const isUpdate = ({ op }: { op: Operation }) => op.startsWith('assign.')
const inAnswer = (at: Field, field: string) =>
  isUpdate(at) && at.resource === 'task' && at.field === field

const first = (list: string) => list.split(',')[0] ?? ''

const answers: Fault[] = [
  ...faultsNamed({
    'a charset behind the media type is refused': {
      contentTypeIsRight: ({ type }) => type === 'application/json',
      breaks: ['assign.header-forms'],
    },
    'If-Match is known by its name in lower case alone': {
      front: byExactName('if-match'),
      breaks: ['assign.header-forms'],
    },
    'no read ever shows an update, and one user is lent': {
      surroundings: lent(
        ({ TASK_IDS, USER_IDS, ACTOR_ID }) => ({
          ACTOR_ID,
          TASK_IDS: first(TASK_IDS),
          USER_IDS: first(USER_IDS),
        }),
        () => {},
        { open: { readLag: () => 3_600_000 } },
      ),
      breaks: ['assign.persisted', 'assign.unassigned-to-user'],
      mayBreak: ['version.model'],
    },
  }),
  ...['data_version', 'workflow_instance_id'].map((field) =>
    fault(`the answer to an update has no ${field}`, {
      fieldIsShown: (at) => !inAnswer(at, field),
      breaks: ['assign.answer-is-task'],
    }),
  ),
  ...faultsBreaking('assign.answer-is-task', {
    'the answer to an update names another task': {
      identifier: (at) => (inAnswer(at, 'id') ? '00000000-0000-4000-8000-000000000000' : at.value),
    },
    'the answer to an unassign has a number for a status': {
      fieldValue: (at) => (at.op === 'assign.unassign' && at.field === 'status' ? 0 : at.value),
    },
    'the answer to an update is empty': {
      answerText: (call) => (isUpdate(call) ? '' : JSON.stringify(call.resource)),
    },
    'the answer to an unassign is empty': {
      answerText: ({ op, resource }) => (op === 'assign.unassign' ? '' : JSON.stringify(resource)),
    },
    'the answer to an update is in an envelope': {
      answerText: (call) =>
        JSON.stringify(isUpdate(call) ? { data: call.resource } : call.resource),
    },
  }),
  ...faultsNamed({
    'the answer to an update is the task as it was before': {
      answered: ({ task }) => task,
      breaks: [
        ...everyTransition,
        ...wordsOf(`
          assign.fields-as-given assign.new-version.* assign.persisted assign.new-version
          version.history version.one-winner
        `),
      ],
      mayBreak: ['notify.all'],
    },
    'the answer shows the old assignment, and the new version': {
      answered: unmoved,
      breaks: [
        ...everyTransition,
        ...wordsOf('assign.fields-as-given assign.persisted version.one-winner'),
      ],
      // What an answer shows is taken for the state before the next update.
      mayBreak: [
        'notify.all',
        'assign.comment.plain',
        'assign.comment.null',
        'version.refused-changes-nothing',
      ],
    },
    'the answer shows the new assignment, and the old version': {
      answered: ({ task, after }) => ({ ...after, updated_at: task.updated_at }),
      breaks: ['assign.new-version', 'assign.new-version.*', 'version.history'],
    },
    'the answer shows a version that no read gives': {
      answered: ({ after }) => ({ ...after, updated_at: after.updated_at.replace(/^2/, '3') }),
      breaks: ['assign.new-version.shown'],
    },
    'updates are answered, and none is stored': {
      stored: ({ task }) => task,
      // From here on no task can be brought into the state that another transition starts in.
      breaks: [
        ...wordsOf(`
          assign.unassigned-to-* assign.persisted assign.new-version.shown version.one-winner
          version.history version.model
        `),
      ],
      // The answer to the next update may show the version of this one once more.
      mayBreak: ['assign.comment.plain', 'assign.new-version'],
    },
    'the comment is answered, and not stored': {
      stored: ({ after }) => ({
        ...after,
        assignment: after.assignment && { ...after.assignment, assignment_comment: null },
      }),
      breaks: ['assign.persisted', 'version.one-winner'],
      // Each kind of comment that was answered is not read.
      mayBreak: ['assign.comment.*'],
    },
  }),
]

const versions = tableOf<[string, (update: Update) => boolean]>([
  ['assigning', ({ op, task }) => op === 'assign.update' && !task.assignment],
  ['reassigning', ({ op, task }) => op === 'assign.update' && !!task.assignment],
  ['unassigning', ({ op }) => op === 'assign.unassign'],
  ['any update', () => true],
]).map(([what, only]) =>
  fault(`${what} leaves the version as it was`, {
    versionAfter: (update) => (only(update) ? update.task.updated_at : update.fresh),
    breaks: [
      'assign.new-version',
      'version.one-winner',
      ...(what === 'unassigning' ? [] : ['version.history']),
      ...(what === 'reassigning' || what === 'any update'
        ? ['assign.new-version.same-assignee']
        : []),
    ],
  }),
)

const sentAs = (name: string, bend: (update: Update) => Partial<Assignment>, breaks: string[]) =>
  fault(name, {
    assigned: (update) => ({ ...(stated.assigned(update) as Assignment), ...bend(update) }),
    breaks: ['assign.fields-as-given', ...breaks],
    // Mails go to whom the service took it for.
    mayBreak: ['notify.all'],
  })

const fields: Fault[] = [
  sentAs(
    'who assigned and to whom are swapped',
    ({ sent }) => ({ assigned_by_id: sent.assigned_to_id, assigned_to_id: sent.assigned_by_id }),
    [...everyTransition.filter((id) => id.includes('-to-')), 'version.model'],
  ),
  sentAs('the assigner is the assignee', ({ sent }) => ({ assigned_by_id: sent.assigned_to_id }), [
    'assign.by-another',
  ]),
  sentAs(
    'who assigned before is kept',
    ({ task }) => ({ ...(task.assignment && { assigned_by_id: task.assignment.assigned_by_id }) }),
    [],
  ),
  sentAs(
    'the assignee is kept from the assignment before',
    ({ task }) => ({ ...(task.assignment && { assigned_to_id: task.assignment.assigned_to_id }) }),
    ['assign.user-to-*', 'assign.team-to-*', 'version.model'],
  ),
  sentAs(
    'the type is kept from the assignment before',
    ({ task, sent }) => ({
      assigned_to_type: task.assignment?.assigned_to_type ?? sent.assigned_to_type,
    }),
    ['assign.user-to-team', 'version.model'],
  ),
  sentAs('teams are assigned to as users', () => ({ assigned_to_type: 'USER' }), [
    'assign.user-to-team',
    'assign.unassigned-to-team',
    'version.model',
  ]),
]

export const faults: Fault[] = [...answers, ...versions, ...fields]
