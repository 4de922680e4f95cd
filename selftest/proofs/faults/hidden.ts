import { setTimeout as sleep } from 'node:timers/promises'
import type { Update } from '../../../reference/calls/call.ts'
import type { Assignment, Task } from '../../../reference/world/world.ts'
import { eachRun, eitherOf, lent } from '../bent/around.ts'
import { moved } from '../bent/exports.ts'
import { type Hidden, hiddenOf } from '../fault.ts'
import { isOfRace } from './concurrency.ts'

/** An id that nothing has. */
const nobodys = (first: string) => `${first}0000000-0000-4000-8000-00000000abcd`

type Refused = Update & { reason: string }

/** Carries out so many of the first unassigns that are refused so, as all others are. */
function unassigningAtFirst(most: number, isMeant: (refused: Refused) => boolean) {
  let times = 0
  return {
    ...eachRun(() => {
      times = 0
    }),
    effectOfRefusal: (refused: Refused) =>
      refused.op === 'assign.unassign' && isMeant(refused) && ++times <= most
        ? ('carried out' as const)
        : ('none' as const),
  }
}

const hasEmptyKey = ({ reason, headers }: Refused) =>
  reason === 'unauthorized' && headers.get('apikey') === ''

const isStale = ({ reason, task }: Refused) =>
  reason === 'version mismatch' && task.assignment !== null

/** By a user, and to a user, that no run names. */
const byAnother: Assignment = {
  assigned_by_id: 'aaaaaaaa-1111-4222-8333-444444444444',
  assigned_to_id: 'bbbbbbbb-1111-4222-8333-444444444444',
  assigned_to_type: 'USER',
  assignment_comment: 'by the house',
}

export const hidden: Hidden[] = [
  ...hiddenOf({
    'every update is answered 409, also with the current updated_at': {
      versionMatches: () => false,
      blames: 'version.current-accepted',
    },
    'assigned_to_type is AssigneeType.USER in every answer': {
      fieldValue: ({ resource, field, value }) =>
        resource === 'assignment' && field === 'assigned_to_type' ? `AssigneeType.${value}` : value,
      blames: 'task.read.assignment assign.answer-is-task',
    },
    'assigned_by_id is null after every update': {
      assigned: ({ sent, comment }) => ({
        ...sent,
        assigned_by_id: null as unknown as string,
        assignment_comment: comment,
      }),
      blames: 'assign.answer-is-task assign.fields-as-given',
    },
    'an unassigned task shows {}': {
      fieldValue: ({ resource, field, value }) =>
        resource === 'task' && field === 'assignment' && value === null ? {} : value,
      blames: 'task.read.assignment',
    },
    'every CSV is 200 without a byte': {
      file: ({ file, fileType }) => (fileType === 'csv' ? { ...file, content: '' } : file),
      blames: 'export.csv.status',
    },
    'updated_at is written with +05:30 after each update': {
      timestamp: ({ field, value, record }) =>
        field === 'updated_at' && (record as Partial<Task>).assignment
          ? `${moved(value, 5.5 * 60).slice(0, 23)}+05:30`
          : value,
      blames: 'task.read.timestamps',
    },
    'an export without events is answered 204': {
      rows: ({ events }) => events,
      file: ({ file }) => file,
      exportStatus: ({ range }) => (range.end !== undefined && range.end < '2001' ? 204 : 200),
      blames: 'export.csv.status',
    },
    'updates to a team are all refused with 404': {
      transitionRefusal: ({ to }) => (to === 'TEAM' ? 404 : undefined),
    },
    'the id of a task changes with an update': {
      answered: ({ after }) => ({ ...after, id: after.entity_id }),
      blames: 'assign.answer-is-task',
    },
    'workflow_state is null': {
      fieldValue: ({ resource, field, value }) =>
        resource === 'assessment' && field === 'workflow_state' ? null : value,
      blames: 'assessment.read.state',
    },
    'an unknown task id is answered 403': {
      notFoundStatus: ({ op }) => (op === 'task.read' ? 403 : 404),
    },
    'an unknown id is answered 401 to the valid key': { notFoundStatus: () => 401 },
    'an unknown assessment is answered 401, and nothing is lent but the key': {
      surroundings: lent(() => ({}), {
        stated: { notFoundStatus: ({ op }) => (op === 'assessment.read' ? 401 : 404) },
      }),
    },
    'nobody is ever mailed': { mailed: () => [] },
    'from the middle on every answer is 401 to the valid key': {
      keyIsValid: eitherOf(
        ({ given, key }) => given === key,
        () => false,
        (asked) => asked > 150,
      ),
    },
    'every update is answered with a redirect': { transitionRefusal: () => 307 },
    'updated_at holds a line break from the middle on': {
      timestamp: eitherOf(
        ({ value }) => value,
        ({ field, value }) => (field === 'updated_at' ? `${value}\n` : value),
        (asked) => asked > 2_000,
      ),
      blames: 'task.read.timestamps',
    },
    'every update is answered, and stored as a new version of the task as it was': {
      stored: ({ task, after }) => ({ ...task, updated_at: after.updated_at.replace('Z', '7Z') }),
      blames: 'assign.unassigned-to-user assign.persisted',
    },
    'one update in four is answered, and stored as a new version of the task as it was': {
      stored: eitherOf(
        ({ after }) => after,
        ({ task, after }) => ({ ...task, updated_at: after.updated_at.replace('Z', '7Z') }),
        (asked) => asked % 4 === 0,
      ),
      blames: 'assign.persisted',
    },
    'two unassigns with a stale version are carried out, and refused with 409': unassigningAtFirst(
      2,
      isStale,
    ),
    'two unassigns with an empty key are carried out, and refused with 401': unassigningAtFirst(
      2,
      hasEmptyKey,
    ),
    'three unassigns with an empty key are carried out, and refused with 401': unassigningAtFirst(
      3,
      hasEmptyKey,
    ),
    'whatever is assigned or unassigned, somebody else assigns it at once': {
      stored: ({ after }) => ({
        ...after,
        updated_at: moved(after.updated_at, 1 / 60_000),
        assignment: byAnother,
      }),
    },
    'updates that are sent at once are never answered': {
      betweenCheckAndWrite: (update) => (isOfRace(update) ? sleep(4_000) : undefined),
      losesItsTurn: isOfRace,
      env: { TIMEOUT_MS: '2500' },
    },
    'every export is answered 500': { exportStatus: () => 500 },
    'every export is answered 503': { exportStatus: () => 503 },
    'every update is carried out and answered 503': {
      successStatus: ({ op }) => (op.startsWith('assign.') ? 503 : 200),
    },
    'fewer updates may be sent than are needed': { env: { MAX_WRITES: '3' } },
    'of the ids that are handed over some do not exist': {
      surroundings: lent((all) => ({
        ...all,
        TASK_IDS: nobodys('a'),
        READ_TASK_IDS: [nobodys('b'), ...all.READ_TASK_IDS.split(',').slice(0, 2)].join(),
        ASSESSMENT_IDS: [nobodys('c'), all.ASSESSMENT_IDS].join(),
      })),
    },
    'of the tasks that are handed over none exists': {
      surroundings: lent(({ READ_TASK_IDS: _, ...others }) => ({
        ...others,
        TASK_IDS: nobodys('a'),
      })),
    },
    'of the tasks that are handed over none is assigned, and the key may not unassign': {
      surroundings: lent((all) => ({ ...all, NOT_PERMITTED: 'assign.unassign' }), {
        change: ({ tasks }) => {
          for (const task of tasks) task.assignment = null
        },
      }),
    },
  }),
]
