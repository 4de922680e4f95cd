import { distinct } from '../../engine/distinct.ts'
import { headOf } from '../../engine/head.ts'
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
import { effectFinding } from '../findings/effect.ts'
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
import { fateOf, type History, isAcceptedOp, type Op } from './history.ts'

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

/** The last accepted update of a task, as far as reads have shown it. */
type FollowedUpdate = {
  version: string
  at: number
  isCounted: boolean
  /** a read showed an older version */
  lagged: boolean
  isShown: boolean
}

type TaskSeen = {
  versions: Set<string>
  /** versions that no accepted update has replaced, with the end of the request that first showed them */
  current: Map<string, number>
  replaced: Map<string, number>
  /** the assignment that the last accepted update left, or as found; undefined: unknown */
  last?: Assignment | null | undefined
  acceptedAt: number
  lastUpdate?: FollowedUpdate | undefined
  changes: Change[]
}

/** What a history has shown so far; a later question continues where the last one stopped. */
type Passed = ReturnType<typeof startPass>
const startPass = (history: History) => ({
  history,
  count: 0,
  tasks: new Map<string, TaskSeen>(),
  /** comments that tasks had when they were first read */
  foundComments: new Set<string>(),
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

/** A cache: without it, a question would go through the whole history. */
const passes = new WeakMap<History, Passed>()

function passedIn(history: History): Passed {
  const passed = passes.get(history) ?? startPass(history)
  passes.set(history, passed)
  for (const op of history.ended.slice(passed.count)) {
    const task = seenOf(passed, op.task)
    if (op.kind === 'read') passRead(passed, task, op)
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
  const isNewVersion = shown
    ? shown.version !== ifMatch
    : isDescribed(body, ifMatch) || isUnassign(body)
  if (!isNewVersion) return
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
function passRead(passed: Passed, task: TaskSeen, op: Op): void {
  const { shown } = op
  if (!shown || op.isBesideUpdate || !isOfTask(op)) return
  const { version, assignment, lacksAssignment } = shown
  const { lastUpdate, versions } = task
  const isOfLastUpdate = lastUpdate?.version === version
  passed.showsNull ||= assignment === null && !lacksAssignment
  passed.showsAssigned ||= assignment !== null
  passed.lacksAssigned ||= lacksAssignment === true && isOfLastUpdate && isObject(task.last)
  if (task.last === undefined) {
    task.last = assignment
    const comment = commentShown(assignment)
    if (comment !== undefined) passed.foundComments.add(comment.trim())
  } else if (!versions.has(version)) noteUnmadeChange(passed, task, op)
  const isOlder = lastUpdate && !isOfLastUpdate && versions.has(version)
  if (isOlder || isSameButSpelling(assignment, task.last))
    measureLag(passed.lag, task, { version, at: op.sent })
}

/** A read shows a version that no update of this run is known to have made. */
function noteUnmadeChange(passed: Passed, task: TaskSeen, op: Op): void {
  const assignment = op.shown?.assignment
  const isAssigned = !isSameButSpelling(assignment, task.last)
  task.changes.push({
    at: op.ended,
    done: op.done,
    isAssigned,
    after: op.ended - task.acceptedAt,
    to: assignment?.assigned_to_id ?? null,
  })
  if (!isAssigned) return
  passed.otherWriter ||= isForeign(passed, assignment)
  passed.spills ||= isOfAnotherTask(passed.history, assignment, op)
}

/** Measures how long after its answer an update shows, and how late the service changes the task by itself. */
function measureLag(
  lag: Passed['lag'],
  { lastUpdate, versions }: TaskSeen,
  { version, at }: { version: string; at: number },
): void {
  if (!lastUpdate) return
  const { isShown, isCounted, lagged } = lastUpdate
  const isOfLastUpdate = version === lastUpdate.version
  if (!isOfLastUpdate && versions.has(version)) {
    lastUpdate.lagged ||= !isShown
    return
  }
  const isLate = isOfLastUpdate ? lagged && !isShown : lagged || isCounted
  if (isLate) lag.ms = Math.max(lag.ms, at - lastUpdate.at)
  if (!isCounted) lag.updates += 1
  lastUpdate.isCounted = true
  // An unknown version may be a change by the service itself, or older than all known versions: it does not
  // end the lag.
  lastUpdate.isShown ||= isOfLastUpdate
}

function passUpdate({ comments }: Passed, task: TaskSeen, op: Op): void {
  const { answer, shown, body } = op
  const isAccepted = isAcceptedOp(op)
  if (isAccepted) {
    task.acceptedAt = op.ended
    replace(task, op)
  }
  if (!shown) {
    const mayBeAccepted = isAccepted || !answer || answer.status >= 500
    if (!mayBeAccepted) return
    task.last = undefined
    task.lastUpdate = undefined
    return
  }
  const { version, assignment } = shown
  const sent = commentIn(body)
  if (sent !== undefined && ownerOfComment(sent) === 'assign.comment.plain')
    comments[assignment?.assignment_comment === sent ? 'kept' : 'changed'] += 1
  if (!task.versions.has(version))
    task.lastUpdate = { version, at: op.ended, isCounted: false, lagged: false, isShown: false }
  task.last = assignment
}

/** A read that shows another task says nothing of this one. */
function isOfTask({ task, answer }: Op): boolean {
  const { id } = (answer && acceptedBody(answer)) ?? {}
  return id === undefined || isSameId(id, task)
}

type ShownAssignment = Assignment | null | undefined

function commentShown(assignment: ShownAssignment): string | undefined {
  const comment: unknown = assignment?.assignment_comment
  return typeof comment === 'string' ? comment : undefined
}

function isForeign({ history, foundComments }: Passed, assignment: ShownAssignment): boolean {
  const comment = commentShown(assignment) ?? ''
  if (comment.trim() === '') return false
  const isKnown = history.sending(comment).length > 0 || foundComments.has(comment.trim())
  return !isKnown && (!mayBeOwn(comment) || isOfAnotherRun(comment, history.names.run))
}

/** Its comment is that of an accepted update of another task, which was read before, and was never sent to this one. */
function isOfAnotherTask(history: History, assignment: ShownAssignment, read: Op): boolean {
  const comment = commentShown(assignment) ?? ''
  if (!ownComment.test(comment)) return false
  const isBefore = ({ done }: Op) => done < read.done
  const wasRead = (task: string) =>
    history.endedOf(task).some((op) => op.kind === 'read' && op.shown && isBefore(op))
  const updates = history.sending(comment).filter(({ begun }) => begun < read.done)
  const mayBeOfThisTask = updates.some(
    (op) => isSameId(op.task, read.task) && (!op.answer || isAcceptedOp(op)),
  )
  return (
    !mayBeOfThisTask && updates.some((op) => isAcceptedOp(op) && isBefore(op) && wasRead(op.task))
  )
}

export const hasOtherWriter = (history: History): boolean => passedIn(history).otherWriter

/** Told by its comment or, without a comment, because the run saw another writer. */
export const isByOther = (history: History, assignment: ShownAssignment): boolean =>
  isForeign(passedIn(history), assignment) ||
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

/** The rejected update that asked for what a change shows, if it was sent since the last read. */
function rejectedUpdateFor(history: History, task: string, { to, done }: Change): Op | undefined {
  const before = history.endedOf(task).filter((op) => op.done < done)
  const isRead = (op: Op) => op.kind === 'read' && op.shown && !op.isBesideUpdate
  const isRejected = (op: Op) => op.kind === 'update' && fateOf(op) === 'refused'
  return before
    .slice(before.findLastIndex(isRead) + 1)
    .find((op) => isRejected(op) && isSameTo(to, toIn(op.body)))
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
  const asked = assigned.flatMap(
    ({ task, change }) => rejectedUpdateFor(history, task, change) ?? [],
  )
  const isUnexplained = hasOtherWriter(history) || asked.length < assigned.length
  return isUnexplained ? [] : asked.filter((op) => statuses.includes(op.answer?.status ?? 0))
}

/**
 * Updates rejected as stale whose effect their task shows later, in a version that no accepted update made: of a
 * second unassign request only the version shows it.
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
    .filter(({ ended }) => ended >= since)
    .flatMap(({ shown }) => {
      const comment = commentShown(shown?.assignment)
      return comment === undefined ? [] : (refusedSending(history, comment) ?? [])
    })
    .filter(({ at }) => at < since)
    .sort((a, b) => a.done - b.done)[0]

export function needNotRefused(history: History, assignment: ShownAssignment, own?: string): void {
  const comment = commentShown(assignment)
  if (comment === undefined || comment === own) return
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
  traces.map((trace) => {
    const effect = { effect: 'changed later', comment: token, shownBy: headOf(trace) } as const
    return problem(effectFinding(answer, effect, { to: what }), {
      judged: [answer, trace],
      control,
    })
  })
