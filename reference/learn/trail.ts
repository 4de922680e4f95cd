import type { User } from '../world/world.ts'
import { type Aspect, aspect, one } from './aspect.ts'
import * as is from './shapes.ts'

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
      /** A user, or the members of a team. */
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
