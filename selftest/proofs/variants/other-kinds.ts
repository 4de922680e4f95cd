import { makeWorld } from '../../../reference/world/world.ts'
import { variantsNamed } from '../fault.ts'

const world = makeWorld(1)
const [twinTask] = world.tasks
const [twinAssessment] = world.assessments
const isOf = (all: readonly { id: string }[], id: string) => all.some((each) => each.id === id)

const isEntity = (id: string) => world.tasks.some((task) => task.entity_id === id)

/** Nothing says that two things of different kinds never have the same id, nor what a key may read. */
export const variants = variantsNamed({
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
