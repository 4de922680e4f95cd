// Updates that are not to be carried out: each is data, and one loop sends them.

import { describeAnswer, isAccepted, isObject, jsonIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { FateUnknown } from '../../engine/http/fate-unknown.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { type Decides, type Problem, problem } from '../../engine/problem.ts'
import { type History, isAcceptedOp, type Op } from '../history/history.ts'
import {
  keepsComments,
  mayBeByOther,
  needNotRefused,
  type Refused,
  refusedUpdates,
} from '../history/questions.ts'
import type { SettleWindow } from '../history/settle-window.ts'
import type { Window } from '../loans/current-version.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import type { Lending, Loan } from '../loans/lending.ts'
import { afterNextUpdate } from '../loans/next-update.ts'
import { again } from '../service/again.ts'
import { type Assignment, premise, type Task } from '../service/answers.ts'
import { describeWhole, isSameButSpelling } from '../service/assignments.ts'
import { commentIn } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import { problemsOf } from '../service/schema.ts'
import type { Service } from '../service/service.ts'
import { type Assignee, differsBy, type How, updateBody } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import { createToken, needAnybody, needAssigned, needUnassigned, needUpdated } from './controls.ts'

/** One update that is sent to see what comes of it. */
export type Attempt = {
  /** what is wrong with it, as the end of "an update …" */
  what: string
  /** the task that it needs */
  on: 'any' | 'assigned' | 'unassigned'
  /** whether it may be accepted: then it is sent once, and observed alone */
  isObserved?: true
  /** whether an accepted update has to come before it, on the same loan */
  needsEarlier?: true
  /** from a valid body, with a comment that nobody else writes where comments are taken */
  body(
    valid: ReturnType<typeof updateBody>['update'],
    comment: string | undefined,
    before: Assignment | null,
    earlier: readonly Op[],
  ): unknown
  how?: How
  /** what it assigns to, where there is any; left out: whoever comes first */
  to?: Assignee['type']
  /** from the current version, and the accepted updates before; left out: the current one; undefined: no If-Match */
  version?: (current: string, earlier: readonly Op[]) => string | undefined
  /** from the id of the task, the one that it is sent to; left out: that id */
  id?: (known: string) => string
  /** another attempt, which is sent on the same loan after this one is refused, and needs the same task */
  followUp?: Attempt
}

/** The bodies of an attempt in which nothing is wrong. */
export const asUpdate: Attempt['body'] = (valid) => ({ update: valid })
export const asUnassign: Attempt['body'] = ({ assigned_by_id }) => ({
  unassign: { assigned_by_id },
})

/** Attempts that need the same state, an assigned task, and are sent on one loan. */
export type Pool = { name: string; attempts: readonly Attempt[] }

/** What became of an attempt. */
export type Tried = {
  attempt: Attempt
  answer: Answer
  /** the version that reads showed before */
  current: string
  /** the version that reads showed after it; left out where others were sent before anybody looked */
  now?: string
  before: Assignment | null
  after: Assignment | null
  carriedOut?: Problem | undefined
  /** the version that it was sent with, and the current one */
  decides: Decides
  /** whether it cannot have been another writer who made that change */
  isProven?: boolean
  /** left out where it was accepted: what it did is seen then */
  refused?: Refused | undefined
  /** the answer to an update with the latest version that followed it */
  next?: Answer | undefined
  /** whether the task was watched for less than the time to settle, and the update carries no token */
  isOpen: boolean
  /** what was sent */
  body: unknown
  /** what became of the follow-up, where it was sent on the same loan */
  followUp?: Tried | undefined
}

export type AttemptDeps = {
  history: History
  settleWindow: SettleWindow
  lending: Lending
  service: Service
  settings: Settings
  people: Assignee[]
  /** whether comments were seen to be taken */
  commented: boolean
}

export type Manner = {
  /** how long the task is watched, whatever was learned */
  watchMs?: number | undefined
  /** the task that it is tried on; left out: whichever is free */
  on?: string | undefined
}

/** Whom an attempt would assign to: somebody other than now. */
export function assigneeFor(
  { to }: Pick<Attempt, 'to'>,
  people: readonly Assignee[],
  now: Assignment | null,
): Assignee | undefined {
  const others = people.filter(({ id }) => !isSameId(id, now?.assigned_to_id))
  return others.find(({ type }) => type === to) ?? others[0]
}

/** Where an attempt differs from the same update with nothing wrong. */
export function differsOf({ version, id, how = {} }: Attempt, body: unknown): string[] {
  const departures =
    typeof body === 'string' ? [{ path: '' }] : problemsOf('update-assignment', body)
  return [
    ...(id ? ['path'] : []),
    ...(version ? ['header if-match'] : []),
    ...differsBy(how),
    ...departures.map(({ path }) => ['body', ...path.split('.').filter(Boolean)].join(' ')),
  ]
}

/** An attempt as it is sent on one task. */
type Request = { to: Assignee; comment: string | undefined; body: unknown }

function requestOf(attempt: Attempt, { id, assignment }: Task, deps: AttemptDeps): Request {
  const to = assigneeFor(attempt, deps.people, assignment) ?? needAnybody(deps.people)
  const comment = deps.commented ? createToken() : undefined
  const { update } = updateBody(deps.settings.actorId ?? '', to, comment)
  return { to, comment, body: attempt.body(update, comment, assignment, earlierOf(deps, id)) }
}

/** The accepted updates of a task that left another version than they were sent with. */
const earlierOf = ({ history }: AttemptDeps, task: string): Op[] =>
  history
    .endedOf(task)
    .filter(
      (op) =>
        op.kind === 'update' && isAcceptedOp(op) && op.shown && op.shown.version !== op.ifMatch,
    )

/** The task of a loan in the state that an attempt needs. */
export async function needReady(attempt: Attempt, loan: Loan, deps: AttemptDeps): Promise<Task> {
  const { people } = deps
  const { actorId = '' } = deps.settings
  const anybody = needAnybody(people)
  let { task } = loan
  if (attempt.needsEarlier) {
    const to = assigneeFor(attempt, people, task.assignment) ?? anybody
    task = await needUpdated(loan.current, task, updateBody(actorId, to))
  }
  if (attempt.on === 'assigned') return needAssigned({ ...loan, task }, actorId, anybody)
  // It may be assigned to the only one there is.
  const isUnfit = attempt.on === 'any' && !assigneeFor(attempt, people, task.assignment)
  const isReady = attempt.on !== 'unassigned' && !isUnfit
  return isReady ? task : needUnassigned({ ...loan, task }, actorId)
}

const wanted = { any: 'whichever', assigned: 'USER', unassigned: 'unassigned' } as const

/**
 * Makes one attempt, and looks at the task: the state is what counts (rule R1), and it must not be taken
 * for the change of another writer. One that carries a token is looked for until the end of the run, in
 * every read; for another the task is watched.
 */
export function tryAlone(
  attempt: Attempt,
  deps: AttemptDeps,
  { watchMs, on }: Manner = {},
): Promise<Tried> {
  const { lending, service, people } = deps
  const { actorId = '' } = deps.settings
  const anybody = needAnybody(people)
  const tryOn = async (loan: Loan, attempt: Attempt, task: Task): Promise<Tried> => {
    const request = requestOf(attempt, task, deps)
    const sent = await sendCurrent(attempt, request, task, { ...deps, loan })
    const { answer } = sent
    const tried = await follow({ attempt, request, ...sent, task, watchMs }, loan, deps)
    const { followUp } = attempt
    if (!followUp || isAccepted(answer) || tried.carriedOut) return tried
    const next = async () => {
      const now = await loan.current.newest(task)
      const ready =
        followUp.on === 'assigned' ? needAssigned({ ...loan, task: now }, actorId, anybody) : now
      return tryOn(loan, followUp, await ready)
    }
    // If another writer or trouble comes between, it is left out, and tried on a loan of its own.
    const unlessLost = (error: unknown) => {
      if (!(error instanceof Trouble || error instanceof NotDecidable)) throw error
      return undefined
    }
    return { ...tried, followUp: await next().catch(unlessLost) }
  }
  const tryIt = async (loan: Loan) => tryOn(loan, attempt, await needReady(attempt, loan, deps))
  const sample = 'Contract test, please ignore 000000000000'
  const bare = attempt.body(updateBody(actorId, anybody, sample).update, sample, null, [])
  const isTraced = deps.commented && commentIn(bare) !== undefined
  return lending.lend(
    on === undefined ? wanted[attempt.on] : { id: on },
    service,
    tryIt,
    isTraced ? 'at once' : 'when windows are known',
  )
}

/** The service may change updated_at several more times after an update. */
const maxRounds = 6

/** Sends with the current version; a 409 over one that was replaced meanwhile says nothing. */
async function sendCurrent(
  attempt: Attempt,
  { body }: Request,
  task: Task,
  { loan, ...deps }: AttemptDeps & { loan: Loan },
): Promise<Pick<Sent, 'answer' | 'decides' | 'seen'>> {
  const { what, version, id, how } = attempt
  const { read, successorOf } = loan.current
  let now = task
  for (let round = 1; ; round += 1) {
    const { updated_at } = now
    const ifMatch = versionOf(attempt, now, deps)
    premise(
      !attempt.needsEarlier || ifMatch !== undefined,
      'clause',
      'no update gave a new version',
      'assign.new-version',
    )
    premise(
      !version || ifMatch !== updated_at,
      'freedom',
      `reads show the version as ${updated_at}, and ${what} it would be the same`,
    )
    const send = () => deps.service.put(id?.(task.id) ?? task.id, ifMatch, body, how)
    const decides = decidesOf(ifMatch, updated_at)
    // What may be accepted would be refused for its version if it was sent again.
    const answer = await (attempt.isObserved
      ? send()
      : insisted(send, `${what}, beside accepted ones,`))
    // What was current once is stale, whatever came meanwhile.
    if (answer.status !== 409 || attempt.needsEarlier || round === maxRounds)
      return { answer, decides }
    // Only what carries the current version is surprised by a 409, and so has to wait for the next one.
    const next = version ? await read(task.id) : await successorOf(now)
    if (!next) return { answer, decides }
    if (next.updated_at === updated_at) return { answer, decides, seen: next }
    now = next
  }
}

const decidesOf = (ifMatch: string | undefined, current: string): Decides => ({
  'If-Match that was sent': ifMatch ?? 'none',
  'current updated_at': current,
})

const versionOf = ({ version }: Attempt, { id, updated_at }: Task, deps: AttemptDeps) =>
  version ? version(updated_at, earlierOf(deps, id)) : updated_at

/** Sends an attempt as it is, and looks at nothing. */
export const sendOnce = (attempt: Attempt, task: Task, deps: AttemptDeps): Promise<Answer> => {
  const { body } = requestOf(attempt, task, { ...deps, commented: false })
  return deps.service.put(task.id, versionOf(attempt, task, deps), body, attempt.how)
}

type Sent = {
  attempt: Attempt
  request: Request
  answer: Answer
  decides: Decides
  /** as it was read before */
  task: Task
  /** as it was read right after */
  seen?: Task | undefined
  watchMs?: number | undefined
}

/** What reads show after an attempt. */
async function follow(
  { attempt, request, answer, decides, task, seen, watchMs }: Sent,
  loan: Loan,
  { history, settings, people, settleWindow }: AttemptDeps,
): Promise<Tried> {
  const { body, comment, to } = request
  const { settleMs, actorId = '' } = settings
  const refused = refusedBy(history, answer, task.id)
  const isTraced = refused?.token !== undefined && keepsComments(history)
  const before = task.assignment
  let carriedOut: Problem | undefined
  let next: Answer | undefined
  let isProven = false
  let after = before
  let now = task.updated_at
  const isSent = (seen: Assignment | null) =>
    comment !== undefined && seen?.assignment_comment === comment
  // What shows the comment or the assignee that was sent is ours; the rest is another writer's.
  const isOurs = (seen: Assignment | null) =>
    seen === null ? attempt.on === 'assigned' : isSent(seen) || isSameId(seen.assigned_to_id, to.id)
  const isClaimed = isAccepted(answer) && isOurs(assignmentIn(answer, before))
  const look = (seen: Task) => {
    const { assignment, updated_at } = seen
    if (updated_at !== task.updated_at && isAccepted(answer)) loan.used.add(task.updated_at)
    if (loan.used.has(updated_at) && updated_at !== task.updated_at) return
    after = assignment
    now = updated_at
    if (isSameButSpelling(assignment, before)) return
    needNotRefused(history, assignment, comment)
    const isOther = !isSent(assignment) && mayBeByOther(history, assignment)
    if ((!isOurs(assignment) || isOther) && !isAccepted(answer))
      throw new ForeignChange(history, assignment)
    isProven = isSent(assignment) || (isClaimed && isOurs(assignment) && !isOther)
    carriedOut = problem(
      `${describeAnswer(answer)} to an update ${attempt.what}, and it was carried out`,
      {
        expected: 'the assignment unchanged',
        got: 'it changed',
        judged: [answer, seen],
        decides: {
          ...decides,
          'assignment before': describeWhole(before),
          'assignment after': describeWhole(assignment),
        },
        again: again.unchanged,
      },
    )
  }
  try {
    const window = windowFor(task, answer, { isTraced, settleMs, watchMs })
    if (seen) look(seen)
    const isSeen = seen !== undefined
    const isEnough = isSeen && window.limitMs === 0
    const last = isEnough ? seen : await loan.current.watch(task.id, look, { ...window, isSeen })
    if (refused && isObject(body) && 'unassign' in body && !carriedOut) {
      const followed = await afterNextUpdate(loan, last, { actor: actorId, people })
      next = followed.answer
      if (followed.late) look(followed.late)
    }
  } catch (error) {
    // It could be read right until the update that was not to be carried out.
    if (!(error instanceof NotDecidable)) throw error
    carriedOut = problem(
      `${describeAnswer(answer)} to an update ${attempt.what}, and after it ${error.message}`,
      { expected: 'a read as before', got: error.message, judged: answer },
    )
  }
  const isShort = watchMs === undefined && settleWindow.windowMs() < settleMs
  const isOpen = refused !== undefined && !isTraced && isShort
  const versions = { current: task.updated_at, now }
  const state = { before, after, carriedOut, isProven, next }
  return { attempt, body, answer, decides, ...versions, ...state, refused, isOpen }
}

/** The refusal that the history holds of an answer; undefined where it was accepted. */
function refusedBy(history: History, answer: Answer, task: string): Refused | undefined {
  const refused = refusedUpdates(history).findLast((each) => each.answer === answer)
  return refused && { ...refused, task }
}

/** The assignment that an accepted answer shows; where it shows none, the one before. */
function assignmentIn(answer: Answer, before: Assignment | null): Assignment | null {
  const body = jsonIn(answer)
  if (!isObject(body) || body.assignment === undefined) return before
  return body.assignment as Assignment | null
}

/** How long the task is watched: once for what is looked for until the end, and until it shows for what was accepted. */
function windowFor(
  before: Task,
  answer: Answer,
  how: { isTraced: boolean; settleMs: number; watchMs?: number | undefined },
): Window {
  const body = isAccepted(answer) ? jsonIn(answer) : undefined
  const made = isObject(body) ? body.updated_at : before.updated_at
  if (made !== before.updated_at)
    return { limitMs: how.settleMs, until: ({ updated_at }) => updated_at === made }
  if (how.watchMs !== undefined) return { limitMs: how.watchMs }
  return how.isTraced ? { limitMs: 0 } : {}
}

/**
 * Makes attempts one after another on one loan, and watches the task once for the time to settle. One that
 * is accepted is followed at once, and what is not in the result is to be tried alone: no attempt is where
 * the task was changed, or the version may have been replaced by another writer.
 */
export function tryTogether(
  attempts: readonly Attempt[],
  deps: AttemptDeps,
): Promise<Map<Attempt, Tried>> {
  const { history, settleWindow, lending, service, settings, people } = deps
  const { actorId = '' } = settings
  const tryThem = async (loan: Loan): Promise<Map<Attempt, Tried>> => {
    const { current, used } = loan
    const assigned = await needAssigned(loan, actorId, needAnybody(people))
    const task = assigned === loan.task ? assigned : await current.read(assigned.id)
    const { id, assignment: before, updated_at } = task
    const outcomes: Tried[] = []
    for (const attempt of attempts) {
      const { what, how } = attempt
      const request = requestOf(attempt, task, deps)
      const ifMatch = versionOf(attempt, task, deps)
      const decides = decidesOf(ifMatch, updated_at)
      const send = () => service.put(attempt.id?.(id) ?? id, ifMatch, request.body, how)
      const answer = await insisted(send, `${what}, beside accepted ones,`)
      if (isAccepted(answer)) {
        // One that shows no version may have changed nothing.
        const body = jsonIn(answer)
        if (isObject(body) && typeof body.updated_at === 'string')
          current.noteAccepted(ifMatch ?? updated_at, answer)
        // Beside others, the script of a breach would not know which task another id stands for.
        if (attempt.id) return new Map()
        const tried = await follow({ attempt, request, answer, decides, task }, loan, deps)
        return new Map([[attempt, tried]])
      }
      const refused = refusedBy(history, answer, id)
      const isOpen = refused?.token === undefined || !keepsComments(history)
      const state = { current: updated_at, before, after: before }
      outcomes.push({ attempt, body: request.body, answer, decides, ...state, refused, isOpen })
    }
    const limitMs = outcomes.some(({ isOpen }) => isOpen) ? undefined : 0
    const isShort = settleWindow.windowMs() < settings.settleMs
    let isKept = true
    let isMoved = false
    const last = await current.watch(
      id,
      (seen) => {
        const isReplaced = used.has(seen.updated_at) && seen.updated_at !== updated_at
        isKept &&= isReplaced || isSameButSpelling(seen.assignment, before)
        isMoved ||= !isReplaced && seen.updated_at !== updated_at
      },
      { limitMs },
    )
    const isSurprised = ({ answer, attempt }: Tried) => answer.status === 409 && !attempt.version
    if (!isKept || (isMoved && outcomes.some(isSurprised))) return new Map()
    // Nothing shows a late effect that waits for the next change before there is one.
    const { late } = await afterNextUpdate(loan, last, { actor: actorId, people })
    if (late) return new Map()
    return new Map(outcomes.map((one) => [one.attempt, { ...one, isOpen: one.isOpen && isShort }]))
  }
  return lending.lend('USER', service, tryThem, 'when windows are known')
}

const tries = 3

/**
 * Sends what is meant to be refused, and so may be sent again, until it is answered. A failure that
 * comes every time names the condition under which it comes.
 */
export async function insisted(send: () => Promise<Answer>, condition: string): Promise<Answer> {
  for (let time = 1; ; time += 1) {
    try {
      return await send()
    } catch (error) {
      // All else the client has tried again by itself, or it is the end of the run.
      if (!(error instanceof FateUnknown)) throw error
      if (time === tries)
        throw new Trouble(`${tries} of ${tries} updates ${condition} failed: ${error.message}`)
    }
  }
}
