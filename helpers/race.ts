import { type Assignment, isAccepted, taskAnswered } from './answers.ts'
import type { Exchange } from './http/exchange.ts'
import type { Loan } from './loans/lending.ts'
import { NotDecidable, Trouble } from './outcome.ts'
import { type Assignee, type Service, updateBody } from './service.ts'
import { equalAssignments, sameId } from './walk.ts'

/** What became of updates that were sent at the same moment with one If-Match. */
export type Round = {
  /** as the answers show them */
  winners: { comment: string; assignment: Assignment | null }[]
  /** the statuses of those that were refused, but for what may be refused for another reason */
  refused: number[]
  /** those of which it is not known whether they were carried out */
  unknown: number
  stored: Assignment | null
  /** whether the stored assignment can be held against the winner: nobody came after it */
  settled: boolean
}

/** Opens the connections first, then releases the writers together. */
export async function raceOnce(
  loan: Loan,
  service: Service,
  people: Assignee[],
  { actor, writers, name }: { actor: string; writers: number; name: string },
): Promise<Round> {
  const { steady, consumed } = loan
  const { id } = loan.task
  const task = await steady.settled(id)
  await Promise.all(Array.from({ length: writers }, () => service.readTask(id)))

  const others = people.filter((to) => !sameId(to.id, task.assignment?.assigned_to_id))
  // A user gets one mail, a team one for each member: with users alone it is the same whoever wins.
  const users = others.filter(({ type }) => type === 'USER')
  const targets = users.length > 1 ? users : others.length > 0 ? others : people
  const comments = Array.from({ length: writers }, (_, at) => `${name}.${at + 1}`)
  const bodies = comments.map((comment, at) =>
    updateBody(actor, targets[at % targets.length] as Assignee, comment),
  )
  const settled = await service.putTogether(id, task.updated_at, bodies)

  const round: Round = { winners: [], refused: [], unknown: 0, stored: null, settled: true }
  const versions: string[] = []
  const losers: [status: number, to: Assignee][] = []
  for (const [at, one] of settled.entries()) {
    if (one.status === 'rejected') {
      if (!(one.reason instanceof Trouble)) throw one.reason
      round.unknown += 1
    } else if (isAccepted(one.value)) {
      const answered = taskAnswered(one.value)
      versions.push(answered.updated_at)
      round.winners.push({ comment: comments[at] ?? '', assignment: answered.assignment })
      consumed.add(task.updated_at)
    } else if (one.value.status >= 500) round.unknown += 1
    else losers.push([one.value.status, targets[at % targets.length] as Assignee])
  }
  if (losers.some(([status]) => status === 403))
    throw new NotDecidable(`an update of task ${id} was answered 403: the key may not do this`)
  const [winner] = round.winners
  // A loser may ask for what the winner has just done: what comes first then is not shown.
  round.refused = losers
    .filter(([, to]) => !sameId(to.id, winner?.assignment?.assigned_to_id))
    .map(([status]) => status)
  let after = await steady.settled(id)
  await steady.watch(id, (seen) => {
    if (!consumed.has(seen.updated_at)) after = seen
  })
  round.stored = after.assignment
  const own =
    versions.includes(after.updated_at) ||
    comments.includes(after.assignment?.assignment_comment ?? '')
  round.settled =
    round.unknown === 0 && (own || equalAssignments(after.assignment, winner?.assignment))
  return round
}

/** How many of the exchanges were under way at one moment. */
export function overlapOf(exchanges: readonly Exchange[]): number {
  const spans = exchanges.map(({ start, milliseconds }) => {
    const begin = Date.parse(start)
    return { begin, end: begin + milliseconds }
  })
  return Math.max(
    0,
    ...spans.map(
      ({ begin }) => spans.filter((other) => other.begin <= begin && begin <= other.end).length,
    ),
  )
}
