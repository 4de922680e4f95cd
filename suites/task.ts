import { expect } from '../engine/clause/matchers.ts'
import { distinct } from '../engine/distinct.ts'
import { isObject, objectIn } from '../engine/http/answers.ts'
import { cachingOf, timestampForms, typeOf } from '../engine/http/shapes.ts'
import { problem } from '../engine/problem.ts'
import { shown } from '../engine/shown.ts'
import { clausesOf } from '../helpers/clause.ts'
import { acceptedAmong, assessmentRead, bodiesOf, type Reading } from '../helpers/reads/readings.ts'
import { expectRepeatable } from '../helpers/reads/repeatable.ts'
import { needPermitted, premise } from '../helpers/service/answers.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { fieldsShaped } from '../helpers/service/schema.ts'

const clause = clausesOf({ section: 'Retrieve a task', operation: 'task.read' })

clause('task.read.repeatable', {
  should: 'give the same version and fields when a task is read twice with no change between',
})(async ({ service, stillTaskId, note }) => {
  const read = () => service.readTask(stillTaskId)
  await expectRepeatable(read, 'task', ({ updated_at }) => updated_at)
  note('two reads in a row were alike')
})

clause('task.read.assessment-resolves', {
  should:
    'name an assessment that can be read and is of the same entity, institution and workflow instance',
  section: 'What the service does',
})(async ({ shared, readings, note }) => {
  const named = needAssessmentNamed(readings).slice(0, 12)
  for (const { id, body } of named) {
    const { answer } = await assessmentRead(shared, String(body.assessment_id))
    needPermitted(answer)
    expect(answer).toBeAccepted({
      again: { why: 'the task that names it has to be read first' },
    })
    const read = objectIn(answer)
    const apart = ['entity_id', 'institution_id', 'workflow_instance_id'].filter(
      (field) => body[field] != null && read[field] != null && !isSameId(body[field], read[field]),
    )
    expect(
      apart.map((field) =>
        problem(`task ${id} and its assessment differ in ${field}`, {
          expected: shown(body[field]),
          got: shown(read[field]),
          judged: answer,
          control: body,
        }),
      ),
    ).toBeNone()
  }
  note(`the assessments of ${named.length} tasks`)
})

clause('task.read.status-values', {
  observe: 'the values of a Task’s status',
  section: 'States and transitions',
  varies: 'the tasks that are read',
})(async ({ readings }) => distinct(bodiesOf(readings).map(({ body }) => shown(body.status))))

clause('task.read.timestamp-forms', {
  observe: 'the form in which timestamps are written',
  section: 'Resources and their fields',
})(async ({ readings }) =>
  timestampForms(
    bodiesOf(readings).flatMap(({ body }) =>
      fieldsShaped('task', 'timestamp').flatMap((field) =>
        typeof body[field] === 'string' ? [body[field]] : [],
      ),
    ),
  ),
)

clause('task.read.cache-headers', {
  observe: 'which headers speak of caching',
  section: 'Endpoints',
})(async ({ readings }) => {
  const [answer] = acceptedAmong(readings)
  return answer ? cachingOf(answer) : null
})

clause('task.read.custom-metadata', {
  observe: 'what custom_metadata holds: null, nothing, or members of which types',
  section: 'Task',
  varies: 'the tasks that are read',
})(async ({ readings }) =>
  distinct(bodiesOf(readings).flatMap(({ body }) => contentsOf(body.custom_metadata))),
)

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

/** Of members only the types: their names and values are the institution's. */
function contentsOf(value: unknown): string[] {
  if (value === null) return ['null']
  if (!isObject(value)) return [typeOf(value)]
  const members = Object.values(value)
  return members.length === 0 ? ['nothing'] : members.map((member) => `a ${typeOf(member)}`)
}
