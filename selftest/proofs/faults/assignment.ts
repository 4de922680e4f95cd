import type { Field, Operation, Update } from '../../../reference/calls/call.ts'
import { type Stated, stated } from '../../../reference/rules/stated.ts'
import type { Assignment, Task } from '../../../reference/world/world.ts'
import { wordsOf } from '../../long.ts'
import { byExactName, lent, oneOfEach } from '../bent/around.ts'
import { type Fault, fault, faultsOf, maybe } from '../fault.ts'

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
export const goes = ({ op, task, sent }: Update, [from, to]: readonly [string, string]) =>
  (task.assignment?.assigned_to_type ?? 'unassigned') === from &&
  (op === 'assign.unassign' ? 'unassigned' : sent.assigned_to_type) === to

// Which transitions they make depends on who comes first, and on where the walk leads.
const chance = ['version.model', 'version.one-winner', 'version.history']

/** The task as an update leaves it that changes everything but the assignment. */
const unmoved = ({ task, after }: Update & { after: Task }): Task => ({
  ...after,
  assignment: task.assignment,
})

const isUnassign = ({ op }: Update) => op === 'assign.unassign'
const isToSomeone = (id: string) => id.includes('-to-')
const isUpdate = ({ op }: { op: Operation }) => op.startsWith('assign.')
const inAnswer = (at: Field, field: string) =>
  isUpdate(at) && at.resource === 'task' && at.field === field

const keptOf = (only: (update: Update) => boolean): Partial<Stated> => ({
  versionAfter: (update) => (only(update) ? update.task.updated_at : update.fresh),
})

const sentAs = (bend: (update: Update) => Partial<Assignment>) => ({
  assigned: (update: Parameters<Stated['assigned']>[0]) => ({
    ...(stated.assigned(update) as Assignment),
    ...bend(update),
  }),
  mayBreak: 'notify.all',
})

const asGiven = 'assign.fields-as-given'

const short = wordsOf('plain non-latin quotes placeholders newlines emoji right-to-left combining')
const asSent = [...short.slice(0, 2), 'long', ...short.slice(2), 'values']
const comments = (kinds: string[]) => kinds.map((kind) => `assign.comment.${kind}`)

/** Comments are shown as other texts. */
const shownAs = (bend: (comment: string) => string): Partial<Stated> => ({
  comment: ({ comment }) => (typeof comment === 'string' ? bend(comment) : comment),
})

const refusingUnassigns = (
  isRefused: (comment: string | null | undefined) => boolean,
): Partial<Stated> => ({
  transitionRefusal: (update) =>
    isUnassign(update) && isRefused(update.sent.assignment_comment) ? 400 : undefined,
})

/** No task is assigned at first, so that a clause on a rejected update has to assign one. */
export const unstored = [
  fault('of accepted updates only the version is stored', {
    held: () => null,
    stored: ({ task, after }) => ({ ...task, updated_at: after.updated_at }),
    breaks: `assign.unassigned-to-* assign.persisted version.one-winner version.model`,
  }),
  fault('of updates to unassigned tasks nothing is stored', {
    held: () => null,
    stored: ({ task }) => task,
    breaks: `assign.unassigned-to-* assign.persisted assign.new-version assign.new-version.shown
      assign.comment.plain version.one-winner version.history version.model`,
  }),
]

export const faults = [
  ...Object.entries(transitions).flatMap(([name, way]): Fault[] => {
    const kept: Stated['stored'] = (update) => (goes(update, way) ? unmoved(update) : update.after)
    return [
      fault(`${name} is refused`, {
        transitionRefusal: (update) => (goes(update, way) ? 422 : undefined),
        breaks: `assign.${name} ${maybe(chance)}`,
      }),
      fault(`${name} is accepted, and nothing is done`, {
        stored: kept,
        answered: kept,
        breaks: [`assign.${name}`, ...(way[1] === 'unassigned' ? [] : ['assign.fields-as-given'])],
        mayBreak: [...chance, 'assign.comment.plain'],
      }),
      ...(['unassigned-to-team', 'user-to-user', 'unassign-user'].includes(name)
        ? [
            fault(`${name} is answered, and not stored`, {
              stored: kept,
              breaks: [`assign.${name}`, 'assign.persisted'],
              mayBreak: [...chance, 'assign.comment.*', 'assign.persisted.comment'],
            }),
          ]
        : []),
    ]
  }),
  fault('every team is refused as an assignee, and no user', {
    held: (given) => (given.assigned_to_type === 'USER' ? given : null),
    personIsTaken: ({ field, sent }) =>
      field === 'assigned_by_id' || sent.assigned_to_type === 'USER',
    breaks: 'assign.unassigned-to-team assign.user-to-team',
  }),
  /** Where a comment is given, and where none is. */
  ...(['USER', 'TEAM'] as const).flatMap((type) =>
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
          breaks: `assign.unassign-${kind} ${maybe(chance)} ?assign.*`,
        },
      )
    }),
  ),
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
  ...faultsOf('assign.header-forms', {
    'a charset behind the media type is refused': {
      contentTypeIsRight: ({ type }) => type === 'application/json',
    },
    'If-Match is known by its name in lower case alone': { front: byExactName('if-match') },
  }),
  ...faultsOf(
    `${everyTransition.join(' ')} assign.fields-as-given assign.new-version.*
        assign.persisted assign.new-version version.history version.one-winner ?notify.all`,
    { 'the answer to an update is the task as it was before': { answered: ({ task }) => task } },
  ),
  ...faultsOf(
    `${everyTransition.join(' ')} assign.fields-as-given assign.persisted
        version.one-winner ?notify.all ?assign.comment.plain ?assign.comment.null`,
    { 'the answer shows the old assignment, and the new version': { answered: unmoved } },
  ),
  ...faultsOf(
    `assign.unassigned-to-* assign.persisted assign.new-version.shown version.one-winner
        version.history version.model ?assign.comment.plain ?assign.new-version`,
    { 'updates are answered, and none is stored': { stored: ({ task }) => task } },
  ),
  ...faultsOf('assign.comment.null assign.comment.omitted ?assign.comment.not-inherited', {
    'no comment becomes a text': { comment: ({ comment }) => comment ?? 'none' },
  }),
  ...faultsOf({
    'no read ever shows an update, and one user is lent': {
      surroundings: lent(oneOfEach, { open: { readLag: () => 3_600_000 } }),
      breaks: 'assign.persisted assign.unassigned-to-user ?version.model',
    },
    'the answer shows the new assignment, and the old version': {
      answered: ({ task, after }) => ({ ...after, updated_at: task.updated_at }),
      breaks: 'assign.new-version assign.new-version.* version.history',
    },
    'the answer shows a version that no read gives': {
      answered: ({ after }) => ({ ...after, updated_at: after.updated_at.replace(/^2/, '3') }),
      breaks: 'assign.new-version.shown',
    },
    'the comment is answered, and not stored': {
      stored: ({ after }) => ({
        ...after,
        assignment: after.assignment && { ...after.assignment, assignment_comment: null },
      }),
      breaks: 'assign.persisted version.one-winner ?assign.comment.*',
    },
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
  }),
  ...faultsOf('assign.new-version version.one-winner', keptOf, {
    'unassigning leaves the version as it was': isUnassign,
  }),
  ...faultsOf('assign.new-version version.one-winner version.history', keptOf, {
    'assigning leaves the version as it was': (update) =>
      !isUnassign(update) && !update.task.assignment,
  }),
  ...faultsOf(
    'assign.new-version version.one-winner version.history assign.new-version.same-assignee',
    keptOf,
    {
      'reassigning leaves the version as it was': (update) =>
        !isUnassign(update) && !!update.task.assignment,
      'any update leaves the version as it was': () => true,
    },
  ),
  ...faultsOf([asGiven, 'version.model', ...everyTransition.filter(isToSomeone)], sentAs, {
    'who assigned and to whom are swapped': ({ sent }) => ({
      assigned_by_id: sent.assigned_to_id,
      assigned_to_id: sent.assigned_by_id,
    }),
  }),
  ...faultsOf(`${asGiven} assign.by-another`, sentAs, {
    'the assigner is the assignee': ({ sent }) => ({ assigned_by_id: sent.assigned_to_id }),
  }),
  ...faultsOf(asGiven, sentAs, {
    'who assigned before is kept': ({ task }) =>
      task.assignment ? { assigned_by_id: task.assignment.assigned_by_id } : {},
  }),
  ...faultsOf(`${asGiven} assign.user-to-* assign.team-to-* version.model`, sentAs, {
    'the assignee is kept from the assignment before': ({ task }) =>
      task.assignment ? { assigned_to_id: task.assignment.assigned_to_id } : {},
  }),
  ...faultsOf(`${asGiven} assign.user-to-team version.model`, sentAs, {
    'the type is kept from the assignment before': ({ task, sent }) => ({
      assigned_to_type: task.assignment?.assigned_to_type ?? sent.assigned_to_type,
    }),
  }),
  ...faultsOf(`${asGiven} assign.user-to-team assign.unassigned-to-team version.model`, sentAs, {
    'teams are assigned to as users': () => ({ assigned_to_type: 'USER' }),
  }),
  ...faultsOf('assign.comment.long', shownAs, {
    'comments are cut after 255 characters': (comment) => comment.slice(0, 255),
  }),
  ...faultsOf(comments([...short, 'long']), shownAs, {
    'comments are cut after 20 characters': (comment) => comment.slice(0, 20),
  }),
  ...faultsOf('assign.comment.newlines', shownAs, {
    'comments are cut at the first line break': (comment) => comment.replace(/\n.*/s, ''),
    'comments get Windows line breaks': (comment) => comment.replaceAll('\n', '\r\n'),
    'comments lose their line breaks': (comment) => comment.replaceAll('\n', ' '),
    'comments have spaces for tabs': (comment) => comment.replaceAll('\t', '    '),
  }),
  ...faultsOf(comments(['non-latin', 'emoji', 'right-to-left', 'combining']), shownAs, {
    'comments are stored as Latin-1': (comment) =>
      Buffer.from(comment, 'latin1').toString('latin1'),
  }),
  ...faultsOf('assign.comment.emoji', shownAs, {
    'comments lose what takes four bytes': (comment) =>
      comment.replaceAll(/[\u{10000}-\u{10ffff}]/gu, ''),
  }),
  ...faultsOf('assign.comment.right-to-left', shownAs, {
    'comments lose letters written from right to left': (comment) =>
      comment.replaceAll(/[\u0590-\u06ff]/g, '?'),
  }),
  ...faultsOf('assign.comment.quotes assign.comment.newlines', shownAs, {
    'comments are escaped for HTML': (comment) =>
      comment.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    'comments have their quotes doubled': (comment) => comment.replaceAll('"', '""'),
  }),
  ...faultsOf('assign.comment.quotes', shownAs, {
    'comments lose their markup': (comment) => comment.replaceAll(/<[^>]*>/g, ''),
    'comments have their backslashes read': (comment) =>
      comment.replaceAll('\\n', '\n').replaceAll('\\"', '"'),
    'comments have their entities read': (comment) => comment.replaceAll('&amp;', '&'),
    'comments have doubled quotes read as one': (comment) =>
      comment.replaceAll('""', '"').replaceAll("''", "'"),
  }),
  ...faultsOf('assign.comment.placeholders', shownAs, {
    'comments lose what a formatter fills in': (comment) =>
      comment.replaceAll(/%\d*\$?[sdif]/g, ''),
    'comments lose what a template fills in': (comment) => comment.replaceAll(/\$?\{+\w*\}+/g, ''),
  }),
  ...faultsOf('assign.comment.combining', shownAs, {
    'comments are composed': (comment) => comment.normalize('NFC'),
  }),
  ...faultsOf('assign.comment.values', shownAs, {
    'comments are numbers where they look like one': (comment) =>
      /^\d{2,}(e\d+)?$/.test(comment) ? String(Number(comment)) : comment,
  }),
  ...faultsOf('assign.comment.not-inherited', 'comment', {
    'a comment is inherited where none is sent': ({ task, sent, comment }) =>
      sent.assignment_comment === undefined ? task.assignment?.assignment_comment : comment,
    'an empty comment leaves the one before': ({ task, sent, comment }) =>
      sent.assignment_comment === '' ? task.assignment?.assignment_comment : comment,
  }),
  ...faultsOf('assign.comment.unassign-with', refusingUnassigns, {
    'unassigning with a comment is refused': (comment) => comment !== undefined,
  }),
  ...faultsOf('assign.comment.unassign-null ?version.model', refusingUnassigns, {
    'unassigning with a comment of null is refused': (comment) => comment === null,
  }),
  ...faultsOf('assign.comment.unassign-without', refusingUnassigns, {
    'unassigning without a comment is refused': (comment) => comment === undefined,
  }),
]
