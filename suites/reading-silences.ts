import { describe } from 'vitest'
import { distinct } from '../engine/distinct.ts'
import { cachingOf, mediaTypeOf, timestampForms } from '../engine/http/shapes.ts'
import { shown } from '../engine/shown.ts'
import { clause } from '../helpers/clause.ts'
import { acceptedAmong, bodiesOf, silences } from '../helpers/reads/readings.ts'
import { refusalShapes } from '../helpers/reads/refusals.ts'
import { fieldsShaped } from '../helpers/service/schema.ts'

const timestamps = fieldsShaped('task', 'timestamp')

describe('Retrieve a task', () => {
  clause(
    'task.read.success-status',
    { observe: 'the status of a successful read', section: 'Endpoints' },
    async ({ taskReadings }) => distinct(acceptedAmong(taskReadings).map(({ status }) => status)),
  )

  clause(
    'task.read.content-type',
    { observe: 'the media type of a Task', section: 'Endpoints' },
    async ({ taskReadings }) =>
      distinct(acceptedAmong(taskReadings).map((answer) => mediaTypeOf(answer) ?? 'none')),
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
      const [answer] = acceptedAmong(taskReadings)
      return answer ? cachingOf(answer) : null
    },
  )
})

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
