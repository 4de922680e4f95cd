import { describe } from 'vitest'
import { distinct } from '../engine/distinct.ts'
import { isObject } from '../engine/http/answers.ts'
import { codesIn, headersShown, typeOf } from '../engine/http/shapes.ts'
import type { Observation } from '../engine/observation.ts'
import { clause } from '../helpers/clause.ts'
import type { Reading } from '../helpers/reads/readings.ts'
import { acceptedAmong, bodiesOf } from '../helpers/reads/readings.ts'
import type { Refusals } from '../helpers/reads/refusals.ts'

const ofReadings = (readings: readonly Reading[]) => headersShown(acceptedAmong(readings))

const ofRefusals = ({ unknown, withoutKey }: Refusals): Observation => ({
  'unknown id': codesIn(unknown),
  'no key': codesIn(withoutKey),
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
