import type { Field, Operation, Update } from '../../../reference/calls/call.ts'
import { type Stated, stated } from '../../../reference/rules/stated.ts'
import type { Assignment, Task } from '../../../reference/world/world.ts'
import { wordsOf } from '../../long.ts'
import { byExactName, lent, oneOfEach } from '../bent/around.ts'
import { type Fault, fault, faultsOf, tableOf } from '../fault.ts'

const transitions = {
  'unassigned-to-user': ['unassigned', 'USER'],
  'user-to-user': ['USER', 'USER'],
  'user-to-team': ['USER', 'TEAM'],
  'team-to-team': ['TEAM', 'TEAM'],
  'team-to-user': ['TEAM', 'USER'],
  'unassign-user': ['USER', 'unassigned'],
  'unassigned-to-team': ['unassigned', 'TEAM'],
  'unassign-team': ['TEAM', 'unassigned'],
} as const

const everyTransition = Object.keys(transitions).map((name) => `assign.${name}`)

/** Whether an update takes a task from the one state to the other. */
const goes = ({ op, task, sent }: Update, [from, to]: readonly [string, string]) =>
  (task.assignment?.assigned_to_type ?? 'unassigned') === from &&
  (op === 'assign.unassign' ? 'unassigned' : sent.assigned_to_type) === to

// Which transitions they make depends on who comes first, and on where the walk leads.
const chance = ['version.model', 'version.one-winner', 'version.history']

/** The task as an update leaves it that changes everything but the assignment. */
const unmoved = ({ task, after }: Update & { after: Task }): Task => ({
  ...after,
  assignment: task.assignment,
})

const perTransition: Fault[] = Object.entries(transitions).flatMap(([name, way]): Fault[] => {
  const only = (bend: Stated['stored']): Stated['stored'] => {
    return (update) => (goes(update, way) ? bend(update) : update.after)
  }
  return [
    fault(`${name} is refused`, {
      transitionRefusal: (update) => (goes(update, way) ? 422 : undefined),
      breaks: [`assign.${name}`],
      mayBreak: chance,
    }),
    fault(`${name} is accepted, and nothing is done`, {
      stored: only(unmoved),
      answered: only(unmoved),
      breaks: [`assign.${name}`, ...(way[1] === 'unassigned' ? [] : ['assign.fields-as-given'])],
      mayBreak: [...chance, 'assign.comment.plain'],
    }),
    ...(['unassigned-to-team', 'user-to-user', 'unassign-user'].includes(name)
      ? [
          fault(`${name} is answered, and not stored`, {
            stored: only(unmoved),
            breaks: [`assign.${name}`, 'assign.persisted'],
            mayBreak: [...chance, 'assign.comment.*', 'assign.persisted.comment'],
          }),
        ]
      : []),
  ]
})

const noTeams = fault('every team is refused as an assignee, and no user', {
  held: (given) => (given.assigned_to_type === 'USER' ? given : null),
  personIsTaken: ({ field, sent }) =>
    field === 'assigned_by_id' || sent.assigned_to_type === 'USER',
  breaks: 'assign.unassigned-to-team assign.user-to-team',
})

/** Where a comment is given, and where none is. */
const withAndWithout = (['USER', 'TEAM'] as const).flatMap((type) =>
  [true, false].map((isCommented): Fault => {
    const isMeant = ({ op, task, sent }: Update) =>
      op === 'assign.unassign' &&
      task.assignment?.assigned_to_type === type &&
      !!sent.assignment_comment === isCommented
    const kept: Stated['stored'] = (update) => (isMeant(update) ? unmoved(update) : update.after)
    const kind = type === 'USER' ? 'user' : 'team'
    return fault(
      `unassigns of a ${kind} ${isCommented ? 'with' : 'without'} a comment are accepted, and nothing is done`,
      {
        stored: kept,
        answered: kept,
        breaks: [`assign.unassign-${kind}`],
        mayBreak: [...chance, 'assign.*'],
      },
    )
  }),
)

export const transitionFaults: Fault[] = [...perTransition, noTeams, ...withAndWithout]

const isUpdate = ({ op }: { op: Operation }) => op.startsWith('assign.')
const inAnswer = (at: Field, field: string) =>
  isUpdate(at) && at.resource === 'task' && at.field === field

const answers: Fault[] = [
  ...['data_version', 'workflow_instance_id'].map((field) =>
    fault(`the answer to an update has no ${field}`, {
      fieldIsShown: (at) => !inAnswer(at, field),
      breaks: 'assign.answer-is-task',
    }),
  ),
  ...faultsOf('assign.answer-is-task', 'answerText', {
    'the answer to an update is empty': (call) =>
      isUpdate(call) ? '' : JSON.stringify(call.resource),
    'the answer to an unassign is empty': ({ op, resource }) =>
      op === 'assign.unassign' ? '' : JSON.stringify(resource),
    'the answer to an update is in an envelope': (call) =>
      JSON.stringify(isUpdate(call) ? { data: call.resource } : call.resource),
  }),
  ...faultsOf('assign.answer-is-task', {
    'the answer to an update names another task': {
      identifier: (at) => (inAnswer(at, 'id') ? '00000000-0000-4000-8000-000000000000' : at.value),
    },
    'the answer to an unassign has a number for a status': {
      fieldValue: (at) => (at.op === 'assign.unassign' && at.field === 'status' ? 0 : at.value),
    },
  }),
  ...faultsOf({
    'a charset behind the media type is refused': {
      contentTypeIsRight: ({ type }) => type === 'application/json',
      breaks: 'assign.header-forms',
    },
    'If-Match is known by its name in lower case alone': {
      front: byExactName('if-match'),
      breaks: 'assign.header-forms',
    },
    'no read ever shows an update, and one user is lent': {
      surroundings: lent(oneOfEach, { open: { readLag: () => 3_600_000 } }),
      breaks: 'assign.persisted assign.unassigned-to-user ?version.model',
    },
    'the answer to an update is the task as it was before': {
      answered: ({ task }) => task,
      breaks: [
        ...everyTransition,
        ...wordsOf(`
          assign.fields-as-given assign.new-version.* assign.persisted assign.new-version
          version.history version.one-winner
        `),
      ],
      mayBreak: 'notify.all',
    },
    'the answer shows the old assignment, and the new version': {
      answered: unmoved,
      breaks: [
        ...everyTransition,
        ...wordsOf('assign.fields-as-given assign.persisted version.one-winner'),
      ],
      mayBreak: `
        notify.all assign.comment.plain assign.comment.null version.refused-changes-nothing
      `,
    },
    'the answer shows the new assignment, and the old version': {
      answered: ({ task, after }) => ({ ...after, updated_at: task.updated_at }),
      breaks: 'assign.new-version assign.new-version.* version.history',
    },
    'the answer shows a version that no read gives': {
      answered: ({ after }) => ({ ...after, updated_at: after.updated_at.replace(/^2/, '3') }),
      breaks: 'assign.new-version.shown',
    },
    'updates are answered, and none is stored': {
      stored: ({ task }) => task,
      breaks: `assign.unassigned-to-* assign.persisted assign.new-version.shown version.one-winner
version.history version.model ?assign.comment.plain ?assign.new-version`,
    },
    'the comment is answered, and not stored': {
      stored: ({ after }) => ({
        ...after,
        assignment: after.assignment && { ...after.assignment, assignment_comment: null },
      }),
      breaks: 'assign.persisted version.one-winner ?assign.comment.*',
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
    mayBreak: 'notify.all',
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

const short = [
  ...['plain', 'non-latin', 'quotes', 'placeholders', 'newlines', 'emoji', 'right-to-left'],
  'combining',
]
const asSent = [...short.slice(0, 2), 'long', ...short.slice(2), 'values']
const comments = (kinds: string[]) => kinds.map((kind) => `assign.comment.${kind}`)

const shownAs = (what: string, kinds: string[], bend: (comment: string) => string) =>
  fault(`comments ${what}`, {
    comment: ({ comment }) => (typeof comment === 'string' ? bend(comment) : comment),
    breaks: comments(kinds),
  })

const isUnassign = ({ op }: Update) => op === 'assign.unassign'

export const commentFaults: Fault[] = [
  shownAs('are cut after 255 characters', ['long'], (comment) => comment.slice(0, 255)),
  shownAs('are cut after 20 characters', [...short, 'long'], (comment) => comment.slice(0, 20)),
  shownAs('are cut at the first line break', ['newlines'], (comment) =>
    comment.replace(/\n.*/s, ''),
  ),
  shownAs('get Windows line breaks', ['newlines'], (comment) => comment.replaceAll('\n', '\r\n')),
  shownAs('lose their line breaks', ['newlines'], (comment) => comment.replaceAll('\n', ' ')),
  shownAs(
    'are stored as Latin-1',
    ['non-latin', 'emoji', 'right-to-left', 'combining'],
    (comment) => Buffer.from(comment, 'latin1').toString('latin1'),
  ),
  shownAs('lose what takes four bytes', ['emoji'], (comment) =>
    comment.replaceAll(/[\u{10000}-\u{10ffff}]/gu, ''),
  ),
  shownAs('lose letters written from right to left', ['right-to-left'], (comment) =>
    comment.replaceAll(/[\u0590-\u06ff]/g, '?'),
  ),
  shownAs('are escaped for HTML', ['quotes', 'newlines'], (comment) =>
    comment.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  ),
  shownAs('lose their markup', ['quotes'], (comment) => comment.replaceAll(/<[^>]*>/g, '')),
  shownAs('have their quotes doubled', ['quotes', 'newlines'], (comment) =>
    comment.replaceAll('"', '""'),
  ),
  shownAs('lose what a formatter fills in', ['placeholders'], (comment) =>
    comment.replaceAll(/%\d*\$?[sdif]/g, ''),
  ),
  shownAs('lose what a template fills in', ['placeholders'], (comment) =>
    comment.replaceAll(/\$?\{+\w*\}+/g, ''),
  ),
  shownAs('have their backslashes read', ['quotes'], (comment) =>
    comment.replaceAll('\\n', '\n').replaceAll('\\"', '"'),
  ),
  shownAs('have their entities read', ['quotes'], (comment) => comment.replaceAll('&amp;', '&')),
  shownAs('have doubled quotes read as one', ['quotes'], (comment) =>
    comment.replaceAll('""', '"').replaceAll("''", "'"),
  ),
  shownAs('are composed', ['combining'], (comment) => comment.normalize('NFC')),
  shownAs('have spaces for tabs', ['newlines'], (comment) => comment.replaceAll('\t', '    ')),
  shownAs('are numbers where they look like one', ['values'], (comment) =>
    /^\d{2,}(e\d+)?$/.test(comment) ? String(Number(comment)) : comment,
  ),
  ...faultsOf('assign.comment.not-inherited', 'comment', {
    'a comment is inherited where none is sent': ({ task, sent, comment }) =>
      sent.assignment_comment === undefined ? task.assignment?.assignment_comment : comment,
    'an empty comment leaves the one before': ({ task, sent, comment }) =>
      sent.assignment_comment === '' ? task.assignment?.assignment_comment : comment,
  }),
  ...faultsOf({
    'comments are lost': { comment: () => null, breaks: comments(asSent) },
    'the comment 0 is taken for none': {
      comment: ({ comment }) => (comment === '0' ? null : comment),
      breaks: 'assign.comment.plain',
    },
    'the first comment stays': {
      comment: ({ task, comment }) => task.assignment?.assignment_comment || comment,
      breaks: comments([...asSent.slice(3), 'not-inherited']),
      mayBreak: [...comments(['plain', 'non-latin', 'long', 'null']), 'version.history'],
    },
    'no comment becomes a text': {
      comment: ({ comment }) => comment ?? 'none',
      breaks: 'assign.comment.null assign.comment.omitted ?assign.comment.not-inherited',
    },
    'a comment of null becomes the text null': {
      comment: ({ sent, comment }) => (sent.assignment_comment === null ? 'null' : comment),
      breaks: 'assign.comment.null',
    },
    'a comment of null is refused': {
      sentFieldIsRight: (at) =>
        at.field === 'assignment_comment'
          ? typeof at.value === 'string'
          : stated.sentFieldIsRight(at),
      breaks: 'assign.comment.null assign.comment.unassign-null ?version.model',
    },
    'an assignment without a comment is refused': {
      requiredFields: (call) =>
        call.op === 'assign.update'
          ? [...stated.requiredFields(call), 'assignment_comment']
          : stated.requiredFields(call),
      breaks: 'assign.comment.omitted version.model',
    },
    'unassigning with a comment is refused': {
      transitionRefusal: (update) =>
        isUnassign(update) && update.sent.assignment_comment !== undefined ? 400 : undefined,
      breaks: 'assign.comment.unassign-with',
    },
    'unassigning with a comment of null is refused': {
      transitionRefusal: (update) =>
        isUnassign(update) && update.sent.assignment_comment === null ? 400 : undefined,
      breaks: 'assign.comment.unassign-null ?version.model',
    },
    'unassigning without a comment is refused': {
      transitionRefusal: (update) =>
        isUnassign(update) && update.sent.assignment_comment === undefined ? 400 : undefined,
      breaks: 'assign.comment.unassign-without',
    },
  }),
]
