import { withArticle } from '../engine/article.ts'
import { caseOf } from '../engine/clause/case.ts'
import { counted } from '../engine/counted.ts'
import { distinct } from '../engine/distinct.ts'
import { isObject, jsonIn } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import {
  cachingOf,
  codesIn,
  headersShown,
  mediaTypeOf,
  refusalShape,
  timestampForms,
  typeAmong,
  typeOf,
} from '../engine/http/shapes.ts'
import { problemsOfStatus } from '../engine/http/status-problems.ts'
import { shown } from '../engine/shown.ts'
import { pause } from '../engine/time/abort.ts'
import { clausesOf } from '../helpers/clause.ts'
import {
  describeStates,
  type Field,
  fieldsOf,
  fieldsWith,
  headingOfTable,
  listed,
  plainForms,
  type Resource,
  sinceOf,
  typesOf,
} from '../helpers/contract/fields.ts'
import { operations, resources } from '../helpers/contract/operations.ts'
import { statuses } from '../helpers/contract/statuses.ts'
import { isOfInvalid } from '../helpers/history/questions.ts'
import { withAssigned } from '../helpers/reads/assigned.ts'
import { fetchOtherKinds } from '../helpers/reads/other-kinds.ts'
import { fetchPresent, problemsOfPresent } from '../helpers/reads/presence.ts'
import {
  acceptedAmong,
  bodiesOf,
  type Came,
  describeValues,
  errorFields,
  needInState,
  problemsOfApart,
  problemsOfError,
  problemsOfForm,
  problemsOfIdentity,
  problemsOfMissing,
  problemsOfNeverSet,
  problemsOfNoVersion,
  problemsOfOtherAssessment,
  problemsOfSilence,
  type Reading,
  readerOf,
  readShared,
  silences,
  versionsIn,
  whyUnset,
} from '../helpers/reads/readings.ts'
import {
  byKind,
  noneInJson,
  problemsOfGiven,
  problemsOfNonJson,
  refusalsInJson,
  refusedBy,
} from '../helpers/reads/refusals.ts'
import { fetchPair } from '../helpers/reads/repeatable.ts'
import { fetchUnknownReads, problemsOfUnknown } from '../helpers/reads/unknown-ids.ts'
import { needPermitted, premise } from '../helpers/service/answers.ts'
import { readableBeside } from '../helpers/service/known.ts'

/** Members that show which resource a body is; of any other resource: all its fields together. */
const membersOf: Partial<Record<Resource, readonly string[]>> = {
  task: ['updated_at'],
  assessment: ['workflow_state'],
}

type FormClause = {
  must: string
  section: string
  fields: readonly string[]
  reading?: string
  since?: string
}

/** What is stated of fields by their form, for the forms that the resource has. */
function formsOf(resource: Resource, heading: string): [form: string, clause: FormClause][] {
  const section = 'Resources and their fields'
  const fieldsOfForm = (...forms: Field['form'][]) =>
    fieldsWith(resource, ({ form }) => forms.includes(form))
  const types = typesOf(resource)
  const forms: Record<string, FormClause> = {
    identifiers: {
      must: 'return identifiers as UUID-shaped strings',
      section,
      fields: fieldsOfForm('id'),
    },
    timestamps: {
      must: describeTimestamps(fieldsOfForm('timestamp')),
      section,
      reading: 'any ISO 8601 form with a date, a time and Z or a zero offset',
      fields: fieldsOfForm('timestamp'),
    },
    types: {
      must: `return ${types.words}, unless null`,
      ...sinceOf(types),
      section: heading,
      fields: fieldsOfForm(...plainForms),
    },
    assignment: {
      must: 'return assignment as null or as an Assignment object',
      section: 'Assignment',
      fields: fieldsOfForm('assignment'),
    },
    state: {
      must: `return ${describeStates(resource)}`,
      section: heading,
      fields: fieldsOfForm('state'),
    },
  }
  return Object.entries(forms).filter(([, { fields }]) => fields.length > 0)
}

const describeTimestamps = ([field, ...others]: readonly string[]): string =>
  others.length === 0
    ? `return ${field} as an ISO 8601 datetime in UTC`
    : 'return timestamps as ISO 8601 datetimes in UTC'

/** The ids of these are tried as the resource's. */
function describeOthers(resource: Resource): string {
  const others = resources.filter((other) => other !== resource).slice(0, 1)
  const tried = fieldsOf(resource).includes('entity_id') ? [...others, 'entity'] : others
  return tried.map((other) => `of ${withArticle(other)}`).join(' or ')
}

for (const resource of resources) {
  const operation = `${resource}.read` as const
  const { title: section } = operations[operation]
  const heading = headingOfTable(resource)
  const fields = fieldsWith(resource, ({ ofError }) => !ofError)
  const clause = clausesOf({ section, operation })

  clause(`${resource}.read.success`, {
    must: `respond 2xx with a JSON object when an existing ${resource} is read with a valid key`,
    law: problemsOfPresent,
    of: `${resource}s: 2xx with a JSON object`,
  })(['session', 'settings', 'service', 'readings'], ({ session, settings, service, readings }) => {
    const settle = () => pause(settings.settleMs, session.stop)
    const { absent } = session.known.ids[resource]
    const read = readerOf(resource, service)
    return fetchPresent(readings, { resource, read, absent, settle })
  })

  clause(`${resource}.read.identity`, {
    must: `return the ${resource} with the requested id`,
    law: (came: Came) => problemsOfIdentity(resource, came),
    of: `${resource}s, each with its id`,
  })(['readings'], ({ readings }) => bodiesOf(readings))

  clause(`${resource}.read.fields`, {
    must: `return every field of the ${heading} table`,
    section: heading,
    law: (came: Came) => problemsOfMissing(resource, came, fields),
    of: `${resource}s with ${fields.length} fields each`,
  })(['readings'], ({ readings }) => bodiesOf(readings))

  for (const [form, { fields, ...law }] of formsOf(resource, heading))
    clause(`${resource}.read.${form}`, {
      ...law,
      law: (came: Came) => problemsOfForm(resource, came, fields),
      of: (all: readonly Came[]) => describeValues(resource, all, fields),
      lacks: (all: readonly Came[]) => whyUnset(resource, all, fields),
    })(['session', 'readings', 'over'], ({ session: { history }, readings, over }) => {
      const came = bodiesOf(readings).filter(({ id, body }) => !isOfInvalid(history, id, body))
      return form === 'assignment' ? withAssigned(came, history, over) : came
    })

  clause(`${resource}.read.not-found`, {
    must: `respond 404 when no ${resource} has the requested id`,
    section: 'Errors',
    reading: `no ${resource} has the id ${describeOthers(resource)}, unless ${withArticle(resource)} really has that id`,
    law: problemsOfUnknown,
    of: `unknown ids of ${resource}s: ${statuses.unknownId}`,
  })(
    ['session', 'random', 'service', 'allRead'],
    async function* ({ session, random, service, allRead }) {
      const read = readerOf(resource, service)
      const asking = { random, operation, clause: `${resource}.read.not-found` }
      yield* fetchUnknownReads(read, allRead, asking)
      const other = readableBeside(resource, session.known)
      yield* await fetchOtherKinds(resource, read, { readings: allRead, other })
    },
  )

  clause(`${resource}.read.malformed-id`, {
    must: `return no ${heading} for an id that is not a UUID`,
    section: 'Errors',
    law: (answer: Answer) => problemsOfGiven(answer, resource, membersOf[resource] ?? fields),
    of: (all) => `ids that are not UUIDs: ${all.map(({ status }) => status).join(', ')}`,
  })(['malformedReads'], ({ malformedReads }) => malformedReads)

  clause(`${resource}.read.malformed-id.status`, {
    should: 'respond 404 to an id that is not a UUID',
    section: 'Errors',
    law: (answer: Answer) => problemsOfStatus(answer, statuses.unknownId),
    of: `malformed ids: ${statuses.unknownId}`,
  })(['malformedReads'], ({ malformedReads }) => malformedReads)

  clause(`${resource}.read.error-is-json`, {
    should: 'return the body of an error response whose Content-Type is JSON as valid JSON',
    section: 'Errors',
    law: problemsOfNonJson,
    none: ['freedom', noneInJson],
    of: (bodies) => `bodies to ${bodies.map(({ status }) => status).join(', ')}: JSON`,
  })(['refusals', 'malformedReads'], ({ refusals, malformedReads }) =>
    refusalsInJson(refusals, malformedReads),
  )

  clause(`${resource}.read.success-status`, {
    observe: 'the status of a successful read',
    section: 'Endpoints',
    look: (answers: readonly Answer[]) => distinct(answers.map(({ status }) => status)),
  })(['readings'], ({ readings }) => acceptedAmong(readings))

  clause(`${resource}.read.content-type`, {
    observe: `the media type of ${withArticle(heading)} response`,
    section: 'Endpoints',
    look: (answers: readonly Answer[]) =>
      distinct(answers.map((answer) => mediaTypeOf(answer) ?? 'none')),
  })(['readings'], ({ readings }) => acceptedAmong(readings))

  clause(`${resource}.read.headers`, {
    observe: `which headers every ${heading} response has`,
    section: 'Endpoints',
    look: (answers: readonly Answer[]) => headersShown(answers),
  })(['readings'], ({ readings }) => acceptedAmong(readings))

  clause(`${resource}.read.nulls`, {
    observe: `which fields of ${withArticle(heading)} are null although the contract does not say that they can be`,
    section: heading,
    varies: `the ${resource}s that are read`,
    look: (came: readonly Came[]) => silences(resource, came).nulls,
  })(['readings'], ({ readings }) => bodiesOf(readings))

  clause(`${resource}.read.extra-fields`, {
    observe: `which fields beyond the contract every ${heading} has, and their types`,
    section: heading,
    look: (came: readonly Came[]) => silences(resource, came).extras,
  })(['readings'], ({ readings }) => bodiesOf(readings))

  clause(`${resource}.read.error-body`, {
    observe: 'what error responses look like: unknown id, malformed id, missing key',
    section: 'Errors',
    look: byKind(refusalShape),
  })(['refusals', 'malformedReads'], ({ refusals, malformedReads }) =>
    refusedBy(refusals, malformedReads),
  )

  clause(`${resource}.read.error-codes`, {
    observe: 'which error codes and fixed texts the error responses to a read contain',
    section: 'Errors',
    look: byKind(codesIn),
  })(['refusals'], ({ refusals }) => refusedBy(refusals))
}

const ofTask = clausesOf({ section: 'Retrieve a task', operation: 'task.read' })

ofTask('task.read.repeatable', {
  should: `return the same fields, except ${listed.restless.words}, when an unchanged task is read twice`,
  ...sinceOf(listed.restless),
  law: problemsOfApart,
  of: () => 'two consecutive reads returned the same fields',
})(['service', 'stillTaskId'], async ({ service, stillTaskId }) => {
  const read = () => service.readTask(stillTaskId)
  return [await fetchPair(read, 'task', ({ updated_at }) => updated_at)]
})

ofTask('task.read.assessment-resolves', {
  should:
    'return the assessment_id of an assessment that can be read and has the same entity, institution and workflow instance',
  section: 'What the service does',
  law: problemsOfOtherAssessment,
  of: (all) => `the assessments of ${counted(all.length, 'task')}`,
})(['shared', 'readings'], async function* ({ shared, readings }) {
  for (const { body, exchange } of needAssessmentNamed(readings).slice(0, 12)) {
    const { answer } = await readShared('assessment', shared, String(body.assessment_id))
    needPermitted(answer)
    const resolved = { answer, assessment: jsonIn(answer), task: body }
    yield caseOf(resolved, { judged: answer, control: exchange })
  }
})

ofTask('task.read.version', {
  must: 'return a version value in updated_at',
  section: 'Task',
  since: '0.3',
  reading:
    "“It serves as the task's version value for If-Match”: not null in all of two or more tasks of TASK_IDS",
  law: problemsOfNoVersion,
  of: ([{ versioned }]) => `${counted(versioned.length, 'task')} of TASK_IDS: updated_at is set`,
})(['settings', 'readings'], ({ settings: { taskIds }, readings }) => {
  const versions = versionsIn(bodiesOf(readings).filter(({ id }) => taskIds.includes(id)))
  return [caseOf(versions, { judged: [versions.versioned, versions.unversioned] })]
})

ofTask('task.read.status-values', {
  observe: 'which values status has in the tasks that were read',
  section: 'States and transitions',
  varies: 'the tasks that are read',
  look: (came: readonly Came[]) => distinct(came.map(({ body }) => shown(body.status))),
})(['readings'], ({ readings }) => bodiesOf(readings))

ofTask('task.read.timestamp-forms', {
  observe: 'the format of timestamps',
  section: 'Resources and their fields',
  look: (came: readonly Came[]) => {
    const fields = fieldsWith('task', ({ form }) => form === 'timestamp')
    const values = came.flatMap(({ body }) => fields.map((field) => body[field]))
    return timestampForms(values.filter((value) => typeof value === 'string'))
  },
})(['readings'], ({ readings }) => bodiesOf(readings))

ofTask('task.read.cache-headers', {
  observe: 'which caching headers a Task response has',
  section: 'Endpoints',
  look: ([answer]: readonly Answer[]) => (answer ? cachingOf(answer) : null),
})(['readings'], ({ readings }) => acceptedAmong(readings).slice(0, 1))

ofTask('task.read.custom-metadata', {
  observe: 'whether custom_metadata is null or empty, or else the types of its members',
  section: 'Task',
  varies: 'the tasks that are read',
  look: (came: readonly Came[]) =>
    distinct(came.flatMap(({ body }) => contentsOf(body.custom_metadata))),
})(['readings'], ({ readings }) => bodiesOf(readings))

/** Other clauses judge a missing or malformed field. */
function needAssessmentNamed(readings: readonly Reading[]) {
  const bodies = bodiesOf(readings)
  const named = bodies.filter(({ body }) => typeof body.assessment_id === 'string')
  const isNull = bodies.every(({ body }) => body.assessment_id === null)
  premise(
    !isNull,
    'freedom',
    'assessment_id is null in every task, and the contract does not say which fields can be null',
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

function contentsOf(value: unknown): string[] {
  if (value === null) return ['null']
  if (!isObject(value)) return [typeOf(value)]
  const members = Object.values(value)
  return members.length === 0 ? ['nothing'] : members.map((member) => `a ${typeOf(member)}`)
}

const ofAssessment = clausesOf({
  section: 'Assessment',
  operation: 'assessment.read',
})

ofAssessment('assessment.read.error-fields', {
  must: 'return error_message, error_details, error_step and error_type',
  law: (came: Came) => problemsOfMissing('assessment', came, errorFields),
  of: 'assessments with four error fields each',
})(['readings'], ({ readings }) => bodiesOf(readings))

ofAssessment('assessment.read.no-error', {
  should: 'return the error fields as null when workflow_state is not Error',
  law: problemsOfError,
  of: 'Active or Cancelled assessments',
})(['readings'], ({ readings }) => needInState(readings, 'Active', 'Cancelled'))

ofAssessment('assessment.read.error', {
  must: 'return a value in at least one error field when workflow_state is Error',
  section: 'What the service does',
  reading: '“reports … on failure, error information”',
  law: problemsOfSilence,
  none: [
    'clause',
    'no assessment in state Error shows all error fields',
    'assessment.read.error-fields',
  ],
  of: 'assessments in state Error',
})(['readings'], ({ readings }) =>
  needInState(readings, 'Error').filter(({ body }) => errorFields.every((field) => field in body)),
)

ofAssessment('assessment.read.values', {
  should: 'set each field of an Assessment but the error fields in one of several assessments',
  since: '0.2',
  reading: 'the table has a string for each of them, and “null or value” for the error fields',
  law: problemsOfNeverSet,
  of: ([{ bodies }]) => `${counted(bodies.length, 'assessment')}: one or more set each field`,
})(['readings'], ({ readings }) => {
  const came = bodiesOf(readings)
  return [caseOf({ bodies: came.map(({ body }) => body) }, { judged: came })]
})

ofAssessment('assessment.read.repeatable', {
  should: 'return the same fields when an unchanged assessment is read twice',
  section: 'Retrieve an assessment',
  law: problemsOfApart,
  of: () => 'two consecutive reads returned the same fields',
})(['service', 'readings'], async ({ service, readings }) => {
  // Other people use the assessments: only one that changes in every pair breaks the contract.
  const [id] = bodiesOf(readings).map((one) => one.id)
  const read = () => service.read('assessment.read', id ?? '')
  return [await fetchPair(read, 'assessment', JSON.stringify)]
})

ofAssessment('assessment.read.error-field-types', {
  observe: 'the types of the error fields when workflow_state is Error',
  look: (failed: readonly Came[]) =>
    Object.fromEntries(
      errorFields.map((field) => [field, typeAmong(failed.map(({ body }) => body[field]))]),
    ),
})(['readings'], ({ readings }) => needInState(readings, 'Error'))

ofAssessment('assessment.read.states', {
  observe: 'which values workflow_state has in the assessments that were read',
  section: 'States and transitions',
  varies: 'the assessments that are read',
  look: (came: readonly Came[]) => distinct(came.map(({ body }) => String(body.workflow_state))),
})(['readings'], ({ readings }) => bodiesOf(readings))
