import { problemsOfStatus } from '../engine/clause/matchers.ts'
import { distinct } from '../engine/distinct.ts'
import type { Answer } from '../engine/http/client.ts'
import { codesIn, headersShown, mediaTypeOf } from '../engine/http/shapes.ts'
import { pause } from '../engine/time/abort.ts'
import { clausesOf } from '../helpers/clause.ts'
import { expectOtherKindsNotFound } from '../helpers/reads/other-kinds.ts'
import { expectReadable } from '../helpers/reads/presence.ts'
import {
  acceptedAmong,
  bodiesOf,
  type Came,
  describeValues,
  errorFields,
  needSet,
  problemOfIdentity,
  problemsOfForm,
  problemsOfMissing,
  silences,
} from '../helpers/reads/readings.ts'
import {
  holds,
  problemOfGiven,
  problemsOfNonJson,
  refusalShapes,
  refusalsWithBody,
} from '../helpers/reads/refusals.ts'
import { expectReadNotFound } from '../helpers/reads/unknown-ids.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { fieldsOf, fieldsShaped } from '../helpers/service/schema.ts'

const ofAll = 'Resources and their fields'

/** What differs between the two kinds that are read. */
const task = {
  resource: 'task',
  Name: 'Task',
  one: 'a Task',
  read: 'readTask',
  /** what no resource of the other kind shows */
  member: 'updated_at',
  other: 'assessmentId',
  fields: fieldsOf('task'),
  notFound:
    'the id of an assessment or of an entity is no task’s, unless there is a task with that very id',
  timestamps: 'give timestamps as ISO 8601 datetimes in UTC',
  forms: {
    types: {
      law: {
        must: 'give data_version as an integer, status, step_name, c_name and name as strings, custom_metadata as an object, where they are not null',
        section: 'Task',
      },
      fields: ['data_version', 'status', 'step_name', 'c_name', 'name', 'custom_metadata'],
    },
    assignment: {
      law: { must: 'give the assignment as null or as an Assignment', section: 'Assignment' },
      fields: ['assignment'],
    },
  },
} as const

const assessment = {
  resource: 'assessment',
  Name: 'Assessment',
  one: 'an Assessment',
  read: 'readAssessment',
  member: 'workflow_state',
  other: 'task',
  fields: fieldsOf('assessment').filter((field) => !errorFields.includes(field)),
  notFound:
    'the id of a task or of an entity is no assessment’s, unless there is one with that very id',
  timestamps: 'give created_at as an ISO 8601 datetime in UTC',
  forms: {
    state: {
      law: { must: 'give workflow_state as Active, Cancelled or Error', section: 'Assessment' },
      fields: ['workflow_state'],
    },
  },
} as const

declareReads(task, 'Retrieve a task')
declareReads(assessment, 'Retrieve an assessment')

/** Declares what is said of reading both kinds in the same words. */
function declareReads(
  {
    resource,
    Name,
    one,
    read,
    member,
    other,
    fields,
    notFound,
    timestamps,
    forms,
  }: typeof task | typeof assessment,
  section: string,
) {
  const clause = clausesOf({ section, operation: `${resource}.read` })

  clause(`${resource}.read.success`, {
    must: `answer 2xx with a JSON ${Name} to a known id and a valid key`,
  })(async ({ service, settings, session, readings, note }) => {
    const seen = await expectReadable(readings, {
      resource,
      read: service[read],
      absent: session.known.absent[resource],
      settle: () => pause(settings.settleMs, session.stop),
    })
    note(seen)
  })

  clause(`${resource}.read.identity`, {
    must: `give the ${resource} whose id was asked for`,
  })(async ({ readings, each }) => {
    const strange = (came: Came) =>
      isSameId(came.body.id, came.id) ? [] : [problemOfIdentity(resource, came)]
    await each(bodiesOf(readings), strange, { of: `${resource}s, each with its id` })
  })

  clause(`${resource}.read.fields`, {
    must: `show every field of the ${Name} table`,
    section: Name,
  })(({ readings, each }) =>
    each(bodiesOf(readings), (came) => problemsOfMissing(resource, came, fields), {
      of: `${resource}s with ${fields.length} fields each`,
    }),
  )

  const ofBoth = {
    identifiers: {
      law: { must: 'give identifiers as UUID-shaped strings', section: ofAll },
      fields: fieldsShaped(resource, 'uuid'),
    },
    timestamps: {
      law: {
        must: timestamps,
        section: ofAll,
        reading: 'any ISO 8601 form with a date, a time and Z or a zero offset',
      },
      fields: fieldsShaped(resource, 'timestamp'),
    },
  }
  for (const [form, { law, fields }] of Object.entries({ ...ofBoth, ...forms }))
    clause(
      `${resource}.read.${form}`,
      law,
    )(async ({ readings, each }) => {
      const all = bodiesOf(readings)
      await each(all, (came) => problemsOfForm(resource, came, fields), {
        of: () => describeValues(resource, all, fields),
      })
      needSet(resource, all, fields)
    })

  clause(`${resource}.read.not-found`, {
    must: `answer 404 to an id that no ${resource} has`,
    section: 'Errors',
    reading: notFound,
  })(async ({ service, session, allRead, random, note }) => {
    const asking = { random, clause: `${resource}.read.not-found` }
    const seen = await expectReadNotFound(service[read], allRead, asking)
    note(seen)
    const others = await expectOtherKindsNotFound(resource, service[read], {
      readings: allRead,
      other: session.known.readable[other],
    })
    if (others.length > 0) note(`${seen}, and to the id of: ${others.join(', ')}`)
  })

  clause(`${resource}.read.malformed-id`, {
    must: `give no ${Name} for an id that is no UUID`,
    section: 'Errors',
  })(async ({ malformedReads, each }) => {
    const given = (answer: Answer) => (holds(answer, member) ? [problemOfGiven(answer, one)] : [])
    await each(malformedReads, given, {
      of: (all) => `ids that are no UUIDs: ${all.map(({ status }) => status).join(', ')}`,
    })
  })

  clause(`${resource}.read.malformed-id.status`, {
    should: 'answer 404 to an id that is no UUID',
    section: 'Errors',
  })(({ malformedReads, each }) =>
    each(malformedReads, (answer) => problemsOfStatus(answer, 404), {
      of: 'such ids: 404',
    }),
  )

  clause(`${resource}.read.error-is-json`, {
    should: 'give the body of an error, when there is one, as JSON',
    section: 'Errors',
  })(({ refusals, malformedReads, each }) =>
    each(refusalsWithBody(refusals, malformedReads), problemsOfNonJson, {
      none: ['freedom', 'no refusal had a body; its shape is not shown'],
      of: (bodies) => `bodies to ${bodies.map(({ status }) => status).join(', ')}: JSON`,
    }),
  )

  clause(`${resource}.read.success-status`, {
    observe: 'the status of a successful read',
    section: 'Endpoints',
  })(async ({ readings }) => distinct(acceptedAmong(readings).map(({ status }) => status)))

  clause(`${resource}.read.content-type`, {
    observe: `the media type of ${one}`,
    section: 'Endpoints',
  })(async ({ readings }) =>
    distinct(acceptedAmong(readings).map((answer) => mediaTypeOf(answer) ?? 'none')),
  )

  clause(`${resource}.read.headers`, {
    observe: `which headers every ${Name} comes with`,
    section: 'Endpoints',
  })(async ({ readings }) => headersShown(acceptedAmong(readings)))

  clause(`${resource}.read.nulls`, {
    observe: `which fields of ${one} are null somewhere that are not said to be`,
    section: Name,
    varies: `the ${resource}s that are read`,
  })(async ({ readings }) => silences(resource, readings).nulls)

  clause(`${resource}.read.extra-fields`, {
    observe: `which fields every ${Name} has that the contract does not name, and their types`,
    section: Name,
  })(async ({ readings }) => silences(resource, readings).extras)

  clause(`${resource}.read.error-body`, {
    observe: 'what refusals look like: an unknown id, a malformed one, no key',
    section: 'Errors',
  })(async ({ refusals, malformedReads }) => refusalShapes(refusals, malformedReads))

  clause(`${resource}.read.error-codes`, {
    observe: 'which codes and fixed words refusals of a read carry',
    section: 'Errors',
  })(async ({ refusals: { unknown, withoutKey } }) => ({
    'unknown id': codesIn(unknown),
    'no key': codesIn(withoutKey),
  }))
}
