import { describeAnswer, isAccepted, isObject, jsonIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import type { Refused } from '../aftermath/carried-out.ts'
import type { TaskWatch } from '../aftermath/task-watch.ts'
import type { Window } from '../loans/current-version.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import type { Lending, Loan } from '../loans/lending.ts'
import { afterNextUpdate } from '../loans/next-update.ts'
import { again } from '../service/again.ts'
import { type Assignment, premise, type Task } from '../service/answers.ts'
import { describeWhole, isSameButSpelling } from '../service/assignments.ts'
import { isSameId } from '../service/ids.ts'
import type { Service } from '../service/service.ts'
import { type Assignee, type How, updateBody } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import { createToken, needAnybody, needAssigned, needUnassigned } from './controls.ts'
import { counted, insisted } from './unanswered.ts'

/** An update that the service should not carry out: what it answered, and what became of the task. */
export type UpdateOutcome = {
  answer: Answer
  /** the version that reads showed before */
  current: string
  /** the version that reads showed after it; left out where others were sent before anybody looked */
  now?: string
  before: Assignment | null
  after: Assignment | null
  carriedOut?: Problem | undefined
  update: RefusedUpdate
  /** left out where it was accepted: what it did is seen then */
  refused?: Refused
  /** whether the task was watched for less than the time to settle, and the update carries no token */
  isOpen: boolean
}

export type RefusedUpdate = {
  /** what is wrong with it, as the end of "an update …" */
  what: string
  /** the task that it needs; `any` is for what is meant to be refused, and so changes nothing */
  on: 'any' | 'assigned' | 'unassigned'
  /** from a valid body, with a comment that nobody else writes where comments are taken */
  body(
    valid: ReturnType<typeof updateBody>['update'],
    comment: string | undefined,
    before: Assignment | null,
  ): unknown
  how?: How
  /** what it assigns to, where there is any; left out: whoever comes first */
  to?: Assignee['type']
  /** left out: the current version; undefined in the result: no If-Match */
  version?: (current: string) => string | undefined
  /** from the id of the task, the one that it is sent to; left out: that id */
  id?: (known: string) => string
}

export type TryDeps = {
  lending: Lending
  service: Service
  settings: Settings
  people: Assignee[]
  /** whether comments were seen to be taken */
  commented: boolean
  taskWatch: TaskWatch
  /** how long it is watched, whatever was learned */
  watchMs?: number | undefined
  /** the task that it is tried on; left out: whichever is free */
  on?: string | undefined
}

/** Whom it would assign to: somebody other than now. */
export function assigneeFor(
  { to }: RefusedUpdate,
  people: readonly Assignee[],
  now: Assignment | null,
): Assignee | undefined {
  const others = people.filter(({ id }) => !isSameId(id, now?.assigned_to_id))
  return others.find(({ type }) => type === to) ?? others[0]
}

/**
 * Sends updates that are not to be carried out, and looks at the task: the state is what counts (rule
 * R1), and it must not be taken for somebody else's change. One that carries a token is looked for
 * until the end of the run, in every read; for another the task is watched.
 */
export async function tryUpdate(update: RefusedUpdate, deps: TryDeps): Promise<UpdateOutcome> {
  const { lending, service, people, taskWatch } = deps
  const { actorId = '', settleMs } = deps.settings
  const anybody = needAnybody(people)
  const tryIt = async (loan: Loan): Promise<UpdateOutcome> => {
    const notNow = ({ assignment }: Task) => assigneeFor(update, people, assignment)
    let task = loan.task
    if (update.on === 'assigned') task = await needAssigned(loan, actorId, anybody)
    // It may be assigned to the only one there is.
    const unfit = update.on === 'unassigned' || (update.on === 'any' && !notNow(task))
    if (unfit) task = await needUnassigned(loan, actorId)
    const to = notNow(task) ?? anybody

    const comment = deps.commented ? createToken() : undefined
    const body = update.body(updateBody(actorId, to, comment).update, comment, task.assignment)
    const send = (current: string) => {
      const version = update.version ? update.version(current) : current
      premise(
        !update.version || version !== current,
        'freedom',
        `reads show the version as ${current}, and ${update.what} it would be the same`,
      )
      sending = counted(() =>
        service.put(update.id?.(task.id) ?? task.id, version, body, update.how),
      )
      rounds += 1
      // What may be accepted is sent once: sent again, it would be refused for its version.
      if (update.on === 'unassigned') return sending.send()
      return insisted(sending.send, `${update.what}, beside accepted ones,`)
    }
    let rounds = 0
    let sending: ReturnType<typeof counted> | undefined
    const at = performance.now()
    const { read, successorOf } = loan.current
    // Only what carries the current version is surprised by a 409, and so has to wait for the next one.
    const nextOf = async (version: Task) => {
      if (!update.version) return successorOf(version)
      const now = await read(version.id)
      return now.updated_at === version.updated_at ? undefined : now
    }
    const answer = await sendCurrent(task, send, nextOf)
    const token = rounds === 1 && sending?.isOnce(answer) ? tokenIn(body, comment) : undefined
    const refused = isAccepted(answer) ? undefined : { task: task.id, answer, token, at }
    if (refused) taskWatch.forbid(refused)
    const isTraced = refused?.token !== undefined && taskWatch.keepsComments
    const window = windowFor(task, answer, { isTraced, settleMs, watchMs: deps.watchMs })
    const before = task.assignment
    let carriedOut: Problem | undefined
    let after = before
    let now = task.updated_at
    const look = (seen: Task) => {
      const { assignment, updated_at } = seen
      if (updated_at !== task.updated_at && isAccepted(answer)) loan.used.add(task.updated_at)
      if (loan.used.has(updated_at) && updated_at !== task.updated_at) return
      after = assignment
      now = updated_at
      if (isSameButSpelling(assignment, before)) return
      taskWatch.needNotAnothers(assignment, comment)
      // What shows the comment or the assignee that was sent is ours; the rest is another writer's.
      const ours =
        assignment === null
          ? update.on === 'assigned'
          : (comment !== undefined && assignment.assignment_comment === comment) ||
            isSameId(assignment.assigned_to_id, to.id)
      const isSent = comment !== undefined && assignment?.assignment_comment === comment
      const isForeign = !ours || (!isSent && taskWatch.mayBeAnothers(assignment))
      if (isForeign && !isAccepted(answer)) throw new ForeignChange(assignment)
      carriedOut = problem(
        `${describeAnswer(answer)} to an update ${update.what}, and it was carried out`,
        {
          expected: `the assignment as before: ${describeWhole(before)}`,
          got: describeWhole(assignment),
          judged: [answer, seen],
          again: again.unchanged,
        },
      )
    }
    try {
      const last = await loan.current.watch(task.id, look, window)
      const isUnassign = isObject(body) && 'unassign' in body
      if (refused && isUnassign && !carriedOut) {
        const { late } = await afterNextUpdate(loan, last, { actor: actorId, people })
        if (late) look(late)
      }
    } catch (error) {
      // It could be read right until the update that was not to be carried out.
      if (!(error instanceof NotDecidable)) throw error
      carriedOut = problem(
        `${describeAnswer(answer)} to an update ${update.what}, and after it ${error.message}`,
        { expected: 'a read as before', got: error.message, judged: answer },
      )
    }
    const isOpen =
      refused !== undefined &&
      !isTraced &&
      deps.watchMs === undefined &&
      taskWatch.patience.windowMs() < settleMs
    const versions = { current: task.updated_at, now }
    return { answer, ...versions, before, after, carriedOut, update, refused, isOpen }
  }
  const sample = 'a comment'
  const bare = update.body(updateBody(actorId, anybody, sample).update, sample, null)
  const isTraced = deps.commented && tokenIn(bare, sample) !== undefined
  return lending.lend(
    deps.on === undefined ? wanted[update.on] : { id: deps.on },
    service,
    tryIt,
    isTraced ? 'at once' : 'when windows are known',
  )
}

/** The comment that a task would show if this update was carried out; undefined where it would show none. */
export function tokenIn(body: unknown, comment: string | undefined): string | undefined {
  if (comment === undefined) return undefined
  if (typeof body === 'string') return body.includes(comment) ? comment : undefined
  const update = isObject(body) ? body.update : undefined
  return isObject(update) && update.assignment_comment === comment ? comment : undefined
}

/** How long the task is watched: once for what is looked for until the end, and until it shows for what was accepted. */
function windowFor(
  before: Task,
  answer: Answer,
  how: { isTraced: boolean; settleMs: number; watchMs?: number | undefined },
): Window {
  const body = isAccepted(answer) ? jsonIn(answer) : undefined
  const made = isObject(body) ? body.updated_at : before.updated_at
  if (made === before.updated_at) {
    if (how.watchMs !== undefined) return { limitMs: how.watchMs }
    return how.isTraced ? { limitMs: 0 } : {}
  }
  return { limitMs: how.settleMs, until: ({ updated_at }) => updated_at === made }
}

const wanted = { any: 'whichever', assigned: 'USER', unassigned: 'unassigned' } as const

/** The service may change updated_at several more times after an update. */
const maxRounds = 6

/** Sends with the current version; a 409 over one that was replaced meanwhile says nothing. */
async function sendCurrent(
  task: Task,
  send: (version: string) => Promise<Answer>,
  nextOf: (version: Task) => Promise<Task | undefined>,
): Promise<Answer> {
  let version = task
  for (let round = 1; ; round += 1) {
    const answer = await send(version.updated_at)
    if (answer.status !== 409 || round === maxRounds) return answer
    const next = await nextOf(version)
    if (!next) return answer
    version = next
  }
}
