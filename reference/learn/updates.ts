import { open } from '../rules/open.ts'
import { timestampAt } from '../world/versions.ts'
import type { User } from '../world/world.ts'
import * as is from './aspect.ts'
import { type Aspect, aspect, one } from './aspect.ts'
import { comments, effect, oddUpdates } from './reads.ts'

const forms = ['quoted', 'weak', 'case', 'offset', 'whitespace'] as const
const ifMatch = forms.map((form) => `version.${form}` as const)
const versionMoves = is.list(is.word('stays', 'by one', 'up', 'down'))
const lockMoves = is.list(is.word('stays', 'becomes updated_at', 'changes'))

export const updates: Aspect[] = [
  aspect(is.same(oddUpdates, effect), (seen, { note, assume }, { users, teams }) => {
    const statusOf = (id: (typeof oddUpdates)[number]) => seen[id]?.refused?.status
    const unassigned = statusOf('assign.unassign-unassigned')
    const same = statusOf('assign.same-assignee')
    if (seen['assign.same-assignee']?.assignment === 'kept' && !same)
      note('assign.same-assignee', 'saw the comment of the same assignee dropped')
    const isOpen = statusOf('assign.unknown-assignee') === undefined
    if (!isOpen) assume('the people of this service are those that it names below')
    // A body without an assignee is refused for that, not for an unknown id.
    const known = [undefined, ...[...users, ...teams].map(({ id }) => id.toLowerCase())]
    return {
      whenBoth: (call) => choiceOf(seen['assign.both-objects']) ?? open.whenBoth(call),
      whenNeither: (call) => choiceOf(seen['assign.neither-object']) ?? open.whenNeither(call),
      otherMediaTypeIsTaken: () => seen['assign.content-type-required']?.accepted !== undefined,
      memberIsTaken: () => statusOf('assign.extra-fields') === undefined,
      personIsTaken: ({ field, sent: { assigned_to_id: id } }) =>
        isOpen || field === 'assigned_by_id' || known.includes(id?.toLowerCase()),
      stateRefusal: ({ op, task: { assignment }, sent }) => {
        if (op === 'assign.unassign') return assignment === null ? unassigned : undefined
        return assignment?.assigned_to_id === sent.assigned_to_id ? same : undefined
      },
    }
  }),
  aspect(
    {
      'assign.comment-limit': comments,
      'assign.comment-trimming': is.object(is.same(['leading', 'trailing'], is.flag)),
    },
    (seen, { assume }) => {
      const tried = Object.entries(seen['assign.comment-limit'] ?? {})
      // A limit holds only if all longer comments exceed it.
      const [limit = Number.POSITIVE_INFINITY] = tried.flatMap(([length], at) =>
        tried.slice(at).every(([, became]) => is.refusal(became)) ? [Number(length) - 1] : [],
      )
      if (Number.isFinite(limit)) assume(`comments are limited to ${limit} characters`)
      // A trimmed comment loses its trailing space; that does not mean that it is cut.
      const [cut] = tried.flatMap(([length, became]) => {
        const kept = Number(/^kept (\d+)$/.exec(String(became))?.[1] ?? length)
        return kept < Number(length) - 1 ? [kept] : []
      })
      const { leading, trailing } = seen['assign.comment-trimming'] ?? {}
      return {
        commentIsTaken: ({ comment }) => comment.length <= limit,
        commentAsKept: ({ comment }) => {
          const begun = leading === false ? comment?.trimStart() : comment
          return (trailing === false ? begun?.trimEnd() : begun)?.slice(0, cut) ?? null
        },
      }
    },
  ),
  aspect(
    {
      ...is.same(ifMatch, is.word<'accepted' | 409>('accepted', 409)),
      'task.read.timestamp-forms': is.each(is.text),
    },
    (seen) => {
      const takes = (form: (typeof forms)[number]) => seen[`version.${form}`] === 'accepted'
      const [form = ''] = Object.keys(seen['task.read.timestamp-forms'] ?? {})
      const zone = /\+(00:00|YYYY|00)$/.exec(form)?.[0].replace('YYYY', '0000') ?? 'Z'
      return {
        ifMatchFrom: ({ given }) => {
          let version = given
          if (takes('weak')) version = version.replace(/^W\/"(.*)"$/, '$1')
          if (takes('quoted')) version = version.replace(/^"(.*)"$/, '$1')
          if (takes('whitespace')) version = version.replace(/ (?=[Tt])/, '')
          if (takes('case')) version = version.toUpperCase()
          return takes('offset') ? version.replace(/(Z|[+-]00(:?00)?)$/i, zone) : version
        },
      }
    },
  ),
  one('assign.read-lag', is.word('no read did', 'some reads do'), (lag, { assume }) => {
    if (lag === 'no read did') return {}
    assume('reads lag by 40 ms')
    return { readLag: () => 40 }
  }),
  one('assign.data-version-rule', versionMoves, (moves, { first }) => {
    const steps = { stays: 0, 'by one': 1, up: 2, down: -1 }
    const step = steps[first('assign.data-version-rule', moves) ?? 'by one']
    return { nextDataVersion: ({ task }) => task.data_version + step }
  }),
  one('assign.locked-at-rule', lockMoves, (moves, { first }) => {
    const move = first('assign.locked-at-rule', moves) ?? 'stays'
    return {
      nextLockedAt: ({ task, fresh }) => {
        const changes = timestampAt(Date.parse(fresh) + 60_000)
        return { stays: task.locked_at, 'becomes updated_at': fresh, changes }[move]
      },
    }
  }),
  one('assign.status-rule', is.list(is.word('stays')), () => ({})),
]

/** The task had no assignment: if it stays so, the choice is unknown. */
function choiceOf(seen?: { accepted?: number; refused?: object; assignment?: string }) {
  if (seen?.accepted === undefined) return seen?.refused ? 'refused' : undefined
  return seen.assignment === 'changed' ? 'update' : 'nothing'
}

const delays = { '< 1 s': 0, '< 10 s': 1_500, '< 1 min': 15_000, 'a minute or more': 61_000 }
const spans = Object.keys(delays) as (keyof typeof delays)[]
const reads = ['task.read', 'assessment.read', 'export'] as const
const operations = [...reads, 'assign.update', 'assign.unassign'] as const
const texts = is.list(is.text)
const rate = is.object({ tooMany: is.word('met', 'not met'), retryAfter: texts, headers: texts })
const perSecond = 50

/** The effects of updates on the audit trail and on mails; permissions and limits. */
export const trail: Aspect[] = [
  one('audit.delay', is.word(...spans), (span, { assume }) => {
    if (delays[span] > 0) assume(`events can be seen after ${delays[span] / 1000} s`)
    return { eventDelay: () => delays[span] }
  }),
  aspect(
    {
      'notify.unassigned': is.word('nobody', 'who was assigned', 'somebody'),
      'notify.others': is.object({
        others: is.list(is.word('nobody', 'the assignee before', 'who assigns')),
        twice: is.word('nobody', 'the assignee'),
      }),
    },
    (seen, _, { users, teams }) => {
      const { others = [], twice = 'nobody' } = seen['notify.others'] ?? {}
      const peopleOf = (id: string | undefined): User[] => {
        const members = teams.find((team) => team.id === id)?.memberIds ?? [id]
        return users.filter((user) => members.includes(user.id))
      }
      return {
        alsoMailed: ({ task, sent, kind }) => {
          const before = peopleOf(task.assignment?.assigned_to_id)
          const people = {
            nobody: [],
            'the assignee before': before,
            'who was assigned': before,
            'who assigns': peopleOf(sent.assigned_by_id),
            somebody: peopleOf(sent.assigned_by_id),
            'the assignee': peopleOf(sent.assigned_to_id),
          }
          if (kind === 'unassigned') return people[seen['notify.unassigned'] ?? 'nobody']
          return [...others, twice].flatMap((who) => people[who])
        },
      }
    },
  ),
  one('auth.key-permissions', is.object(is.same(operations, is.word('may', 'may not'))), (may) => ({
    permits: ({ op }) => op === 'unknown' || may[op] !== 'may not',
  })),
  one('limits.rate', rate, ({ tooMany, retryAfter = [], headers = [] }, { note, assume }) => {
    if (headers.length > 0)
      note('limits.rate', `saw the headers ${headers.join(', ')}, not their values`)
    if (tooMany !== 'met') return {}
    assume(`the limit is ${perSecond} requests a second`)
    const inASecond = () => new Date(Date.now() + 1000).toUTCString()
    const date = () => (retryAfter.includes('a date') ? inASecond() : undefined)
    return {
      requestsPerSecond: () => perSecond,
      retryAfter: () => (retryAfter.includes('seconds') ? '1' : date()),
    }
  }),
]
