import type { Call } from '../../../reference/calls/call.ts'
import type { Stated } from '../../../reference/rules/stated.ts'
import { type Assessment, makeWorld, type Task } from '../../../reference/world/world.ts'
import { faultsBreaking, faultsNamed } from '../fault.ts'

type FindTask = Stated['taskFor']
type FindAssessment = Stated['assessmentFor']

const { tasks } = makeWorld(1)

const ofAssessment: FindTask = ({ id, tasks }) => tasks.find((task) => task.assessment_id === id)
const ofTask: FindAssessment = ({ id, assessments }) => {
  const task = tasks.find((each) => each.id === id)
  return assessments.find((assessment) => assessment.id === task?.assessment_id)
}

const taskToo = (isSo: (call: Call) => boolean, find: FindTask): Pick<Stated, 'taskFor'> => ({
  taskFor: (call) =>
    call.tasks.find(({ id }) => id === call.id) ?? (isSo(call) ? find(call) : undefined),
})
const assessmentToo = (find: FindAssessment): Pick<Stated, 'assessmentFor'> => ({
  assessmentFor: (call) => call.assessments.find(({ id }) => id === call.id) ?? find(call),
})

/** Ids by which something of another kind is found. */
export const faults = [
  ...faultsBreaking('task.read.not-found', {
    'a task is found by the id of its assessment': {
      ...taskToo(({ op }) => op === 'task.read', ofAssessment),
    },
    'an assessment is answered to the address of a task': {
      ...taskToo(
        ({ op }) => op === 'task.read',
        ({ id }) => makeWorld(1).assessments.find((each) => each.id === id) as Task | undefined,
      ),
    },
    'an unknown task is answered 401 to an update, and 400 to a read': {
      notFoundStatus: ({ op }) =>
        ({ 'task.read': 400, 'assessment.read': 404 })[op as string] ?? 401,
    },
    'a task is found by the id of its workflow instance': {
      ...taskToo(
        ({ op }) => op === 'task.read',
        ({ id, tasks }) => tasks.find((task) => task.workflow_instance_id === id),
      ),
    },
  }),
  ...faultsBreaking('assessment.read.not-found', {
    'an assessment is found by the id of its task': { ...assessmentToo(ofTask) },
    'an assessment is found by the id of its entity': {
      ...assessmentToo(({ id, assessments }) =>
        assessments.find((assessment) => assessment.entity_id === id),
      ),
    },
    'a task is answered to the address of an assessment': {
      ...assessmentToo(
        ({ id }) => tasks.find((each) => each.id === id) as unknown as Assessment | undefined,
      ),
    },
  }),
  ...faultsNamed({
    'an update finds a task by the id of its assessment': {
      ...taskToo(({ op }) => op === 'assign.update', ofAssessment),
      breaks: ['assign.not-found.update'],
    },
  }),
]
