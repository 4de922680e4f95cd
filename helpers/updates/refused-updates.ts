import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import type { Problem } from '../../engine/problem.ts'
import { problemsOfToken } from '../aftermath/carried-out.ts'
import type { TaskWatch } from '../aftermath/task-watch.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import type { Lending } from '../loans/lending.ts'
import { needAccepted, premise } from '../service/answers.ts'
import { isSameButSpelling } from '../service/assignments.ts'
import { ownersOfChange } from '../service/owners.ts'
import type { Shared } from '../service/service.ts'
import type { Settings } from '../settings/table.ts'
import { acceptedUpdates, type Controls, needChangers } from './controls.ts'
import type { JourneyView } from './journey.ts'
import { type Pool, tryTogether } from './pooled-updates.ts'
import {
  type RefusedUpdate,
  type TryDeps,
  tryUpdate,
  type UpdateOutcome,
} from './refused-update.ts'

/** Updates that are not to be carried out, each tried once a run beside a control that is. */
export type RefusedUpdates = {
  try(update: RefusedUpdate): Promise<UpdateOutcome>
  /** the same on the task of that id */
  tryOn(id: string, update: RefusedUpdate): Promise<UpdateOutcome>
  /** the same of one that stands in a pool: these are sent on one loan, and looked at once */
  tryIn(pool: Pool, update: RefusedUpdate): Promise<UpdateOutcome>
  /** what was carried out all the same, be it late; where nothing ever is, that tells nothing */
  carriedOut(tried: readonly UpdateOutcome[]): Promise<Problem[]>
  /** Goes on only where a valid update of this kind was accepted. */
  needControl(kind: 'update' | 'unassign'): Promise<Controls>
}

/** What a key may do is not shown: a refusal for that tells nothing. */
function needPermitted({ how }: RefusedUpdate, tried: UpdateOutcome): UpdateOutcome {
  premise(
    how?.key !== undefined || tried.answer.status !== 403 || tried.carriedOut !== undefined,
    'freedom',
    `${describeAnswer(tried.answer)}: scopes of a key are not shown`,
  )
  return tried
}

function unlessForeign(error: unknown): { carriedOut?: Problem } {
  if (error instanceof ForeignChange) return {}
  throw error
}

/** The view that one clause has of the attempts of its run. */
export function createRefusedUpdates(deps: {
  settings: Settings
  lending: Lending
  shared: Shared
  journey: JourneyView
  taskWatch: TaskWatch
  /** waits for the end of the run */
  over: () => Promise<void>
}): RefusedUpdates {
  const { settings, lending, shared, journey, taskWatch, over } = deps
  const needControl = async (kind: 'update' | 'unassign') => {
    needChangers(settings)
    const controls = await acceptedUpdates(deps)
    needAccepted(controls[kind])
    return controls
  }
  const tryAgain = async (
    update: RefusedUpdate,
    { watchMs, on }: Pick<TryDeps, 'watchMs' | 'on'> = {},
  ) => {
    // First the control: with a single task it would wait for the loan of this very attempt.
    const { commented } = await needControl(update.on === 'assigned' ? 'unassign' : 'update')
    const people = await journey.people()
    const deps = { lending, settings, people, commented, taskWatch }
    const tryIt = (name: string, watchMs?: number) =>
      shared(`${name}${watchMs === undefined ? '' : ', watched for long'}`, (service) =>
        tryUpdate(update, { ...deps, service, watchMs, on }),
      )
    const what = on === undefined ? update.what : `${update.what}, to ${on}`
    const tried = await tryIt(`update ${what}`, watchMs)
    // What may be accepted is observed alone.
    if (update.on === 'unassigned') return tried
    // Somebody else may have made this very change: it is held against the service if it always comes.
    for (let time = 2; tried.carriedOut && time <= 3; time += 1) {
      const again = await tryIt(`time ${time}, update ${what}`, watchMs ?? settings.settleMs)
      if (!again.carriedOut) throw new ForeignChange()
    }
    return tried
  }
  const tryOnce = async (update: RefusedUpdate, on?: string) =>
    needPermitted(update, await tryAgain(update, { on }))
  /** What shows at the end of the run of updates after which the task was as before. */
  const carriedOutLate = async (tried: readonly UpdateOutcome[]) => {
    await over()
    const shown = tried.flatMap(({ update: { what }, refused }) =>
      refused ? problemsOfToken(taskWatch, refused, `to an update ${what}`) : [],
    )
    // Something changed a task of theirs: each is tried alone, watched as long as it took, and blamed alone.
    const alone = await Promise.all(
      tried.map(async ({ update, refused, isOpen }) => {
        if (!refused || !isOpen || !taskWatch.wasChangedSince(refused.task, refused.at)) return []
        const watchMs = taskWatch.windowAfter(refused.task, refused.at)
        const { carriedOut } = await tryAgain(update, { watchMs }).catch(unlessForeign)
        return carriedOut ?? []
      }),
    )
    return [...shown, ...alone.flat()]
  }
  const carriedOut = async (tried: readonly UpdateOutcome[]) => {
    const atOnce = tried.flatMap((each) => each.carriedOut ?? [])
    const problems = atOnce.length > 0 ? atOnce : await carriedOutLate(tried)
    const vain = tried.find((each) => isAccepted(each.answer) && !each.carriedOut)
    if (problems.length === 0 && vain) {
      const steps = await journey.accepted('transitions')
      const changes = steps.some(
        ({ before, stored }) => stored && !isSameButSpelling(before.assignment, stored.assignment),
      )
      premise(
        changes,
        'clause',
        `${describeAnswer(vain.answer)}, and no read shows what any accepted update does`,
        ...ownersOfChange,
      )
    }
    return problems
  }
  const tryIn = async ({ name, updates }: Pool, update: RefusedUpdate) => {
    const { commented } = await needControl('update')
    await needControl('unassign')
    const people = await journey.people()
    const outcomes = await shared(name, (service) =>
      tryTogether(updates, { lending, service, settings, people, commented, taskWatch }),
    )
    // What was carried out, by whichever of them: each is tried alone, and blamed alone.
    const outcome = outcomes?.[updates.indexOf(update)]
    return outcome ? needPermitted(update, outcome) : tryOnce(update)
  }
  return {
    try: (update) => tryOnce(update),
    tryOn: (id, update) => tryOnce(update, id),
    tryIn,
    carriedOut,
    needControl,
  }
}
