import type { Field } from '../../../reference/calls/call.ts'
import type { Variant } from '../fault.ts'

const succeeding = [201, 202, 203, 299].map(
  (status): Variant => ({ name: `success is ${status}`, open: { successStatus: () => status } }),
)

const malformed = [400, 422, 405].map(
  (status): Variant => ({
    name: `malformed ids are answered ${status}`,
    open: { malformedIdStatus: () => status },
    warns: ['*.malformed-id.status'],
  }),
)

const errorBodies: Variant[] = (
  [
    ['nothing', undefined, '', false],
    ['null', 'application/json', 'null', false],
    ['a string', 'application/json', '"not found"', false],
    ['a problem', 'application/problem+json', '{"title":"no","status":404}', false],
    ['HTML', 'text/html', '<h1>404</h1>', true],
    ['text', 'text/plain', 'not found', true],
    ['XML', 'application/xml', '<error/>', true],
  ] satisfies [string, string | undefined, string, boolean][]
).map(([what, type, text, noJson]) => ({
  name: `errors hold ${what}`,
  open: { errorBody: () => ({ type, text }) },
  warns: noJson ? ['*.read.error-is-json'] : [],
}))

const nullable: Record<string, string[]> = {
  task: [
    'assessment_id',
    'assessment_template_id',
    'c_name',
    'created_at',
    'locked_at',
    'data_version',
    'entity_id',
    'institution_id',
    'microfrontend_id',
    'status',
    'step_name',
    'workflow_instance_id',
  ],
  assessment: [],
}
const mayBeNull = ({ resource, field }: Field) => nullable[resource]?.includes(field) ?? false

const forms: Variant[] = (
  [
    ['without a fraction', (value) => `${value.slice(0, 19)}Z`],
    ['in nanoseconds', (value) => value],
    ['with +00:00', (value) => value.replace('Z', '+00:00')],
    ['with +00', (value) => value.replace('Z', '+00')],
    ['with a comma', (value) => value.replace('.', ',')],
    ['in the basic form', (value) => value.replaceAll(/[-:]/g, '')],
  ] satisfies [string, (value: string) => string][]
).map(([what, form]) => ({
  name: `timestamps ${what}`,
  open: { timestampForm: ({ value }) => form(value) },
}))

const encodings = (['gzip', 'br', 'deflate'] as const).map(
  (encoding): Variant => ({ name: `answers in ${encoding}`, open: { encoding: () => encoding } }),
)

export const variants: Variant[] = [
  ...succeeding,
  ...malformed,
  ...errorBodies,
  ...forms,
  ...encodings,
  {
    name: 'null wherever the contract does not show that it cannot be',
    open: { shownValue: (at) => (mayBeNull(at) ? null : at.value) },
  },
  {
    name: 'fields beyond the tables, some of them new in every answer',
    open: { extraFields: () => ({ _links: { self: '/' }, served: Math.random(), 'x y': null }) },
  },
  {
    name: 'a megabyte beside the fields of the tables',
    open: { extraFields: () => ({ notes_html: 'é'.repeat(500_000) }) },
  },
  {
    name: 'other status values',
    open: { shownValue: ({ field, value }) => (field === 'status' ? 'ÜBERFÄLLIG 2' : value) },
  },
  {
    name: 'identifiers in upper case',
    open: { idForm: ({ value }) => value.toUpperCase() },
  },
  {
    name: 'error fields of every type',
    open: {
      shownValue: ({ field, value }) =>
        field.startsWith('error_') && value !== null
          ? ({ error_message: 0, error_details: [], error_step: null, error_type: false }[field] ??
            null)
          : value,
    },
  },
  {
    name: 'another media type for JSON',
    open: { contentType: () => 'application/vnd.service+json;charset=UTF-8' },
  },
  { name: 'no media type at all', open: { headers: () => ({}), contentType: () => '' } },
  {
    name: 'caching headers',
    open: { headers: () => ({ etag: '"1"', 'cache-control': 'no-store', vary: 'apikey' }) },
  },
  {
    name: 'an unknown id is 404 whatever the key',
    open: { order: () => ['path', 'found', 'key'] },
    warns: ['auth.before-lookup.*'],
  },
  {
    name: 'the key may not read tasks',
    refuses: true,
    open: { permits: ({ op }) => op !== 'task.read' },
  },
  {
    name: 'the key may not read assessments',
    refuses: true,
    open: { permits: ({ op }) => op !== 'assessment.read' },
  },
  {
    name: 'the key may read some tasks only',
    refuses: true,
    open: { permits: ({ op, id }) => op !== 'task.read' || id < '8' },
  },
  { name: 'slow answers', open: { delay: () => 15 } },
  {
    name: 'at most 50 requests a second',
    open: { requestsPerSecond: () => 50 },
  },
  { name: 'reads lag', open: { readLag: () => 40 } },
]
