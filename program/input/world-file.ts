import { resolve } from 'node:path'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import type { AssigneeType } from '../../helpers/contract/fields.ts'
import { isUuid } from '../../reference/calls/call.ts'
import type { AuditEvent } from '../../reference/calls/events.ts'
import { canonical } from '../../reference/world/versions.ts'
import type { World } from '../../reference/world/world.ts'
import assessment from '../../schemas/assessment.schema.json' with { type: 'json' }
import assignment from '../../schemas/assignment.schema.json' with { type: 'json' }
import shapes from '../../schemas/shapes.schema.json' with { type: 'json' }
import task from '../../schemas/task.schema.json' with { type: 'json' }
import schema from '../../schemas/world.schema.json' with { type: 'json' }
import { mistakeIn, readJson } from './read-json.ts'

export type WorldFile = Pick<World, 'apiKey' | 'users' | 'teams' | 'tasks' | 'assessments'> & {
  worldVersion: 1
  events: AuditEvent[]
}

export function readWorld(path: string, cwd: string): { world: World; events: AuditEvent[] } {
  const flag = `--world ${path}: `
  const value = readJson(
    resolve(cwd, path),
    {
      unread: (reason) => `${flag}it cannot be read (${reason}); give a readable file.`,
      notJson: () => `${flag}it is not JSON; start from what curl BASE/__world writes.`,
    },
    // The service looks ids up in lower case.
    (_, value) => (isUuid(value) ? String(value).toLowerCase() : value),
  )
  const schemas = {
    'assessment.schema.json': assessment,
    'assignment.schema.json': assignment,
    'shapes.schema.json': shapes,
    'task.schema.json': task,
  }
  const validate = new Ajv2020({ allowUnionTypes: true, schemas }).compile<WorldFile>(schema)
  if (!validate(value)) return mistakeIn(flag)(describeError(validate.errors?.[0]))
  const [wrong] = [...duplicatesIn(value), ...strangersIn(value)]
  if (wrong) return mistakeIn(flag)(wrong)
  const { worldVersion: _, events, ...given } = value
  const world = { ...given, seed: 1, institutions: [], entities: [], eventCount: events.length }
  return { world, events: events.map((event) => ({ ...event, time: canonical(event.time) })) }
}

function describeError(error: ErrorObject | undefined): string {
  const { instancePath = '', message = 'is not a world', params = {} } = error ?? {}
  const odd = (params as { additionalProperty?: string }).additionalProperty
  const place = memberAt(instancePath) || 'the file'
  if (odd !== undefined) return `${place} has the member '${odd}', which is unknown; remove it.`
  if (error?.keyword === 'pattern') return `${place} is not valid (${message}).`
  const allowed = (params as { allowedValues?: unknown[] }).allowedValues
  return `${place} ${message}${allowed ? `: ${allowed.join(', ')}` : ''}.`
}

/** Writes `/tasks/3/assignment` as `tasks[3].assignment`. */
const memberAt = (path: string): string =>
  path
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')

const idOf = ({ id }: { id: string }) => id

/** A task and an assessment may share an id; users and teams may not. */
function* duplicatesIn({ users, teams, tasks, assessments, events }: WorldFile) {
  const first = new Map<string, string>()
  for (const [kind, list] of Object.entries({ users, teams, tasks, assessments, events }))
    for (const [at, { id }] of list.entries()) {
      const key = `${kind === 'teams' ? 'users' : kind} ${id}`
      const [place, earlier] = [`${kind}[${at}].id`, first.get(key)]
      first.set(key, place)
      if (earlier) yield `${place} is that of ${earlier} too; give each its own.`
    }
}

function* strangersIn({ users, teams, tasks }: WorldFile) {
  const known = { USER: new Set(users.map(idOf)), TEAM: new Set(teams.map(idOf)) }
  for (const [team, { memberIds }] of teams.entries())
    for (const [at, id] of memberIds.entries())
      if (!known.USER.has(id))
        yield `teams[${team}].memberIds[${at}] is not among users; add the user.`
  for (const [at, { assignment }] of tasks.entries()) {
    const kind = assignment?.assigned_to_type as AssigneeType
    if (!assignment || known[kind].has(assignment.assigned_to_id)) continue
    const where = kind === 'USER' ? 'users' : 'teams'
    yield `tasks[${at}].assignment.assigned_to_id is not among ${where}; add it there, or let assignment be null.`
  }
}
