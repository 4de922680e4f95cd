import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { distinct } from '../engine/distinct.ts'
import { describeAnswer, objectIn } from '../engine/http/answers.ts'
import { mediaTypeOf, typeAmong } from '../engine/http/shapes.ts'
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
import { premise } from '../helpers/service/answers.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { fieldsShaped } from '../helpers/service/schema.ts'
import { mayExist } from '../helpers/updates/other-kind.ts'

const section = 'Retrieve an assessment'
const identifiers = fieldsShaped('assessment', 'uuid')
const timestamps = fieldsShaped('assessment', 'timestamp')
const errorFields = ['error_message', 'error_details', 'error_step', 'error_type']

describe('Retrieve an assessment', () => {
  clause(
    'assessment.read.success',
    { must: 'answer 2xx with a JSON Assessment to a known id and a valid key', section },
    async ({ service, assessmentReadings }) => {
      for (const { answer } of await needStillThere(assessmentReadings, service.readAssessment)) {
        expect(answer).toBeAccepted()
        objectIn(answer)
      }
    },
  )

  clause(
    'assessment.read.identity',
    { must: 'give the assessment whose id was asked for', section },
    async ({ assessmentReadings }) => {
      const strangers = bodiesOf(assessmentReadings).filter(
        ({ id, body }) => !isSameId(body.id, id),
      )
      expect(
        strangers.map(({ id, body }) => `assessment ${id}: id is ${shown(body.id)}`),
      ).toBeNone()
    },
  )

  clause(
    'assessment.read.fields',
    { must: 'show every field of the Assessment table', section: 'Assessment' },
    async ({ assessmentReadings }) => {
      const missing = problemsOfMissing('assessment', assessmentReadings)
      expect(missing.filter((sentence) => !/ error_\w+ is missing$/.test(sentence))).toBeNone()
    },
  )

  clause(
    'assessment.read.identifiers',
    { must: 'give identifiers as UUID-shaped strings', section: 'Resources and their fields' },
    async ({ assessmentReadings }) => {
      expect(problemsOfForm('assessment', assessmentReadings, identifiers)).toBeNone()
    },
  )

  clause(
    'assessment.read.timestamps',
    {
      must: 'give created_at as an ISO 8601 datetime in UTC',
      section: 'Resources and their fields',
      reading: 'any ISO 8601 form with a date, a time and Z or a zero offset',
    },
    async ({ assessmentReadings }) => {
      expect(problemsOfForm('assessment', assessmentReadings, timestamps)).toBeNone()
    },
  )

  clause(
    'assessment.read.state',
    { must: 'give workflow_state as Active, Cancelled or Error', section: 'Assessment' },
    async ({ assessmentReadings }) => {
      expect(problemsOfForm('assessment', assessmentReadings, ['workflow_state'])).toBeNone()
    },
  )

  clause(
    'assessment.read.error-fields',
    {
      must: 'show error_message, error_details, error_step and error_type',
      section: 'Assessment',
    },
    async ({ assessmentReadings }) => {
      const missing = problemsOfMissing('assessment', assessmentReadings)
      expect(missing.filter((sentence) => / error_\w+ is missing$/.test(sentence))).toBeNone()
    },
  )

  clause(
    'assessment.read.no-error',
    { should: 'give the error fields as null when the state is not Error', section: 'Assessment' },
    async ({ assessmentReadings }) => {
      const sound = bodiesOf(assessmentReadings).filter(
        ({ body }) => body.workflow_state === 'Active' || body.workflow_state === 'Cancelled',
      )
      premise(sound.length > 0, 'none of the assessments is Active or Cancelled')
      const set = sound.flatMap(({ id, body }) =>
        errorFields
          .filter((field) => body[field] != null)
          .map((field) => `assessment ${id}, ${body.workflow_state}: ${field} is set`),
      )
      expect(set).toBeNone()
    },
  )

  clause(
    'assessment.read.error',
    {
      must: 'set at least one of the error fields in state Error',
      section: 'What the service does',
      reading: '“reports … on failure, error information”',
    },
    async ({ assessmentReadings }) => {
      const failed = bodiesOf(assessmentReadings).filter(
        ({ body }) =>
          body.workflow_state === 'Error' && errorFields.every((field) => field in body),
      )
      premise(failed.length > 0, 'ASSESSMENT_IDS names no assessment in state Error')
      const silent = failed.filter(({ body }) => errorFields.every((field) => body[field] === null))
      expect(
        silent.map(({ id }) => `assessment ${id} is in state Error with all error fields null`),
      ).toBeNone()
    },
  )

  clause(
    'assessment.read.not-found',
    {
      must: 'answer 404 to an id that no assessment has',
      section: 'Errors',
      reading: 'the id of a task is no assessment’s, unless there is one with that very id',
    },
    async ({ assessmentRefusals }) => {
      const { unknown, otherKind } = assessmentRefusals
      expect(unknown).toHaveStatus(404)
      if (otherKind && !mayExist('assessment', otherKind))
        expect(otherKind.answer).toHaveStatus(404)
    },
  )

  clause(
    'assessment.read.malformed-id',
    { must: 'give no Assessment for an id that is no UUID', section: 'Errors' },
    async ({ assessmentMalformedReads }) => {
      const given = assessmentMalformedReads.filter((answer) => holds(answer, 'workflow_state'))
      expect(given.map((answer) => `${describeAnswer(answer)} with an Assessment`)).toBeNone()
    },
  )

  clause(
    'assessment.read.malformed-id.status',
    { should: 'answer 404 to an id that is no UUID', section: 'Errors' },
    async ({ assessmentMalformedReads }) => {
      for (const answer of assessmentMalformedReads) expect(answer).toHaveStatus(404)
    },
  )

  clause(
    'assessment.read.repeatable',
    { should: 'give the same fields when an assessment is read twice', section },
    async ({ service, assessmentReadings }) => {
      // The assessments are other people's: only one that changes in every pair is condemned.
      const [id] = bodiesOf(assessmentReadings).map((reading) => reading.id)
      const read = () => service.readAssessment(id ?? '')
      await expectRepeatable(read, 'assessment', JSON.stringify)
    },
  )

  clause(
    'assessment.read.error-is-json',
    { should: 'give the body of an error, when there is one, as JSON', section: 'Errors' },
    async ({ assessmentRefusals, assessmentMalformedReads }) => {
      expect(problemsOfNonJson(assessmentRefusals, assessmentMalformedReads)).toBeNone()
    },
  )

  clause(
    'assessment.read.success-status',
    { observe: 'the status of a successful read', section: 'Endpoints' },
    async ({ assessmentReadings }) =>
      distinct(
        assessmentReadings.map(({ answer }) => answer.status).filter((status) => status < 300),
      ),
  )

  clause(
    'assessment.read.content-type',
    { observe: 'the media type of an Assessment', section: 'Endpoints' },
    async ({ assessmentReadings }) =>
      distinct(assessmentReadings.map(({ answer }) => mediaTypeOf(answer) ?? 'none')),
  )

  clause(
    'assessment.read.nulls',
    {
      observe: 'which fields of an Assessment are null somewhere that are not said to be',
      section: 'Assessment',
      varies: 'the assessments that are read',
    },
    async ({ assessmentReadings }) => silences('assessment', assessmentReadings).nulls,
  )

  clause(
    'assessment.read.extra-fields',
    {
      observe: 'which fields every Assessment has that the contract does not name, and their types',
      section: 'Assessment',
    },
    async ({ assessmentReadings }) => silences('assessment', assessmentReadings).extras,
  )

  clause(
    'assessment.read.error-field-types',
    { observe: 'the types of the error fields in state Error', section: 'Assessment' },
    async ({ assessmentReadings }) => {
      const failed = bodiesOf(assessmentReadings).filter(
        ({ body }) => body.workflow_state === 'Error',
      )
      premise(failed.length > 0, 'ASSESSMENT_IDS names no assessment in state Error')
      return Object.fromEntries(
        errorFields.map((field) => [field, typeAmong(failed.map(({ body }) => body[field]))]),
      )
    },
  )

  clause(
    'assessment.read.error-body',
    {
      observe: 'what refusals look like: an unknown id, a malformed one, no key',
      section: 'Errors',
    },
    async ({ assessmentRefusals, assessmentMalformedReads }) =>
      refusalShapes(assessmentRefusals, assessmentMalformedReads),
  )
})
