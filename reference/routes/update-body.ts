import type { Call, SentFields } from '../calls/call.ts'
import type { Choice, Flaw } from '../rules/open.ts'
import type { Setup } from '../state/setup.ts'

/** The result of reading an update-assignment body. */
export type BodyReading = {
  call: Call
  type: string | null
  /** undefined: the text was not JSON */
  body: unknown
  /** what to do; without exactly one of the two objects, the service's choice */
  choice: Choice
  both: boolean
  sent: SentFields
}

/** Reads a body as far as possible; refuses nothing yet. */
export function readBody(setup: Setup, arrived: Call, text: string): BodyReading {
  const { stated, open } = setup
  const body = stated.bodyFrom({ ...arrived, text })
  const { update, unassign } = isObject(body) ? body : {}
  const both = isObject(update) && isObject(unassign)
  const choice = both
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

/** What is wrong with a JSON body, and with which field. */
export function flawOf(
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
