import { describe } from 'vitest'
import { distinct } from '../engine/distinct.ts'
import { describeAnswer, isAccepted, isObject, jsonIn } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import { mediaTypeOf, refusalShape } from '../engine/http/shapes.ts'
import type { Observation } from '../engine/observation.ts'
import { clause } from '../helpers/clause.ts'
import { premise, type Task } from '../helpers/service/answers.ts'
import { answeredBy } from '../helpers/updates/after-update.ts'
import type { Attempt } from '../helpers/updates/attempt.ts'
import { acceptedOf, type Step, wasTakenAtOnce } from '../helpers/updates/step.ts'

const section = 'Update a task assignment'
const operation = 'assign.update'

/** What the contract leaves open about updates: each is tried once and told, never judged. */
const silences: Record<string, { observe: string; section: string; update: Attempt }> = {
  'assign.both-objects': {
    observe: 'what an update with both objects does',
    section,
    update: {
      what: 'with both objects',
      on: 'unassigned',
      isObserved: true,
      body: (valid) => ({ update: valid, unassign: { assigned_by_id: valid.assigned_by_id } }),
    },
  },
  'assign.neither-object': {
    observe: 'what an update with neither object does',
    section,
    update: { what: 'with neither object', on: 'unassigned', isObserved: true, body: () => ({}) },
  },
  'assign.unassign-unassigned': {
    observe: 'what unassign answers for a task that has no assignment',
    section: 'States and transitions',
    update: {
      what: 'that unassigns the unassigned',
      on: 'unassigned',
      isObserved: true,
      body: ({ assigned_by_id }) => ({ unassign: { assigned_by_id } }),
    },
  },
  'assign.unknown-assignee': {
    observe: 'what assigning to a user who does not exist does',
    section,
    update: {
      what: 'to a user who does not exist',
      on: 'unassigned',
      isObserved: true,
      body: (valid) => ({
        update: { ...valid, assigned_to_id: 'ffffffff-ffff-4fff-bfff-fffffffffff0' },
      }),
    },
  },
  'assign.extra-fields': {
    observe: 'what fields that the contract does not name do in an update',
    section,
    update: {
      what: 'with further fields',
      on: 'unassigned',
      isObserved: true,
      body: (valid) => ({ update: { ...valid, priority: 'high' }, trace: 'contract-test' }),
    },
  },
  'assign.same-assignee': {
    observe: 'what assigning to the assignee that a task has already does',
    section: 'States and transitions',
    update: {
      what: 'to the same assignee',
      on: 'assigned',
      body: (valid, _, before) => ({
        update: {
          ...valid,
          assigned_to_id: before?.assigned_to_id,
          assigned_to_type: before?.assigned_to_type,
        },
      }),
    },
  },
}

describe('Silences about updates', () => {
  for (const [id, { observe, section, update }] of Object.entries(silences))
    clause(id, { observe, section, operation }, async ({ attempts }) => {
      const { answer, after, before } = await attempts.try(update)
      const [first, last] = [before, after].map((each) => JSON.stringify(each).toLowerCase())
      const state = first === last ? 'kept' : stateOf(after)
      return { ...effect(answer), assignment: state }
    })

  clause(
    'assign.success-status',
    { observe: 'the status of a successful update', section: 'Endpoints', operation },
    async ({ journey }) => {
      const steps = await journey.accepted('transitions')
      const of = (unassigning: boolean) =>
        distinct(
          steps
            .filter(({ sent }) => (sent.to === null) === unassigning)
            .map((step) => acceptedOf(step).status),
        )
      return { update: of(false), unassign: of(true) }
    },
  )

  clause(
    'assign.content-type',
    { observe: 'the media type of the answers to updates', section: 'Endpoints', operation },
    async ({ journey }) => {
      const steps = await journey.accepted('transitions')
      return distinct(steps.map((step) => mediaTypeOf(acceptedOf(step)) ?? 'none'))
    },
  )

  clause(
    'assign.comment-limit',
    {
      observe: 'which of comments of 256, 1,025 and 5,001 characters are accepted',
      section,
      operation,
    },
    async ({ attempts }) => {
      const lengths = [256, 1025, 5001]
      const tried = await Promise.all(lengths.map((length) => attempts.try(longComment(length))))
      return Object.fromEntries(
        tried.map(({ answer, after }, at) => [
          String(lengths[at]),
          isAccepted(answer) ? `kept ${after?.assignment_comment?.length ?? 0}` : answer.status,
        ]),
      )
    },
  )

  clause(
    'assign.comment-trimming',
    { observe: 'whether spaces around a comment are kept', section, operation },
    async ({ attempts }) => {
      const { answer, after } = await attempts.try(padded)
      premise(
        isAccepted(answer),
        'freedom',
        `${describeAnswer(answer)} to a comment with spaces around it; limits of comments are not shown`,
      )
      const comment = after?.assignment_comment ?? ''
      return { leading: comment.startsWith('  '), trailing: comment.endsWith('  ') }
    },
  )

  clause(
    'assign.data-version-rule',
    { observe: 'how data_version moves with an update', section: 'Task', operation },
    async ({ journey }) => movement(await journey.accepted('transitions'), 'data_version'),
  )

  clause(
    'assign.locked-at-rule',
    { observe: 'how locked_at moves with an update', section: 'Task', operation },
    async ({ journey }) => movement(await journey.accepted('transitions'), 'locked_at'),
  )

  clause(
    'assign.status-rule',
    {
      observe: 'how the status of a task moves with an update',
      section: 'States and transitions',
      operation,
    },
    async ({ journey }) => movement(await journey.accepted('transitions'), 'status'),
  )

  clause(
    'assign.read-lag',
    {
      observe: 'whether reads lag behind updates',
      section: 'States and transitions',
      operation,
      varies: 'the moment',
    },
    async ({ journey }) => {
      const steps = await journey.accepted('transitions')
      return steps.some(({ lagging }) => lagging > 0) ? 'some reads do' : 'no read did'
    },
  )
})

const plain = 'Contract test, please ignore'

const longComment = (length: number): Attempt => ({
  what: `with a comment of ${length} characters`,
  on: 'unassigned',
  isObserved: true,
  body: (valid, comment = plain) => ({
    update: { ...valid, assignment_comment: comment.padEnd(length, ' x') },
  }),
})

const padded: Attempt = {
  what: 'with spaces around the comment',
  on: 'unassigned',
  isObserved: true,
  body: (valid, comment = plain) => ({
    update: { ...valid, assignment_comment: `  ${comment}  ` },
  }),
}

const effect = (answer: Answer) =>
  isAccepted(answer) ? { accepted: answer.status } : { refused: refusalShape(answer) }

const stateOf = (assignment: Task['assignment']) => (assignment ? 'changed' : 'removed')

type Moving = 'data_version' | 'locked_at' | 'status'

/** How a field moves from before an update to its answer, over all updates. */
function movement(all: Step[], field: Moving): Observation {
  // Before one that was refused first, somebody else changed the task.
  const steps = all.filter(wasTakenAtOnce)
  const moves = (steps.length > 0 ? steps : all).map((step) => {
    const body = jsonIn(acceptedOf(step))
    const [before, after] = [step.before[field], isObject(body) ? body[field] : undefined]
    if (before === after) return 'stays'
    if (typeof before === 'number' && typeof after === 'number')
      return after === before + 1 ? 'by one' : after > before ? 'up' : 'down'
    return after === answeredBy(step).updated_at ? 'becomes updated_at' : 'changes'
  })
  return distinct(moves)
}
