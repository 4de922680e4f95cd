import { describe } from 'vitest'
import { distinct } from '../engine/distinct.ts'
import { isObject } from '../engine/http/answers.ts'
import {
  cachingOf,
  codesIn,
  headersShown,
  mediaTypeOf,
  timestampForms,
  typeOf,
} from '../engine/http/shapes.ts'
import type { Observation } from '../engine/observation.ts'
import { shown } from '../engine/shown.ts'
import { clause } from '../helpers/clause.ts'
import { acceptedAmong, bodiesOf, type Reading, silences } from '../helpers/reads/readings.ts'
import { type Refusals, refusalShapes } from '../helpers/reads/refusals.ts'
import { fieldsShaped } from '../helpers/service/schema.ts'

const timestamps = fieldsShaped('task', 'timestamp')

const ofReadings = (readings: readonly Reading[]) => headersShown(acceptedAmong(readings))

const ofRefusals = ({ unknown, withoutKey }: Refusals): Observation => ({
  'unknown id': codesIn(unknown),
  'no key': codesIn(withoutKey),
})

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

describe('What reads are answered', () => {
  clause(
    'task.read.headers',
    {
      observe: 'which headers every Task comes with',
      section: 'Endpoints',
      operation: 'task.read',
    },
    async ({ taskReadings }) => ofReadings(taskReadings),
  )

  clause(
    'task.read.error-codes',
    {
      observe: 'which codes and fixed words refusals of a read carry',
      section: 'Errors',
      operation: 'task.read',
    },
    async ({ taskRefusals }) => ofRefusals(taskRefusals),
  )

  clause(
    'task.read.custom-metadata',
    {
      observe: 'what custom_metadata holds: null, nothing, or members of which types',
      section: 'Task',
      operation: 'task.read',
      varies: 'the tasks that are read',
    },
    async ({ taskReadings }) =>
      distinct(bodiesOf(taskReadings).flatMap(({ body }) => contentsOf(body.custom_metadata))),
  )

  clause(
    'assessment.read.headers',
    {
      observe: 'which headers every Assessment comes with',
      section: 'Endpoints',
      operation: 'assessment.read',
    },
    async ({ assessmentReadings }) => ofReadings(assessmentReadings),
  )

  clause(
    'assessment.read.error-codes',
    {
      observe: 'which codes and fixed words refusals of a read carry',
      section: 'Errors',
      operation: 'assessment.read',
    },
    async ({ assessmentRefusals }) => ofRefusals(assessmentRefusals),
  )

  clause(
    'assessment.read.states',
    {
      observe: 'which workflow states are met',
      section: 'States and transitions',
      operation: 'assessment.read',
      varies: 'the assessments that are read',
    },
    async ({ assessmentReadings }) =>
      distinct(bodiesOf(assessmentReadings).map(({ body }) => String(body.workflow_state))),
  )
})

/** Of members only the types: their names and values are the institution's. */
function contentsOf(value: unknown): string[] {
  if (value === null) return ['null']
  if (!isObject(value)) return [typeOf(value)]
  const members = Object.values(value)
  return members.length === 0 ? ['nothing'] : members.map((member) => `a ${typeOf(member)}`)
}
