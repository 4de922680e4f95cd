// Of each task one member is missing, null or of another type: what the run still decides.

import type { Field, Resource } from '../../../reference/calls/call.ts'
import type { Stated } from '../../../reference/rules/stated.ts'
import type { Task } from '../../../reference/world/world.ts'
import { type Fault, fault, faultsOf } from '../fault.ts'

const toSomebody = `assign.unassigned-to-user assign.user-to-user assign.user-to-team assign.team-to-team
  assign.team-to-user assign.unassigned-to-team`

/** Reads do not show who is assigned. */
const ofUnshown = `${toSomebody} assign.persisted version.one-winner version.model`

const ofForm = 'task.read.assignment assign.answer-is-task'

const ofComments = `assign.comment.plain assign.comment.non-latin assign.comment.quotes
  assign.comment.placeholders assign.comment.long assign.comment.newlines assign.comment.emoji
  assign.comment.right-to-left assign.comment.combining assign.comment.values`

type Member = { resource: Resource; field: string }

const isOf =
  (member: Member) =>
  ({ resource, field }: Field): boolean =>
    resource === member.resource && field === member.field

const isUpdate = ({ op }: Field) => op.startsWith('assign.')

const without = (isMeant: (at: Field) => boolean): Partial<Stated> => ({
  fieldIsShown: (at) => !isMeant(at),
})

const withValue = (
  isMeant: (at: Field & { value: unknown }) => boolean,
  bend: (value: unknown) => unknown,
): Partial<Stated> => ({
  fieldValue: (at) => (isMeant(at) ? bend(at.value) : at.value),
})

/** The same breach by each of its forms. */
function inEachForm({ resource, field }: Member, breaks: string): Fault[] {
  const isMeant = isOf({ resource, field })
  const forms = {
    missing: without(isMeant),
    null: withValue(isMeant, () => null),
    7: withValue(isMeant, () => 7),
  }
  return Object.entries(forms).map(([form, rules]) =>
    fault(`${field} is ${form} in every task`, { ...rules, breaks }),
  )
}

const inTask = (field: string): Member => ({ resource: 'task', field })
const inAssignment = (field: string): Member => ({ resource: 'assignment', field })

const isAssignment = isOf(inTask('assignment'))
const isType = isOf(inAssignment('assigned_to_type'))
const isComment = isOf(inAssignment('assignment_comment'))
const isId = isOf(inTask('id'))

const isUnassigned = ({ record }: Field) => (record as Task).assignment === null

/** Other words for null. */
const unassignedAs = (value: unknown) => ({
  ...withValue(
    (at) => isAssignment(at) && at.value === null,
    () => value,
  ),
  breaks: `${ofForm} assign.unassign-user assign.unassign-team`,
})

const typeAs = (bend: (type: string) => string, breaks: string) => ({
  ...withValue(isType, (type) => bend(String(type))),
  breaks,
})

const alone = faultsOf({
  'assignment is left out while a task is unassigned': {
    ...without((at) => isAssignment(at) && isUnassigned(at)),
    breaks: 'task.read.fields assign.answer-is-task',
  },
  'assignment is left out of every answer': {
    ...without(isAssignment),
    hidesAssignments: true,
    breaks: `task.read.fields assign.answer-is-task assign.fields-as-given ${ofUnshown}`,
  },
  'assignment is left out of every read': {
    ...without((at) => isAssignment(at) && !isUpdate(at)),
    hidesAssignments: true,
    breaks: `task.read.fields ${ofUnshown}`,
  },
  'assignment is a number in every read': {
    ...withValue(
      (at) => isAssignment(at) && !isUpdate(at),
      () => 7,
    ),
    hidesAssignments: true,
    breaks: `task.read.assignment assign.unassign-user assign.unassign-team ${ofUnshown}`,
  },
  'assignment is a word in every answer': {
    ...withValue(isAssignment, () => 'assigned'),
    hidesAssignments: true,
    breaks: `${ofForm} assign.unassign-user assign.unassign-team assign.fields-as-given ${ofUnshown}`,
  },
  'assignment is left out of every response to an update': {
    ...without((at) => isAssignment(at) && isUpdate(at)),
    breaks: 'assign.answer-is-task assign.fields-as-given',
  },
  'assignment is left out of the response to an unassign request': {
    ...without((at) => isAssignment(at) && at.op === 'assign.unassign'),
    breaks: 'assign.answer-is-task',
  },
  'assignment is an empty list while a task is unassigned': unassignedAs([]),
  'assignment is an empty text while a task is unassigned': unassignedAs(''),
  'assignment is false while a task is unassigned': unassignedAs(false),
  'assignment has null members while a task is unassigned': unassignedAs({ assigned_to_id: null }),
  'assignment is a number while a task is assigned': {
    ...withValue(
      (at) => isAssignment(at) && at.value !== null,
      () => 7,
    ),
    breaks: `${ofForm} assign.fields-as-given ${ofUnshown}`,
  },
  'assignment is a text of JSON while a task is assigned': {
    ...withValue((at) => isAssignment(at) && at.value !== null, JSON.stringify),
    breaks: `${ofForm} assign.fields-as-given ${ofUnshown}`,
  },
  'assigned_to_type is written in lower case': typeAs((type) => type.toLowerCase(), ofForm),
  'assigned_to_type is written with the name of its list': typeAs(
    (type) => `AssigneeType.${type}`,
    `${ofForm} assign.fields-as-given`,
  ),
  'comments are objects': {
    ...withValue(
      (at) => isComment(at) && at.value !== null,
      (text) => ({ text }),
    ),
    breaks: `${ofForm} assign.comment.plain assign.comment.non-latin assign.comment.quotes
      assign.comment.long assign.comment.newlines assign.comment.emoji assign.comment.values`,
  },
  'updated_at is a number of milliseconds': {
    timestamp: ({ field, value }) => (field === 'updated_at' ? Date.parse(value) : value),
    breaks: 'task.read.timestamps assign.answer-is-task',
  },
})

export const faults: Fault[] = [
  ...alone,
  ...inEachForm(inAssignment('assigned_to_type'), `${ofForm} assign.fields-as-given`),
  ...inEachForm(inAssignment('assigned_to_id'), `${ofForm} assign.fields-as-given ${ofUnshown}`),
  ...inEachForm(
    inAssignment('assigned_by_id'),
    `${ofForm} assign.fields-as-given assign.by-another`,
  ),
  ...faultsOf({
    'assignment_comment is missing in every task': { ...without(isComment), breaks: ofComments },
    'assignment_comment is 7 in every task': {
      ...withValue(isComment, () => 7),
      breaks: `${ofForm} ${ofComments} assign.comment.null assign.comment.omitted
        assign.comment.not-inherited`,
    },
    'id is missing in every task': {
      ...without(isId),
      breaks: 'task.read.fields task.read.identity assign.answer-is-task',
    },
    'id is 7 in every task': {
      ...withValue(isId, () => 7),
      breaks: 'task.read.identifiers task.read.identity assign.answer-is-task',
    },
  }),
].map((each) => ({ ...each, isOfOneMember: true }))
