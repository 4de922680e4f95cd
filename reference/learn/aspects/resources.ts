import type { Field } from '../../calls/call.ts'
import type { Assessment } from '../../world/world.ts'
import type { Aspect } from '../aspect.ts'
import type { Seen } from '../seen.ts'

const samples: Record<string, unknown> = {
  string: 'text',
  number: 1,
  boolean: true,
  object: {},
  array: [],
}

/** A value of a type, as an observation names it; of several types the first. */
const sampleOf = (type: unknown): unknown => samples[String(type).split(' or ')[0] ?? ''] ?? null

/** What fields show: nulls, statuses, custom_metadata, states and error fields. */
const values: Aspect = {
  of: [
    'task.read.nulls',
    'task.read.status-values',
    'task.read.custom-metadata',
    'assessment.read.nulls',
    'assessment.read.states',
    'assessment.read.error-field-types',
  ],
  rules(seen, world) {
    // A version is never null, and a null does not move.
    const moves = seen.value('assign.data-version-rule')
    const isStill = Array.isArray(moves) && moves.every((move) => move === 'stays')
    const moving = ['updated_at', ...(isStill ? [] : ['data_version'])]
    const nulls = {
      task: seen.words('task.read.nulls').filter((field) => !moving.includes(field)),
      assessment: seen.words('assessment.read.nulls'),
      assignment: [] as string[],
    }
    const statuses = seen.words('task.read.status-values').map(jsonOf)
    const contents = seen.words('task.read.custom-metadata').map(contentOf)
    const states = seen.words('assessment.read.states').filter(isState)
    const types = seen.members('assessment.read.error-field-types')
    const places = new Map(
      [world.tasks, world.assessments].flatMap((all) => all.map(({ id }, at) => [id, at] as const)),
    )
    const placeOf = ({ record }: Field) => places.get((record as { id?: string }).id ?? '') ?? 0
    const among = <T>(list: readonly T[], at: Field) => list[placeOf(at) % list.length]
    const stateOf = ({ record }: Field) => {
      const { workflow_state } = record as Assessment
      return states.length === 0 || states.includes(workflow_state) ? workflow_state : states[0]
    }
    const error = (at: Field, value: unknown) => {
      if (stateOf(at) !== 'Error') return null
      const type = types[at.field]
      if (type === undefined) return value
      if (type === 'not known' || typeof value === type) return value
      return sampleOf(among(String(type).split(' or '), at))
    }
    return {
      open: {
        shownValue: (at) => {
          const { resource, field, value } = at
          // Somewhere null is not null everywhere: every other record shows a value.
          if (nulls[resource].includes(field) && placeOf(at) % 2 === 0) return null
          if (resource === 'task' && field === 'status' && statuses.length > 0)
            return among(statuses, at)
          if (resource === 'task' && field === 'custom_metadata' && contents.length > 0)
            return among(contents, at)
          if (resource !== 'assessment') return value
          if (field === 'workflow_state') return stateOf(at)
          return field.startsWith('error_') ? error(at, value) : value
        },
      },
    }
  },
}

const isState = (state: string) => ['Active', 'Cancelled', 'Error'].includes(state)

/** Values of status are told as JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function contentOf(told: string): unknown {
  if (told === 'null') return null
  return told === 'nothing' ? {} : { member: sampleOf(told.replace(/^an? /, '')) }
}

/** Fields that the contract does not name. */
const furtherFields: Aspect = {
  of: ['task.read.extra-fields', 'assessment.read.extra-fields'],
  rules(seen) {
    const extras = {
      task: fieldsOf(seen, 'task.read.extra-fields'),
      assessment: fieldsOf(seen, 'assessment.read.extra-fields'),
      assignment: {},
    }
    return { open: { extraFields: ({ resource }) => ({ ...extras[resource] }) } }
  },
}

const fieldsOf = (seen: Seen, id: string): Record<string, unknown> => {
  const types = seen.members(id)
  const fields = Object.entries(types)
  if (fields.length > 0)
    seen.assume('fields that the contract does not name hold values that are made up')
  return Object.fromEntries(fields.map(([field, type]) => [field, sampleOf(type)]))
}

/** How fields of a task move with an update. */
const movements: Aspect = {
  of: ['assign.data-version-rule', 'assign.locked-at-rule', 'assign.status-rule'],
  rules(seen) {
    const of = (id: string) => seen.only(id, seen.value(id))
    const version = of('assign.data-version-rule')
    const locked = of('assign.locked-at-rule')
    const status = of('assign.status-rule')
    const steps: Record<string, number> = { stays: 0, 'by one': 1, up: 2, down: -1 }
    const step = steps[String(version)] ?? 1
    if (status === 'changes')
      seen.unclear('assign.status-rule', 'saw a status change, and not from which to which')
    return {
      open: {
        nextDataVersion: ({ task }) => task.data_version + step,
        nextLockedAt: ({ task, now, fresh }) => {
          if (locked === 'becomes updated_at') return fresh
          return locked === 'changes' ? `${now.slice(0, 19)}.000000000Z` : task.locked_at
        },
      },
    }
  },
}

export const aspectsOfResources = [values, furtherFields, movements]
