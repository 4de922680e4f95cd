import { distinct } from '../../engine/distinct.ts'
import {
  acceptedBody,
  describeAnswer,
  isObject,
  type JsonObject,
} from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { Trouble } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { shown } from '../../engine/shown.ts'
import { statuses } from '../contract/statuses.ts'
import type { Assignment } from '../service/answers.ts'
import { isSameButSpelling } from '../service/assignments.ts'
import {
  commentIn,
  isOfAnotherRun,
  mayBeOwn,
  ownComment,
  ownerOfComment,
} from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import { invalidIn, isDescribed, isUnassign, toIn } from '../service/update-request.ts'
import { type History, isAcceptedOp, type Op } from './history.ts'

type Change = {
  at: number
  /** the end of the read that showed it, in the order of all */
  done: number
  isAssigned: boolean
  /** how long after the last accepted update of the task; infinite: before any */
  after: number
  /** the assignee that it shows; null: unassigned */
  to: string | null
}

type TaskSeen = {
  versions: Set<string>
  /** versions that no accepted update has replaced, with the end of the request that first showed them */
  current: Map<string, number>
  replaced: Map<string, number>
  /** the assignment that the last accepted update left, or as found; undefined: unknown */
  last?: Assignment | null | undefined
  acceptedAt: number
  /** the last accepted update, and whether a read counted, showed an older version, or showed its own */
  followed?:
    | { version: string; at: number; read: boolean; lagged: boolean; own: boolean }
    | undefined
  changes: Change[]
}

/** What a history has shown so far; a later question continues where the last one stopped. */
type Passed = ReturnType<typeof startPass>
const startPass = () => ({
  count: 0,
  tasks: new Map<string, TaskSeen>(),
  found: new Set<string>(),
  otherWriter: false,
  spills: false,
  showsNull: false,
  /** whether a read showed an assignment, and whether one lacked an assignment that an update had made */
  showsAssigned: false,
  lacksAssigned: false,
  comments: { kept: 0, changed: 0 },
  /** how many accepted updates reads have shown, and the longest delay until an update or touch showed */
  lag: { updates: 0, ms: 0 },
})

const kept = new WeakMap<History, Passed>()

function passedIn(history: History): Passed {
  const passed = kept.get(history) ?? startPass()
  kept.set(history, passed)
  for (const op of history.ended.slice(passed.count)) {
    const task = seenOf(passed, op.task)
    if (op.kind === 'read') passRead(passed, task, op, history)
    else passUpdate(passed, task, op)
    if (op.shown) see(task, op.shown.version, op.done)
  }
  passed.count = history.ended.length
  return passed
}

function seenOf({ tasks }: Passed, id: string): TaskSeen {
  const key = id.toLowerCase()
  const known = tasks.get(key) ?? {
    versions: new Set(),
    current: new Map(),
    replaced: new Map(),
    acceptedAt: Number.NEGATIVE_INFINITY,
    changes: [],
  }
  tasks.set(key, known)
  return known
}

function see({ versions, current, replaced }: TaskSeen, version: string, done: number) {
  versions.add(version)
  if (!current.has(version) && !replaced.has(version)) current.set(version, done)
}

/**
 * An accepted update replaces its If-Match and all that was shown before it, unless it left the version. An
 * update whose answer shows no version counts only if the contract describes the answer.
 */
function replace({ current, replaced }: TaskSeen, { shown, body, ifMatch, begun, done }: Op) {
  const isTold = shown ? shown.version !== ifMatch : isDescribed(body, ifMatch) || isUnassign(body)
  if (!isTold) return
  if (ifMatch !== undefined) current.set(ifMatch, 0)
  for (const [version, since] of current)
    if (since < begun && version !== shown?.version) {
      current.delete(version)
      replaced.set(version, replaced.get(version) ?? done)
    }
}

/** the versions that updates have replaced: a read that still shows one lags */
export const replacedIn = (history: History, task: string): ReadonlyMap<string, number> =>
  passedIn(history).tasks.get(task.toLowerCase())?.replaced ?? new Map()

/** Only a read that overlaps no update of its task shows the effect of an update. */
function passRead(passed: Passed, task: TaskSeen, op: Op, history: History): void {
  if (!op.shown || op.isBesideUpdate || !isOfTask(op)) return
  const { version, assignment, lacksAssignment } = op.shown
  passed.showsNull ||= assignment === null && !lacksAssignment
  passed.showsAssigned ||= assignment !== null
  passed.lacksAssigned ||=
    lacksAssignment === true && task.followed?.version === version && isObject(task.last)
  if (task.last !== undefined && !task.versions.has(version)) {
    const isAssigned = !isSameButSpelling(assignment, task.last)
    const to = assignment?.assigned_to_id ?? null
    task.changes.push({
      at: op.ended,
      done: op.done,
      isAssigned,
      after: op.ended - task.acceptedAt,
      to,
    })
    passed.otherWriter ||= isAssigned && isForeign(history, passed, assignment)
    passed.spills ||= isAssigned && isOfAnotherTask(history, assignment, op)
  }
  if (task.last === undefined) {
    task.last = assignment
    const comment = assignment?.assignment_comment
    if (typeof comment === 'string') passed.found.add(comment.trim())
  }
  const { followed, versions } = task
  const isOld = followed && followed.version !== version && versions.has(version)
  if (isOld || isSameButSpelling(assignment, task.last)) measure(passed, task, version, op.sent)
}

/** Measures how long after its answer an update shows, and how late the service changes the task by itself. */
function measure({ lag }: Passed, { followed, versions }: TaskSeen, version: string, at: number) {
  if (!followed) return
  const isOwn = version === followed.version
  if (!isOwn && versions.has(version)) followed.lagged ||= !followed.own
  else {
    // An unknown version may be a change by the service itself, or older than all known versions: it does not
    // end the lag.
    const isLate = isOwn ? followed.lagged && !followed.own : followed.lagged || followed.read
    if (isLate) lag.ms = Math.max(lag.ms, at - followed.at)
    if (!followed.read) lag.updates += 1
    followed.read = true
    followed.own ||= isOwn
  }
}

function passUpdate({ comments }: Passed, task: TaskSeen, op: Op): void {
  const { answer, shown, body } = op
  if (isAcceptedOp(op)) {
    task.acceptedAt = op.ended
    replace(task, op)
  }
  if (shown) {
    const sent = commentIn(body)
    if (sent !== undefined && ownerOfComment(sent) === 'assign.comment.plain')
      comments[shown.assignment?.assignment_comment === sent ? 'kept' : 'changed'] += 1
    const { version, assignment } = shown
    if (!task.versions.has(version))
      task.followed = { version, at: op.ended, read: false, lagged: false, own: false }
    task.last = assignment
  } else if (isAcceptedOp(op) || !answer || answer.status >= 500) {
    task.last = undefined
    task.followed = undefined
  }
}

/** A read that shows another task says nothing of this one. */
function isOfTask({ task, answer }: Op): boolean {
  const { id } = (answer && acceptedBody(answer)) ?? {}
  return id === undefined || isSameId(id, task)
}

type ShownAssignment = Assignment | null | undefined

function isForeign(history: History, { found }: Passed, assignment: ShownAssignment): boolean {
  const comment = assignment?.assignment_comment
  if (typeof comment !== 'string' || comment.trim() === '') return false
  const isKnown = history.sending(comment).length > 0 || found.has(comment.trim())
  return !isKnown && (!mayBeOwn(comment) || isOfAnotherRun(comment, history.names.run))
}

function isOfAnotherTask(history: History, assignment: ShownAssignment, read: Op): boolean {
  const comment = assignment?.assignment_comment
  if (typeof comment !== 'string' || !ownComment.test(comment)) return false
  const before = (op: Op) => op.done < read.done
  const isRead = (id: string) =>
    history.endedOf(id).some((op) => op.kind === 'read' && op.shown && before(op))
  const sent = history.sending(comment).filter(({ begun }) => begun < read.done)
  const isOwn = (op: Op) => isSameId(op.task, read.task) && (!op.answer || isAcceptedOp(op))
  return sent.some((op) => isAcceptedOp(op) && before(op) && isRead(op.task)) && !sent.some(isOwn)
}

export const hasOtherWriter = (history: History): boolean => passedIn(history).otherWriter

/** Told by its comment or, without a comment, because the run saw another writer. */
export const isByOther = (history: History, assignment: ShownAssignment): boolean =>
  isForeign(history, passedIn(history), assignment) ||
  (hasOtherWriter(history) && !assignment?.assignment_comment)

export const mayBeByOther = (history: History, assignment: ShownAssignment): boolean =>
  isByOther(history, assignment) || (spills(history) && !assignment?.assignment_comment)

export const spills = (history: History): boolean => passedIn(history).spills

/** Whether unassigned tasks show null: then a missing assignment is not how the service says it. */
export const showsNull = (history: History): boolean => passedIn(history).showsNull

/** Whether reads show the assignments that updates have made; undefined: no read could have shown one. */
export function readsShowAssigned(history: History): boolean | undefined {
  const { lacksAssigned, showsAssigned } = passedIn(history)
  if (showsAssigned) return true
  return lacksAssigned ? false : undefined
}

export const unmadeChanges = (history: History, task: string): readonly Change[] =>
  passedIn(history).tasks.get(task.toLowerCase())?.changes ?? []

export const wasChangedSince = (history: History, task: string, at: number): boolean =>
  unmadeChanges(history, task).some((each) => each.at >= at)

/** A background touch may recur forever: do not wait longer than this. */
const longestMs = 30_000

/** How long to watch an attempt that is repeated: as long as the unexplained version took to show. */
export function windowAfter(history: History, task: string, at: number, settleMs: number): number {
  // The change of another writer says nothing about the service's delay.
  if (hasOtherWriter(history)) return settleMs
  const since = unmadeChanges(history, task).filter((each) => each.at >= at)
  // Of several late effects the last belongs to this update. A background touch may recur forever.
  const last = since.findLast((each) => each.isAssigned) ?? since[0]
  return Math.max(settleMs, Math.min(longestMs, 1.2 * ((last?.at ?? at) - at) + 200))
}

/** Only if it was sent since the last read. */
function askedFor(history: History, task: string, { to, done }: Change): Op | undefined {
  const before = history.endedOf(task).filter((op) => op.done < done)
  const isRead = (op: Op) => op.kind === 'read' && op.shown && !op.isBesideUpdate
  return before
    .slice(before.findLastIndex(isRead) + 1)
    .filter((op) => op.kind === 'update' && op.answer && !isAcceptedOp(op))
    .find(({ answer, body }) => answer && answer.status < 500 && isSameTo(to, toIn(body)))
}

/**
 * Updates rejected with one of these statuses whose task then had the requested assignment, if the run saw no
 * other unexplained assignment. A single such update may be the work of another writer; several are hardly
 * chance.
 */
export function seeminglyCarriedOut(history: History, statuses: readonly number[]): Op[] {
  const assigned = history.tasks.flatMap((task) =>
    unmadeChanges(history, task).flatMap((change) => (change.isAssigned ? [{ task, change }] : [])),
  )
  const asked = assigned.flatMap(({ task, change }) => askedFor(history, task, change) ?? [])
  const isUnexplained = hasOtherWriter(history) || asked.length < assigned.length
  return isUnexplained ? [] : asked.filter((op) => statuses.includes(op.answer?.status ?? 0))
}

/**
 * Updates rejected as stale whose effect their task shows later, in a version that no accepted update made: of a second unassign
 * request only the version shows it.
 */
export const lateMismatches = (history: History): readonly Op[] =>
  history.ended.filter(({ kind, answer, task, body, done }) => {
    const isTheirs = ({ to, done: seen }: Change) => seen > done && isSameTo(to, toIn(body))
    return (
      kind === 'update' &&
      answer?.status === statuses.staleVersion &&
      unmadeChanges(history, task).some(isTheirs)
    )
  })

const isSameTo = (to: string | null, asked: unknown) =>
  asked !== undefined && `${to}`.toLowerCase() === `${asked}`.toLowerCase()

/** Whether accepted comments come back unchanged: only then does an update's comment prove anything. */
export function keepsComments(history: History): boolean {
  const { kept, changed } = passedIn(history).comments
  return kept > 0 && changed === 0
}

export const lagIn = (history: History) => passedIn(history).lag

/** without ids that no response shows: those were invented */
export const updatedTasks = (history: History): string[] =>
  history.tasks.filter(
    (task) =>
      history.begunOf(task).some(({ kind }) => kind === 'update') &&
      history.endedOf(task).some(({ shown }) => shown),
  )

export const unseenSince = (history: History, at: number): string[] =>
  updatedTasks(history).filter(
    (task) =>
      !history
        .endedOf(task)
        .some(({ kind, shown, sent }) => kind === 'read' && shown && sent >= at),
  )

/** A rejected update, which must leave no trace in any task. */
export type Refused = {
  task: string
  answer: Answer
  /** its comment, if no other request sends it: a task that shows it shows this update */
  token?: string | undefined
  at: number
  done: number
}

export const refusedUpdates = (history: History): Refused[] =>
  history.ended.flatMap((op) => (op.kind === 'update' && refusedOf(history, op)) || [])

/** Whether an invalid update of this run sent such a value: then a read that shows it is not to blame. */
export const wroteInvalid = (
  history: History,
  task: string,
  member: string,
  value: unknown,
): boolean =>
  history.begunOf(task).some(({ kind, body }) => {
    const sent = kind === 'update' ? invalidIn(body, member) : undefined
    // A service that ignores types may show a number as text.
    return sent && (isSame(sent.value, value) || String(sent.value) === value)
  })

const isSame = (one: unknown, other: unknown) => shown(one ?? null) === shown(other ?? null)

export const isOfInvalid = (history: History, task: string, { assignment }: JsonObject): boolean =>
  isObject(assignment) &&
  Object.entries(assignment).some((member) => wroteInvalid(history, task, ...member))

function refusedOf(history: History, op: Op): Refused | undefined {
  const { task, body, sent, done, answer } = op
  if (!answer || isAcceptedOp(op)) return undefined
  const comment = commentIn(body)
  // After a retry, the first attempt may have been accepted.
  const isOnce = answer.attempts === 1 && comment && history.sending(comment).length === 1
  const isToken = isOnce && mayBeOwn(comment) && !isOfAnotherRun(comment, history.names.run)
  return { task, answer, at: sent, done, token: isToken ? comment : undefined }
}

/** The rejected update with this comment as its token. Every read asks for it, so the lookup is by comment. */
export function refusedSending(history: History, comment: string): Refused | undefined {
  const [op] = history.sending(comment)
  const refused = op && refusedOf(history, op)
  return refused?.token === comment ? refused : undefined
}

/** The tasks of rejected updates after which no update of theirs was accepted. */
export const unfollowed = (history: History): string[] => {
  const { tasks } = passedIn(history)
  const open = refusedUpdates(history).filter(
    ({ task, at }) => (tasks.get(task.toLowerCase())?.acceptedAt ?? 0) <= at,
  )
  const known = updatedTasks(history)
  return distinct(open.map(({ task }) => task)).filter((task) => known.includes(task.toLowerCase()))
}

export const shownWith = (history: History, token: string | undefined): Answer[] =>
  token === undefined ? [] : history.showing(token).flatMap(({ answer }) => answer ?? [])

export const refusedShownSince = (
  history: History,
  task: string,
  since: number,
): Refused | undefined =>
  history
    .endedOf(task)
    .flatMap(({ ended, shown }) => {
      const comment: unknown = shown?.assignment?.assignment_comment
      const isSince = ended >= since && typeof comment === 'string'
      return (isSince && refusedSending(history, comment)) || []
    })
    .filter(({ at }) => at < since)
    .sort((a, b) => a.done - b.done)[0]

export function needNotRefused(history: History, assignment: ShownAssignment, own?: string): void {
  const comment = assignment?.assignment_comment
  if (typeof comment !== 'string' || comment === own) return
  const refused = refusedSending(history, comment)
  if (refused) throw carriedOutMeanwhile(refused)
}

export const carriedOutMeanwhile = ({ answer }: Refused) =>
  new Trouble(`${describeAnswer(answer)}, but the assignment changed meanwhile`)

export const problemsOfToken = (
  { token, answer }: Refused,
  traces: readonly Answer[],
  what: string,
  control: readonly Answer[] = [],
): Problem[] =>
  traces.map((seen) =>
    problem(`${describeAnswer(answer)} ${what}, but the assignment changed later`, {
      expected: 'no task with its comment',
      got: `${describeAnswer(seen)} with the comment ${shown(token)}`,
      judged: [answer, seen],
      control,
      again: {
        why: 'the assignment changed some time after the response, and a script does not wait for that',
      },
    }),
  )
