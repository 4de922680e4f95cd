import { describe } from 'vitest'
import { distinct } from '../engine/distinct.ts'
import { mediaTypeOf } from '../engine/http/shapes.ts'
import { clause } from '../helpers/clause.ts'
import { acceptedAmong, silences } from '../helpers/reads/readings.ts'
import { refusalShapes } from '../helpers/reads/refusals.ts'

describe('Retrieve an assessment', () => {
  clause(
    'assessment.read.success-status',
    { observe: 'the status of a successful read', section: 'Endpoints' },
    async ({ assessmentReadings }) =>
      distinct(acceptedAmong(assessmentReadings).map(({ status }) => status)),
  )

  clause(
    'assessment.read.content-type',
    { observe: 'the media type of an Assessment', section: 'Endpoints' },
    async ({ assessmentReadings }) =>
      distinct(acceptedAmong(assessmentReadings).map((answer) => mediaTypeOf(answer) ?? 'none')),
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
    'assessment.read.error-body',
    {
      observe: 'what refusals look like: an unknown id, a malformed one, no key',
      section: 'Errors',
    },
    async ({ assessmentRefusals, assessmentMalformedReads }) =>
      refusalShapes(assessmentRefusals, assessmentMalformedReads),
  )
})
