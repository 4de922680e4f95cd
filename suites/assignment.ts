import { describe } from 'vitest'
import { expect, expectThat } from '../engine/clause/matchers.ts'
import { describeAnswer, objectIn } from '../engine/http/answers.ts'
import { shown } from '../engine/shown.ts'
import { clause } from '../helpers/clause.ts'
import { premise, taskIn } from '../helpers/service/answers.ts'
import { isSameButSpelling } from '../helpers/service/assignments.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { problemsOf } from '../helpers/service/schema.ts'
import { unassignBody, updateBody } from '../helpers/service/update-request.ts'
import { answeredBy, expectAssigned, isForeign, needOwn } from '../helpers/updates/after-update.ts'
import { transitions } from '../helpers/updates/legs.ts'
import { fetchChangedAlong } from '../helpers/updates/other-tasks.ts'
import { acceptedOf, type Step } from '../helpers/updates/step.ts'

const section = 'States and transitions'

const statements: Record<(typeof transitions)[number], string> = {
  'unassigned-to-user': 'assign an unassigned task to a user',
  'user-to-user': 'reassign a task from one user to another',
  'user-to-team': 'reassign a task from a user to a team',
  'team-to-team': 'reassign a task from one team to another',
  'team-to-user': 'reassign a task from a team to a user',
  'unassign-user': 'unassign a task that is assigned to a user: the assignment becomes null',
  'unassigned-to-team': 'assign an unassigned task to a team',
  'unassign-team': 'unassign a task that is assigned to a team: the assignment becomes null',
}

describe('Assign, reassign, unassign', () => {
  for (const name of transitions) {
    const operation = name.startsWith('unassign-') ? 'assign.unassign' : 'assign.update'
    clause(
      `assign.${name}`,
      { must: statements[name], section, operation },
      async ({ journey }) => {
        const step = await journey.step('transitions', name)
        await journey.needPermitted(step)
        const answer = acceptedOf(step)
        expect(answer).toBeAccepted()
        expectAssigned(taskIn(answer).assignment, step.sent.to, describeAnswer(answer))
        needOwn(step)
        expectAssigned(step.stored?.assignment, step.sent.to, 'a read afterwards')
      },
    )
  }

  clause(
    'assign.answer-is-task',
    { must: 'answer every update with the full Task', section: 'Update a task assignment' },
    async ({ journey }) => {
      const problems = (await journey.accepted('transitions', 'comments')).flatMap((step) => {
        const answer = acceptedOf(step)
        const body = objectIn(answer)
        const sentences = problemsOf('task', body).map(({ sentence }) => sentence)
        const identity = isSameId(body.id, step.before.id) ? [] : [`id is ${shown(body.id)}`]
        return [...sentences, ...identity].map(
          (sentence) => `${describeAnswer(answer)}: ${sentence}`,
        )
      })
      expect(problems).toBeNone()
    },
  )

  clause(
    'assign.persisted',
    { must: 'give the same assignment in a following read as in the answer', section },
    async ({ journey }) => {
      const steps = (await journey.accepted('transitions')).filter((step) => !isForeign(step))
      premise(steps.length > 0, 'somebody else changed the task after every update')
      const apart = steps.filter(
        (step) => !isSameButSpelling(step.stored?.assignment ?? null, answeredBy(step).assignment),
      )
      expect(
        apart.map(
          (step) =>
            `${describeAnswer(acceptedOf(step))} with ${shown(answeredBy(step).assignment)}, a read with ${shown(step.stored?.assignment)}`,
        ),
      ).toBeNone()
    },
  )

  clause(
    'assign.new-version',
    {
      must: 'give a new updated_at in the answer to every update, and show it in a read',
      section,
      reading:
        'it is shown if, of three or more updates, a read gave the version of one or a later',
    },
    async ({ journey }) => {
      const steps = await journey.accepted('transitions')
      const versions = steps.map((step) => step.before.updated_at)
      const stale = steps.filter((step, at) =>
        versions.slice(0, at + 1).includes(answeredBy(step).updated_at),
      )
      expect(
        stale.map(
          (step) =>
            `${describeAnswer(acceptedOf(step))} with updated_at ${shown(answeredBy(step).updated_at)}, which was there before`,
        ),
      ).toBeNone()
      if (steps.length < 3) return
      const read = steps.some((step) => step.versionWasRead || wasTouched(step))
      expectThat(read, `no read gave the updated_at of any of ${steps.length} answers`)
    },
  )

  clause(
    'assign.fields-as-given',
    {
      must: 'show who assigned, to whom and of which type as they were sent',
      section: 'Update a task assignment',
    },
    async ({ journey, actor }) => {
      const steps = (await journey.accepted('transitions', 'comments')).filter(
        ({ sent }) => sent.to,
      )
      premise(steps.length > 0, 'no assignment was accepted')
      const wrong = steps.flatMap((step) => {
        const { assignment } = answeredBy(step)
        const { to } = step.sent
        const expected = {
          assigned_by_id: actor,
          assigned_to_id: to?.id,
          assigned_to_type: to?.type,
        }
        return Object.entries(expected)
          .filter(([field, value]) => !isSameId(assignment?.[field as 'assigned_by_id'], value))
          .map(
            ([field, value]) =>
              `${describeAnswer(acceptedOf(step))}: ${field} is ${shown(assignment?.[field as 'assigned_by_id'])}, not ${value}`,
          )
      })
      expect(wrong).toBeNone()
    },
  )

  clause(
    'assign.only-the-assignment',
    {
      should: 'leave created_at, the ids a task belongs to and its step as they were',
      section,
    },
    async ({ journey }) => {
      const kept = [
        'created_at',
        'entity_id',
        'assessment_id',
        'institution_id',
        'workflow_instance_id',
        'step_name',
      ]
      // A read of another version may show what somebody else changed.
      const own = (await journey.accepted('transitions')).filter((step) => step.versionWasRead)
      premise(own.length > 0, 'no read gave the version of an answer: see assign.new-version')
      const changed = own.flatMap((step) =>
        kept
          .filter((field) => !isSameId(step.before[field], step.stored?.[field]))
          .map(
            (field) =>
              `${field} was ${shown(step.before[field])} and is ${shown(step.stored?.[field])}`,
          ),
      )
      expect([...new Set(changed)]).toBeNone()
    },
  )

  clause(
    'assign.only-this-task',
    { should: 'leave other tasks as they are', section },
    async ({ service, session, borrowed, alone, actor, user, settings }) => {
      const others = session.known.tasks
        .filter(({ lendable, heldBy }) => !lendable && heldBy === undefined)
        .slice(0, 5)
      premise(others.length > 0, 'set READ_TASK_IDS: tasks that must stay as they are')
      const update = async () => {
        const task = await borrowed.current.read(borrowed.task.id)
        const body = task.assignment ? unassignBody(actor) : updateBody(actor, user)
        premise(await borrowed.current.put(task, body))
      }
      const ids = others.map(({ id }) => id)
      const { settleMs } = settings
      const among = { ids, settleMs, stop: session.stop, update, alone }
      const { changed, restless } = await fetchChangedAlong(service, among)
      premise(restless.length < ids.length, 'every other task changes by itself')
      expect(changed.map((id) => `task ${id} changed with the update of another one`)).toBeNone()
    },
  )
})

/** Whether the task changed once more before it could be read: then a read gives a later version. */
const wasTouched = (step: Step): boolean =>
  Date.parse(step.stored?.updated_at ?? '') > Date.parse(answeredBy(step).updated_at)
