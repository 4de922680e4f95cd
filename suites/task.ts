import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { objectIn } from '../engine/http/answers.ts'
import { problem } from '../engine/problem.ts'
import { shown } from '../engine/shown.ts'
import { pause } from '../engine/time/abort.ts'
import { clause } from '../helpers/clause.ts'
import { expectOtherKindsNotFound } from '../helpers/reads/other-kinds.ts'
import { expectReadable } from '../helpers/reads/presence.ts'
import {
  assessmentRead,
  bodiesOf,
  describeValues,
  problemOfIdentity,
  problemsOfForm,
  problemsOfMissing,
  type Reading,
} from '../helpers/reads/readings.ts'
import { holds, problemOfGiven, problemsOfNonJson } from '../helpers/reads/refusals.ts'
import { expectRepeatable } from '../helpers/reads/repeatable.ts'
import { expectReadNotFound } from '../helpers/reads/unknown-ids.ts'
import { needPermitted, premise } from '../helpers/service/answers.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { fieldsOf, fieldsShaped } from '../helpers/service/schema.ts'

const section = 'Retrieve a task'
const identifiers = fieldsShaped('task', 'uuid')
const timestamps = fieldsShaped('task', 'timestamp')
const others = ['data_version', 'status', 'step_name', 'c_name', 'name', 'custom_metadata']

describe('Retrieve a task', () => {
  clause(
    'task.read.success',
    { must: 'answer 2xx with a JSON Task to a known id and a valid key', section },
    async ({ service, settings, session, taskReadings, note }) => {
      const seen = await expectReadable(taskReadings, {
        resource: 'task',
        read: service.readTask,
        absent: session.known.absent.task,
        settle: () => pause(settings.settleMs, session.stop),
      })
      note(seen)
    },
  )

  clause(
    'task.read.identity',
    { must: 'give the task whose id was asked for', section },
    async ({ taskReadings, note }) => {
      const bodies = bodiesOf(taskReadings)
      const strangers = bodies.filter(({ id, body }) => !isSameId(body.id, id))
      expect(strangers.map((each) => problemOfIdentity('task', each))).toBeNone()
      note(`${bodies.length} tasks, each with the id that was asked for`)
    },
  )

  clause(
    'task.read.fields',
    { must: 'show every field of the Task table', section: 'Task' },
    async ({ taskReadings, note }) => {
      expect(problemsOfMissing('task', taskReadings)).toBeNone()
      note(`${fieldsOf('task').length} fields in each of ${bodiesOf(taskReadings).length} tasks`)
    },
  )

  clause(
    'task.read.identifiers',
    { must: 'give identifiers as UUID-shaped strings', section: 'Resources and their fields' },
    async ({ taskReadings, note }) => {
      expect(problemsOfForm('task', taskReadings, identifiers)).toBeNone()
      note(describeValues('task', taskReadings, identifiers))
    },
  )

  clause(
    'task.read.timestamps',
    {
      must: 'give timestamps as ISO 8601 datetimes in UTC',
      section: 'Resources and their fields',
      reading: 'any ISO 8601 form with a date, a time and Z or a zero offset',
    },
    async ({ taskReadings, note }) => {
      expect(problemsOfForm('task', taskReadings, timestamps)).toBeNone()
      note(describeValues('task', taskReadings, timestamps))
    },
  )

  clause(
    'task.read.types',
    {
      must: 'give data_version as an integer, status, step_name, c_name and name as strings, custom_metadata as an object, where they are not null',
      section: 'Task',
    },
    async ({ taskReadings, note }) => {
      expect(problemsOfForm('task', taskReadings, others)).toBeNone()
      note(describeValues('task', taskReadings, others))
    },
  )

  clause(
    'task.read.assignment',
    { must: 'give the assignment as null or as an Assignment', section: 'Assignment' },
    async ({ taskReadings, note }) => {
      expect(problemsOfForm('task', taskReadings, ['assignment'])).toBeNone()
      note(describeValues('task', taskReadings, ['assignment']))
    },
  )

  clause(
    'task.read.not-found',
    {
      must: 'answer 404 to an id that no task has',
      section: 'Errors',
      reading:
        'the id of an assessment or of an entity is no task’s, unless there is a task with that very id',
    },
    async ({ service, session, tasksRead, random, note }) => {
      const asking = { random, clause: 'task.read.not-found' }
      const seen = await expectReadNotFound(service.readTask, tasksRead, asking)
      note(seen)
      const others = await expectOtherKindsNotFound('task', service.readTask, {
        readings: tasksRead,
        other: session.known.readable.assessmentId,
      })
      if (others.length > 0) note(`${seen}, and to the id of: ${others.join(', ')}`)
    },
  )

  clause(
    'task.read.malformed-id',
    { must: 'give no Task for an id that is no UUID', section: 'Errors' },
    async ({ taskMalformedReads, note }) => {
      note(`ids that are no UUIDs: ${taskMalformedReads.map(({ status }) => status).join(', ')}`)
      const given = taskMalformedReads.filter((answer) => holds(answer, 'updated_at'))
      expect(given.map((answer) => problemOfGiven(answer, 'a Task'))).toBeNone()
    },
  )

  clause(
    'task.read.malformed-id.status',
    { should: 'answer 404 to an id that is no UUID', section: 'Errors' },
    async ({ taskMalformedReads, note }) => {
      for (const answer of taskMalformedReads) expect(answer).toHaveStatus(404)
      note(`${taskMalformedReads.length} of ${taskMalformedReads.length} such ids: 404`)
    },
  )

  clause(
    'task.read.repeatable',
    {
      should: 'give the same version and fields when a task is read twice with no change between',
      section,
    },
    async ({ service, stillTaskId, note }) => {
      const read = () => service.readTask(stillTaskId)
      await expectRepeatable(read, 'task', ({ updated_at }) => updated_at)
      note('two reads in a row were alike')
    },
  )

  clause(
    'task.read.assessment-resolves',
    {
      should:
        'name an assessment that can be read and is of the same entity, institution and workflow instance',
      section: 'What the service does',
    },
    async ({ shared, taskReadings, note }) => {
      const named = needAssessmentNamed(taskReadings).slice(0, 12)
      for (const { id, body } of named) {
        const { answer } = await assessmentRead(shared, String(body.assessment_id))
        needPermitted(answer)
        expect(answer).toBeAccepted({
          again: { why: 'the task that names it has to be read first' },
        })
        const assessment = objectIn(answer)
        const apart = ['entity_id', 'institution_id', 'workflow_instance_id'].filter(
          (field) =>
            body[field] != null &&
            assessment[field] != null &&
            !isSameId(body[field], assessment[field]),
        )
        expect(
          apart.map((field) =>
            problem(`task ${id} and its assessment differ in ${field}`, {
              expected: shown(body[field]),
              got: shown(assessment[field]),
              judged: answer,
              control: body,
            }),
          ),
        ).toBeNone()
      }
      note(`the assessments of ${named.length} tasks`)
    },
  )

  clause(
    'task.read.error-is-json',
    { should: 'give the body of an error, when there is one, as JSON', section: 'Errors' },
    async ({ taskRefusals, taskMalformedReads, note }) => {
      expect(problemsOfNonJson(taskRefusals, taskMalformedReads)).toBeNone()
      const bodies = [taskRefusals.unknown, taskRefusals.withoutKey, ...taskMalformedReads]
      note(
        `bodies to ${bodies.flatMap(({ status, text }) => (text ? status : [])).join(', ')}: JSON`,
      )
    },
  )
})

/** The tasks that name an assessment; a field that is missing, or no id, is another clause's matter. */
function needAssessmentNamed(readings: readonly Reading[]) {
  const bodies = bodiesOf(readings)
  const named = bodies.filter(({ body }) => typeof body.assessment_id === 'string')
  const isNull = bodies.every(({ body }) => body.assessment_id === null)
  premise(
    !isNull,
    'freedom',
    'assessment_id is null in every task, and which fields can be null is not shown',
  )
  premise(
    named.length > 0,
    'clause',
    'no task that was read names an assessment',
    'task.read.fields',
    'task.read.identifiers',
  )
  return named
}
