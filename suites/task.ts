import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { distinct } from '../engine/distinct.ts'
import { describeAnswer, isAccepted, objectIn } from '../engine/http/answers.ts'
import { cachingOf, mediaTypeOf, timestampForms } from '../engine/http/shapes.ts'
import { shown } from '../engine/shown.ts'
import { clause } from '../helpers/clause.ts'
import {
  bodiesOf,
  needStillThere,
  problemsOfForm,
  problemsOfMissing,
  silences,
} from '../helpers/reads/readings.ts'
import { holds, problemsOfNonJson, refusalShapes } from '../helpers/reads/refusals.ts'
import { expectRepeatable } from '../helpers/reads/repeatable.ts'
import { needPermitted, premise } from '../helpers/service/answers.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { fieldsShaped } from '../helpers/service/schema.ts'
import { mayExist } from '../helpers/updates/other-kind.ts'

const section = 'Retrieve a task'
const identifiers = fieldsShaped('task', 'uuid')
const timestamps = fieldsShaped('task', 'timestamp')
const others = ['data_version', 'status', 'step_name', 'c_name', 'name', 'custom_metadata']

describe('Retrieve a task', () => {
  clause(
    'task.read.success',
    { must: 'answer 2xx with a JSON Task to a known id and a valid key', section },
    async ({ service, taskReadings }) => {
      for (const { answer } of await needStillThere(taskReadings, service.readTask)) {
        expect(answer).toBeAccepted()
        objectIn(answer)
      }
    },
  )

  clause(
    'task.read.identity',
    { must: 'give the task whose id was asked for', section },
    async ({ taskReadings }) => {
      const strangers = bodiesOf(taskReadings).filter(({ id, body }) => !isSameId(body.id, id))
      expect(strangers.map(({ id, body }) => `task ${id}: id is ${shown(body.id)}`)).toBeNone()
    },
  )

  clause(
    'task.read.fields',
    { must: 'show every field of the Task table', section: 'Task' },
    async ({ taskReadings }) => {
      expect(problemsOfMissing('task', taskReadings)).toBeNone()
    },
  )

  clause(
    'task.read.identifiers',
    { must: 'give identifiers as UUID-shaped strings', section: 'Resources and their fields' },
    async ({ taskReadings }) => {
      expect(problemsOfForm('task', taskReadings, identifiers)).toBeNone()
    },
  )

  clause(
    'task.read.timestamps',
    {
      must: 'give timestamps as ISO 8601 datetimes in UTC',
      section: 'Resources and their fields',
      reading: 'any ISO 8601 form with a date, a time and Z or a zero offset',
    },
    async ({ taskReadings }) => {
      expect(problemsOfForm('task', taskReadings, timestamps)).toBeNone()
    },
  )

  clause(
    'task.read.types',
    {
      must: 'give data_version as an integer, status, step_name, c_name and name as strings, custom_metadata as an object, where they are not null',
      section: 'Task',
    },
    async ({ taskReadings }) => {
      expect(problemsOfForm('task', taskReadings, others)).toBeNone()
    },
  )

  clause(
    'task.read.assignment',
    { must: 'give the assignment as null or as an Assignment', section: 'Assignment' },
    async ({ taskReadings }) => {
      expect(problemsOfForm('task', taskReadings, ['assignment'])).toBeNone()
    },
  )

  clause(
    'task.read.not-found',
    {
      must: 'answer 404 to an id that no task has',
      section: 'Errors',
      reading: 'the id of an assessment is no task’s, unless there is a task with that very id',
    },
    async ({ taskRefusals }) => {
      const { unknown, otherKind } = taskRefusals
      expect(unknown).toHaveStatus(404)
      if (otherKind && !mayExist('task', otherKind)) expect(otherKind.answer).toHaveStatus(404)
    },
  )

  clause(
    'task.read.malformed-id',
    { must: 'give no Task for an id that is no UUID', section: 'Errors' },
    async ({ taskMalformedReads }) => {
      const given = taskMalformedReads.filter((answer) => holds(answer, 'updated_at'))
      expect(given.map((answer) => `${describeAnswer(answer)} with a Task`)).toBeNone()
    },
  )

  clause(
    'task.read.malformed-id.status',
    { should: 'answer 404 to an id that is no UUID', section: 'Errors' },
    async ({ taskMalformedReads }) => {
      for (const answer of taskMalformedReads) expect(answer).toHaveStatus(404)
    },
  )

  clause(
    'task.read.repeatable',
    {
      should: 'give the same version and fields when a task is read twice with no change between',
      section,
    },
    async ({ service, stillTaskId }) => {
      const read = () => service.readTask(stillTaskId)
      await expectRepeatable(read, 'task', ({ updated_at }) => updated_at)
    },
  )

  clause(
    'task.read.assessment-resolves',
    {
      should:
        'name an assessment that can be read and is of the same entity, institution and workflow instance',
      section: 'What the service does',
    },
    async ({ service, taskReadings }) => {
      const named = bodiesOf(taskReadings).filter(
        ({ body }) => typeof body.assessment_id === 'string',
      )
      premise(named.length > 0, 'no task that was read names an assessment')
      for (const { id, body } of named.slice(0, 12)) {
        const answer = await service.readAssessment(String(body.assessment_id))
        needPermitted(answer)
        expect(answer).toBeAccepted()
        const assessment = objectIn(answer)
        const apart = ['entity_id', 'institution_id', 'workflow_instance_id'].filter(
          (field) =>
            body[field] != null &&
            assessment[field] != null &&
            !isSameId(body[field], assessment[field]),
        )
        expect(apart.map((field) => `task ${id} and its assessment differ in ${field}`)).toBeNone()
      }
    },
  )

  clause(
    'task.read.error-is-json',
    { should: 'give the body of an error, when there is one, as JSON', section: 'Errors' },
    async ({ taskRefusals, taskMalformedReads }) => {
      expect(problemsOfNonJson(taskRefusals, taskMalformedReads)).toBeNone()
    },
  )

  clause(
    'task.read.success-status',
    { observe: 'the status of a successful read', section: 'Endpoints' },
    async ({ taskReadings }) =>
      distinct(taskReadings.map(({ answer }) => answer.status).filter((status) => status < 300)),
  )

  clause(
    'task.read.content-type',
    { observe: 'the media type of a Task', section: 'Endpoints' },
    async ({ taskReadings }) =>
      distinct(taskReadings.map(({ answer }) => mediaTypeOf(answer) ?? 'none')),
  )

  clause(
    'task.read.nulls',
    {
      observe: 'which fields of a Task are null somewhere that are not said to be',
      section: 'Task',
      varies: 'the tasks that are read',
    },
    async ({ taskReadings }) => silences('task', taskReadings).nulls,
  )

  clause(
    'task.read.extra-fields',
    {
      observe: 'which fields every Task has that the contract does not name, and their types',
      section: 'Task',
    },
    async ({ taskReadings }) => silences('task', taskReadings).extras,
  )

  clause(
    'task.read.status-values',
    {
      observe: 'the values of a Task’s status',
      section: 'States and transitions',
      varies: 'the tasks that are read',
    },
    async ({ taskReadings }) =>
      distinct(bodiesOf(taskReadings).map(({ body }) => shown(body.status))),
  )

  clause(
    'task.read.timestamp-forms',
    { observe: 'the form in which timestamps are written', section: 'Resources and their fields' },
    async ({ taskReadings }) =>
      timestampForms(
        bodiesOf(taskReadings).flatMap(({ body }) =>
          timestamps.flatMap((field) => (typeof body[field] === 'string' ? [body[field]] : [])),
        ),
      ),
  )

  clause(
    'task.read.error-body',
    {
      observe: 'what refusals look like: an unknown id, a malformed one, no key',
      section: 'Errors',
    },
    async ({ taskRefusals, taskMalformedReads }) => refusalShapes(taskRefusals, taskMalformedReads),
  )

  clause(
    'task.read.cache-headers',
    { observe: 'which headers speak of caching', section: 'Endpoints' },
    async ({ taskReadings }) => {
      const answer = taskReadings.find(({ answer }) => isAccepted(answer))?.answer
      premise(answer !== undefined, 'no task could be read')
      return answer ? cachingOf(answer) : null
    },
  )
})
