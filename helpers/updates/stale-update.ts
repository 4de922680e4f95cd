import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { problemsOfToken, type Refused, type TaskWatch } from '../aftermath/task-watch.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import type { Lending, Loan } from '../loans/lending.ts'
import { afterNextUpdate } from '../loans/next-update.ts'
import { again } from '../service/again.ts'
import { type Assignment, premise, type Task } from '../service/answers.ts'
import { describeWhole, isSameButSpelling } from '../service/assignments.ts'
import { isSameId } from '../service/ids.ts'
import { ownersOf } from '../service/owners.ts'
import type { Service, Shared } from '../service/service.ts'
import { type Assignee, unassignBody, updateBody } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import { createToken, needAnybody } from './controls.ts'
import { counted, insisted } from './unanswered.ts'

/** An update sent with a version that was current once, and what reads showed before and after. */
export type Stale = {
  answer: Answer
  /** what it asked for; null: unassigning */
  to: Assignee | null
  before: Task
  after: Task
  /** the task changes by itself */
  restless: boolean
  refused: Refused
  /** to the update that followed it, with the latest version */
  next?: Answer | undefined
}

export type StaleStory = {
  reassign: Stale
  unassign: Stale
  assign: Stale
  /** the update that followed the refusals, with the version that was read after them */
  retry: Answer
}

type StaleUpdate = { version: string; actor: string; to: Assignee | null; people: Assignee[] }

type Telling = Manner & {
  lending: Lending
  service: Service
  settings: Settings
  people: Assignee[]
}

type Manner = {
  taskWatch: TaskWatch
  /** whether comments were seen to be taken */
  commented: boolean
  /** how long each is watched; left out: as long as the run has learned */
  limitMs?: number | undefined
}

/**
 * Makes a version stale and sends it once for every kind of update. Two updates are meant to be
 * accepted, and leave a task that was unassigned as it was.
 */
async function staleStory({ lending, service, settings, people, ...manner }: Telling) {
  const to = needAnybody(people)
  const [, other = to] = people
  const { actorId = '' } = settings
  const tell = async (loan: Loan): Promise<StaleStory> => {
    const { current } = loan
    let task = loan.task
    if (task.assignment) task = premise(await current.put(task, unassignBody(actorId)))
    premise(await current.put(await current.read(task.id), updateBody(actorId, to)))
    const old = lastConsumed(loan)

    const send = (version: string, asked: Assignee | null) =>
      sendStale(loan, service, { version, actor: actorId, to: asked, people, ...manner })
    const reassign = await send(old, other)
    const unassign = await send(old, null)
    const { next } = unassign
    if (next?.status === 409) return { reassign, unassign, assign: reassign, retry: next }
    // What was carried out all the same must not keep the next refusal from being asked for.
    if (unassign.after.assignment === null)
      premise(await current.put(unassign.after, updateBody(actorId, to)))
    const latest = await current.read(task.id)
    const retry = await current.put(latest, unassignBody(actorId))
    premise(
      isAccepted(retry) || retry.status === 409,
      'clause',
      `${describeAnswer(retry)} to the latest version`,
      ...ownersOf(retry),
    )
    if (!isAccepted(retry)) return { reassign, unassign, assign: reassign, retry }
    const assign = await send(lastConsumed(loan), to)
    return { reassign, unassign, assign, retry }
  }
  return lending.lend('unassigned', service, tell, 'when windows are known')
}

function lastConsumed({ used }: Loan): string {
  const last = [...used].at(-1)
  if (last === undefined)
    throw new NotDecidable('clause', 'no update gave a new version', 'assign.new-version')
  return last
}

/** Sends a stale update, and watches the task for the time to settle. */
async function sendStale(
  loan: Loan,
  service: Service,
  { version: old, actor, to, people, ...manner }: Manner & StaleUpdate,
): Promise<Stale> {
  const { commented, taskWatch, limitMs } = manner
  const { current, used } = loan
  const { id } = loan.task
  const token = to && commented ? createToken() : undefined
  const body = to ? updateBody(actor, to, token) : unassignBody(actor)
  const before = await current.read(id)
  premise(
    before.updated_at !== old,
    'clause',
    `an accepted update left updated_at at ${old}`,
    'assign.new-version',
  )
  // Whether it changes by itself has to be known before a change can be held against the refusal.
  let restless = false
  const noteRestless = (seen: Task) => {
    restless ||= seen.updated_at !== before.updated_at && !used.has(seen.updated_at)
  }
  await current.watch(id, noteRestless, { limitMs })
  const start = await current.read(id)
  const at = performance.now()
  const sending = counted(() => service.put(id, old, body))
  const answer = await insisted(sending.send, 'whose If-Match is stale, beside accepted ones,')
  const refused = { task: id, answer, token: sending.isOnce(answer) ? token : undefined, at }
  if (!isAccepted(answer)) taskWatch.forbid(refused)
  let after = start
  let next: Answer | undefined
  const noteAfter = (seen: Task) => {
    if (!used.has(seen.updated_at)) after = seen
  }
  await current.watch(id, noteAfter, { limitMs })
  // Nothing shows what has been put off until the next change.
  if (to === null && isSameButSpelling(after.assignment, start.assignment))
    ({ answer: next, late: after = after } = await afterNextUpdate(loan, actor, people))
  if (isAccepted(answer)) used.add(start.updated_at)
  return { answer, to, before: start, after, restless, refused, next }
}

/** The story of a run, which can be gone through again. */
export type Stories = StaleStory & {
  again(): Promise<StaleStory>
  /** watched for so long, whatever was learned */
  patiently(time: number, watchMs: number): Promise<StaleStory>
}

/** Goes through the story once a run, and again for who asks. */
export async function openStories(
  deps: { lending: Lending; settings: Settings; taskWatch: TaskWatch },
  shared: Shared,
  given: { people: Assignee[]; commented: boolean },
): Promise<Stories> {
  const { settings } = deps
  const story = (name: string, limitMs?: number) =>
    shared(name, (service) => staleStory({ ...deps, ...given, service, limitMs }))
  return {
    ...(await story('stale versions')),
    again: () => story('stale versions, once more', settings.settleMs),
    patiently: (time, watchMs) => story(`stale versions, watched for long, time ${time}`, watchMs),
  }
}

/** The stale updates that were answered 409; without one, the clauses on each of them say why. */
export function needMismatch(stale: StaleStory): Stale[] {
  const refused = [stale.reassign, stale.unassign, stale.assign].filter(
    ({ answer }) => answer.status === 409,
  )
  premise(
    refused.length > 0,
    'clause',
    'no stale update was answered 409',
    'version.stale.reassign',
    'version.stale.unassign',
    'version.stale.assign',
  )
  return refused
}

/** What a refused update changed the assignment to all the same; undefined where it did not. */
function changedBy({ before, after, to }: Stale): Assignment | null | undefined {
  const now = after.assignment
  if (isSameButSpelling(before.assignment, now)) return undefined
  const asked = to ? isSameId(now?.assigned_to_id, to.id) : now === null
  if (!asked) throw new ForeignChange(now)
  return now
}

/** The refusals of stale updates after which the assignment was the one they asked for. */
const changedIn = (story: StaleStory) =>
  (['reassign', 'unassign', 'assign'] as const).flatMap((kind) => {
    const { answer } = story[kind]
    const changed = answer.status === 409 ? changedBy(story[kind]) : undefined
    if (changed === undefined) return []
    const { before, after } = story[kind]
    const [expected, got] = [describeWhole(before.assignment), describeWhole(changed)]
    const sentence = `${describeAnswer(answer)}, then the assignment is ${got}`
    const judged = [answer, after]
    const seen = { expected, got, judged, control: before, again: again.unchanged }
    return [[kind, problem(sentence, seen)] as const]
  })

/** The refusals after which the assignment was the one they asked for, in both of two stories. */
async function changedInBoth(
  one: Promise<StaleStory> | StaleStory,
  other: () => Promise<StaleStory>,
): Promise<{ once: boolean; twice: Problem[] }> {
  const once = changedIn(await one)
  // Somebody else may have made this very change: it is held against the service if it comes again.
  const again = once.length > 0 ? changedIn(await other()) : []
  const twice = once.filter(([kind]) => again.some(([same]) => same === kind))
  return { once: once.length > 0, twice: twice.map(([, each]) => each) }
}

/** What became of updates that were answered 409, of whichever clause, until the end of the run. */
export async function problemsAfterMismatch(
  stale: Stories,
  { taskWatch, over }: { taskWatch: TaskWatch; over: () => Promise<void> },
): Promise<Problem[]> {
  const { once, twice } = await changedInBoth(stale, stale.again).catch(unlessForeign)
  if (twice.length > 0) return twice
  await over()
  const mismatched = taskWatch.refused.filter(({ answer }) => answer.status === 409)
  const shown = mismatched.flatMap((each) =>
    problemsOfToken(taskWatch, each, 'to an update with another If-Match than the current version'),
  )
  if (shown.length > 0) return shown
  const changed = [stale.reassign, stale.unassign, stale.assign].filter(({ refused }) =>
    taskWatch.wasChangedSince(refused.task, refused.at),
  )
  const later = changed.length > 0 ? await changedInPatience(stale, taskWatch, changed) : []
  // What one refusal put off may have come with the next one of the story: only who waits can tell.
  if (later.length === 0 && once) throw new ForeignChange()
  return later
}

/** What the refusals of these updates changed in stories that are watched as long as it took to show. */
async function changedInPatience(
  stale: Stories,
  taskWatch: TaskWatch,
  changed: readonly Stale[],
): Promise<Problem[]> {
  const windows = changed.map(({ refused: { task, at } }) => taskWatch.windowAfter(task, at))
  const tell = (time: number) => stale.patiently(time, Math.max(...windows))
  const { twice } = await changedInBoth(tell(1), () => tell(2)).catch(unlessForeign)
  return twice
}

function unlessForeign(error: unknown) {
  if (error instanceof ForeignChange) return { once: true, twice: [] }
  throw error
}
