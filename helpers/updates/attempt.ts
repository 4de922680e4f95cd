// Updates that must not be carried out: each is data, and one loop sends them.

import { acceptedBody, isAccepted, isObject, membersOf } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { FateUnknown } from '../../engine/http/fate-unknown.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import type { Decides } from '../../engine/problem.ts'
import { type History, isAcceptedOp, type Op } from '../history/history.ts'
import {
  keepsComments,
  mayBeByOther,
  needNotRefused,
  type Refused,
  refusedUpdates,
} from '../history/questions.ts'
import type { SettleWindow } from '../history/settle-window.ts'
import { alwaysReplaced, maxRounds, type Window } from '../loans/current-version.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import type { Lending, Loan } from '../loans/lending.ts'
import { afterNextUpdate } from '../loans/next-update.ts'
import { type Assignment, premise, type Task } from '../service/answers.ts'
import { isSameButSpelling } from '../service/assignments.ts'
import { commentIn } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import { problemsOf } from '../service/schema.ts'
import type { Service } from '../service/service.ts'
import { type Assignee, differsBy, type How, updateBody } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import { createToken, needAnybody, needAssigned, needUnassigned, needUpdated } from './controls.ts'

export type Attempt = {
  /** its mistake, as the end of "an update …" */
  what: string
  /** the state of the task that it needs */
  on: 'any' | 'assigned' | 'unassigned'
  /**
   * what the contract says of it; `open`: it may be accepted, so it is sent once and observed; default: it
   * is refused for its mistake
   */
  fate?: 'not carried out' | 'open'
  /** how many accepted updates of its task must precede it, the last on the same loan */
  needsEarlier?: number
  /** makes the body from a valid one, with a unique comment if comments are accepted */
  body(
    valid: ReturnType<typeof updateBody>['update'],
    comment: string | undefined,
    before: Assignment | null,
    earlier: readonly Op[],
  ): unknown
  how?: How
  /** the type of assignee; default: the first available one */
  to?: Assignee['type']
  /**
   * the If-Match, from the current version and earlier accepted updates; default: the current version;
   * undefined: no If-Match
   */
  version?: (current: string, earlier: readonly Op[]) => string | undefined
  /** the id to send it to, from that of the task; default: that id */
  id?: (known: string) => string
  /** another attempt for the same task, sent on the same loan after this one is refused */
  followUp?: Attempt
}

/** The bodies of an attempt without a mistake. */
export const asUpdate: Attempt['body'] = (valid) => ({ update: valid })
export const asUnassign: Attempt['body'] = ({ assigned_by_id }) => ({
  unassign: { assigned_by_id },
})

type Pool = { name: string; attempts: readonly Attempt[] }

const pools = new WeakMap<Attempt, Pool>()

/** Attempts that need an assigned task and are sent on one loan. */
export function pooled(name: string, attempts: readonly Attempt[]): void {
  for (const attempt of attempts) pools.set(attempt, { name, attempts })
}

export const poolOf = (attempt: Attempt): Pool | undefined => pools.get(attempt)

export type AttemptResult = {
  attempt: Attempt
  answer: Answer
  /** the task before it */
  before: Task
  /** the last read after it; of a pool, one for all */
  after: Task
  /** the read that shows what it did, or why no read shows the task since */
  carriedOut?: Task | NotDecidable | undefined
  /** the version that was sent, and the current one */
  decides: Decides
  /** whether another writer cannot have made that change */
  isProven?: boolean
  /** left out if it was accepted */
  refused?: Refused | undefined
  /** the answer to a later update with the current version */
  next?: Answer | undefined
  /** whether the task was watched for less than SETTLE_MS, and the update has no token */
  isOpen: boolean
  body: unknown
  /** the result of the follow-up, if it was sent on the same loan */
  followUp?: AttemptResult | undefined
}

export type AttemptDeps = {
  history: History
  settleWindow: SettleWindow
  lending: Lending
  service: Service
  settings: Settings
  people: Assignee[]
  /** whether comments are known to be accepted */
  commented: boolean
}

export type Manner = {
  /** how long to watch the task, instead of the learned window */
  watchMs?: number | undefined
  on?: string | undefined
}

/** The assignee of an attempt: not the current one. */
export function assigneeFor(
  { to }: Pick<Attempt, 'to'>,
  people: readonly Assignee[],
  now: Assignment | null,
): Assignee | undefined {
  const others = people.filter(({ id }) => !isSameId(id, now?.assigned_to_id))
  return others.find(({ type }) => type === to) ?? others[0]
}

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

type Request = { to: Assignee; comment: string | undefined; body: unknown }

function requestOf(attempt: Attempt, { id, assignment }: Task, deps: AttemptDeps): Request {
  const to = assigneeFor(attempt, deps.people, assignment) ?? needAnybody(deps.people)
  const comment = deps.commented ? createToken() : undefined
  const { update } = updateBody(deps.settings.actorId ?? '', to, comment)
  return { to, comment, body: attempt.body(update, comment, assignment, earlierOf(deps, id)) }
}

/** The accepted updates of a task that left another version than their If-Match. */
const earlierOf = ({ history }: AttemptDeps, task: string): Op[] =>
  history
    .endedOf(task)
    .filter(
      (op) =>
        op.kind === 'update' && isAcceptedOp(op) && op.shown && op.shown.version !== op.ifMatch,
    )

export async function needReady(attempt: Attempt, loan: Loan, deps: AttemptDeps): Promise<Task> {
  const { people } = deps
  const { actorId = '' } = deps.settings
  const anybody = needAnybody(people)
  let { task } = loan
  const { needsEarlier = 0 } = attempt
  const missing = Math.max(1, needsEarlier - earlierOf(deps, task.id).length)
  for (let time = 0; needsEarlier > 0 && time < missing; time += 1) {
    const to = assigneeFor(attempt, people, task.assignment) ?? anybody
    task = await needUpdated(loan.current, task, updateBody(actorId, to))
  }
  if (attempt.on === 'assigned') return needAssigned({ ...loan, task }, actorId, anybody)
  // It may be assigned to the only possible assignee.
  const isUnfit = attempt.on === 'any' && !assigneeFor(attempt, people, task.assignment)
  const isReady = attempt.on !== 'unassigned' && !isUnfit
  return isReady ? task : needUnassigned({ ...loan, task }, actorId)
}

const wanted = { any: 'any state', assigned: 'USER', unassigned: 'unassigned' } as const

/**
 * Sends one attempt and looks at the task: its state decides, unless another writer may have
 * changed it. An update with a token is looked for in every read until the end of the run; otherwise the
 * task is watched.
 */
export function tryAlone(
  attempt: Attempt,
  deps: AttemptDeps,
  { watchMs, on }: Manner = {},
): Promise<AttemptResult> {
  const { lending, service, people } = deps
  const { actorId = '' } = deps.settings
  const anybody = needAnybody(people)
  const tryOn = async (loan: Loan, attempt: Attempt, task: Task): Promise<AttemptResult> => {
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
    // If another writer or trouble interferes, the attempt is repeated on its own loan.
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

/** Sends with the current version; a 409 to a version replaced meanwhile says nothing. */
async function sendCurrent(
  attempt: Attempt,
  { body }: Request,
  task: Task,
  { loan, ...deps }: AttemptDeps & { loan: Loan },
): Promise<Pick<SentAttempt, 'answer' | 'decides' | 'seen'>> {
  const { what, version, id, how } = attempt
  const { read, successorOf } = loan.current
  let now = task
  for (let round = 1; ; round += 1) {
    const { updated_at } = now
    const ifMatch = versionOf(attempt, now, deps)
    premise(
      !attempt.needsEarlier || ifMatch !== undefined,
      'clause',
      'no update returned a new version',
      'assign.new-version',
    )
    premise(
      !version || ifMatch !== updated_at,
      'freedom',
      `reads show the version as ${updated_at}, and ${what} it would be the same`,
    )
    const send = () => deps.service.put(id?.(task.id) ?? task.id, ifMatch, body, how)
    const decides = decidesOf(ifMatch, updated_at)
    // Repeating an update that may be accepted would fail for its version.
    const answer = await (attempt.fate === 'open'
      ? send()
      : insisted(send, `${what}, beside accepted updates,`))
    // A stale version stays stale.
    const isStale = attempt.needsEarlier || (version && round === maxRounds)
    if (answer.status !== 409 || isStale) return { answer, decides }
    // Only an attempt with the current version can fail because of a newer one: wait for that.
    const next = version ? await read(task.id) : await successorOf(now, round)
    if (!next) return { answer, decides }
    if (next.updated_at === updated_at) return { answer, decides, seen: next }
    if (round === maxRounds) throw alwaysReplaced(answer)
    now = next
  }
}

const decidesOf = (ifMatch: string | undefined, current: string): Decides => ({
  'If-Match that was sent': ifMatch ?? 'none',
  'current updated_at': current,
})

const versionOf = ({ version }: Attempt, { id, updated_at }: Task, deps: AttemptDeps) =>
  version ? version(updated_at, earlierOf(deps, id)) : updated_at

export const sendOnce = (attempt: Attempt, task: Task, deps: AttemptDeps): Promise<Answer> => {
  const { body } = requestOf(attempt, task, { ...deps, commented: false })
  return deps.service.put(task.id, versionOf(attempt, task, deps), body, attempt.how)
}

type SentAttempt = {
  attempt: Attempt
  request: Request
  answer: Answer
  decides: Decides
  task: Task
  /** as read right after */
  seen?: Task | undefined
  watchMs?: number | undefined
}

async function follow(
  { attempt, request, answer, decides, task, seen, watchMs }: SentAttempt,
  loan: Loan,
  { history, settings, people, settleWindow }: AttemptDeps,
): Promise<AttemptResult> {
  const { body, comment, to } = request
  const { settleMs, actorId = '' } = settings
  const refused = refusedBy(history, answer, task.id)
  const isTraced = refused?.token !== undefined && keepsComments(history)
  const before = task.assignment
  let carriedOut: AttemptResult['carriedOut']
  let next: Answer | undefined
  let isProven = false
  let after = task
  const isSent = (seen: Assignment | null) =>
    comment !== undefined && seen?.assignment_comment === comment
  // A change to the sent comment or assignee is ours; anything else is another writer's.
  const isOurs = (seen: Assignment | null) =>
    seen === null ? attempt.on === 'assigned' : isSent(seen) || isSameId(seen.assigned_to_id, to.id)
  const isClaimed = isAccepted(answer) && isOurs(assignmentIn(answer, before))
  const look = (seen: Task) => {
    const { assignment, updated_at } = seen
    if (loan.current.isReplaced(updated_at) && updated_at !== task.updated_at) return
    after = seen
    if (isSameButSpelling(assignment, before)) return
    needNotRefused(history, assignment, comment)
    const isOther = !isSent(assignment) && mayBeByOther(history, assignment)
    if ((!isOurs(assignment) || isOther) && !isAccepted(answer))
      throw new ForeignChange(history, assignment)
    isProven = isSent(assignment) || (isClaimed && isOurs(assignment) && !isOther)
    carriedOut = seen
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
    // Reads were well-formed until this update, so it had an effect.
    if (!(error instanceof NotDecidable)) throw error
    carriedOut = error
  }
  const isShort = watchMs === undefined && settleWindow.windowMs() < settleMs
  const isOpen = refused !== undefined && !isTraced && isShort
  const state = { before: task, after, carriedOut, isProven, next }
  return { attempt, body, answer, decides, ...state, refused, isOpen }
}

/** The refusal of an answer in the history; undefined if it was accepted. */
function refusedBy(history: History, answer: Answer, task: string): Refused | undefined {
  const refused = refusedUpdates(history).findLast((each) => each.answer === answer)
  return refused && { ...refused, task }
}

/** The assignment in an accepted answer; without one, the assignment of before. */
function assignmentIn(answer: Answer, before: Assignment | null): Assignment | null {
  const { assignment = before } = membersOf(answer)
  return assignment as Assignment | null
}

/** How long to watch the task: one look if the end of the run keeps looking, until it shows if it was accepted. */
function windowFor(
  before: Task,
  answer: Answer,
  how: { isTraced: boolean; settleMs: number; watchMs?: number | undefined },
): Window {
  const { updated_at: made } = acceptedBody(answer) ?? before
  if (made !== before.updated_at)
    return { limitMs: how.settleMs, until: ({ updated_at }) => updated_at === made }
  if (how.watchMs !== undefined) return { limitMs: how.watchMs }
  return how.isTraced ? { limitMs: 0 } : {}
}

/**
 * Sends attempts one after another on one loan and watches the task once. An accepted attempt ends the
 * series. Attempts without a result are to be sent alone: none has one if the task was changed, or if
 * another writer may have replaced the version.
 */
export function tryTogether(
  attempts: readonly Attempt[],
  deps: AttemptDeps,
): Promise<Map<Attempt, AttemptResult>> {
  const { history, settleWindow, lending, service, settings, people } = deps
  const { actorId = '' } = settings
  const tryThem = async (loan: Loan): Promise<Map<Attempt, AttemptResult>> => {
    const { current } = loan
    const assigned = await needAssigned(loan, actorId, needAnybody(people))
    const task = assigned === loan.task ? assigned : await current.read(assigned.id)
    const { id, assignment: before, updated_at } = task
    const outcomes: AttemptResult[] = []
    for (const attempt of attempts) {
      const { what, how } = attempt
      const request = requestOf(attempt, task, deps)
      const ifMatch = versionOf(attempt, task, deps)
      const decides = decidesOf(ifMatch, updated_at)
      const send = () => service.put(attempt.id?.(id) ?? id, ifMatch, request.body, how)
      const answer = await insisted(send, `${what}, beside accepted updates,`)
      if (isAccepted(answer)) {
        // The script of a breach could not tell which task another id belongs to.
        if (attempt.id) return new Map()
        const tried = await follow({ attempt, request, answer, decides, task }, loan, deps)
        return new Map([[attempt, tried]])
      }
      const refused = refusedBy(history, answer, id)
      const isOpen = refused?.token === undefined || !keepsComments(history)
      const state = { before: task, after: task, refused, isOpen }
      outcomes.push({ attempt, body: request.body, answer, decides, ...state })
    }
    const limitMs = outcomes.some(({ isOpen }) => isOpen) ? undefined : 0
    const isShort = settleWindow.windowMs() < settings.settleMs
    let after = task
    let isKept = true
    let isMoved = false
    const look = (seen: Task) => {
      if (current.isReplaced(seen.updated_at) && seen.updated_at !== updated_at) return
      after = seen
      isKept &&= isSameButSpelling(seen.assignment, before)
      isMoved ||= seen.updated_at !== updated_at
    }
    const last = await current.watch(id, look, { limitMs })
    const isSurprised = ({ answer, attempt }: AttemptResult) =>
      answer.status === 409 && !attempt.version
    if (!isKept || (isMoved && outcomes.some(isSurprised))) return new Map()
    // A late effect may wait for the next change, so make one.
    const { late } = await afterNextUpdate(loan, last, { actor: actorId, people })
    if (late) return new Map()
    const looked = (one: AttemptResult) => ({ ...one, after, isOpen: one.isOpen && isShort })
    return new Map(outcomes.map((one) => [one.attempt, looked(one)]))
  }
  return lending.lend('USER', service, tryThem, 'when windows are known')
}

const tries = 3

/**
 * Sends an attempt that should be refused until it is answered; it may be repeated. A failure that comes
 * every time names its condition.
 */
export async function insisted(send: () => Promise<Answer>, condition: string): Promise<Answer> {
  for (let time = 1; ; time += 1) {
    try {
      return await send()
    } catch (error) {
      // The client has retried everything else, or the run ends.
      if (!(error instanceof FateUnknown)) throw error
      if (time === tries)
        throw new Trouble(`${tries} of ${tries} updates ${condition} failed: ${error.message}`)
    }
  }
}
