import type { Call, Field } from '../../../reference/calls/call.ts'
import type { Stated } from '../../../reference/rules/stated.ts'
import { type Assessment, makeWorld, type Task } from '../../../reference/world/world.ts'
import { wordsOf } from '../../long.ts'
import { eachRun } from '../bent/around.ts'
import { alsoFoundBy, type Fault, fault, faultsOf } from '../fault.ts'

const isRead = ({ op }: Call) => op === 'task.read'
const inTask = ({ op, resource }: Field) => op === 'task.read' && resource === 'task'
const nobody = '00000000-0000-4000-8000-000000000000'
const inAssignment = ({ op, resource }: Field) => op === 'task.read' && resource === 'assignment'
const json = (value: unknown) => JSON.stringify(value)

const fields = wordsOf(`
  assessment_id assignment c_name name created_at updated_at locked_at custom_metadata
  data_version microfrontend_id status step_name
`)

type IsIn = (at: Field) => boolean
const lacking = (what: string, isIn: IsIn, breaks: string, names: readonly string[]) =>
  names.map((name) =>
    fault(`${what} without ${name}`, {
      fieldIsShown: (at) => !(isIn(at) && at.field === name),
      breaks,
    }),
  )

/** What is read is another text. */
const textIn = (isMeant: (call: Call) => boolean) => (text: (resource: object) => string) => ({
  answerText: (call: Call & { resource: object }) =>
    isMeant(call) ? text(call.resource) : json(call.resource),
})

const unknown = (what: string, isMeant: (call: Call) => boolean, breaks: string) =>
  faultsOf(
    breaks,
    (status: (id: string) => number): Partial<Stated> => ({
      notFoundStatus: (call) => (isMeant(call) ? status(call.id) : 404),
    }),
    {
      [`an unknown ${what} is answered 400`]: () => 400,
      [`an unknown ${what} is answered 500`]: () => 500,
      [`an unknown ${what} is answered 200`]: () => 200,
      [`an unknown ${what} is answered 403, and another 404`]: (id: string) =>
        /-[\da-f]{11}[0-7]$/.test(id) ? 403 : 404,
    },
  )

const brokenErrors = (isMeant: (call: Call) => boolean): Partial<Stated> => ({
  refusalBody: (call) => (isMeant(call) ? { ...call.body, text: '{"error":' } : call.body),
})

const createdAs = (form: (value: string) => unknown): Partial<Stated> => ({
  timestamp: (at) => (inTask(at) && at.field === 'created_at' ? form(at.value) : at.value),
})

const assignedAs = (bent: Readonly<Record<string, unknown>>): Partial<Stated> => ({
  fieldValue: (at) => (inAssignment(at) && at.field in bent ? bent[at.field] : at.value),
})

/** Of the last task, which is found from the third on: the first contact asks for it twice. */
let reads = 0

export const taskFaults = [
  ...lacking('a Task', inTask, 'task.read.fields', fields),
  ...[
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
      breaks: 'task.read.types',
    }),
  ),
  ...unknown('task', isRead, 'task.read.not-found'),
  ...faultsOf('task.read.timestamps', createdAs, {
    'created_at as a local time': (value) => value.replace('Z', ''),
    'created_at as another zone': (value) => value.replace('Z', '+02:00'),
    'created_at as a number of seconds': (value) => Date.parse(value) / 1000,
    'created_at as a human date': (value) => new Date(value).toUTCString(),
    'created_at as a date alone': (value) => value.slice(0, 10),
  }),
  ...faultsOf('task.read.assignment ?assign.* ?version.*', assignedAs, {
    'an Assignment with type PERSON': { assigned_to_type: 'PERSON' },
    'an Assignment with type user': { assigned_to_type: 'user' },
    'an Assignment with an assignee who is no UUID': { assigned_to_id: 'mary' },
    'an Assignment with an assigner who is null': { assigned_by_id: null },
    'an Assignment with a comment that is a number': { assignment_comment: 5 },
  }),
  ...faultsOf('task.read.version', {
    'updated_at is null in every task': {
      fieldValue: (at) => (inTask(at) && at.field === 'updated_at' ? null : at.value),
    },
  }),
  ...faultsOf('task.read.success', textIn(isRead), {
    'an HTML page in place of a Task': () => '<html>task</html>',
    'an array in place of a Task': (task) => json([task]),
    'nothing in place of a Task': () => '',
    'null in place of a Task': () => 'null',
  }),
  ...faultsOf('task.read.fields task.read.identity', textIn(isRead), {
    'an envelope in place of a Task': (data) => json({ data }),
  }),
  ...faultsOf('task.read.assessment-resolves', 'identifier', {
    'an assessment that cannot be read': (at) =>
      inTask(at) && at.field === 'assessment_id' ? nobody : at.value,
    'an assessment of another entity': (at) =>
      inTask(at) && at.field === 'entity_id' ? nobody : at.value,
  }),
  ...faultsOf(
    `task.read.identity task.read.not-found task.read.malformed-id* ?task.read.repeatable
        ?assign.* ?version.* ?auth.refused-changes-nothing`,
    { 'the first task is answered whatever was asked for': { taskFor: ({ tasks }) => tasks[0] } },
  ),
  ...faultsOf('*.malformed-id.status', {
    'an id that is no UUID is answered 400': { malformedIdStatus: () => 400 },
  }),
  ...faultsOf('task.read.repeatable', {
    'a read changes the version': { readingTouches: (call) => isRead(call) },
  }),
  ...faultsOf('task.read.error-is-json', { 'errors that are broken JSON': brokenErrors(isRead) }),
  ...faultsOf({
    'a task is answered 404 at first, and then it is there': {
      taskFor: ({ op, id, tasks }) => {
        const found = tasks.find((task) => task.id === id)
        if (op !== 'task.read' || found !== tasks.at(-1)) return found
        reads += 1
        return reads > 2 ? found : undefined
      },
      ...eachRun(() => {
        reads = 0
      }),
      breaks: 'task.read.success',
    },
    'a known task is answered 500': {
      taskFor: ({ id, tasks, op }) => {
        const found = tasks.find((task) => task.id === id)
        if (op === 'task.read' && found) throw new Error('broken')
        return found
      },
      breaks: 'task.read.success',
    },
    'the task after the one that was asked for': {
      taskFor: ({ id, tasks, op }) => {
        const at = tasks.findIndex((task) => task.id === id)
        return op === 'task.read' && at >= 0 ? tasks[(at + 1) % tasks.length] : tasks[at]
      },
      breaks: 'task.read.identity ?assign.* ?version.*',
    },
    'an identifier that is no UUID': {
      identifier: (at) => (inTask(at) && at.field === 'entity_id' ? 'entity-7' : at.value),
      breaks: 'task.read.identifiers task.read.assessment-resolves',
    },
    'an identifier that is a number': {
      identifier: (at) => (inTask(at) && at.field === 'microfrontend_id' ? 7 : at.value),
      breaks: 'task.read.identifiers',
    },
    'a task for an id that is no UUID': {
      taskFor: ({ id, tasks }) =>
        tasks.find((task) => task.id === id) ?? (id === '0' ? tasks[0] : undefined),
      breaks: 'task.read.malformed-id* assign.malformed-id.status ?assign.malformed-id',
    },
    'tasks are looked for by LIKE': {
      taskFor: ({ id, tasks }) => {
        const pattern = new RegExp(`^${id.replaceAll('_', '.').replaceAll('%', '.*')}$`)
        return tasks.find((task) => pattern.test(task.id))
      },
      breaks: 'task.read.malformed-id* assign.malformed-id*',
    },
    'an id is read as far as a UUID goes': {
      taskFor: ({ id, tasks }) => tasks.find((task) => task.id === id.slice(0, task.id.length)),
      breaks: `task.read.malformed-id* assign.malformed-id* ?assign.only-this-task
        ?audit.all-recorded`,
    },
    'a field differs from read to read': {
      fieldValue: (at) => (inTask(at) && at.field === 'step_name' ? `${Math.random()}` : at.value),
      breaks: 'task.read.repeatable ?assign.only-the-assignment',
    },
  }),
].map(alsoFoundBy('assign.only-the-assignment assign.new-version.shown audit.all-recorded'))

const isReadOfAssessment = ({ op }: Call) => op === 'assessment.read'
let shown = 0
const inAssessment = ({ resource }: Field) => resource === 'assessment'
const stateOf = ({ record }: Field) => (record as Assessment).workflow_state
const errorFields = ['error_message', 'error_details', 'error_step', 'error_type']

export const assessmentFaults: Fault[] = [
  ...lacking('an Assessment', inAssessment, 'assessment.read.fields', [
    ...['created_at', 'entity_id', 'outcome_id', 'status_id', 'workflow_state'],
  ]),
  ...lacking('an Assessment', inAssessment, 'assessment.read.error-fields', errorFields),
  ...unknown('assessment', isReadOfAssessment, 'assessment.read.not-found'),
  ...faultsOf('assessment.read.success task.read.assessment-resolves', textIn(isReadOfAssessment), {
    'an HTML page in place of an Assessment': () => '<html>assessment</html>',
    'an array in place of an Assessment': (assessment) => json([assessment]),
  }),
  ...faultsOf(
    'assessment.read.fields assessment.read.error-fields assessment.read.identity',
    textIn(isReadOfAssessment),
    { 'an envelope in place of an Assessment': (data) => json({ data }) },
  ),
  ...['active', 'Completed', null].map((state) =>
    fault(`workflow_state ${json(state)}`, {
      fieldValue: (at) =>
        inAssessment(at) && at.field === 'workflow_state' && at.value === 'Active'
          ? state
          : at.value,
      breaks: 'assessment.read.state',
    }),
  ),
  ...faultsOf('assessment.read.error-is-json', {
    'errors that are broken JSON': brokenErrors(isReadOfAssessment),
  }),
  ...faultsOf({
    'workflow_state is null everywhere': {
      fieldValue: (at) => (inAssessment(at) && at.field === 'workflow_state' ? null : at.value),
      breaks: 'assessment.read.state',
    },
    'a known assessment is answered 500': {
      assessmentFor: ({ id, assessments }) => {
        const found = assessments.find((assessment) => assessment.id === id)
        if (found) throw new Error('broken')
        return found
      },
      breaks: 'assessment.read.success task.read.assessment-resolves',
    },
    'the first assessment is answered whatever was asked for': {
      assessmentFor: ({ assessments }) => assessments[0],
      breaks: `assessment.read.identity assessment.read.not-found assessment.read.malformed-id*
        task.read.assessment-resolves`,
    },
    'an identifier that is no UUID': {
      identifier: (at) => (inAssessment(at) && at.field === 'status_id' ? 'open' : at.value),
      breaks: 'assessment.read.identifiers',
    },
    'created_at as a number': {
      timestamp: (at) => (inAssessment(at) && at.field === 'created_at' ? 1_700_000_000 : at.value),
      breaks: 'assessment.read.timestamps',
    },
    'an assessment for an id that is no UUID': {
      assessmentFor: ({ id, assessments }) =>
        assessments.find((assessment) => assessment.id === id) ??
        (id === '0' ? assessments[0] : undefined),
      breaks: 'assessment.read.malformed-id assessment.read.malformed-id.status',
    },
    'error fields that are set without an error': {
      fieldValue: (at) =>
        inAssessment(at) && at.field === 'error_type' && stateOf(at) !== 'Error'
          ? 'none'
          : at.value,
      breaks: 'assessment.read.no-error',
    },
    'an error without any information': {
      fieldValue: (at) => (inAssessment(at) && errorFields.includes(at.field) ? null : at.value),
      breaks: 'assessment.read.error',
    },
    'outcome_id is null in every assessment': {
      fieldValue: (at) => (inAssessment(at) && at.field === 'outcome_id' ? null : at.value),
      breaks: 'assessment.read.values',
    },
    'a field that differs from read to read': {
      identifier: (at) =>
        inAssessment(at) && at.field === 'outcome_id'
          ? `00000000-0000-4000-8000-${String(++shown).padStart(12, '0')}`
          : at.value,
      breaks: 'assessment.read.repeatable',
    },
  }),
]

type FindTask = Stated['taskFor']
type FindAssessment = Stated['assessmentFor']

const { tasks } = makeWorld(1)

const ofAssessment: FindTask = ({ id, tasks }) => tasks.find((task) => task.assessment_id === id)
const ofTask: FindAssessment = ({ id, assessments }) => {
  const task = tasks.find((each) => each.id === id)
  return assessments.find((assessment) => assessment.id === task?.assessment_id)
}

export const taskToo = (
  isSo: (call: Call) => boolean,
  find: FindTask,
): Pick<Stated, 'taskFor'> => ({
  taskFor: (call) =>
    call.tasks.find(({ id }) => id === call.id) ?? (isSo(call) ? find(call) : undefined),
})
export const assessmentToo = (find: FindAssessment): Pick<Stated, 'assessmentFor'> => ({
  assessmentFor: (call) => call.assessments.find(({ id }) => id === call.id) ?? find(call),
})

export const otherKinds = [
  ...faultsOf('task.read.not-found', {
    'a task is found by the id of its assessment': taskToo(
      ({ op }) => op === 'task.read',
      ofAssessment,
    ),
    'an assessment is answered to the address of a task': taskToo(
      ({ op }) => op === 'task.read',
      ({ id }) => makeWorld(1).assessments.find((each) => each.id === id) as Task | undefined,
    ),
    'an unknown task is answered 401 to an update, and 400 to a read': {
      notFoundStatus: ({ op }) =>
        ({ 'task.read': 400, 'assessment.read': 404 })[op as string] ?? 401,
    },
    'a task is found by the id of its workflow instance': taskToo(
      ({ op }) => op === 'task.read',
      ({ id, tasks }) => tasks.find((task) => task.workflow_instance_id === id),
    ),
  }),
  ...faultsOf('assessment.read.not-found', assessmentToo, {
    'an assessment is found by the id of its task': ofTask,
    'an assessment is found by the id of its entity': ({ id, assessments }) =>
      assessments.find((assessment) => assessment.entity_id === id),
    'a task is answered to the address of an assessment': ({ id }) =>
      tasks.find((each) => each.id === id) as unknown as Assessment | undefined,
  }),
  ...faultsOf({
    'an update finds a task by the id of its assessment': {
      ...taskToo(({ op }) => op === 'assign.update', ofAssessment),
      breaks: 'assign.not-found.update',
    },
  }),
]
