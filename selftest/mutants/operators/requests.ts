import { isMembers, type Json, type Members, membersIn } from './json.ts'
import { type Asked, type Operation, type Operator, operator } from './operator.ts'

const request = (
  operation: Operation,
  family: string,
  part: string,
  what: string,
  by: (asked: Asked) => Asked | undefined,
): Operator => operator(operation, family, part, what, { to: 'request', by })

const without = (asked: Asked, name: string): Asked | undefined => {
  const { [name]: value, ...headers } = asked.headers
  return value === undefined ? undefined : { ...asked, headers }
}
const header = (operation: Operation, name: string): Operator =>
  request(operation, 'ask-header', `${name}-none`, `never sees the header ${name}`, (asked) =>
    without(asked, name),
  )

/** Changes the `update` or `unassign` object of a body. */
const member = (
  operation: 'assign.update' | 'assign.unassign',
  part: string,
  what: string,
  by: (members: Members) => Members,
): Operator =>
  request(operation, 'ask-member', part, what, (asked) => {
    const name = operation === 'assign.update' ? 'update' : 'unassign'
    const whole = membersIn(asked.body)
    const inner = whole?.[name]
    return isMembers(inner)
      ? { ...asked, body: JSON.stringify({ ...whole, [name]: by(inner) }) }
      : undefined
  })

const comment = (
  operation: 'assign.update' | 'assign.unassign',
  part: string,
  what: string,
  by: (text: string) => Json,
): Operator =>
  member(operation, `comment-${part}`, what, (members) =>
    typeof members.assignment_comment === 'string'
      ? { ...members, assignment_comment: by(members.assignment_comment) }
      : members,
  )

export const requestOperators: readonly Operator[] = [
  header('task.read', 'apikey'),
  header('export.csv', 'apikey'),
  header('assign.update', 'if-match'),
  header('assign.unassign', 'if-match'),
  header('assign.update', 'content-type'),
  member('assign.update', 'swap-by-to', 'takes the giver for the taker', (m) => ({
    ...m,
    assigned_by_id: m.assigned_to_id ?? null,
    assigned_to_id: m.assigned_by_id ?? null,
  })),
  member('assign.update', 'by-is-to', 'records the taker as the giver too', (m) => ({
    ...m,
    assigned_by_id: m.assigned_to_id ?? null,
  })),
  member('assign.update', 'always-user', 'takes every assignee for a user', (m) => ({
    ...m,
    assigned_to_type: 'USER',
  })),
  member('assign.update', 'always-team', 'takes every assignee for a team', (m) => ({
    ...m,
    assigned_to_type: 'TEAM',
  })),
  comment('assign.update', 'null', 'loses the comment', () => null),
  comment('assign.update', 'cut', 'keeps 20 characters of the comment', (t) => t.slice(0, 20)),
  comment('assign.update', 'ascii', 'keeps only the ASCII of the comment', (t) =>
    t.replace(/[^ -~]/g, '?'),
  ),
  comment('assign.update', 'html', 'writes the comment with HTML entities', (t) =>
    t.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`),
  ),
  comment('assign.update', 'lines', 'takes line breaks out of the comment', (t) =>
    t.replace(/\s+/g, ' '),
  ),
  comment('assign.unassign', 'null', 'loses the comment', () => null),
  comment('assign.unassign', 'cut', 'keeps 20 characters of the comment', (t) => t.slice(0, 20)),
]
