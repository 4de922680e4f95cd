import { describeAnswer, isAccepted, isRefused } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import type { History } from '../history/history.ts'
import { problemsOfToken, refusedUpdates, shownWith } from '../history/questions.ts'
import type { Loan } from '../loans/lending.ts'
import { type Assignment, needPermitted, type Task, taskIn } from '../service/answers.ts'
import { isSameButSpelling } from '../service/assignments.ts'
import { isSameId } from '../service/ids.ts'
import type { Service } from '../service/service.ts'
import { type Assignee, unassignBody, updateBody } from '../service/update-request.ts'
import { commentAt, createToken } from './controls.ts'
import type { Step } from './step.ts'

/**
 * What the updates of a round ask for. `both`: some assign, some unassign. `unassign`: the same, with
 * unassigning a moment ahead. `team`: assigning to teams, if there are two.
 */
export type Rivalry = 'assign' | 'unassign' | 'both' | 'team'

/** How long a service takes to begin with an update is unknown: where unassigning is ahead, the first pair of rivals is this far behind, later ones less. */
const aMomentMs = 5
const behindMs = (at: number) => Math.ceil(aMomentMs / (1 + (at >> 1)))

/**
 * The rounds of a run. With both kinds the winner is chance: the next round asks for the other kind, so
 * that all rounds together cost the same updates and nearly the same mails.
 */
export async function* rounds(
  race: (rivalry: Rivalry) => Promise<Round>,
  { mayUnassign }: { mayUnassign: boolean },
): AsyncGenerator<Round> {
  yield await race('assign')
  if (mayUnassign) {
    const mixed = await race('both')
    yield mixed
    yield await race(mixed.stored.assignment ? 'unassign' : 'assign')
  } else yield await race('assign')
  yield await race('team')
}

/** The races of a clause with this many writers, whose kinds of updates are known to be accepted. */
export function createRaces(
  service: Service,
  people: Assignee[],
  how: { actor: string; writers: number; taken: readonly Step[]; evidence: readonly Exchange[] },
) {
  const { actor, writers, taken, evidence } = how
  const isCommented = ({ sent, answer }: Step) => !!sent.comment && isAccepted(answer)
  const [assigns, unassigns] = [true, false].map((assigning) =>
    taken.filter(({ sent }) => (sent.to !== null) === assigning),
  ) as [Step[], Step[]]
  const mayUnassign = unassigns.length > 0
  const mayComment = { assign: assigns.some(isCommented), unassign: unassigns.some(isCommented) }
  const overlaps: number[] = []
  const race = async (
    loan: Loan,
    rivalry: Rivalry,
    more: { limitMs?: number; known?: Task | undefined },
  ) => {
    const from = evidence.length
    const isFirst = overlaps.length === 0 || more.limitMs !== undefined
    const plan = { actor, writers, name: createToken(), rivalry, isFirst, mayComment, ...more }
    const seen = await raceOnce(loan, service, people, plan)
    overlaps.push(overlapOf(evidence.slice(from).filter(({ method }) => method === 'PUT')))
    return seen
  }
  return {
    /** the number of simultaneous updates in each round */
    overlaps,
    on: (loan: Loan) => {
      let known: Task | undefined = loan.task
      const raceHere = async (rivalry: Rivalry) => {
        const round = await race(loan, rivalry, { known })
        // If all winners unassigned, another update followed the last read.
        known = round.winners.length > 1 ? undefined : round.stored
        return round
      }
      return rounds(raceHere, { mayUnassign })
    },
    /** one more round, after which the task is watched this long */
    once: (loan: Loan, limitMs: number) => race(loan, mayUnassign ? 'both' : 'assign', { limitMs }),
  }
}

export type Round = {
  /** the sent assignees (null: unassign) and the assignments in the answers */
  winners: { to: Assignee | null; assignment: Assignment | null; answer: Answer }[]
  /** the refusals, without those that may have another reason */
  refused: Answer[]
  unknown: number
  /** the task in later reads */
  stored: Task
  /** whether the stored assignment can be compared with the winner: no other writer came later */
  settled: boolean
  /** if all were answered 409: the answer to the first, sent once more and alone */
  alone?: Answer
  /** all winners unassigned, and unassigning an unassigned task is not shown */
  idle: boolean
}

type Rival = { to: Assignee | null; comment: string | undefined }

const bodyOf = (actor: string, { to, comment }: Rival) =>
  to ? updateBody(actor, to, comment) : unassignBody(actor, comment)

/** Which updates are known to be accepted with a comment; other clauses judge that. */
type MayComment = { assign: boolean; unassign: boolean }

export async function raceOnce(
  loan: Loan,
  service: Service,
  people: Assignee[],
  plan: {
    actor: string
    writers: number
    name: string
    rivalry: Rivalry
    /** connections may have to be opened */
    isFirst: boolean
    mayComment: MayComment
    /** the task in the last read; default: read it */
    known?: Task | undefined
    /** how long to watch the task; default: the learned window */
    limitMs?: number | undefined
  },
): Promise<Round> {
  const { actor, writers } = plan
  const { current, used } = loan
  const { id } = loan.task
  const task = await (plan.known ? current.newest(plan.known) : current.read(id))
  // Later rounds reuse the open connections.
  if (plan.isFirst) await Promise.all(Array.from({ length: writers }, () => service.readTask(id)))

  const rivals = rivalsOn(task, people, plan)
  const settled = await service.putTogether(
    id,
    task.updated_at,
    rivals.map((rival) => bodyOf(actor, rival)),
    rivals.map(({ to }, at) =>
      plan.rivalry === 'unassign' && to ? { behindMs: behindMs(at) } : {},
    ),
  )

  const round: Round = {
    winners: [],
    refused: [],
    unknown: 0,
    stored: task,
    settled: true,
    idle: false,
  }
  const versions: string[] = []
  const losers: [answer: Answer, to: Assignee | null][] = []
  /** the possible assignees of the task when a loser arrived */
  const holders = [task.assignment?.assigned_to_id]
  for (const [at, one] of settled.entries()) {
    const { to } = rivals[at] as Rival
    if (one.status === 'rejected') {
      if (!(one.reason instanceof Trouble)) throw one.reason
      round.unknown += 1
      holders.push(to?.id)
    } else if (isAccepted(one.value)) {
      const answered = taskIn(one.value)
      versions.push(answered.updated_at)
      round.winners.push({ to, assignment: answered.assignment, answer: one.value })
      holders.push(answered.assignment?.assigned_to_id)
      used.add(task.updated_at)
    } else if (one.value.status >= 500) {
      round.unknown += 1
      holders.push(to?.id)
    } else {
      losers.push([one.value, to])
    }
  }
  for (const [answer] of losers) needPermitted(answer)
  // A loser may ask for what was just done: the order of checks is not shown.
  round.refused = losers
    .filter(([, to]) => !holders.some((holder) => isSameHolder(holder, to)))
    .map(([answer]) => answer)
  // No winner, and not because of the version: a comment may be refused, or a closed task.
  const other = round.refused.find(({ status }) => status !== 409)
  if (other !== undefined && round.winners.length === 0)
    throw new NotDecidable(
      'clause',
      `${describeAnswer(other)}, and none of ${writers} simultaneous updates was accepted`,
      ...transitionsOf(losers.find(([answer]) => answer === other)?.[1]),
    )
  const isAllStale = losers.length === writers && losers.every(([{ status }]) => status === 409)
  const [first] = rivals
  if (isAllStale && first) {
    const comment = first.comment && `${plan.name} alone`
    round.alone = await service.put(id, task.updated_at, bodyOf(actor, { ...first, comment }))
    if (isAccepted(round.alone)) used.add(task.updated_at)
  }
  let after = await current.read(id)
  const noteAfter = (seen: Task) => {
    if (!used.has(seen.updated_at)) after = seen
  }
  await current.watch(id, noteAfter, { limitMs: plan.limitMs, isSeen: true })
  round.stored = after
  const own =
    versions.includes(after.updated_at) ||
    rivals.some(({ comment }) => comment && comment === after.assignment?.assignment_comment)
  round.settled =
    round.unknown === 0 &&
    (own || isSameButSpelling(after.assignment, round.winners[0]?.assignment))
  const isSilent = round.winners.length > 1 && round.winners.every(({ to }) => to === null)
  const again = unassignBody(
    actor,
    plan.mayComment.unassign ? commentAt(task.updated_at) : undefined,
  )
  round.idle = isSilent && (await isTakenLater(service, task, after, again))
  return round
}

/** The only clauses that judge such an update. */
function transitionsOf(to: Assignee | null | undefined): [string, ...string[]] {
  if (!to) return ['assign.unassign-user', 'assign.unassign-team']
  const kind = to.type === 'TEAM' ? 'team' : 'user'
  return [`assign.unassigned-to-${kind}`, `assign.user-to-${kind}`, `assign.team-to-${kind}`]
}

/** The first one unassigns, if any does: unassigning is tested less often. */
function rivalsOn(
  task: Task,
  people: Assignee[],
  plan: { writers: number; name: string; rivalry: Rivalry; mayComment: MayComment },
): Rival[] {
  const { writers, name, rivalry, mayComment } = plan
  const others = people.filter((to) => !isSameId(to.id, task.assignment?.assigned_to_id))
  // A user gets one mail, a team one per member: with one type the cost hardly depends on the winner.
  const wanted = rivalry === 'team' ? ['TEAM', 'USER'] : ['USER']
  const kinds = wanted.map((kind) => others.filter(({ type }) => type === kind))
  const targets = kinds.find(({ length }) => length > 1) ?? (others.length > 0 ? others : people)
  const isMixed = rivalry === 'both' || rivalry === 'unassign'
  // With two writers, both unassign: they have to race each other as well.
  const areAll = rivalry === 'unassign' && writers < 3
  const unassigns = (at: number) => isMixed && task.assignment !== null && (at % 2 === 0 || areAll)
  const turn = (at: number) => (isMixed ? at >> 1 : at)
  return Array.from({ length: writers }, (_, at) => {
    const to = unassigns(at) ? null : (targets[turn(at) % targets.length] as Assignee)
    return { to, comment: mayComment[to ? 'assign' : 'unassign'] ? `${name} ${at + 1}` : undefined }
  })
}

const isSameHolder = (holder: string | undefined, to: Assignee | null) =>
  to ? isSameId(to.id, holder) : holder === undefined

/**
 * Whether the version of a race is still accepted for unassigning later: then the service ignores versions
 * where there is nothing to unassign, and several winners prove nothing.
 */
async function isTakenLater(
  service: Service,
  { id, updated_at }: Task,
  now: Task,
  body: unknown,
): Promise<boolean> {
  if (now.assignment !== null) return true
  return !isRefused(await service.put(id, updated_at, body))
}

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

/** Simultaneous updates that were refused for another reason than their version. */
export const problemsOfRefusals = ({ winners, refused }: Round): Problem[] =>
  refused
    .filter(({ status }) => status !== 409)
    .map((answer) =>
      problem(
        `a simultaneous update that was not accepted was answered ${answer.status}, not 409`,
        {
          expected: '409',
          judged: answer,
          control: winners.map((each) => each.answer),
        },
      ),
    )

/**
 * No simultaneous update was accepted, though their If-Match was current: in each round one of them was
 * accepted alone afterwards. A single round may be another writer's doing.
 */
export function problemsOfNoWinner(lost: readonly Round[]): Problem[] {
  const alone = lost.flatMap((round) =>
    round.alone && isAccepted(round.alone) ? [{ ...round, alone: round.alone }] : [],
  )
  const [first] = alone
  if (!first || alone.length < Math.max(3, lost.length)) return []
  const writers = first.refused.length
  return [
    problem(
      `${writers} simultaneous updates with the current version were answered 409 in each of ${alone.length} rounds, and one of them, sent again alone, ${first.alone.status}`,
      {
        expected: 'one accepted, 409 to the others',
        got: 'none accepted',
        judged: alone.flatMap(({ refused }) => refused),
        control: alone.map((round) => round.alone),
      },
    ),
  ]
}

/** What later shows of the losers of all rounds on a task. */
export const problemsOfLosers = (
  history: History,
  task: string,
  { began, ended }: { began: number; ended: number },
): Problem[] =>
  refusedUpdates(history)
    .filter(
      (one) => one.task === task && began <= one.at && one.at <= ended && one.answer.status === 409,
    )
    .flatMap((one) =>
      problemsOfToken(one, shownWith(history, one.token), 'to one of several updates sent at once'),
    )
