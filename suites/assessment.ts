import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { typeAmong } from '../engine/http/shapes.ts'
import { problem } from '../engine/problem.ts'
import { shown } from '../engine/shown.ts'
import { pause } from '../engine/time/abort.ts'
import { clause } from '../helpers/clause.ts'
import { expectOtherKindsNotFound } from '../helpers/reads/other-kinds.ts'
import { expectReadable } from '../helpers/reads/presence.ts'
import {
  bodiesOf,
  describeValues,
  needInState,
  problemOfIdentity,
  problemsOfForm,
  problemsOfMissing,
} from '../helpers/reads/readings.ts'
import { holds, problemOfGiven, problemsOfNonJson } from '../helpers/reads/refusals.ts'
import { expectRepeatable } from '../helpers/reads/repeatable.ts'
import { expectReadNotFound } from '../helpers/reads/unknown-ids.ts'
import { again } from '../helpers/service/again.ts'
import { premise } from '../helpers/service/answers.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { fieldsOf, fieldsShaped } from '../helpers/service/schema.ts'

const section = 'Retrieve an assessment'
const identifiers = fieldsShaped('assessment', 'uuid')
const timestamps = fieldsShaped('assessment', 'timestamp')
const errorFields = ['error_message', 'error_details', 'error_step', 'error_type']

describe('Retrieve an assessment', () => {
  clause(
    'assessment.read.success',
    { must: 'answer 2xx with a JSON Assessment to a known id and a valid key', section },
    async ({ service, settings, session, assessmentReadings, note }) => {
      const seen = await expectReadable(assessmentReadings, {
        resource: 'assessment',
        read: service.readAssessment,
        absent: session.known.absent.assessment,
        settle: () => pause(settings.settleMs, session.stop),
      })
      note(seen)
    },
  )

  clause(
    'assessment.read.identity',
    { must: 'give the assessment whose id was asked for', section },
    async ({ assessmentReadings, note }) => {
      const bodies = bodiesOf(assessmentReadings)
      const strangers = bodies.filter(({ id, body }) => !isSameId(body.id, id))
      expect(strangers.map((each) => problemOfIdentity('assessment', each))).toBeNone()
      note(`${bodies.length} assessments, each with the id that was asked for`)
    },
  )

  clause(
    'assessment.read.fields',
    { must: 'show every field of the Assessment table', section: 'Assessment' },
    async ({ assessmentReadings, note }) => {
      const missing = problemsOfMissing('assessment', assessmentReadings)
      expect(missing.filter(({ expected }) => !errorFields.includes(expected))).toBeNone()
      const count = fieldsOf('assessment').length - errorFields.length
      note(`${count} fields in each of ${bodiesOf(assessmentReadings).length} assessments`)
    },
  )

  clause(
    'assessment.read.identifiers',
    { must: 'give identifiers as UUID-shaped strings', section: 'Resources and their fields' },
    async ({ assessmentReadings, note }) => {
      expect(problemsOfForm('assessment', assessmentReadings, identifiers)).toBeNone()
      note(describeValues('assessment', assessmentReadings, identifiers))
    },
  )

  clause(
    'assessment.read.timestamps',
    {
      must: 'give created_at as an ISO 8601 datetime in UTC',
      section: 'Resources and their fields',
      reading: 'any ISO 8601 form with a date, a time and Z or a zero offset',
    },
    async ({ assessmentReadings, note }) => {
      expect(problemsOfForm('assessment', assessmentReadings, timestamps)).toBeNone()
      note(describeValues('assessment', assessmentReadings, timestamps))
    },
  )

  clause(
    'assessment.read.state',
    { must: 'give workflow_state as Active, Cancelled or Error', section: 'Assessment' },
    async ({ assessmentReadings, note }) => {
      expect(problemsOfForm('assessment', assessmentReadings, ['workflow_state'])).toBeNone()
      note(describeValues('assessment', assessmentReadings, ['workflow_state']))
    },
  )

  clause(
    'assessment.read.error-fields',
    {
      must: 'show error_message, error_details, error_step and error_type',
      section: 'Assessment',
    },
    async ({ assessmentReadings, note }) => {
      const missing = problemsOfMissing('assessment', assessmentReadings)
      expect(missing.filter(({ expected }) => errorFields.includes(expected))).toBeNone()
      note(`four error fields in each of ${bodiesOf(assessmentReadings).length} assessments`)
    },
  )

  clause(
    'assessment.read.no-error',
    { should: 'give the error fields as null when the state is not Error', section: 'Assessment' },
    async ({ assessmentReadings, note }) => {
      const sound = needInState(assessmentReadings, 'Active', 'Cancelled')
      const set = sound.flatMap(({ id, body }) =>
        errorFields
          .filter((field) => body[field] != null)
          .map((field) =>
            problem(`assessment ${id}, ${body.workflow_state}: ${field} is ${shown(body[field])}`, {
              expected: 'null',
              got: shown(body[field]),
              judged: body,
              again: again.value(field, null),
            }),
          ),
      )
      expect(set).toBeNone()
      note(`${sound.length} assessments that are Active or Cancelled`)
    },
  )

  clause(
    'assessment.read.error',
    {
      must: 'set at least one of the error fields in state Error',
      section: 'What the service does',
      reading: '“reports … on failure, error information”',
    },
    async ({ assessmentReadings, note }) => {
      const failed = needInState(assessmentReadings, 'Error').filter(({ body }) =>
        errorFields.every((field) => field in body),
      )
      premise(
        failed.length > 0,
        'clause',
        'no assessment in state Error shows all error fields',
        'assessment.read.error-fields',
      )
      const silent = failed.filter(({ body }) => errorFields.every((field) => body[field] === null))
      expect(
        silent.map(({ id, body }) =>
          problem(`assessment ${id} is in state Error with all error fields null`, {
            expected: 'one of the error fields set',
            got: 'all of them null',
            judged: body,
            again: { holds: errorFields.map((field) => `b.${field} != null`).join(' || ') },
          }),
        ),
      ).toBeNone()
      note(`${failed.length} assessments in state Error`)
    },
  )

  clause(
    'assessment.read.not-found',
    {
      must: 'answer 404 to an id that no assessment has',
      section: 'Errors',
      reading:
        'the id of a task or of an entity is no assessment’s, unless there is one with that very id',
    },
    async ({ service, session, assessmentsRead, random, note }) => {
      const asking = { random, clause: 'assessment.read.not-found' }
      const seen = await expectReadNotFound(service.readAssessment, assessmentsRead, asking)
      note(seen)
      const others = await expectOtherKindsNotFound('assessment', service.readAssessment, {
        readings: assessmentsRead,
        other: session.known.readable.task,
      })
      if (others.length > 0) note(`${seen}, and to the id of: ${others.join(', ')}`)
    },
  )

  clause(
    'assessment.read.malformed-id',
    { must: 'give no Assessment for an id that is no UUID', section: 'Errors' },
    async ({ assessmentMalformedReads, note }) => {
      const statuses = assessmentMalformedReads.map(({ status }) => status)
      note(`ids that are no UUIDs: ${statuses.join(', ')}`)
      const given = assessmentMalformedReads.filter((answer) => holds(answer, 'workflow_state'))
      expect(given.map((answer) => problemOfGiven(answer, 'an Assessment'))).toBeNone()
    },
  )

  clause(
    'assessment.read.malformed-id.status',
    { should: 'answer 404 to an id that is no UUID', section: 'Errors' },
    async ({ assessmentMalformedReads, note }) => {
      for (const answer of assessmentMalformedReads) expect(answer).toHaveStatus(404)
      note(`${assessmentMalformedReads.length} of ${assessmentMalformedReads.length} such ids: 404`)
    },
  )

  clause(
    'assessment.read.repeatable',
    { should: 'give the same fields when an assessment is read twice', section },
    async ({ service, assessmentReadings, note }) => {
      // The assessments are other people's: only one that changes in every pair is condemned.
      const [id] = bodiesOf(assessmentReadings).map((reading) => reading.id)
      const read = () => service.readAssessment(id ?? '')
      await expectRepeatable(read, 'assessment', JSON.stringify)
      note('two reads in a row were alike')
    },
  )

  clause(
    'assessment.read.error-is-json',
    { should: 'give the body of an error, when there is one, as JSON', section: 'Errors' },
    async ({ assessmentRefusals, assessmentMalformedReads, note }) => {
      expect(problemsOfNonJson(assessmentRefusals, assessmentMalformedReads)).toBeNone()
      const bodies = [
        assessmentRefusals.unknown,
        assessmentRefusals.withoutKey,
        ...assessmentMalformedReads,
      ]
      note(
        `bodies to ${bodies.flatMap(({ status, text }) => (text ? status : [])).join(', ')}: JSON`,
      )
    },
  )

  clause(
    'assessment.read.error-field-types',
    { observe: 'the types of the error fields in state Error', section: 'Assessment' },
    async ({ assessmentReadings }) => {
      const failed = needInState(assessmentReadings, 'Error')
      return Object.fromEntries(
        errorFields.map((field) => [field, typeAmong(failed.map(({ body }) => body[field]))]),
      )
    },
  )
})
