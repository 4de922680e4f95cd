import type { Faker } from '@faker-js/faker'
import type { Assessment, Assignment, Entity, Institution, Task, Team, User } from './resources.ts'
import type { Make, Table } from './streams.ts'

const states = ['Active', 'Error', 'Cancelled', 'Active', 'Error', 'Active', 'Cancelled', 'Active']
const steps = ['Document collection', 'Screening review', 'Risk rating', 'Final approval']
const assignees = ['nobody', 'user', 'team', 'user', 'nobody', 'team', 'user', 'nobody'] as const

export const institutionTable = (): Table<Institution> => ({
  name: 'institution',
  fields: {
    id: uuid,
    name: (stream) => stream().company.name(),
  },
  inTurn: ['id', 'name'],
})

export const entityTable = (institutions: Institution[]): Table<Entity> => ({
  name: 'entity',
  fields: {
    id: uuid,
    name: (stream) => stream().company.name(),
    institutionId: (_, n) => at(institutions, n).id,
  },
  inTurn: ['id', 'name'],
})

export const userTable = (): Table<User> => ({
  name: 'user',
  fields: {
    id: uuid,
    name: (stream) => `${stream().person.firstName()} ${stream().person.lastName()}`,
    mail: (_, n, { name = '' }) =>
      `${name.toLowerCase().replaceAll(/[^a-z]+/g, '.')}.${n}@example.com`,
  },
  inTurn: ['name', 'id'],
})

export const teamTable = (users: User[]): Table<Team> => ({
  name: 'team',
  fields: {
    id: uuid,
    name: (stream) => `${stream().commerce.department()} team`,
    memberIds: (stream, n) =>
      stream()
        .helpers.arrayElements(users, 2 + n)
        .map((user) => user.id),
  },
  inTurn: ['id', 'name', 'memberIds'],
})

export const assessmentTable = (entities: Entity[]): Table<Assessment> => ({
  name: 'assessment',
  fields: {
    id: uuid,
    created_at: between('2024-01-01', '2024-03-31'),
    entity_id: (_, n) => at(entities, n).id,
    institution_id: (_, n) => at(entities, n).institutionId,
    outcome_id: uuid,
    status_id: uuid,
    template_id: uuid,
    workflow_instance_id: uuid,
    workflow_state: (_, n) => at(states, n),
    error_message: ofError((faker) => faker.hacker.phrase()),
    error_details: ofError((faker) => ({ code: faker.number.int({ min: 100, max: 999 }) })),
    error_step: ofError((faker) => pick(faker, steps)),
    error_type: ofError(() => 'StepFailure'),
  },
  inTurn: [
    'id',
    'created_at',
    'outcome_id',
    'status_id',
    'template_id',
    'workflow_instance_id',
    'error_message',
    'error_details',
    'error_step',
  ],
})

type Ground = { assessments: Assessment[]; users: User[]; teams: Team[] }

export const taskTable = (ground: Ground): Table<Task> => ({
  name: 'task',
  fields: {
    id: uuid,
    assessment_id: ofAssessment(ground, 'id'),
    assessment_template_id: ofAssessment(ground, 'template_id'),
    assignment: (stream, n) => assignmentOf(stream(), n, ground),
    c_name: (_, n) => at(steps, n).toLowerCase().replace(' ', '_'),
    name: (stream, n) => (n % 4 === 3 ? null : stream().lorem.words(3)),
    created_at: between('2024-04-01', '2024-05-31'),
    updated_at: between('2024-06-01', '2024-11-30'),
    locked_at: between('2024-06-01', '2024-06-30'),
    custom_metadata: (stream, n) => metadataOf(stream(), n),
    data_version: (stream) => stream().number.int({ min: 1, max: 20 }),
    entity_id: ofAssessment(ground, 'entity_id'),
    institution_id: ofAssessment(ground, 'institution_id'),
    microfrontend_id: uuid,
    status: () => 'INCOMPLETE',
    step_name: (_, n) => at(steps, n),
    workflow_instance_id: ofAssessment(ground, 'workflow_instance_id'),
  },
  inTurn: [
    'id',
    'assignment',
    'name',
    'created_at',
    'updated_at',
    'locked_at',
    'custom_metadata',
    'data_version',
    'microfrontend_id',
  ],
})

function assignmentOf(faker: Faker, n: number, { users, teams }: Ground): Assignment | null {
  const kind = at(assignees, n)
  if (kind === 'nobody') return null
  return {
    assigned_by_id: pick(faker, users).id,
    assigned_to_id: pick<{ id: string }>(faker, kind === 'team' ? teams : users).id,
    assigned_to_type: kind === 'team' ? 'TEAM' : 'USER',
    assignment_comment: n % 3 === 0 ? null : faker.lorem.sentence(),
  }
}

const metadataOf = (faker: Faker, n: number): Task['custom_metadata'] =>
  at([{}, null, { priority: pick(faker, ['low', 'high']) }], n)

const uuid = (stream: () => Faker): string => stream().string.uuid()

const between = (from: string, to: string) => (stream: () => Faker) =>
  stream().date.between({ from, to }).toISOString()

const ofError =
  (make: (faker: Faker) => unknown): Make<Assessment, unknown> =>
  (stream, n) =>
    at(states, n) === 'Error' ? make(stream()) : null

const ofAssessment =
  ({ assessments }: Ground, field: keyof Assessment) =>
  (_: () => Faker, n: number) =>
    at(assessments, n)[field] as string

const pick = <T>(faker: Faker, list: readonly T[]): T => faker.helpers.arrayElement(list)

const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T
