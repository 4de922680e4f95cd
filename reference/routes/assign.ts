import {
  type Call,
  type Reason,
  type Refusal,
  refusal,
  type SentFields,
  type Update,
} from '../calls/call.ts'
import type { Choice, Flaw } from '../rules/open.ts'
import type { Setup } from '../state/setup.ts'
import { timestampAt } from '../world/versions.ts'
import type { Assignment, Task } from '../world/world.ts'
import { type Checks, checksOf, firstRefusal, refuse, succeed } from './answer.ts'
import { announce } from './change.ts'
import { show, shownVersion } from './show.ts'

/** PUT /tasks/{task_id}/update-assignment. Nothing else runs between the first check and the change. */
export async function updateAssignment(setup: Setup, arrived: Call, text: string) {
  const { stated, store } = setup
  const asked = readBody(setup, arrived, text)
  const { call, choice, sent } = asked
  const found = stated.taskFor({ ...call, tasks: store.tasks(0) })
  const checks = {
    ...checksOf(setup, call, found),
    ...bodyChecks(setup, asked),
    ...(found && taskChecks(setup, asked, found)),
  }
  const refuseFor = (refused: Refusal) => {
    if (found) takeEffect(setup, { ...call, task: found, sent, reason: refused.reason }, asked)
    return refuse(setup, call, refused, found)
  }
  const first = firstRefusal(setup, call, checks)
  if (first) return refuseFor(first)

  const task = found as Task
  if (choice === 'nothing') return succeed(setup, call, show(setup, call, 'task', task))
  const between = stated.betweenCheckAndWrite({ ...call, task, sent })
  if (between) await between
  if (stated.losesItsTurn({ ...call, task, sent })) {
    const versions = { given: call.headers.get('if-match') ?? '', current: task.updated_at }
    const status = stated.mismatchStatus({ ...call, task, sent, ...versions })
    return refuseFor(refusal('version mismatch', status))
  }
  const answered = carryOut(setup, { ...call, task: store.current(task.id) ?? task, sent })
  store.changed(task.id)
  return succeed(setup, call, show(setup, call, 'task', answered))
}

type BodyReading = ReturnType<typeof readBody>

/** Reads a body as far as possible; refuses nothing yet. */
function readBody(setup: Setup, arrived: Call, text: string) {
  const { stated, open } = setup
  /** undefined: the text was not JSON */
  const body = stated.bodyFrom({ ...arrived, text })
  const { update, unassign } = isObject(body) ? body : {}
  const both = isObject(update) && isObject(unassign)
  /** what to do; without exactly one of the two objects, the service's choice */
  const choice: Choice = both
    ? open.whenBoth(arrived)
    : isObject(update)
      ? 'update'
      : isObject(unassign)
        ? 'unassign'
        : open.whenNeither(arrived)
  const call: Call = choice === 'unassign' ? { ...arrived, op: 'assign.unassign' } : arrived
  const chosen = choice === 'unassign' ? unassign : update
  const sent = (isObject(chosen) ? chosen : {}) as SentFields
  return { call, type: arrived.headers.get('content-type'), body, choice, both, sent }
}

function flawOf(
  setup: Setup,
  asked: BodyReading,
): { flaw: Flaw; field?: string; value?: unknown } | undefined {
  const { stated, open } = setup
  const { call, body, choice, both, sent } = asked
  if (choice === 'nothing') return undefined
  if (choice === 'refused') return { flaw: both ? 'both' : 'neither' }

  const given = sent as Record<string, unknown>
  const known = fieldsOf[choice]
  const missing = stated.requiredFields(call).find((field) => given[field] === undefined)
  if (missing) return { flaw: 'required', field: missing }

  const isRight = (field: string) =>
    given[field] === undefined || stated.sentFieldIsRight({ ...call, field, value: given[field] })
  const wrong = known.find((field) => !isRight(field))
  if (wrong) return { flaw: 'type', field: wrong }

  const type = given.assigned_to_type
  if (choice === 'update' && type !== undefined && !stated.typeIsAllowed({ ...call, type })) {
    return { flaw: 'value', field: 'assigned_to_type', value: type }
  }

  const extra =
    extraOf(body, ['update', 'unassign'], (member) =>
      open.memberIsTaken({ ...call, member, within: 'body' }),
    ) ?? extraOf(sent, known, (member) => open.memberIsTaken({ ...call, member, within: choice }))
  if (extra) return { flaw: 'member', field: extra }

  const comment = sent.assignment_comment
  if (typeof comment === 'string' && !open.commentIsTaken({ ...call, comment })) {
    return { flaw: 'comment', field: 'assignment_comment' }
  }
  const stranger = (['assigned_by_id', 'assigned_to_id'] as const).find(
    (field) => known.includes(field) && !open.personIsTaken({ ...call, field, sent }),
  )
  return stranger && { flaw: 'person', field: stranger }
}

const fieldsOf = {
  update: ['assigned_by_id', 'assigned_to_id', 'assigned_to_type', 'assignment_comment'],
  unassign: ['assigned_by_id', 'assignment_comment'],
}

const extraOf = (object: unknown, known: string[], isTaken: (member: string) => boolean) =>
  Object.keys(object as object).find((member) => !known.includes(member) && !isTaken(member))

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const bodyChecks = (setup: Setup, asked: BodyReading): Checks => {
  const { stated, open } = setup
  const { call, type, body } = asked
  return {
    'content-type': () =>
      stated.contentTypeIsRight({ ...call, type }) || open.otherMediaTypeIsTaken({ ...call, type })
        ? undefined
        : open.contentTypeStatus({ ...call, type }),
    json: () => (body === undefined ? open.notJsonStatus(call) : undefined),
    body: () => {
      const flaw = body === undefined ? undefined : flawOf(setup, asked)
      return flaw && { status: open.invalidBodyStatus({ ...call, ...flaw }), wrong: flaw.flaw }
    },
  }
}

const taskChecks = (setup: Setup, asked: BodyReading, task: Task): Checks => {
  const { stated, open } = setup
  const { call, choice, sent } = asked
  const header = call.headers.get('if-match')
  return {
    'if-match': () =>
      header === null && stated.ifMatchIsRequired({ ...call, sent })
        ? open.missingIfMatchStatus(call)
        : undefined,
    version: () => {
      if (header === null) return undefined
      const given = open.ifMatchFrom({ ...call, given: header })
      const current = shownVersion(setup, call, task)
      const compared = { ...call, task, sent, given, current }
      return stated.versionMatches(compared) ? undefined : stated.mismatchStatus(compared)
    },
    state: () => {
      if (choice === 'nothing') return undefined
      const update: Update = { ...call, task, sent }
      const from = task.assignment?.assigned_to_type ?? 'unassigned'
      const to = choice === 'unassign' ? 'unassigned' : sent.assigned_to_type
      return stated.transitionRefusal({ ...update, from, to }) ?? open.stateRefusal(update)
    },
  }
}

const takeEffect = (
  setup: Setup,
  refused: Update & { reason: Reason },
  { choice }: BodyReading,
) => {
  const { store } = setup
  const { id } = refused.task
  const effect = setup.stated.effectOfRefusal(refused)
  if (effect === 'touched') store.touch(id)
  if (typeof effect === 'object') store.put({ ...refused.task, ...effect })
  const isReadable = choice === 'update' || choice === 'unassign'
  if ((typeof effect === 'number' || effect === 'next change') && isReadable)
    store.later(id, effect, () =>
      carryOut(setup, { ...refused, task: store.current(id) ?? refused.task }),
    )
  if (effect === 'carried out' && isReadable) carryOut(setup, refused)
  if (effect !== 'carried out' && isReadable) announce(setup, refused, refused.reason)
}

function carryOut(setup: Setup, update: Update): Task {
  const { stated, open, store } = setup
  const { op, task } = update
  const now = timestampAt(setup.clock())
  const assignment = op === 'assign.unassign' ? stated.unassigned(update) : assign(setup, update)
  const fresh = open.leavesVersion({ ...update, assignment })
    ? task.updated_at
    : store.nextVersion(task, now)
  const after: Task = {
    ...task,
    assignment,
    updated_at: stated.versionAfter({ ...update, fresh, now }),
    data_version: open.nextDataVersion(update),
    locked_at: open.nextLockedAt({ ...update, now, fresh }),
  }
  store.put(stated.stored({ ...update, after }))
  for (const other of stated.alsoStored({ ...update, after, tasks: store.tasks(0) })) {
    store.put(other)
  }
  store.touchLater(task.id, open.laterTouches(update), open.writtenLater({ ...update, after }))
  announce(setup, update, undefined, now)
  return stated.answered({ ...update, after })
}

const assign = ({ stated, open }: Setup, update: Update): Assignment | null => {
  const given = update.sent.assignment_comment
  const kept = open.commentAsKept({ ...update, comment: given })
  return stated.assigned({ ...update, comment: stated.comment({ ...update, comment: kept }) })
}
