import { settingsFor } from '../../../program/stand-in/settings-for.ts'
import type { Body, Call, Field } from '../../../reference/calls/call.ts'
import type { Open } from '../../../reference/rules/open.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { wordsOf } from '../../long.ts'
import {
  anotherRegion,
  atOtherPaths,
  lent,
  oneOfEach,
  outsideProxy,
  withPageFor,
} from '../bent/around.ts'
import { type Variant, variant, variantsOf } from '../fault.ts'
import { assessmentToo, taskToo } from '../faults/reads.ts'
import { namingNothing } from './audit.ts'
import { dayOfYear } from './export-dates.ts'

const nullable: Record<string, string[]> = {
  task: wordsOf(`
    assessment_id assessment_template_id c_name created_at locked_at data_version entity_id
    institution_id microfrontend_id status step_name workflow_instance_id
  `),
  assessment: [],
}
const mayBeNull = ({ resource, field }: Field) => nullable[resource]?.includes(field) ?? false

const onlyRead = settingsFor({ world: makeWorld(1, { events: 0 }) }).readTaskIds

const permitting = (permits: Open['permits']) => ({ refuses: true as const, permits })

export const variants: Variant[] = [
  ...variantsOf(permitting, {
    'the key may not read tasks': ({ op }) => op !== 'task.read',
    'the key may not read assessments': ({ op }) => op !== 'assessment.read',
    'the key may read some tasks only': ({ op, id }) => op !== 'task.read' || id < '8',
  }),
  ...[201, 202, 203, 299].map((status) =>
    variant(`success is ${status}`, { successStatus: () => status }),
  ),
  ...[400, 422, 405].map((status) =>
    variant(`malformed ids are answered ${status}`, {
      malformedIdStatus: () => status,
      warns: '*.malformed-id.status',
    }),
  ),
  ...variantsOf((errorBody: Body) => ({ errorBody: () => errorBody }), {
    'errors hold nothing': { type: undefined, text: '' },
    'errors hold null': { type: 'application/json', text: 'null' },
    'errors hold a string': { type: 'application/json', text: '"not found"' },
    'errors hold a problem': {
      type: 'application/problem+json',
      text: '{"title":"no","status":404}',
    },
    'errors hold HTML': { type: 'text/html', text: '<h1>404</h1>' },
    'errors hold text': { type: 'text/plain', text: 'not found' },
    'errors hold XML': { type: 'application/xml', text: '<error/>' },
  }),
  ...variantsOf('timestampForm', {
    'timestamps without a fraction': ({ value }) => `${value.slice(0, 19)}Z`,
    'timestamps in nanoseconds': ({ value }) => value,
    'timestamps with +00:00': ({ value }) => value.replace('Z', '+00:00'),
    'timestamps with +00': ({ value }) => value.replace('Z', '+00'),
    'timestamps with a comma': ({ value }) => value.replace('.', ','),
    'timestamps with the day of the year': ({ value }) =>
      `${value.slice(0, 5)}${dayOfYear(value)}${value.slice(10)}`,
    'timestamps in the basic form': ({ value }) => value.replaceAll(/[-:]/g, ''),
  }),
  ...(['gzip', 'br', 'deflate'] as const).map((encoding) =>
    variant(`answers in ${encoding}`, { encoding: () => encoding }),
  ),
  ...variantsOf('shownValue', {
    'null wherever the contract does not show that it cannot be': (at) =>
      mayBeNull(at) ? null : at.value,
    'other status values': ({ field, value }) => (field === 'status' ? 'ÜBERFÄLLIG 2' : value),
    'error fields of every type': ({ field, value }) =>
      field.startsWith('error_') && value !== null
        ? ({ error_message: 0, error_details: [], error_step: null, error_type: false }[field] ??
          null)
        : value,
  }),
  ...variantsOf('extraFields', {
    'fields beyond the tables, some of them new in every answer': () => ({
      _links: { self: '/' },
      served: Math.random(),
      'x y': null,
    }),
    'a megabyte beside the fields of the tables': () => ({ notes_html: 'é'.repeat(500_000) }),
  }),
  ...variantsOf({
    'identifiers in upper case': { idForm: ({ value }) => value.toUpperCase() },
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
    'slow answers': { delay: () => 15 },
    'at most 50 requests a second': { requestsPerSecond: () => 50 },
    'reads lag': { readLag: () => 40 },
    'tasks that are only read show updated_at as null': {
      shownValue: (at) => (at.field === 'updated_at' && onlyRead.includes(at.id) ? null : at.value),
    },
  }),
]

const world = makeWorld(1)
const [twinTask] = world.tasks
const [twinAssessment] = world.assessments
const isOf = (all: readonly { id: string }[], id: string) => all.some((each) => each.id === id)

const isEntity = ({ id }: Call) => world.tasks.some((task) => task.entity_id === id)
const isAssessment = ({ id }: Call) => isOf(world.assessments, id)
const taskOf = ({ id }: Call) => twinTask && { ...twinTask, id }
const assessmentOf = ({ id }: Call) => twinAssessment && { ...twinAssessment, id }

export const otherKinds = variantsOf({
  'every assessment shares its id with a task': taskToo(isAssessment, taskOf),
  'every task shares its id with an assessment': assessmentToo((call) =>
    isOf(world.tasks, call.id) ? assessmentOf(call) : undefined,
  ),
  'every entity shares its id with a task and with an assessment': {
    ...taskToo(isEntity, taskOf),
    ...assessmentToo((call) => (isEntity(call) ? assessmentOf(call) : undefined)),
  },
  'the key may not read what is of another kind': {
    ...taskToo(isAssessment, () => twinTask),
    refuses: true,
    permits: ({ op, id }) => op !== 'task.read' || !isOf(world.assessments, id),
  },
})

const lookedUpFirst = ['path', 'found', 'key'] as const

const { apiKey } = makeWorld(1, { events: 0 })

const ownPath =
  /^\/v5\/((tasks|assessments)\/[\w-]+(\/update-assignment)?|audit-sentinel\/events\/export)$/

/** As some lock an account: looked at before the key, and so for everybody. */
const locked = new Set<string>()

export const accessVariants: Variant[] = [
  ...variantsOf(permitting, {
    'the key may not update': ({ op }) => !op.startsWith('assign.'),
    'the key may not read tasks': ({ op }) => op !== 'task.read',
    'the key may only read tasks': ({ op }) => op === 'task.read',
  }),
  ...variantsOf({
    'a wrong key locks an assessment for everybody': {
      refuses: true,
      order: () => ['path', 'found', 'permission', 'key'],
      permits: ({ op, id, headers }) => {
        if (op === 'assessment.read' && headers.get('apikey') !== apiKey) locked.add(id)
        return !locked.has(id)
      },
      warns: 'auth.before-lookup.*',
    },
    'an unknown id is 404 whatever the key': {
      order: () => [...lookedUpFirst],
      warns: 'auth.before-lookup.*',
    },
    'refusals without a body': { errorBody: () => ({ type: undefined, text: '' }) },
    'refusals as HTML': { errorBody: () => ({ type: 'text/html', text: '<h1>no</h1>' }) },
    'reads lag behind updates': { readLag: () => 40 },
    'the task is touched once more after an update': { laterTouches: () => [40] },
    'unassigning the unassigned is refused': {
      stateRefusal: ({ op, task }) =>
        op === 'assign.unassign' && task.assignment === null ? 409 : undefined,
    },
    'the version is compared before the key': {
      order: () => ['version', 'key'],
      // Which of two mistakes is reported first is not shown.
      warns: 'auth.invalid-besides.assign.*.status',
    },
    'nobody that is configured is known to the service': {
      refuses: true,
      held: () => null,
      personIsTaken: () => false,
    },
    'another region and an allow list, both as they should be': {
      allowedAddresses: () => ['127.0.0.1'],
      surroundings: async () => {
        const [region, proxy] = await Promise.all([
          anotherRegion({ sameKey: false }),
          outsideProxy(),
        ])
        const close = async () => void (await Promise.all([region.close(), proxy.close()]))
        return { env: { ...region.env, ...proxy.env }, close }
      },
    },
    'nothing is lent but the key, and an unknown id is 404 whatever the key': {
      surroundings: lent(() => ({}), { open: { order: () => [...lookedUpFirst] } }),
    },
    'assessments alone are lent, and what the key may not do is answered 401': {
      refuses: true,
      surroundings: lent(({ ASSESSMENT_IDS }) => ({ ASSESSMENT_IDS }), {
        open: {
          order: () => ['path', 'key', 'permission'],
          permits: ({ op }) => op === 'export' || op === 'assessment.read',
          forbiddenStatus: () => 401,
        },
      }),
    },
    'answers are compressed': { encoding: () => 'br' },
    'operations are found at other paths too, and the key is looked at there': {
      front: atOtherPaths((path) =>
        path
          .replaceAll('//', '/')
          .replace(/(\.json|;.*|\/)$/, '')
          .replaceAll('%61', 'a')
          .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
      ),
    },
    'a page is given for any other path, whatever the key': {
      front: withPageFor((path) => !ownPath.test(path), 200),
    },
    'any other path is answered with a redirect, whatever the key': {
      front: withPageFor((path) => !ownPath.test(path), 308),
    },
  }),
]

/** The contract says of these alone what they are. */
const mayBeNullInTasks = ({ resource, field }: Field) =>
  resource === 'task' && !['id', 'assignment', 'updated_at'].includes(field)

/** Tasks that were made in one go; what has not been updated since is not told apart by its version. */
export const sameVersions: Variant = {
  name: 'all tasks have the same version, until they are updated',
  surroundings: lent((all) => all, {
    change: ({ tasks }) => {
      for (const task of tasks) task.updated_at = '2025-01-01T00:00:00.123456789Z'
      // The first is not among those that others are glad to change.
      const [first] = tasks
      if (first) first.assignment = tasks.find(({ assignment }) => assignment)?.assignment ?? null
    },
  }),
}

const isHidden = (id: string) => id < '4'
const withoutAddresses: Handing = ({ USER_MAILS: _, TEAM_MAILS: __, ...others }) => others
const key = '7'.repeat(40)

type Handing = Parameters<typeof lent>[0]
const allBut = (NOT_PERMITTED: string) => lent((all) => ({ ...all, NOT_PERMITTED }))

export const lentVariants: Variant[] = [
  ...variantsOf((surroundings: ReturnType<typeof lent>) => ({ surroundings }), {
    'nothing is lent but the key': lent(() => ({})),
    'tasks are lent to be read, and nobody to assign': lent(({ TASK_IDS }) => ({
      READ_TASK_IDS: TASK_IDS,
    })),
    'assessments alone are lent': lent(({ ASSESSMENT_IDS }) => ({ ASSESSMENT_IDS })),
    'tasks are lent, and nobody to assign': lent(({ TASK_IDS }) => ({ TASK_IDS })),
    'tasks are lent with who assigns, and nobody to assign to': lent(({ TASK_IDS, ACTOR_ID }) => ({
      TASK_IDS,
      ACTOR_ID,
    })),
    'tasks and people are lent, and nobody who assigns': lent(
      ({ TASK_IDS, USER_IDS, TEAM_IDS }) => ({ TASK_IDS, USER_IDS, TEAM_IDS }),
    ),
    'everything is lent, to be read only': lent((all) => ({ ...all, READ_ONLY: '1' })),
    'one task and one user are lent': lent(oneOfEach),
    'teams alone are lent to assign to': lent(({ TASK_IDS, TEAM_IDS, ACTOR_ID }) => ({
      ACTOR_ID,
      TASK_IDS,
      TEAM_IDS,
    })),
    'everything is lent, for one request at a time': lent((all) => ({ ...all, CONCURRENCY: '1' })),
    'a mailbox is lent, and nobody knows whose addresses are whose': lent(withoutAddresses),
    'a mailbox is lent, nobody knows whose addresses are whose, and mails name nothing': lent(
      withoutAddresses,
      { open: { mailForm: namingNothing } },
    ),
    'nothing is lent but the key, and an unknown id is 404 whatever the key': lent(() => ({}), {
      open: { order: () => [...lookedUpFirst] },
    }),
    'everything is lent, and every field of a task that may be null is null': lent((all) => all, {
      open: { shownValue: (at) => (mayBeNullInTasks(at) ? null : at.value) },
    }),
    'the key holds no letter': lent((all) => ({ ...all, API_KEY: key }), {
      change: (world) => Object.assign(world, { apiKey: key }),
    }),
    'everything is lent, and assign.update is declared not to be permitted':
      allBut('assign.update'),
    'everything is lent, and assign.unassign is declared not to be permitted':
      allBut('assign.unassign'),
    'everything is lent, and task.read is declared not to be permitted': allBut('task.read'),
    'everything is lent, and export is declared not to be permitted': allBut('export'),
  }),
  ...variantsOf({
    'tasks are lent to be read that the key may not read': {
      refuses: true,
      surroundings: lent(
        ({ TASK_IDS, ...others }) => {
          const ids = TASK_IDS.split(',')
          const of = (hidden: boolean) => ids.filter((id) => isHidden(id) === hidden).join(',')
          return { ...others, TASK_IDS: of(false), READ_TASK_IDS: of(true) }
        },
        { open: { permits: ({ op, id }) => op !== 'task.read' || !isHidden(id) } },
      ),
    },
  }),
]
