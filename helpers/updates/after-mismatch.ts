// Updates that were refused: which may be for their version, and that nothing shows of them, be it late.

import { describeAnswer, isAccepted, isRefused } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { pause } from '../../engine/time/abort.ts'
import type { History } from '../history/history.ts'
import {
  isByOther,
  lateMismatches,
  mayBeByOther,
  problemsOfToken,
  refusedUpdates,
  wasChangedSince,
  windowAfter,
} from '../history/questions.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import type { Lending } from '../loans/lending.ts'
import { again } from '../service/again.ts'
import { premise, type Task } from '../service/answers.ts'
import { describeWhole, isSameButSpelling } from '../service/assignments.ts'
import { isSameId } from '../service/ids.ts'
import type { Service } from '../service/service.ts'
import { type Assignee, updateBody } from '../service/update-request.ts'
import { type Attempt, assigneeFor, type Tried } from './attempts.ts'
import type { Round } from './race.ts'
import { needMismatch, type Stale, type StaleStory, type Stories } from './stale-update.ts'

const kinds = ['reassign', 'unassign', 'assign'] as const

type Found = 'kept' | 'disturbed' | Problem

/** What a refused update made of the assignment; disturbed: it may have been somebody else. */
function foundAfter({ answer, before, after, to }: Stale, history: History): Found {
  const now = after.assignment
  if (answer.status !== 409) return 'kept'
  // What had been unassigned meanwhile cannot show that it was unassigned once more.
  if (to === null && before.assignment === null) return 'disturbed'
  if (isSameButSpelling(before.assignment, now)) return 'kept'
  const asked = to ? isSameId(now?.assigned_to_id, to.id) : now === null
  if (!asked || mayBeByOther(history, now)) return 'disturbed'
  const [expected, got] = [describeWhole(before.assignment), describeWhole(now)]
  return problem(`${describeAnswer(answer)}, then the assignment is ${got}`, {
    expected,
    got,
    judged: [answer, after],
    control: before,
    again: again.unchanged,
  })
}

type Seen = { problems: Problem[]; isClear: boolean }

const clear: Seen = { problems: [], isClear: true }

/**
 * The refusals after which the assignment was the one they asked for, in two stories: once it may have been
 * somebody else. Each kind is judged by itself, by the next story where one was disturbed.
 */
async function changedTwice(
  stories: readonly (() => Promise<StaleStory>)[],
  history: History,
): Promise<Seen> {
  const open = new Set<(typeof kinds)[number]>(kinds)
  const changedBefore = new Set<string>()
  for (const next of stories) {
    const story = await next().catch(unlessForeign)
    if (!story) continue
    const problems: Problem[] = []
    for (const kind of open) {
      const found = foundAfter(story[kind], history)
      const isExplained = !changedBefore.has(kind) || isByOther(history, null)
      if (found === 'kept' && isExplained) open.delete(kind)
      if (typeof found === 'string') continue
      if (changedBefore.has(kind)) problems.push(found)
      changedBefore.add(kind)
    }
    if (problems.length > 0 || open.size === 0) return { problems, isClear: true }
  }
  return { problems: [], isClear: false }
}

/** What became of updates that were answered 409, of whichever clause, until the end of the run. */
export async function problemsAfterMismatch(
  stale: Stories,
  { history, over, settleMs }: { history: History; over(): Promise<void>; settleMs: number },
): Promise<Problem[]> {
  const { problems, isClear } = await changedTwice(
    [
      async () => stale,
      // Short stories first: other writers seldom change a task during one.
      ...[2, 3, 4].map((time) => () => stale.briefly(time)),
      stale.again,
      ...[3, 4].map((time) => () => stale.patiently(time, settleMs)),
    ],
    history,
  )
  if (problems.length > 0) return problems
  await over()
  const mismatched = refusedUpdates(history).filter(({ answer }) => answer.status === 409)
  const shown = mismatched.flatMap((each) =>
    problemsOfToken(history, each, 'to an update with another If-Match than the current version'),
  )
  if (shown.length > 0) return shown
  const own = kinds.map((kind) => ({ task: stale[kind].before.id, at: stale[kind].at }))
  const changed = own.filter(({ task, at }) => wasChangedSince(history, task, at))
  const late = lateMismatches(history).map(({ task, sent }) => ({ task, at: sent }))
  const windows = [...changed, ...late].map(({ task, at }) =>
    windowAfter(history, task, at, settleMs),
  )
  const later = windows.length > 0 ? await changedInWindow(stale, history, windows) : clear
  if (later.problems.length > 0) return later.problems
  // What one refusal put off may have come with the next one of the story: only who waits can tell.
  if (!isClear || !(later.isClear || isByOther(history, null))) throw new ForeignChange(history)
  return []
}

const isNew = ({ before, after }: Stale) => before.updated_at !== after.updated_at

/** The updates answered 409 that left the assignment as it was, and those of them that moved updated_at. */
export async function movedByMismatch(
  stale: Stories,
  history: History,
): Promise<{ refused: Stale[]; moved: Stale[] }> {
  const stillIn = (story: StaleStory) => needMismatch(story).filter(({ restless }) => !restless)
  const isKept = ({ before, after }: Stale) =>
    isSameButSpelling(before.assignment, after.assignment)
  const first = stillIn(stale)
  const still = first.length > 0 ? first : stillIn(await stale.again())
  const refused = still.filter(isKept)
  // Its owner judges what the refusals asked for and came twice, and leaves aside what may be somebody else's.
  const isAsked = (story: readonly Stale[]) =>
    story.some((each) => typeof foundAfter(each, history) === 'object')
  if (refused.length === 0 && still.length > 0) {
    const isJudged = isAsked(still) && isAsked(stillIn(await stale.again()))
    if (!isJudged) throw new ForeignChange(history)
  }
  premise(
    still.length > 0,
    'freedom',
    'the task changes by itself; what moves its updated_at beside updates is not shown',
  )
  premise(
    refused.length > 0,
    'clause',
    'the assignment changed after every 409',
    'version.refused-changes-nothing',
  )
  const moved = refused.filter(isNew)
  // Somebody else may have changed the task just then: it is held against the service if it comes again.
  const isToJudge = moved.length === refused.length
  if (isToJudge && !needMismatch(await stale.again()).every(isNew)) throw new ForeignChange(history)
  return { refused, moved }
}

/** What such refusals change in stories that are watched as long as it took these to show. */
async function changedInWindow(
  stale: Stories,
  history: History,
  windows: readonly number[],
): Promise<Seen> {
  const tell = (time: number) => () => stale.patiently(time, Math.max(...windows))
  // The first one may meet what was put off before it.
  return changedTwice([1, 2, 3].map(tell), history)
}

function unlessForeign(error: unknown): undefined {
  if (!(error instanceof ForeignChange)) throw error
}

/** Of updates that were refused, and changed no assignment, those after which another version was shown. */
export const movedAmong = (tried: readonly Tried[]): Tried[] =>
  tried.filter(
    ({ answer, carriedOut, current, now = current }) =>
      isRefused(answer) && !carriedOut && now !== current,
  )

export type Moved = { answer: Answer; before: Task; after: Task }

/** Sends one to a task that stands still for a while, and reads it right after. */
export function sendToStill(
  update: Attempt,
  given: {
    lending: Lending
    service: Service
    people: Assignee[]
    actor: string
    windowMs: number
    stop: AbortSignal
  },
): Promise<Moved> {
  const { lending, service, people, actor, windowMs, stop } = given
  return lending.lend('whichever', service, async ({ task: { id }, current }) => {
    const first = await current.read(id)
    await pause(windowMs, stop)
    const before = await current.read(id)
    premise(
      before.updated_at === first.updated_at,
      'freedom',
      'the task changes by itself; what moves its updated_at beside updates is not shown',
    )
    const to = assigneeFor(update, people, before.assignment) as Assignee
    const body = update.body(updateBody(actor, to).update, undefined, before.assignment)
    const answer = await service.put(id, before.updated_at, body, update.how)
    return { answer, before, after: await current.read(id) }
  })
}

/** Simultaneous updates that were refused, and not for their version. */
export const problemsOfRefusals = ({ winners, refused }: Round): Problem[] =>
  refused
    .filter(({ status }) => status !== 409)
    .map((answer) =>
      problem(
        `a simultaneous update that was not accepted was answered ${answer.status}, not 409`,
        {
          expected: '409',
          got: String(answer.status),
          judged: answer,
          control: winners.map((each) => each.answer),
        },
      ),
    )

/**
 * That no simultaneous update was ever accepted, though their If-Match was the current version: in each
 * round one of them was accepted with it right afterwards, alone. One round may be another writer's doing.
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

/** What shows later of the losers of all rounds on a task, from the first to the last. */
export const problemsOfLosers = (
  history: History,
  task: string,
  { began, ended }: { began: number; ended: number },
): Problem[] =>
  refusedUpdates(history)
    .filter(
      (one) => one.task === task && began <= one.at && one.at <= ended && one.answer.status === 409,
    )
    .flatMap((one) => problemsOfToken(history, one, 'to one of several updates sent at once'))
