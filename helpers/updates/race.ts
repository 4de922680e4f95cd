import { type Case, caseOf } from '../../engine/clause/case.ts'
import { describeAnswer, isAccepted, isRefused } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import type { Faker } from '../../engine/random.ts'
import { clock } from '../../engine/time/timers.ts'
import { statuses } from '../contract/statuses.ts'
import { type Fate, fateOf, type History, type Op } from '../history/history.ts'
import { type Refused, refusedSending, shownWith } from '../history/questions.ts'
import type { Loan } from '../loans/lending.ts'
import { needPermitted, type Task, taskIn } from '../service/answers.ts'
import { isSameButSpelling } from '../service/assignments.ts'
import { commentIn } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import { toAnybody, toNobody } from '../service/owners.ts'
import type { Service } from '../service/service.ts'
import { type Assignee, toIn } from '../service/update-request.ts'
import { BoundReached } from '../service/write-budget.ts'
import { createToken, needAnybody, type OfRun, othersThan } from './controls.ts'
import { bodyOf, type OnLoan, send, sendAtOnce, sentWith, unlessLost } from './sender.ts'
import type { Step } from './step.ts'

export const ofFate = (sent: readonly Op[], fate: Fate): Op[] =>
  sent.filter((op) => fateOf(op) === fate)

export const answersOf = (ops: readonly Op[]): Answer[] => ops.flatMap(({ answer }) => answer ?? [])

export type Round = {
  sent: readonly Op[]
  /** the rejected updates, without those that may have another reason than the version */
  refused: Answer[]
  stored: Task
  /** whether the stored assignment can be compared with the winner: no other writer came later */
  isSettled: boolean
  /** if all were rejected as stale: the answer to the first, sent once more and alone */
  alone?: Answer
  /** all winners unassigned, and the contract does not describe unassigning an unassigned task */
  isIdle: boolean
}

export type Race = {
  rounds: readonly Round[]
  /** its updates that were rejected as stale, and the answers that show their comments */
  lost: readonly { refused: Refused; traces: readonly Answer[] }[]
}

const caseOfRace = (race: Race): Case<Race> =>
  caseOf(race, {
    judged: [
      ...race.rounds.flatMap(({ sent, alone, stored }) => [answersOf(sent), alone, stored]),
      ...race.lost.map(({ traces }) => traces),
    ],
  })

/**
 * What the updates of a round ask for. `both`: some assign, some unassign; `the other`: what its winner did
 * not. `unassign`: both, with unassigning a moment ahead. `team`: assigning to teams, if there are two.
 */
type Rivalry = 'assign' | 'unassign' | 'both' | 'team'

/** All rounds together cost the same updates, and nearly the same mails: the winner of the second decides the third. */
const rivalries = ['assign', 'both', 'the other', 'team'] as const
const withoutUnassign = ['assign', 'assign', 'team'] as const

type Racing = OfRun & {
  service: Service
  people: readonly Assignee[]
  writers: number
  /** the accepted updates of the run: rivals are sent as one of them */
  taken: readonly Step[]
  over: () => Promise<void>
}

/**
 * Has updates of a task race each other, until a round is not as it should be: the race once it is over, then
 * with what the run shows of its losers.
 */
export async function* fetchRace(
  racing: Racing,
  isClear: (round: Round) => boolean,
): AsyncGenerator<Case<Race>> {
  const { lending, service, history, over } = racing
  const raceOn = async (loan: Loan) => {
    const rounds: Round[] = []
    let known: Task | undefined = loan.task
    for (const rivalry of mayUnassign(racing) ? rivalries : withoutUnassign) {
      const isFirst = rounds.length === 0
      const round = await raceOnce(racing, loan, rivalry, { known, isFirst })
      rounds.push(round)
      if (!isClear(round)) break
      // If all winners unassigned, another update followed the last read.
      known = ofFate(round.sent, 'accepted').length > 1 ? undefined : round.stored
    }
    return rounds
  }
  const rounds = await lending.lend('any', service, raceOn, 'first')
  yield caseOfRace({ rounds, lost: [] })
  await over()
  const lost = rounds.flatMap(({ sent }) => sent.flatMap((op) => lostBy(history, op)))
  yield caseOfRace({ rounds, lost })
}

const mayUnassign = ({ taken }: Racing) => taken.some(({ sent }) => sent.to === null)

function lostBy(history: History, { answer, body }: Op): Race['lost'] {
  const refused =
    answer?.status === statuses.staleVersion && refusedSending(history, commentIn(body) ?? '')
  return refused ? [{ refused, traces: shownWith(history, refused.token) }] : []
}

const mayComment = ({ taken }: Pick<Racing, 'taken'>, to: Assignee | null) =>
  taken.some(
    ({ sent, answer }) => !!sent.comment && isAccepted(answer) && (sent.to === null) === !to,
  )

/**
 * How long a service takes to begin with an update is unknown: where unassigning is ahead, the first pair of
 * rivals is 5 ms behind, later ones less.
 */
const behind = (at: number) => ({ behindMs: Math.ceil(5 / (1 + (at >> 1))) })

export async function raceOnce(
  racing: Pick<Racing, 'history' | 'people' | 'writers' | 'taken'>,
  loan: OnLoan,
  kind: Rivalry | 'the other',
  how: {
    /** connections may have to be opened */
    isFirst?: boolean
    known?: Task | undefined
  },
): Promise<Round> {
  const { history, writers } = racing
  const { current, service } = loan
  const { id } = loan.task
  const task = await (how.known ? current.newest(how.known) : current.read(id))
  const { updated_at: ifMatch } = task
  if (how.isFirst) await Promise.all(Array.from({ length: writers }, () => service.readTask(id)))

  const name = createToken(history)
  const rivalry = kind === 'the other' ? (task.assignment ? 'unassign' : 'assign') : kind
  const rivals = rivalsOn(task, rivalry, racing)
  const updateTo = (to: Assignee | null, which: string | number) => {
    const comment = mayComment(racing, to) ? `${name} ${which}` : undefined
    return { to, ifMatch, comment }
  }
  const updates = rivals.map((to, at) => ({
    ...updateTo(to, at + 1),
    how: rivalry === 'unassign' && to ? behind(at) : {},
  }))
  const sent = await sendAtOnce(loan, updates, { ifMatch, history })
  const won = ofFate(sent, 'accepted')
  const winners = answersOf(won).map(taskIn)
  const lost = ofFate(sent, 'refused')
  for (const answer of answersOf(lost)) needPermitted(answer)
  const unknown = ofFate(sent, 'unknown')
  // A loser may ask for what was just done: the contract does not specify the order of checks.
  const holders = [...[task, ...winners].map(holderOf), ...unknown.map(({ body }) => toIn(body))]
  const isDone = ({ body }: Op) => holders.some((holder) => isSameId(holder, toIn(body)))
  const refused = answersOf(lost.filter((op) => !isDone(op)))
  // No winner, and not because of the version: a comment may be refused, or a closed task.
  const other = refused.find(({ status }) => status !== statuses.staleVersion)
  if (other && won.length === 0) {
    const to = rivals[sent.findIndex(({ answer }) => answer === other)]
    const told = `${describeAnswer(other)}, and none of ${writers} simultaneous updates was accepted`
    throw new NotDecidable('clause', told, ...(to ? toAnybody[to.type] : toNobody))
  }
  const areStale = sent.every(({ answer }) => answer?.status === statuses.staleVersion)
  const [first = null] = rivals
  const alone = areStale && (await send(loan, updateTo(first, 'alone')))

  const found = await current.read(id)
  const stored = (await current.watch(id, { isSeen: true })) ?? found
  const comment = stored.assignment?.assignment_comment
  const isOwn =
    winners.some(({ updated_at }) => updated_at === stored.updated_at) ||
    isSameButSpelling(stored.assignment, winners[0]?.assignment) ||
    sent.some(({ body }) => comment && commentIn(body) === comment)
  const isSettled = unknown.length === 0 && isOwn
  // Where there is nothing to unassign, a service may ignore the version: then several winners prove nothing.
  const isSilent = won.length > 1 && won.every(({ body }) => toIn(body) === null)
  const again = () => send(loan, updateTo(null, 'again'))
  const isIdle = isSilent && (stored.assignment !== null || !isRefused(await again()))
  return { sent, refused, stored, isSettled, ...(alone && { alone }), isIdle }
}

const holderOf = ({ assignment }: Task) => assignment?.assigned_to_id ?? null

/** Whom the rivals assign to; the first one unassigns, if any does: unassigning is tested less often. */
function rivalsOn(
  task: Task,
  rivalry: Rivalry,
  { people, writers }: Pick<Racing, 'people' | 'writers'>,
): (Assignee | null)[] {
  const others = othersThan(people, task)
  // A user gets one mail, a team one per member: with one type the cost hardly depends on the winner.
  const wanted = rivalry === 'team' ? ['TEAM', 'USER'] : ['USER']
  const kinds = wanted.map((kind) => others.filter(({ type }) => type === kind))
  const targets = kinds.find(({ length }) => length > 1) ?? (others.length > 0 ? others : people)
  const isMixed = rivalry === 'both' || rivalry === 'unassign'
  // With two writers, both unassign: they have to race each other as well.
  const areAll = rivalry === 'unassign' && writers < 3
  const unassigns = (at: number) => isMixed && task.assignment !== null && (at % 2 === 0 || areAll)
  const turn = (at: number) => (isMixed ? at >> 1 : at)
  return Array.from({ length: writers }, (_, at) =>
    unassigns(at) ? null : (targets[turn(at) % targets.length] as Assignee),
  )
}

export type SideBySide = { sent: readonly Op[]; last: Task }

const attempts = 10

/**
 * Lets clients read and update one task side by side: each reads and tries again until its update is accepted.
 * If MAX_WRITES cuts it short, the history may still show a contradiction, but proves nothing else.
 */
export async function updateSideBySide(
  loan: OnLoan,
  plan: Pick<Racing, 'history' | 'people'> & { clients: number; random: Faker },
): Promise<(Case<SideBySide> | BoundReached)[]> {
  const { history, people, clients, random } = plan
  const { current, service, actor } = loan
  const { id } = loan.task
  const bodies: unknown[] = []
  const reached: BoundReached[] = []
  const name = createToken(history)
  /** who assigns in turn with the actor, until the service refuses that */
  let another = people.find((each) => each.type === 'USER' && !isSameId(each.id, actor))?.id
  const read = async () => taskIn(await service.readTask(id))

  const update = async (client: number, at: number, first: Task) => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const task = attempt === 0 ? first : await read()
      const to = othersThan(people, task)[0] ?? needAnybody(people)
      const by = client % 2 === 0 && another ? another : actor
      // No comment is the prefix of another: files and mails are searched for those of refused updates.
      const body = bodyOf(loan, { to, by, comment: `${name} ${client}.${at}.${attempt}` })
      bodies.push(body)
      const answer = await send(loan, { body, ifMatch: task.updated_at }).catch(unlessLost)
      if (answer && isAccepted(answer)) return
      if (by === another && answer && isRefused(answer) && answer.status !== statuses.staleVersion)
        another = undefined
      const milliseconds = random.number.int({ min: 1, max: 25 })
      await new Promise<void>((resolve) => clock.setTimeout(resolve, milliseconds))
    }
  }

  // All clients start each update together: then two may be accepted with one version.
  for (const at of [1, 2]) {
    const first = await read()
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        try {
          await update(client + 1, at, first)
        } catch (error) {
          if (!(error instanceof BoundReached)) throw error
          reached.push(error)
        }
      }),
    )
  }
  const last = await current.read(id)
  const sent = sentWith(history, id, bodies)
  return [...reached, caseOf({ sent, last }, { judged: [last, answersOf(sent)] })]
}
