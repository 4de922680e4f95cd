import type { Faker } from '@faker-js/faker'
import { faker as english } from '@faker-js/faker/locale/en'

// The package's main entry loads every language, which takes longer than making a world.
const FakerOf = english.constructor as new (options: object) => Faker

/** A generator of names and texts; deterministic by seed. */
export const fakerOf = (seed: number): Faker =>
  new FakerOf({ locale: english.rawDefinitions, seed })

/** The time in milliseconds since 1970, with fractions; it never goes back. */
export const now = (): number => performance.timeOrigin + performance.now()

export type Assignment = {
  assigned_by_id: string
  assigned_to_id: string
  /** USER or TEAM */
  assigned_to_type: string
  assignment_comment?: string | null
}

export type Task = {
  id: string
  assessment_id: string
  assessment_template_id: string
  assignment: Assignment | null
  c_name: string
  name: string | null
  created_at: string
  updated_at: string
  locked_at: string
  custom_metadata: Record<string, unknown> | null
  data_version: number
  entity_id: string
  institution_id: string
  microfrontend_id: string
  status: string
  step_name: string
  workflow_instance_id: string
}

export type Assessment = {
  id: string
  created_at: string
  entity_id: string
  institution_id: string
  outcome_id: string
  status_id: string
  template_id: string
  workflow_instance_id: string
  workflow_state: string
  error_message: unknown
  error_details: unknown
  error_step: unknown
  error_type: unknown
}

export type User = { id: string; name: string; mail: string }
export type Team = { id: string; name: string; memberIds: string[] }
type Entity = { id: string; name: string; institutionId: string }

export type World = ReturnType<typeof makeWorld>

const states = ['Active', 'Error', 'Cancelled', 'Active', 'Error', 'Active', 'Cancelled', 'Active']
const steps = ['Document collection', 'Screening review', 'Risk rating', 'Final approval']
const assignees = ['nobody', 'user', 'team', 'user', 'nobody', 'team', 'user', 'nobody'] as const

/** Creates the people, tasks and assessments of one account; deterministic by seed. */
export function makeWorld(seed: number, { events: eventCount = 6_600 }: { events?: number } = {}) {
  const faker = fakerOf(seed)
  const id = () => faker.string.uuid()
  const pick = <T>(list: readonly T[]): T => faker.helpers.arrayElement(list)
  const between = (from: string, to: string) => faker.date.between({ from, to }).toISOString()

  const apiKey = faker.string.alphanumeric({ length: 40, casing: 'mixed' })
  const institutions = many(3, () => ({ id: id(), name: faker.company.name() }))
  const entities = many(
    4,
    (n): Entity => ({
      id: id(),
      name: faker.company.name(),
      institutionId: at(institutions, n).id,
    }),
  )
  const users = many(8, (n): User => {
    const name = `${faker.person.firstName()} ${faker.person.lastName()}`
    const mail = `${name.toLowerCase().replaceAll(/[^a-z]+/g, '.')}.${n}@example.com`
    return { id: id(), name, mail }
  })
  const teams = many(
    3,
    (n): Team => ({
      id: id(),
      name: `${faker.commerce.department()} team`,
      memberIds: faker.helpers.arrayElements(users, 2 + n).map((user) => user.id),
    }),
  )
  const assessments = many(8, (n): Assessment => {
    const entity = at(entities, n)
    const broken = at(states, n) === 'Error'
    return {
      id: id(),
      created_at: between('2024-01-01', '2024-03-31'),
      entity_id: entity.id,
      institution_id: entity.institutionId,
      outcome_id: id(),
      status_id: id(),
      template_id: id(),
      workflow_instance_id: id(),
      workflow_state: at(states, n),
      error_message: broken ? faker.hacker.phrase() : null,
      error_details: broken ? { code: faker.number.int({ min: 100, max: 999 }) } : null,
      error_step: broken ? pick(steps) : null,
      error_type: broken ? 'StepFailure' : null,
    }
  })

  const assign = (n: number): Assignment | null => {
    const kind = at(assignees, n)
    if (kind === 'nobody') return null
    return {
      assigned_by_id: pick(users).id,
      assigned_to_id: kind === 'team' ? pick(teams).id : pick(users).id,
      assigned_to_type: kind === 'team' ? 'TEAM' : 'USER',
      assignment_comment: n % 3 === 0 ? null : faker.lorem.sentence(),
    }
  }
  const tasks = many(16, (n): Task => {
    const assessment = at(assessments, n)
    const step = at(steps, n)
    return {
      id: id(),
      assessment_id: assessment.id,
      assessment_template_id: assessment.template_id,
      assignment: assign(n),
      c_name: step.toLowerCase().replace(' ', '_'),
      name: n % 4 === 3 ? null : faker.lorem.words(3),
      created_at: between('2024-04-01', '2024-05-31'),
      updated_at: between('2024-06-01', '2024-11-30'),
      locked_at: between('2024-06-01', '2024-06-30'),
      custom_metadata: at([{}, null, { priority: pick(['low', 'high']) }], n),
      data_version: faker.number.int({ min: 1, max: 20 }),
      entity_id: assessment.entity_id,
      institution_id: assessment.institution_id,
      microfrontend_id: id(),
      status: 'INCOMPLETE',
      step_name: step,
      workflow_instance_id: assessment.workflow_instance_id,
    }
  })
  // Audit events are generated on demand: the world knows only how many there are.
  return { seed, apiKey, institutions, entities, users, teams, tasks, assessments, eventCount }
}

const many = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))

const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T
