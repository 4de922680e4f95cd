import type { Choice } from '../../rules/open.ts'
import { open } from '../../rules/open.ts'
import type { World } from '../../world/world.ts'
import type { Aspect } from '../aspect.ts'
import { isMembers, isRefusal, type Seen } from '../seen.ts'

const effects = [
  'assign.both-objects',
  'assign.neither-object',
  'assign.unknown-assignee',
  'assign.extra-fields',
  'assign.unassign-unassigned',
  'assign.same-assignee',
]

/** The status with which an update was refused that need not be; undefined: it was not. */
function refusalOf(seen: Seen, id: string): number | undefined {
  const { refused } = seen.members(id)
  return isMembers(refused) && isRefusal(refused.status) ? refused.status : undefined
}

/** What becomes of updates that the contract says nothing of. */
const manners: Aspect = {
  of: effects,
  rules(seen, world) {
    const unassigned = refusalOf(seen, 'assign.unassign-unassigned')
    const same = refusalOf(seen, 'assign.same-assignee')
    const stranger = refusalOf(seen, 'assign.unknown-assignee')
    const further = refusalOf(seen, 'assign.extra-fields')
    if (seen.members('assign.same-assignee').assignment === 'kept' && same === undefined)
      seen.unclear('assign.same-assignee', 'saw the comment of the same assignee dropped')
    const isKnown = knownIn(world)
    const kinds = { USER: 'assign.unassigned-to-user', TEAM: 'assign.unassigned-to-team' }
    const refusedKinds = Object.entries(kinds).flatMap(([kind, id]) =>
      seen.wasRefused(id) ? [kind] : [],
    )
    if (stranger !== undefined)
      seen.assume('the people of this service are those that it names below')
    return {
      open: {
        whenBoth: (call) => choiceIn(seen, 'assign.both-objects') ?? open.whenBoth(call),
        whenNeither: (call) => choiceIn(seen, 'assign.neither-object') ?? open.whenNeither(call),
        memberIsTaken: () => further === undefined,
        personIsTaken: ({ field, sent }) =>
          field === 'assigned_by_id' ||
          (!refusedKinds.includes(sent.assigned_to_type) &&
            // A body that names nobody is refused for that, and not for whom it names.
            (stranger === undefined ||
              sent.assigned_to_id === undefined ||
              isKnown(sent.assigned_to_id))),
        stateRefusal: ({ op, task, sent }) => {
          if (op === 'assign.unassign') return task.assignment === null ? unassigned : undefined
          const isSame = task.assignment?.assigned_to_id === sent.assigned_to_id
          return isSame ? same : undefined
        },
      },
    }
  },
}

const knownIn = ({ users, teams }: World) => {
  const ids = new Set([...users, ...teams].map(({ id }) => id.toLowerCase()))
  return (id: unknown) => ids.has(String(id).toLowerCase())
}

/** What was tried on a task without an assignment: one that stays so says not which object counted. */
function choiceIn(seen: Seen, id: string): Choice | undefined {
  const { accepted, refused, assignment } = seen.members(id)
  if (refused !== undefined) return 'refused'
  if (accepted === undefined) return undefined
  return assignment === 'changed' ? 'update' : 'nothing'
}

const lengths = [256, 1025, 5001]

/** How comments are limited and kept. */
const comments: Aspect = {
  of: ['assign.comment-limit', 'assign.comment-trimming'],
  rules(seen) {
    const tried = seen.members('assign.comment-limit')
    // A limit is one that all longer comments are over.
    const refused = lengths.find((_, at) =>
      lengths.slice(at).every((longer) => isRefusal(tried[longer])),
    )
    const limit = refused === undefined ? Number.POSITIVE_INFINITY : refused - 1
    const cuts = lengths.map((length) =>
      Number(/^kept (\d+)$/.exec(String(tried[length]))?.[1] ?? length),
    )
    // One that ends in a space loses it where comments are trimmed: that is not being cut.
    const kept = cuts.find((cut, at) => cut < (lengths[at] ?? 0) - 1) ?? Number.POSITIVE_INFINITY
    if (refused !== undefined)
      seen.assume(`comments are limited to ${limit} characters: one of ${refused} was refused`)
    const { leading, trailing } = seen.members('assign.comment-trimming')
    return {
      open: {
        commentIsTaken: ({ comment }) => comment.length <= limit,
        commentAsKept: ({ comment }) => {
          if (typeof comment !== 'string') return comment ?? null
          const begun = leading === false ? comment.trimStart() : comment
          return (trailing === false ? begun.trimEnd() : begun).slice(0, kept)
        },
      },
    }
  },
}

const forms = ['quoted', 'weak', 'case', 'offset', 'whitespace'] as const

/** Which forms of If-Match are taken. */
const ifMatch: Aspect = {
  of: forms.map((form) => `version.${form}`),
  rules(seen) {
    const taken = (form: (typeof forms)[number]) => {
      const id = `version.${form}`
      const value = seen.value(id)
      if (value !== undefined && value !== 'accepted' && value !== 409)
        seen.unclear(id, `saw ${value}; this service answers 409 to every other version`)
      return value === 'accepted'
    }
    const [quoted, weak, letterCase, offset, whitespace] = forms.map(taken)
    return {
      open: {
        ifMatchFrom: ({ given }) => {
          let version = given
          if (weak) version = version.replace(/^W\/"(.*)"$/, '$1')
          if (quoted) version = version.replace(/^"(.*)"$/, '$1')
          if (whitespace) version = version.replace(/ (?=[Tt])/, '')
          if (letterCase) version = version.toUpperCase()
          return offset ? inZone(version, seen) : version
        },
      },
    }
  },
}

/** The zone in the form in which versions show it. */
function inZone(version: string, seen: Seen): string {
  const [form = 'Z'] = Object.keys(seen.members('task.read.timestamp-forms'))
  const zone = /(\+00:00|\+YYYY|\+00)$/.exec(form)?.[1]?.replace('YYYY', '0000') ?? 'Z'
  return version.replace(/(Z|[+-]00(:?00)?)$/i, zone)
}

/** How far reads lag behind. */
const lag: Aspect = {
  of: ['assign.read-lag'],
  rules(seen) {
    const lags = seen.word('assign.read-lag', ['no read did', 'some reads do']) === 'some reads do'
    if (lags) seen.assume('reads lag by 40 ms')
    return { open: { readLag: () => (lags ? 40 : 0) } }
  },
}

export const aspectsOfUpdates = [manners, comments, ifMatch, lag]
