// Update of a task's assignment: reading the body, the compare-and-set, and what follows later.
import { record } from './events.ts'
import type { Assignment, TaskBody, TaskRecord, World } from './world.ts'
import { commit, current } from './world.ts'

export type Outcome = { status: number; body: TaskBody } | { refused: number; why: string }
type Wish =
  | { kind: 'nothing' }
  | { kind: 'unassign'; by: string; comment: string | null | undefined }
  | { kind: 'update'; by: string; to: string; type: 'USER' | 'TEAM'; comment?: string | null }
type Refusal = { refused: number; why: string }

/** No await between the comparison and the commit, so that one of two equal requests wins. */
export function updateAssignment(
  world: World,
  task: TaskRecord,
  ifMatch: string | undefined,
  text: string,
): Outcome {
  const { quirks } = task
  // legal: no status is shown for a request that leaves out the required If-Match
  if (ifMatch === undefined || ifMatch.trim() === '')
    return refuse(quirks.noMatch, 'If-Match missing')
  const held = current(task)
  const version = quirks.quotedMatch ? ifMatch.replace(/^(?:W\/)?"(.*)"$/, '$1') : ifMatch
  const stale = version !== held.updated_at
  const wish = readWish(world, task, text)
  // legal: the status of an invalid body is not shown, so neither is what comes first
  if ('refused' in wish && quirks.bodyFirst) return wish
  if (stale) {
    note(world, held, world.apiUserId, 'refused', null)
    return refuse(409, 'Version mismatch')
  }
  if ('refused' in wish) return wish
  return apply(world, task, held, wish)
}

function apply(world: World, task: TaskRecord, held: TaskBody, wish: Wish): Outcome {
  const { quirks } = task
  if (wish.kind === 'nothing') return { status: quirks.putStatus, body: held }
  if (wish.kind === 'unassign' && held.assignment === null) {
    // legal: "Behaviour of `unassign` on a task that has no assignment: not shown"
    if (quirks.idle !== 'accept') return refuse(quirks.idle, 'nothing to unassign')
    return { status: quirks.putStatus, body: held }
  }
  const assignment = wish.kind === 'update' ? newAssignment(task, wish) : null
  const body = commit(task, { assignment })
  const comment = wish.comment ?? null
  const verb = held.assignment === null ? 'assigned' : 'reassigned'
  const subType = wish.kind === 'unassign' ? 'unassigned' : verb
  note(world, body, wish.by, subType, quirks.splitEvents ? null : comment)
  if (quirks.splitEvents && comment !== null) {
    // legal: the comment is recorded "in the entity's audit record"; the task is not mentioned
    record(world, {
      auditee_id: wish.by,
      event_type: 'entity',
      sub_type: 'remark added',
      system_source: 'entity-register',
      metadata: { entity_id: body.entity_id },
      comment,
    })
  }
  if (wish.kind === 'update') notify(world, body.id, wish.to, comment)
  if (quirks.touchMs !== null) world.later(quirks.touchMs, () => afterwards(task, body))
  return { status: quirks.putStatus, body }
}

/** Legal: nothing says that only callers change a task, and updated_at follows every change. */
function afterwards(task: TaskRecord, written: TaskBody): void {
  if (current(task) !== written) return
  commit(task, { post_processing: { state: 'done', rounds: task.used.size } })
}

function newAssignment(task: TaskRecord, wish: Wish & { kind: 'update' }): Assignment {
  const { idCase, noComment } = task.quirks
  const cased = (id: string) =>
    idCase === 'upper' ? id.toUpperCase() : idCase === 'lower' ? id.toLowerCase() : id
  const comment = wish.comment ?? null
  return {
    // legal: the comment is "optional", so it can be left out where there is none
    ...(comment === null && noComment === 'absent' ? {} : { assignment_comment: comment }),
    assigned_to_type: wish.type,
    assigned_to_id: cased(wish.to),
    assigned_by_id: cased(wish.by),
    inherited: false,
    assignee: { display_name: null, tags: [] },
  }
}

function note(
  world: World,
  task: TaskBody,
  by: string,
  subType: string,
  comment: string | null,
): void {
  record(world, {
    auditee_id: by,
    event_type: 'task_assignment',
    sub_type: subType,
    system_source: 'task_platform',
    metadata: {
      task_id: task.id,
      entity_id: task.entity_id,
      assessment_id: task.assessment_id,
      workflow_instance_id: task.workflow_instance_id,
    },
    comment,
  })
}

/** The email goes to the user or to the members of the team; the outbox stands for the post. */
function notify(world: World, taskId: string, to: string, comment: string | null): void {
  const team = [...world.teams].find(([id]) => id.toLowerCase() === to.toLowerCase())
  for (const person of team?.[1] ?? [to]) world.outbox.push({ to: person, taskId, comment })
}

function readWish(world: World, task: TaskRecord, text: string): Wish | Refusal {
  const { quirks } = task
  const body = parseObject(text)
  if (body === undefined) return refuse(400, 'not a JSON object')
  // legal: a null member is read as one that was not sent; the contract does not show it
  const update = body.update ?? undefined
  const unassign = body.unassign ?? undefined
  if (update === undefined && unassign === undefined) {
    if (quirks.neither === 'accept') return { kind: 'nothing' }
    return refuse(quirks.badBody, 'neither update nor unassign')
  }
  const both = update !== undefined && unassign !== undefined
  if (both && quirks.both === 'refuse') return refuse(quirks.badBody, 'both were sent')
  const kind = both ? quirks.both : update === undefined ? 'unassign' : 'update'
  const fields = kind === 'unassign' ? unassign : update
  if (!isRecord(fields)) return refuse(quirks.badBody, 'not an object')
  const known = ['assigned_by_id', 'assigned_to_id', 'assigned_to_type', 'assignment_comment']
  const strange = Object.keys(fields).find((key) => !known.includes(key))
  if (quirks.strict && strange !== undefined) return refuse(quirks.badBody, 'unknown field')
  let comment = fields.assignment_comment
  if (comment === '' && quirks.emptyComment === 'none') comment = null
  if (comment !== undefined && comment !== null && typeof comment !== 'string')
    return refuse(quirks.badBody, 'assignment_comment is no string')
  if ((comment?.length ?? 0) > quirks.maxComment) return refuse(quirks.badBody, 'comment too long')
  const people = [world.actorId, world.apiUserId, ...world.userIds]
  const by = fields.assigned_by_id
  // legal: the field is the "id of the user", so an id of nobody makes the body invalid
  if (!isOneOf(people, by)) return refuse(quirks.badBody, 'assigned_by_id is nobody')
  if (kind === 'unassign') return { kind: 'unassign', by, comment }
  const type = fields.assigned_to_type
  const to = fields.assigned_to_id
  if (type !== 'USER' && type !== 'TEAM') return refuse(quirks.badBody, 'assigned_to_type')
  if (!isOneOf(type === 'USER' ? people : [...world.teams.keys()], to))
    return refuse(quirks.badBody, 'assigned_to_id is nobody')
  return { kind: 'update', by, to, type, ...(comment === undefined ? {} : { comment }) }
}

function isOneOf(ids: string[], id: unknown): id is string {
  return typeof id === 'string' && ids.some((known) => known.toLowerCase() === id.toLowerCase())
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function refuse(refused: number, why: string): Refusal {
  return { refused, why }
}
