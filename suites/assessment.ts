import { describe } from 'vitest'
import { distinct } from '../engine/distinct.ts'
import { typeAmong } from '../engine/http/shapes.ts'
import { problem } from '../engine/problem.ts'
import { shown } from '../engine/shown.ts'
import { clausesOf } from '../helpers/clause.ts'
import {
  bodiesOf,
  type Came,
  errorFields,
  needInState,
  problemsOfMissing,
} from '../helpers/reads/readings.ts'
import { expectRepeatable } from '../helpers/reads/repeatable.ts'
import { again } from '../helpers/service/again.ts'

const clause = clausesOf({ section: 'Assessment', operation: 'assessment.read' })

describe('Retrieve an assessment', () => {
  clause(
    'assessment.read.error-fields',
    { must: 'show error_message, error_details, error_step and error_type' },
    ({ readings, each }) =>
      each(bodiesOf(readings), (one) => problemsOfMissing('assessment', one, errorFields), {
        of: 'assessments with four error fields each',
      }),
  )

  clause(
    'assessment.read.no-error',
    { should: 'give the error fields as null when the state is not Error' },
    async ({ readings, each }) => {
      const set = ({ id, body }: Came) =>
        errorFields
          .filter((field) => body[field] != null)
          .map((field) =>
            problem(`assessment ${id}, ${body.workflow_state}: ${field} is ${shown(body[field])}`, {
              expected: 'null',
              got: shown(body[field]),
              judged: body,
              again: again.value(field, null),
            }),
          )
      await each(needInState(readings, 'Active', 'Cancelled'), set, {
        of: 'assessments that are Active or Cancelled',
      })
    },
  )

  clause(
    'assessment.read.error',
    {
      must: 'set at least one of the error fields in state Error',
      section: 'What the service does',
      reading: '“reports … on failure, error information”',
    },
    async ({ readings, each }) => {
      const failed = needInState(readings, 'Error').filter(({ body }) =>
        errorFields.every((field) => field in body),
      )
      const silent = ({ id, body }: Came) =>
        errorFields.some((field) => body[field] !== null)
          ? []
          : [
              problem(`assessment ${id} is in state Error with all error fields null`, {
                expected: 'one of the error fields set',
                got: 'all of them null',
                judged: body,
                again: {
                  signs: [{ any: errorFields.map((member) => ({ member, matches: '^[^n]' })) }],
                },
              }),
            ]
      await each(failed, silent, {
        none: [
          'clause',
          'no assessment in state Error shows all error fields',
          'assessment.read.error-fields',
        ],
        of: 'assessments in state Error',
      })
    },
  )

  clause(
    'assessment.read.repeatable',
    {
      should: 'give the same fields when an assessment is read twice',
      section: 'Retrieve an assessment',
    },
    async ({ service, readings, note }) => {
      // The assessments are other people's: only one that changes in every pair is condemned.
      const [id] = bodiesOf(readings).map((one) => one.id)
      const read = () => service.readAssessment(id ?? '')
      await expectRepeatable(read, 'assessment', JSON.stringify)
      note('two reads in a row were alike')
    },
  )

  clause(
    'assessment.read.error-field-types',
    { observe: 'the types of the error fields in state Error' },
    async ({ readings }) => {
      const failed = needInState(readings, 'Error')
      return Object.fromEntries(
        errorFields.map((field) => [field, typeAmong(failed.map(({ body }) => body[field]))]),
      )
    },
  )

  clause(
    'assessment.read.states',
    {
      observe: 'which workflow states are met',
      section: 'States and transitions',
      varies: 'the assessments that are read',
    },
    async ({ readings }) =>
      distinct(bodiesOf(readings).map(({ body }) => String(body.workflow_state))),
  )
})
