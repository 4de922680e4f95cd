import type { Update } from '../../../reference/calls/call.ts'
import type { Stated } from '../../../reference/rules/stated.ts'
import { alsoFoundBy, faultsBreaking, faultsNamed } from '../fault.ts'

type After = Parameters<Stated['stored']>[0]['after']

/** What is stored, and so read, departs from what the answer showed. */
const inReads = (bend: (comment: string) => string): Partial<Stated> => ({
  stored: ({ after }) => withComment(after, bend),
})

function withComment(after: After, bend: (comment: string) => string): After {
  const { assignment } = after
  const comment = assignment?.assignment_comment
  if (!assignment || typeof comment !== 'string') return after
  return { ...after, assignment: { ...assignment, assignment_comment: bend(comment) } }
}

const fromTeam = ({ task }: Update) => task.assignment?.assigned_to_type === 'TEAM'
const toTeam = ({ sent }: Update) => sent.assigned_to_type === 'TEAM'
const emoji = /[\u{10000}-\u{10ffff}]/gu

/** What shows in one form of an update alone, or in reads and not in the answer. */
export const faults = [
  ...faultsBreaking('assign.comment.plain', {
    'a comment is lost on the way from a team to a user': {
      comment: ({ comment, ...update }) => (fromTeam(update) && !toTeam(update) ? null : comment),
    },
    'a comment is lost on the way from a team to another': {
      comment: ({ comment, ...update }) => (fromTeam(update) && toTeam(update) ? null : comment),
    },
    'a comment is lost where nobody was assigned before': {
      comment: ({ task, comment }) => (task.assignment ? comment : null),
    },
  }).map(alsoFoundBy('assign.comment.*')),
  ...faultsNamed({
    'emoji of a comment are lost in reads': {
      ...inReads((comment) => comment.replaceAll(emoji, '?')),
      breaks: ['assign.comment.emoji'],
    },
    'quotes and markup of a comment are escaped in reads': {
      ...inReads((comment) => comment.replaceAll('<', '&lt;').replaceAll('"', '&quot;')),
      breaks: ['assign.comment.quotes', 'assign.comment.newlines'],
    },
    'line breaks of a comment become spaces in reads': {
      ...inReads((comment) => comment.replaceAll('\n', ' ')),
      breaks: ['assign.comment.newlines'],
    },
    'letters of other scripts become question marks in reads': {
      ...inReads((comment) => comment.replaceAll(/[^ -\u00ff\n]/g, '?')),
      breaks: ['assign.comment.non-latin', 'assign.comment.emoji'],
      // One comment holds both: it belongs to the clause on the first words that it lost.
      mayBreak: ['assign.comment.right-to-left', 'assign.comment.newlines'],
    },
    'a comment of 255 characters and more is cut in reads': {
      ...inReads((comment) => comment.slice(0, 255)),
      breaks: ['assign.comment.long'],
    },
    'a comment of null leaves the one before': {
      comment: ({ task, sent, comment }) =>
        sent.assignment_comment === null ? (task.assignment?.assignment_comment ?? null) : comment,
      breaks: ['assign.comment.null'],
    },
    'emoji are lost in comments to teams': {
      comment: ({ comment, ...update }) =>
        toTeam(update) && typeof comment === 'string' ? comment.replaceAll(emoji, '') : comment,
      breaks: ['assign.comment.emoji'],
    },
    'Greek and Cyrillic letters are lost in comments to teams': {
      comment: ({ comment, ...update }) =>
        toTeam(update) && typeof comment === 'string'
          ? comment.replaceAll(/[\u0370-\u04ff]/g, '')
          : comment,
      breaks: ['assign.comment.non-latin'],
    },
    'quotes are doubled in comments to teams': {
      comment: ({ comment, ...update }) =>
        toTeam(update) && typeof comment === 'string' ? comment.replaceAll('"', '""') : comment,
      breaks: ['assign.comment.quotes', 'assign.comment.newlines'],
    },
    'who assigned stays when a team’s task goes on': {
      assigned: ({ task, sent, comment }) => ({
        assigned_by_id:
          task.assignment?.assigned_to_type === 'TEAM'
            ? task.assignment.assigned_to_id
            : sent.assigned_by_id,
        assigned_to_id: sent.assigned_to_id,
        assigned_to_type: sent.assigned_to_type,
        assignment_comment: comment,
      }),
      breaks: ['assign.fields-as-given'],
    },
  }),
]
