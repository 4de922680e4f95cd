import { describe } from 'vitest'
import { expect, expectThat } from '../engine/clause/matchers.ts'
import { describeAnswer, objectIn } from '../engine/http/answers.ts'
import { problem } from '../engine/problem.ts'
import { shown } from '../engine/shown.ts'
import { clause } from '../helpers/clause.ts'
import { problemOfUndone } from '../helpers/history/left-changed.ts'
import { again } from '../helpers/service/again.ts'
import { premise, taskIn } from '../helpers/service/answers.ts'
import { describeWhole, isSameButSpelling } from '../helpers/service/assignments.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { problemsOf } from '../helpers/service/schema.ts'
import {
  answeredBy,
  expectAssigned,
  minToJudge,
  needOwnSteps,
  wasTouched,
} from '../helpers/updates/after-update.ts'
import { transitions } from '../helpers/updates/legs.ts'
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
      async ({ journey, note }) => {
        const step = await journey.step('transitions', name)
        await journey.needPermitted(step)
        const answer = acceptedOf(step)
        expect(answer).toBeAccepted()
        expectAssigned(taskIn(answer), step.sent.to, { where: describeAnswer(answer) })
        await journey.needOwn(step)
        const afterwards = { where: 'a read afterwards', control: answer }
        expectAssigned(step.stored, step.sent.to, afterwards)
        note(`${describeAnswer(answer)} with ${describeGoal(step)}; a read shows the same`)
      },
    )
  }

  clause(
    'assign.answer-is-task',
    { must: 'answer every update with the full Task', section: 'Update a task assignment' },
    async ({ journey, note }) => {
      const steps = await journey.accepted('transitions', 'comments')
      const problems = steps.flatMap((step) => {
        const answer = acceptedOf(step)
        const body = objectIn(answer)
        const [expected, got] = [shown(step.before.id), shown(body.id)]
        const identity = isSameId(body.id, step.before.id)
          ? []
          : [{ sentence: `id is ${got}`, expected, got, again: again.id('id', step.before.id) }]
        return [...problemsOf('task', body), ...identity].map(({ sentence, ...seen }) =>
          problem(`${describeAnswer(answer)}: ${sentence}`, {
            expected: seen.expected,
            got: seen.got,
            judged: answer,
            again: seen.again,
          }),
        )
      })
      expect(problems).toBeNone()
      note(`${steps.length} accepted updates, each answered with the full Task`)
    },
  )

  clause(
    'assign.persisted',
    { must: 'give the same assignment in a following read as in the answer', section },
    async ({ journey, session, note }) => {
      const accepted = await journey.accepted('transitions')
      const steps = needOwnSteps(session.history, accepted)
      const apart = steps.filter(
        (step) => !isSameButSpelling(step.stored?.assignment ?? null, answeredBy(step).assignment),
      )
      expect(
        apart.map((step) => {
          const answer = acceptedOf(step)
          const expected = describeWhole(answeredBy(step).assignment)
          const got = describeWhole(step.stored?.assignment)
          const seen = {
            expected,
            got,
            judged: step.stored,
            control: answer,
            again: again.persisted,
          }
          return problem(
            `${describeAnswer(answer)} with ${expected}, but a read shows ${got}`,
            seen,
          )
        }),
      ).toBeNone()
      note(`reads after ${steps.length} of ${accepted.length} updates show the answer’s assignment`)
    },
  )

  clause(
    'assign.persisted.version',
    { must: 'show no updated_at again that an accepted update has replaced', section },
    async ({ leftTasks: { seen, undone }, note }) => {
      expect(undone.filter(({ by }) => by === 'version').map(problemOfUndone)).toBeNone()
      note(`at the end of the run none of ${seen} tasks shows a version that was replaced`)
    },
  )

  clause(
    'assign.persisted.comment',
    { should: 'leave a task as its last update made it, not as an earlier one did', section },
    async ({ leftTasks: { seen, undone }, note }) => {
      expect(undone.filter(({ by }) => by === 'comment').map(problemOfUndone)).toBeNone()
      note(`at the end of the run none of ${seen} tasks shows the comment of an earlier update`)
    },
  )

  clause(
    'assign.new-version',
    {
      must: 'give a new updated_at in the answer to every update, and show it in a read',
      section,
      reading:
        'it is shown if, of three or more updates, a read gave the version of one, or one never seen before',
    },
    async ({ journey, note }) => {
      const steps = await journey.accepted('transitions')
      const versions = steps.map((step) => step.before.updated_at)
      const stale = steps.filter((step, at) =>
        versions.slice(0, at + 1).includes(answeredBy(step).updated_at),
      )
      expect(
        stale.map((step) => {
          const answer = acceptedOf(step)
          const got = shown(answeredBy(step).updated_at)
          return problem(
            `${describeAnswer(answer)} with updated_at ${got}, which was there before`,
            {
              expected: 'a new updated_at',
              got,
              judged: answer,
              control: step.before,
              again: again.newVersion,
            },
          )
        }),
      ).toBeNone()
      const read = steps.filter((step) => step.versionWasRead || wasTouched(step, steps)).length
      premise(
        read > 0 || steps.length >= minToJudge,
        'setting',
        `set USER_IDS and TEAM_IDS to more people: no read showed the updated_at of ${steps.length} answers, and ${minToJudge} are needed to judge that`,
      )
      expectThat(read > 0, `no read showed the updated_at of any of ${steps.length} answers`, {
        expected: shown(steps[0] && answeredBy(steps[0]).updated_at),
        got: shown(steps[0]?.stored?.updated_at),
        judged: steps.map(({ stored }) => stored),
        control: steps.map(acceptedOf),
        again: { signs: [{ member: 'updated_at', of: 'read', as: 'answer' }] },
      })
      note(`${steps.length} answers with a new updated_at; reads gave that of ${read}, or a newer`)
    },
  )

  clause(
    'assign.fields-as-given',
    {
      must: 'show who assigned, to whom and of which type as they were sent',
      section: 'Update a task assignment',
    },
    async ({ journey, actor, note }) => {
      const steps = (await journey.accepted('transitions', 'comments')).filter(
        ({ sent }) => sent.to,
      )
      premise(
        steps.length > 0,
        'clause',
        'no assignment was accepted',
        'assign.unassigned-to-user',
        'assign.unassigned-to-team',
        'assign.user-to-user',
        'assign.user-to-team',
        'assign.team-to-user',
        'assign.team-to-team',
      )
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
          .map(([field, value]) => {
            const got = shown(assignment?.[field as 'assigned_by_id'])
            const sentence = `${describeAnswer(acceptedOf(step))}: ${field} is ${got}, not ${value}`
            return problem(sentence, {
              expected: shown(value),
              got,
              judged: acceptedOf(step),
              again: again.id(`assignment.${field}`, value),
            })
          })
      })
      expect(wrong).toBeNone()
      note(`who, to whom and which type in the answers to ${steps.length} assignments`)
    },
  )
})

const describeGoal = ({ sent: { to } }: Step) =>
  to ? `the assignment to ${to.type} ${to.id}` : 'assignment null'
