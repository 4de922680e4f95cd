import type { Call, Field } from '../../../reference/calls/call.ts'
import { wordsOf } from '../../long.ts'
import { alsoFoundBy, type Fault, fault, faultsNamed, tableOf } from '../fault.ts'

const isRead = ({ op }: Call) => op === 'task.read'
const inTask = ({ op, resource }: Field) => op === 'task.read' && resource === 'task'
const inAssignment = ({ op, resource }: Field) => op === 'task.read' && resource === 'assignment'
const json = (value: unknown) => JSON.stringify(value)

const fields = wordsOf(`
  assessment_id assignment c_name name created_at updated_at locked_at custom_metadata
  data_version microfrontend_id status step_name
`)

const missing = fields.map((field) =>
  fault(`a Task without ${field}`, {
    fieldIsShown: (at) => !(inTask(at) && at.field === field),
    breaks: ['task.read.fields'],
  }),
)

const wrongTypes: Fault[] = [
  ['data_version', '7'],
  ['data_version', 1.5],
  ['status', 3],
  ['step_name', { name: 'a' }],
  ['c_name', ['a']],
  ['name', false],
  ['custom_metadata', 'none'],
  ['custom_metadata', []],
].map(([field, value]) =>
  fault(`a Task whose ${field} is ${json(value)}`, {
    fieldValue: (at) => (inTask(at) && at.field === field ? value : at.value),
    breaks: ['task.read.types'],
  }),
)

const timestamps = tableOf<[string, (value: string) => unknown]>([
  ['a local time', (value) => value.replace('Z', '')],
  ['another zone', (value) => value.replace('Z', '+02:00')],
  ['a number of seconds', (value) => Date.parse(value) / 1000],
  ['a human date', (value) => new Date(value).toUTCString()],
  ['a date alone', (value) => value.slice(0, 10)],
]).map(([what, form]) =>
  fault(`created_at as ${what}`, {
    timestamp: (at) => (inTask(at) && at.field === 'created_at' ? form(at.value) : at.value),
    breaks: ['task.read.timestamps'],
  }),
)

const assignments = tableOf<[string, Record<string, unknown>]>([
  ['type PERSON', { assigned_to_type: 'PERSON' }],
  ['type user', { assigned_to_type: 'user' }],
  ['an assignee who is no UUID', { assigned_to_id: 'mary' }],
  ['an assigner who is null', { assigned_by_id: null }],
  ['a comment that is a number', { assignment_comment: 5 }],
]).map(([what, values]) =>
  fault(`an Assignment with ${what}`, {
    fieldValue: (at) => {
      const bent = values as Record<string, unknown>
      return inAssignment(at) && at.field in bent ? bent[at.field] : at.value
    },
    breaks: ['task.read.assignment'],
    // Reads no longer show what an answer showed.
    mayBreak: ['assign.*', 'version.*'],
  }),
)

const bodies = tableOf<[string, (call: { resource: object }) => string, string[]]>([
  ['an HTML page', () => '<html>task</html>', ['task.read.success']],
  ['an array', ({ resource }) => json([resource]), ['task.read.success']],
  ['nothing', () => '', ['task.read.success']],
  ['null', () => 'null', ['task.read.success']],
  [
    'an envelope',
    ({ resource }) => json({ data: resource }),
    ['task.read.fields', 'task.read.identity'],
  ],
]).map(([what, text, breaks]) =>
  fault(`${what} in place of a Task`, {
    answerText: (call) => (isRead(call) ? text(call) : json(call.resource)),
    breaks,
  }),
)

const statuses: Fault[] = [400, 500, 200].map((status) =>
  fault(`an unknown task is answered ${status}`, {
    notFoundStatus: (call) => (isRead(call) ? status : 404),
    // Only an accepted answer holds no error whose body could be looked at.
    breaks: ['task.read.not-found'],
  }),
)

/** As long as the first contact asks for it, which is twice. */
function foundLater(): Fault {
  let reads = 0
  return fault('a task is answered 404 at first, and then it is there', {
    taskFor: ({ op, id, tasks }) => {
      const found = tasks.find((task) => task.id === id)
      if (op !== 'task.read' || found !== tasks.at(-1)) return found
      reads += 1
      return reads > 2 ? found : undefined
    },
    surroundings: async () => {
      reads = 0
      return { env: {}, close: async () => {} }
    },
    breaks: ['task.read.success'],
  })
}

const ofReads: Fault[] = [
  foundLater(),
  ...missing,
  ...wrongTypes,
  ...timestamps,
  ...assignments,
  ...bodies,
  ...statuses,
  ...faultsNamed({
    // Neither has anything: a scope that is a list of resources tells the two apart no more than a
    // 404 does.
    'an unknown task is answered 403, and another 404': {
      notFoundStatus: (call) => (isRead(call) && /-[\da-f]{11}[0-7]$/.test(call.id) ? 403 : 404),
      breaks: ['task.read.not-found'],
    },
    'a known task is answered 500': {
      taskFor: ({ id, tasks, op }) => {
        const found = tasks.find((task) => task.id === id)
        if (op === 'task.read' && found) throw new Error('broken')
        return found
      },
      breaks: ['task.read.success'],
    },
    'the first task is answered whatever was asked for': {
      taskFor: ({ tasks }) => tasks[0],
      breaks: ['task.read.identity', 'task.read.not-found', 'task.read.malformed-id*'],
      // All updates are of one task then.
      mayBreak: ['task.read.repeatable', 'assign.*', 'version.*', 'auth.refused-changes-nothing'],
    },
    'the task after the one that was asked for': {
      taskFor: ({ id, tasks, op }) => {
        const at = tasks.findIndex((task) => task.id === id)
        return op === 'task.read' && at >= 0 ? tasks[(at + 1) % tasks.length] : tasks[at]
      },
      breaks: ['task.read.identity'],
      mayBreak: ['assign.*', 'version.*'],
    },
    'an identifier that is no UUID': {
      identifier: (at) => (inTask(at) && at.field === 'entity_id' ? 'entity-7' : at.value),
      breaks: ['task.read.identifiers', 'task.read.assessment-resolves'],
    },
    'an identifier that is a number': {
      identifier: (at) => (inTask(at) && at.field === 'microfrontend_id' ? 7 : at.value),
      breaks: ['task.read.identifiers'],
    },
    'a task for an id that is no UUID': {
      taskFor: ({ id, tasks }) =>
        tasks.find((task) => task.id === id) ?? (id === '0' ? tasks[0] : undefined),
      breaks: ['task.read.malformed-id*', 'assign.malformed-id.status'],
      mayBreak: ['assign.malformed-id'],
    },
    'tasks are looked for by LIKE': {
      taskFor: ({ id, tasks }) => {
        const pattern = new RegExp(`^${id.replaceAll('_', '.').replaceAll('%', '.*')}$`)
        return tasks.find((task) => pattern.test(task.id))
      },
      breaks: ['task.read.malformed-id*', 'assign.malformed-id*'],
    },
    'an id is read as far as a UUID goes': {
      taskFor: ({ id, tasks }) => tasks.find((task) => task.id === id.slice(0, task.id.length)),
      breaks: ['task.read.malformed-id*', 'assign.malformed-id*'],
      // Tasks change to which no update was sent.
      mayBreak: ['assign.only-this-task', 'audit.all-recorded'],
    },
    'an id that is no UUID is answered 400': {
      malformedIdStatus: () => 400,
      breaks: ['*.malformed-id.status'],
    },
    'a read changes the version': {
      readingTouches: (call) => isRead(call),
      breaks: ['task.read.repeatable'],
    },
    'a field differs from read to read': {
      fieldValue: (at) => (inTask(at) && at.field === 'step_name' ? `${Math.random()}` : at.value),
      breaks: ['task.read.repeatable'],
      mayBreak: ['assign.only-the-assignment'],
    },
    'an assessment that cannot be read': {
      identifier: (at) =>
        inTask(at) && at.field === 'assessment_id'
          ? '00000000-0000-4000-8000-000000000000'
          : at.value,
      breaks: ['task.read.assessment-resolves'],
    },
    'an assessment of another entity': {
      identifier: (at) =>
        inTask(at) && at.field === 'entity_id' ? '00000000-0000-4000-8000-000000000000' : at.value,
      breaks: ['task.read.assessment-resolves'],
    },
    'errors that are broken JSON': {
      refusalBody: (call) => (isRead(call) ? { ...call.body, text: '{"error":' } : call.body),
      breaks: ['task.read.error-is-json'],
    },
  }),
]

/** What reads alone show wrongly stands beside the answers to updates, too. */
export const faults = ofReads.map(
  alsoFoundBy(
    'assign.only-the-assignment',
    'assign.new-version.shown',
    'audit.all-recorded',
    'auth.invalid-besides.*',
  ),
)
