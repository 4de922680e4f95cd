import { either } from '../../engine/settings/parsers.ts'
import assessment from '../../schemas/assessment.schema.json' with { type: 'json' }
import assignment from '../../schemas/assignment.schema.json' with { type: 'json' }
import task from '../../schemas/task.schema.json' with { type: 'json' }

export type Field = {
  form: Form
  /** stated; of the other fields the contract does not say whether they can be null */
  null?: true
  /** an update leaves it as it is */
  kept?: true
  /** not stated: when it changes, or what it contains */
  restless?: true
  /** not stated: how an update changes it */
  unruled?: true
  /** what it says matters only if an assessment has failed */
  ofError?: true
  /** the only values that are allowed */
  values?: readonly string[]
}

type Form = 'id' | 'timestamp' | 'text' | 'integer' | 'object' | 'assignment' | 'state' | 'any'

const assigneeType = { form: 'state', values: ['USER', 'TEAM'] } as const
const comment = { form: 'text', null: true } as const
const keptId = { form: 'id', kept: true } as const
const error = { form: 'any', null: true, ofError: true } as const

/** The fields of each resource, as the contract's tables give them. */
export const fields = {
  task: {
    id: { form: 'id' },
    assessment_id: keptId,
    assessment_template_id: keptId,
    assignment: { form: 'assignment', null: true },
    c_name: { form: 'text', kept: true },
    name: { form: 'text', null: true, kept: true },
    created_at: { form: 'timestamp', kept: true },
    updated_at: { form: 'timestamp' },
    locked_at: { form: 'timestamp', restless: true, unruled: true },
    custom_metadata: { form: 'object', null: true, kept: true, restless: true },
    data_version: { form: 'integer', restless: true, unruled: true },
    entity_id: keptId,
    institution_id: keptId,
    microfrontend_id: keptId,
    status: { form: 'text', unruled: true },
    step_name: { form: 'text', kept: true },
    workflow_instance_id: keptId,
  },
  assignment: {
    assigned_by_id: { form: 'id' },
    assigned_to_id: { form: 'id' },
    assigned_to_type: assigneeType,
    assignment_comment: comment,
  },
  assessment: {
    id: { form: 'id' },
    created_at: { form: 'timestamp' },
    entity_id: { form: 'id' },
    institution_id: { form: 'id' },
    outcome_id: { form: 'id' },
    status_id: { form: 'id' },
    template_id: { form: 'id' },
    workflow_instance_id: { form: 'id' },
    workflow_state: { form: 'state', values: ['Active', 'Cancelled', 'Error'] },
    error_message: error,
    error_details: error,
    error_step: error,
    error_type: error,
  },
} as const satisfies Record<string, Record<string, Field>>

/** The contract's heading above a table. */
export const headingOfTable = (name: keyof typeof fields): string =>
  `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`

/** The JSON schema of each table: bodies are judged by it. */
export const schemas: Readonly<Record<keyof typeof fields, object>> = {
  task,
  assignment,
  assessment,
}

type List = { words: string; since?: string }

/** Lists of a task's fields in statements; `since`: the version in which a list got another field. */
export const listed = {
  types: {
    words:
      'data_version as an integer, custom_metadata as an object, and status, step_name, c_name and name as strings',
  },
  kept: { words: 'the related ids, names, step_name, custom_metadata and created_at' },
  restless: { words: 'locked_at, data_version and custom_metadata' },
} as const satisfies Record<string, List>

/** The forms that are a type of JSON, as statements say them. */
const typeOfForm = { integer: 'an integer', text: 'a string', object: 'an object' } as const

export const plainForms = Object.keys(typeOfForm) as (keyof typeof typeOfForm)[]

/** The fields of these forms, in a statement. */
export function typesOf(resource: Resource): List {
  if (resource === 'task') return listed.types
  const types = Object.entries(typeOfForm).flatMap(([plain, type]) =>
    fieldsWith(resource, ({ form }) => form === plain).map((name) => `${name} as ${type}`),
  )
  return { words: either(types, 'and') }
}

/** The fields with a list of values, in a statement. */
export const describeStates = (resource: Resource): string =>
  Object.entries<Field>(fields[resource])
    .filter(([, { form }]) => form === 'state')
    .map(([name, { values = [] }]) => `${name} as ${either(values)}`)
    .join(' and ')

/** For the clause in whose statement the list stands. */
export const sinceOf = ({ since }: List): Pick<List, 'since'> => (since ? { since } : {})

type SentField = Pick<Field, 'form' | 'null' | 'values'> & { required?: true }

const requiredId = { form: 'id', required: true } as const

/** The fields of the object that the body of an update holds. */
export const sentFields = {
  update: {
    assigned_by_id: requiredId,
    assigned_to_id: requiredId,
    assigned_to_type: { ...assigneeType, required: true },
    assignment_comment: comment,
  },
  unassign: {
    assigned_by_id: requiredId,
    assignment_comment: comment,
  },
} as const satisfies Record<string, Record<string, SentField>>

/** `update` assigns or reassigns a task. */
export type SentObject = keyof typeof sentFields

type UpdateFields = (typeof sentFields)['update']

export type RequiredField = {
  [Name in keyof UpdateFields]: UpdateFields[Name] extends { required: true } ? Name : never
}[keyof UpdateFields]

export const requiredFields = (object: SentObject): RequiredField[] =>
  Object.entries<SentField>(sentFields[object]).flatMap(([name, { required }]) =>
    required ? (name as RequiredField) : [],
  )

export type AssigneeType = (typeof assigneeType.values)[number]
export const assigneeTypes = assigneeType.values

/** The states of an assessment. */
export const workflowStates: readonly string[] = fields.assessment.workflow_state.values

/** What operations are about; an assignment is part of a task. */
export type Resource = Exclude<keyof typeof fields, 'assignment'>

export const fieldsOf = (resource: keyof typeof fields): string[] => Object.keys(fields[resource])

/** The names of the fields for which `says` holds. */
export const fieldsWith = (
  resource: keyof typeof fields,
  says: (field: Field) => boolean | undefined,
): string[] =>
  Object.entries<Field>(fields[resource]).flatMap(([name, field]) => (says(field) ? name : []))
