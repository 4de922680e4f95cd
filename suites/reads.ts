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
import { problemsOfStatus } from '../engine/http/status.ts'
import { isUuid } from '../engine/settings/parsers.ts'
import { shown } from '../engine/shown.ts'
import { pause } from '../engine/time/abort.ts'
import { clausesOf } from '../helpers/clause.ts'
import { fetchOtherKinds } from '../helpers/reads/other-kinds.ts'
import { fetchPresent, problemsOfPresent } from '../helpers/reads/presence.ts'
import {
  acceptedAmong,
  assessmentRead,
  bodiesOf,
  type Came,
  countOf,
  describeValues,
  errorFields,
  isInState,
  needInState,
  problemsOfApart,
  problemsOfError,
  problemsOfForm,
  problemsOfIdentity,
  problemsOfMissing,
  problemsOfOtherAssessment,
  problemsOfSilence,
  type Reading,
  silences,
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
import {
  acceptedReads,
  errorBodies,
  malformedReads,
  pairsOf,
  presentReads,
  readsOf,
  refusedReads,
  resolvedReads,
  unknownReads,
} from '../helpers/recorded/moments.ts'
import { needPermitted, premise } from '../helpers/service/answers.ts'
import { fieldsOf, fieldsShaped } from '../helpers/service/schema.ts'

const task = {
  resource: 'task',
  Name: 'Task',
  section: 'Retrieve a task',
  one: 'a Task',
  read: 'readTask',
  /** a member that the other resource lacks */
  member: 'updated_at',
  other: 'assessmentId',
  fields: fieldsOf('task'),
  notFound: 'no task has the id of an assessment or of an entity, unless a task really has that id',
  timestamps: 'give timestamps as ISO 8601 datetimes in UTC',
  forms: {
    types: {
      must: 'give data_version as an integer, status, step_name, c_name and name as strings, custom_metadata as an object, where they are not null',
      section: 'Task',
      fields: ['data_version', 'status', 'step_name', 'c_name', 'name', 'custom_metadata'],
    },
    assignment: {
      must: 'give the assignment as null or as an Assignment',
      section: 'Assignment',
      fields: ['assignment'],
    },
  },
} as const

const assessment = {
  resource: 'assessment',
  Name: 'Assessment',
  section: 'Retrieve an assessment',
  one: 'an Assessment',
  read: 'readAssessment',
  member: 'workflow_state',
  other: 'task',
  fields: fieldsOf('assessment').filter((field) => !errorFields.includes(field)),
  notFound:
    'no assessment has the id of a task or of an entity, unless an assessment really has that id',
  timestamps: 'give created_at as an ISO 8601 datetime in UTC',
  forms: {
    state: {
      must: 'give workflow_state as Active, Cancelled or Error',
      section: 'Assessment',
      fields: ['workflow_state'],
    },
  },
} as const

for (const kind of [task, assessment]) {
  const { section, resource, Name, one, read, member, fields } = kind
  const clause = clausesOf({ section, operation: `${resource}.read` })

  clause(`${resource}.read.success`, {
    must: `answer 2xx with a JSON ${Name} to a known id and a valid key`,
    law: problemsOfPresent,
    seen: presentReads(resource),
    of: `${resource}s: 2xx with a JSON object`,
  })(({ service, settings, session, readings }) => {
    const settle = () => pause(settings.settleMs, session.stop)
    const absent = session.known.absent[resource]
    return fetchPresent(readings, { resource, read: service[read], absent, settle })
  })

  clause(`${resource}.read.identity`, {
    must: `give the ${resource} whose id was asked for`,
    law: (came: Came) => problemsOfIdentity(resource, came),
    seen: readsOf(resource),
    of: `${resource}s, each with its id`,
  })(({ readings }) => bodiesOf(readings))

  clause(`${resource}.read.fields`, {
    must: `show every field of the ${Name} table`,
    section: Name,
    law: (came: Came) => problemsOfMissing(resource, came, fields),
    seen: readsOf(resource),
    of: `${resource}s with ${fields.length} fields each`,
  })(({ readings }) => bodiesOf(readings))

  const ofBoth = {
    identifiers: {
      must: 'give identifiers as UUID-shaped strings',
      section: 'Resources and their fields',
      fields: fieldsShaped(resource, 'uuid'),
    },
    timestamps: {
      must: kind.timestamps,
      section: 'Resources and their fields',
      reading: 'any ISO 8601 form with a date, a time and Z or a zero offset',
      fields: fieldsShaped(resource, 'timestamp'),
    },
  }
  for (const [form, { fields, ...law }] of Object.entries({ ...ofBoth, ...kind.forms }))
    clause(`${resource}.read.${form}`, {
      ...law,
      law: (came: Came) => problemsOfForm(resource, came, fields),
      seen: readsOf(resource),
      of: (all: readonly Came[]) => describeValues(resource, all, fields),
      lacks: (all: readonly Came[]) => whyUnset(resource, all, fields),
    })(({ readings }) => bodiesOf(readings))

  clause(`${resource}.read.not-found`, {
    must: `answer 404 to an id that no ${resource} has`,
    section: 'Errors',
    reading: kind.notFound,
    law: problemsOfUnknown,
    seen: unknownReads(resource),
    of: `ids that no ${resource} has: 404`,
  })(async function* ({ service, session, allRead, random }) {
    const asking = { random, clause: `${resource}.read.not-found` }
    yield* fetchUnknownReads(service[read], allRead, asking)
    const besides = { readings: allRead, other: session.known.readable[kind.other] }
    yield* await fetchOtherKinds(resource, service[read], besides)
  })

  clause(`${resource}.read.malformed-id`, {
    must: `give no ${Name} for an id that is no UUID`,
    section: 'Errors',
    law: (answer: Answer) => problemsOfGiven(answer, one, member),
    seen: malformedReads(resource),
    of: (all) => `ids that are not UUIDs: ${all.map(({ status }) => status).join(', ')}`,
  })(({ malformedReads }) => malformedReads)

  clause(`${resource}.read.malformed-id.status`, {
    should: 'answer 404 to an id that is no UUID',
    section: 'Errors',
    law: (answer: Answer) => problemsOfStatus(answer, 404),
    seen: malformedReads(resource),
    of: 'such ids: 404',
  })(({ malformedReads }) => malformedReads)

  clause(`${resource}.read.error-is-json`, {
    should: 'return the body of an error response whose Content-Type is JSON as valid JSON',
    section: 'Errors',
    law: problemsOfNonJson,
    seen: errorBodies(resource),
    none: ['freedom', noneInJson],
    of: (bodies) => `bodies to ${bodies.map(({ status }) => status).join(', ')}: JSON`,
  })(({ refusals, malformedReads }) => refusalsInJson(refusals, malformedReads))

  clause(`${resource}.read.success-status`, {
    observe: 'the status of a successful read',
    section: 'Endpoints',
    look: (answers: readonly Answer[]) => distinct(answers.map(({ status }) => status)),
    seen: acceptedReads(resource),
  })(({ readings }) => acceptedAmong(readings))

  clause(`${resource}.read.content-type`, {
    observe: `the media type of ${one}`,
    section: 'Endpoints',
    look: (answers: readonly Answer[]) =>
      distinct(answers.map((answer) => mediaTypeOf(answer) ?? 'none')),
    seen: acceptedReads(resource),
  })(({ readings }) => acceptedAmong(readings))

  clause(`${resource}.read.headers`, {
    observe: `which headers every ${Name} comes with`,
    section: 'Endpoints',
    look: (answers: readonly Answer[]) => headersShown(answers),
    seen: acceptedReads(resource),
  })(({ readings }) => acceptedAmong(readings))

  clause(`${resource}.read.nulls`, {
    observe: `which fields of ${one} are null somewhere that are not said to be`,
    section: Name,
    varies: `the ${resource}s that are read`,
    look: (came: readonly Came[]) => silences(resource, came).nulls,
    seen: readsOf(resource),
  })(({ readings }) => bodiesOf(readings))

  clause(`${resource}.read.extra-fields`, {
    observe: `which fields every ${Name} has that the contract does not name, and their types`,
    section: Name,
    look: (came: readonly Came[]) => silences(resource, came).extras,
    seen: readsOf(resource),
  })(({ readings }) => bodiesOf(readings))

  clause(`${resource}.read.error-body`, {
    observe: 'what refusals look like: an unknown id, a malformed one, no key',
    section: 'Errors',
    look: byKind(refusalShape),
    seen: refusedReads(resource),
  })(({ refusals, malformedReads }) => refusedBy(refusals, malformedReads))

  clause(`${resource}.read.error-codes`, {
    observe: 'which codes and fixed words refusals of a read carry',
    section: 'Errors',
    look: byKind(codesIn),
    seen: refusedReads(resource, isUuid),
  })(({ refusals }) => refusedBy(refusals))
}

const ofTask = clausesOf({ section: 'Retrieve a task', operation: 'task.read' })

ofTask('task.read.repeatable', {
  should: 'give the same version and fields when a task is read twice with no change between',
  law: problemsOfApart,
  seen: pairsOf('task'),
  of: () => 'two reads in a row were alike',
})(async ({ service, stillTaskId }) => {
  const read = () => service.readTask(stillTaskId)
  return [await fetchPair(read, 'task', ({ updated_at }) => updated_at)]
})

ofTask('task.read.assessment-resolves', {
  should:
    'name an assessment that can be read and is of the same entity, institution and workflow instance',
  section: 'What the service does',
  law: problemsOfOtherAssessment,
  seen: resolvedReads,
  of: (all) => `the assessments of ${countOf(all.length, 'task')}`,
})(async function* ({ shared, readings }) {
  for (const { body } of needAssessmentNamed(readings).slice(0, 12)) {
    const { answer } = await assessmentRead(shared, String(body.assessment_id))
    needPermitted(answer)
    yield { answer, assessment: jsonIn(answer), control: [body] }
  }
})

ofTask('task.read.status-values', {
  observe: 'the values of a Task’s status',
  section: 'States and transitions',
  varies: 'the tasks that are read',
  look: (came: readonly Came[]) => distinct(came.map(({ body }) => shown(body.status))),
  seen: readsOf('task'),
})(({ readings }) => bodiesOf(readings))

ofTask('task.read.timestamp-forms', {
  observe: 'the form in which timestamps are written',
  section: 'Resources and their fields',
  look: (came: readonly Came[]) => {
    const fields = fieldsShaped('task', 'timestamp')
    const values = came.flatMap(({ body }) => fields.map((field) => body[field]))
    return timestampForms(values.filter((value) => typeof value === 'string'))
  },
  seen: readsOf('task'),
})(({ readings }) => bodiesOf(readings))

ofTask('task.read.cache-headers', {
  observe: 'which headers speak of caching',
  section: 'Endpoints',
  look: ([answer]: readonly Answer[]) => (answer ? cachingOf(answer) : null),
  seen: acceptedReads('task'),
})(({ readings }) => acceptedAmong(readings).slice(0, 1))

ofTask('task.read.custom-metadata', {
  observe: 'what custom_metadata holds: null, nothing, or members of which types',
  section: 'Task',
  varies: 'the tasks that are read',
  look: (came: readonly Came[]) =>
    distinct(came.flatMap(({ body }) => contentsOf(body.custom_metadata))),
  seen: readsOf('task'),
})(({ readings }) => bodiesOf(readings))

/** The tasks that name an assessment; other clauses judge a missing or malformed field. */
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

/** The types of members only: names and values belong to the institution. */
function contentsOf(value: unknown): string[] {
  if (value === null) return ['null']
  if (!isObject(value)) return [typeOf(value)]
  const members = Object.values(value)
  return members.length === 0 ? ['nothing'] : members.map((member) => `a ${typeOf(member)}`)
}

const ofAssessment = clausesOf({ section: 'Assessment', operation: 'assessment.read' })

ofAssessment('assessment.read.error-fields', {
  must: 'show error_message, error_details, error_step and error_type',
  law: (came: Came) => problemsOfMissing('assessment', came, errorFields),
  seen: readsOf('assessment'),
  of: 'assessments with four error fields each',
})(({ readings }) => bodiesOf(readings))

ofAssessment('assessment.read.no-error', {
  should: 'give the error fields as null when the state is not Error',
  law: problemsOfError,
  seen: readsOf('assessment', isInState('Active', 'Cancelled')),
  of: 'assessments that are Active or Cancelled',
})(({ readings }) => needInState(readings, 'Active', 'Cancelled'))

ofAssessment('assessment.read.error', {
  must: 'set at least one of the error fields in state Error',
  section: 'What the service does',
  reading: '“reports … on failure, error information”',
  law: problemsOfSilence,
  seen: readsOf('assessment', isInState('Error')),
  none: [
    'clause',
    'no assessment in state Error shows all error fields',
    'assessment.read.error-fields',
  ],
  of: 'assessments in state Error',
})(({ readings }) =>
  needInState(readings, 'Error').filter(({ body }) => errorFields.every((field) => field in body)),
)

ofAssessment('assessment.read.repeatable', {
  should: 'give the same fields when an assessment is read twice',
  section: 'Retrieve an assessment',
  law: problemsOfApart,
  seen: pairsOf('assessment'),
  of: () => 'two reads in a row were alike',
})(async ({ service, readings }) => {
  // Other people use the assessments: only one that changes in every pair breaks the contract.
  const [id] = bodiesOf(readings).map((one) => one.id)
  const read = () => service.readAssessment(id ?? '')
  return [await fetchPair(read, 'assessment', JSON.stringify)]
})

ofAssessment('assessment.read.error-field-types', {
  observe: 'the types of the error fields in state Error',
  look: (failed: readonly Came[]) =>
    Object.fromEntries(
      errorFields.map((field) => [field, typeAmong(failed.map(({ body }) => body[field]))]),
    ),
  seen: readsOf('assessment', isInState('Error')),
})(({ readings }) => needInState(readings, 'Error'))

ofAssessment('assessment.read.states', {
  observe: 'which workflow states are met',
  section: 'States and transitions',
  varies: 'the assessments that are read',
  look: (came: readonly Came[]) => distinct(came.map(({ body }) => String(body.workflow_state))),
  seen: readsOf('assessment'),
})(({ readings }) => bodiesOf(readings))
