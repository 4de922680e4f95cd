import type { Call, Field } from '../../../reference/calls/call.ts'
import type { Assessment } from '../../../reference/world/world.ts'
import { type Fault, fault, faultsNamed, tableOf } from '../fault.ts'

const isRead = ({ op }: Call) => op === 'assessment.read'
const json = (value: unknown) => JSON.stringify(value)
const inAssessment = ({ resource }: Field) => resource === 'assessment'
const stateOf = ({ record }: Field) => (record as Assessment).workflow_state
const errorFields = ['error_message', 'error_details', 'error_step', 'error_type']

const missing = ['created_at', 'entity_id', 'outcome_id', 'status_id', 'workflow_state'].map(
  (field) =>
    fault(`an Assessment without ${field}`, {
      fieldIsShown: (at) => !(inAssessment(at) && at.field === field),
      breaks: ['assessment.read.fields'],
    }),
)

const withoutErrorField = errorFields.map((field) =>
  fault(`an Assessment without ${field}`, {
    fieldIsShown: (at) => !(inAssessment(at) && at.field === field),
    breaks: ['assessment.read.error-fields'],
  }),
)

const unread = ['assessment.read.success', 'task.read.assessment-resolves']

const bodies = tableOf<[string, (call: { resource: object }) => string, string[]]>([
  ['an HTML page', () => '<html>assessment</html>', unread],
  ['an array', ({ resource }) => json([resource]), unread],
  [
    'an envelope',
    ({ resource }) => json({ data: resource }),
    ['assessment.read.fields', 'assessment.read.error-fields', 'assessment.read.identity'],
  ],
]).map(([what, text, breaks]) =>
  fault(`${what} in place of an Assessment`, {
    answerText: (call) => (isRead(call) ? text(call) : json(call.resource)),
    breaks,
  }),
)

const statuses: Fault[] = [400, 500, 200].map((status) =>
  fault(`an unknown assessment is answered ${status}`, {
    notFoundStatus: (call) => (isRead(call) ? status : 404),
    breaks: ['assessment.read.not-found'],
  }),
)

const states: Fault[] = ['active', 'Completed', null].map((state) =>
  fault(`workflow_state ${json(state)}`, {
    fieldValue: (at) =>
      inAssessment(at) && at.field === 'workflow_state' && at.value === 'Active' ? state : at.value,
    breaks: ['assessment.read.state'],
  }),
)

export const faults: Fault[] = [
  ...missing,
  ...withoutErrorField,
  ...bodies,
  ...statuses,
  ...states,
  ...faultsNamed({
    // Neither has anything: a scope that is a list of resources tells the two apart no more than a
    // 404 does.
    'an unknown assessment is answered 403, and another 404': {
      notFoundStatus: (call) => (isRead(call) && /-[\da-f]{11}[0-7]$/.test(call.id) ? 403 : 404),
      breaks: ['assessment.read.not-found'],
    },
    'workflow_state is null everywhere': {
      fieldValue: (at) => (inAssessment(at) && at.field === 'workflow_state' ? null : at.value),
      breaks: ['assessment.read.state'],
    },
    'a known assessment is answered 500': {
      assessmentFor: ({ id, assessments }) => {
        const found = assessments.find((assessment) => assessment.id === id)
        if (found) throw new Error('broken')
        return found
      },
      breaks: ['assessment.read.success', 'task.read.assessment-resolves'],
    },
    'the first assessment is answered whatever was asked for': {
      assessmentFor: ({ assessments }) => assessments[0],
      breaks: [
        'assessment.read.identity',
        'assessment.read.not-found',
        'assessment.read.malformed-id*',
        'task.read.assessment-resolves',
      ],
    },
    'an identifier that is no UUID': {
      identifier: (at) => (inAssessment(at) && at.field === 'status_id' ? 'open' : at.value),
      breaks: ['assessment.read.identifiers'],
    },
    'created_at as a number': {
      timestamp: (at) => (inAssessment(at) && at.field === 'created_at' ? 1_700_000_000 : at.value),
      breaks: ['assessment.read.timestamps'],
    },
    'an assessment for an id that is no UUID': {
      assessmentFor: ({ id, assessments }) =>
        assessments.find((assessment) => assessment.id === id) ??
        (id === '0' ? assessments[0] : undefined),
      breaks: ['assessment.read.malformed-id', 'assessment.read.malformed-id.status'],
    },
    'error fields that are set without an error': {
      fieldValue: (at) =>
        inAssessment(at) && at.field === 'error_type' && stateOf(at) !== 'Error'
          ? 'none'
          : at.value,
      breaks: ['assessment.read.no-error'],
    },
    'an error without any information': {
      fieldValue: (at) => (inAssessment(at) && errorFields.includes(at.field) ? null : at.value),
      breaks: ['assessment.read.error'],
    },
    'outcome_id is null in every assessment': {
      fieldValue: (at) => (inAssessment(at) && at.field === 'outcome_id' ? null : at.value),
      breaks: ['assessment.read.values'],
    },
    'a field that differs from read to read': {
      identifier: (at) =>
        inAssessment(at) && at.field === 'outcome_id'
          ? `00000000-0000-4000-8000-${String(Math.random()).slice(2, 14).padEnd(12, '0')}`
          : at.value,
      breaks: ['assessment.read.repeatable'],
    },
    'errors that are broken JSON': {
      refusalBody: (call) => (isRead(call) ? { ...call.body, text: '{"error":' } : call.body),
      breaks: ['assessment.read.error-is-json'],
    },
  }),
]
