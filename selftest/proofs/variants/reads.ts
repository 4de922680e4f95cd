import type { Field } from '../../../reference/calls/call.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { wordsOf } from '../../long.ts'
import { tableOf, type Variant, variant, variantsNamed } from '../fault.ts'

const succeeding = [201, 202, 203, 299].map((status) =>
  variant(`success is ${status}`, { successStatus: () => status }),
)

const malformed = [400, 422, 405].map((status) =>
  variant(`malformed ids are answered ${status}`, {
    malformedIdStatus: () => status,
    warns: '*.malformed-id.status',
  }),
)

const errorBodies = tableOf<[string, string | undefined, string]>([
  ['nothing', undefined, ''],
  ['null', 'application/json', 'null'],
  ['a string', 'application/json', '"not found"'],
  ['a problem', 'application/problem+json', '{"title":"no","status":404}'],
  ['HTML', 'text/html', '<h1>404</h1>'],
  ['text', 'text/plain', 'not found'],
  ['XML', 'application/xml', '<error/>'],
]).map(([what, type, text]) =>
  variant(`errors hold ${what}`, {
    errorBody: () => ({ type, text }),
  }),
)

const nullable: Record<string, string[]> = {
  task: wordsOf(`
    assessment_id assessment_template_id c_name created_at locked_at data_version entity_id
    institution_id microfrontend_id status step_name workflow_instance_id
  `),
  assessment: [],
}
const mayBeNull = ({ resource, field }: Field) => nullable[resource]?.includes(field) ?? false

const forms = tableOf<[string, (value: string) => string]>([
  ['without a fraction', (value) => `${value.slice(0, 19)}Z`],
  ['in nanoseconds', (value) => value],
  ['with +00:00', (value) => value.replace('Z', '+00:00')],
  ['with +00', (value) => value.replace('Z', '+00')],
  ['with a comma', (value) => value.replace('.', ',')],
  ['in the basic form', (value) => value.replaceAll(/[-:]/g, '')],
]).map(([what, form]) =>
  variant(`timestamps ${what}`, { timestampForm: ({ value }) => form(value) }),
)

const encodings = (['gzip', 'br', 'deflate'] as const).map((encoding) =>
  variant(`answers in ${encoding}`, { encoding: () => encoding }),
)

export const variants: Variant[] = [
  ...succeeding,
  ...malformed,
  ...errorBodies,
  ...forms,
  ...encodings,
  ...variantsNamed({
    'null wherever the contract does not show that it cannot be': {
      shownValue: (at) => (mayBeNull(at) ? null : at.value),
    },
    'fields beyond the tables, some of them new in every answer': {
      extraFields: () => ({ _links: { self: '/' }, served: Math.random(), 'x y': null }),
    },
    'a megabyte beside the fields of the tables': {
      extraFields: () => ({ notes_html: 'é'.repeat(500_000) }),
    },
    'other status values': {
      shownValue: ({ field, value }) => (field === 'status' ? 'ÜBERFÄLLIG 2' : value),
    },
    'identifiers in upper case': { idForm: ({ value }) => value.toUpperCase() },
    'error fields of every type': {
      shownValue: ({ field, value }) =>
        field.startsWith('error_') && value !== null
          ? ({ error_message: 0, error_details: [], error_step: null, error_type: false }[field] ??
            null)
          : value,
    },
    'another media type for JSON': {
      contentType: () => 'application/vnd.service+json;charset=UTF-8',
    },
    'no media type at all': { headers: () => ({}), contentType: () => '' },
    'caching headers': {
      headers: () => ({ etag: '"1"', 'cache-control': 'no-store', vary: 'apikey' }),
    },
    'an unknown id is 404 whatever the key': {
      order: () => ['path', 'found', 'key'],
      warns: 'auth.before-lookup.*',
    },
    'the key may not read tasks': { refuses: true, permits: ({ op }) => op !== 'task.read' },
    'the key may not read assessments': {
      refuses: true,
      permits: ({ op }) => op !== 'assessment.read',
    },
    'the key may read some tasks only': {
      refuses: true,
      permits: ({ op, id }) => op !== 'task.read' || id < '8',
    },
    'slow answers': { delay: () => 15 },
    'at most 50 requests a second': { requestsPerSecond: () => 50 },
    'reads lag': { readLag: () => 40 },
  }),
]

const world = makeWorld(1)
const [twinTask] = world.tasks
const [twinAssessment] = world.assessments
const isOf = (all: readonly { id: string }[], id: string) => all.some((each) => each.id === id)

const isEntity = (id: string) => world.tasks.some((task) => task.entity_id === id)

/** Nothing says that two things of different kinds never have the same id, nor what a key may read. */
export const otherKinds = variantsNamed({
  'every assessment shares its id with a task': {
    taskFor: ({ id, tasks }) =>
      tasks.find((task) => task.id === id) ??
      (twinTask && isOf(world.assessments, id) ? { ...twinTask, id } : undefined),
  },
  'every task shares its id with an assessment': {
    assessmentFor: ({ id, assessments }) =>
      assessments.find((assessment) => assessment.id === id) ??
      (twinAssessment && isOf(world.tasks, id) ? { ...twinAssessment, id } : undefined),
  },
  'every entity shares its id with a task and with an assessment': {
    taskFor: ({ id, tasks }) =>
      tasks.find((task) => task.id === id) ??
      (twinTask && isEntity(id) ? { ...twinTask, id } : undefined),
    assessmentFor: ({ id, assessments }) =>
      assessments.find((assessment) => assessment.id === id) ??
      (twinAssessment && isEntity(id) ? { ...twinAssessment, id } : undefined),
  },
  'the key may not read what is of another kind': {
    taskFor: ({ id, tasks }) =>
      tasks.find((task) => task.id === id) ?? (isOf(world.assessments, id) ? twinTask : undefined),
    refuses: true,
    permits: ({ op, id }) => op !== 'task.read' || !isOf(world.assessments, id),
  },
})
