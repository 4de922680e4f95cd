// The attempts of a run, each sent once and judged by many clauses.

import { expect } from '../../engine/clause/matchers.ts'
import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import { beside } from '../../engine/origin.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import type { Problem } from '../../engine/problem.ts'
import type { History, Op } from '../history/history.ts'
import {
  keepsComments,
  problemsOfToken,
  seeminglyCarriedOut,
  wasChangedSince,
  windowAfter,
} from '../history/questions.ts'
import type { SettleWindow } from '../history/settle-window.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import type { Lending } from '../loans/lending.ts'
import { needAccepted, premise } from '../service/answers.ts'
import { isSameButSpelling } from '../service/assignments.ts'
import { ownersOfChange } from '../service/owners.ts'
import type { Shared } from '../service/service.ts'
import { operationOf } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import {
  type Attempt,
  type AttemptResult,
  differsOf,
  type Manner,
  type Pool,
  tryAlone,
  tryTogether,
} from './attempt.ts'
import { acceptedUpdates, assigneesIn, type Controls, needChangers } from './controls.ts'
import type { SequenceView } from './sequence.ts'

export type Attempts = {
  try(attempt: Attempt): Promise<AttemptResult>
  /** the same on the task with that id */
  tryOn(id: string, attempt: Attempt): Promise<AttemptResult>
  /** the result of an attempt's follow-up; undefined if it has none, or was accepted itself */
  followUp(tried: AttemptResult): Promise<AttemptResult | undefined>
  /** the same for an attempt in a pool, which is sent on one loan with the others */
  tryIn(pool: Pool, attempt: Attempt): Promise<AttemptResult>
  /**
   * The attempts that had an effect, also a late one; undecided if no update of this service ever has one.
   * At the end of the run, `suspects` names updates of other clauses that may have had a late effect.
   */
  carriedOut(tried: readonly AttemptResult[], suspects?: () => readonly Op[]): Promise<Problem[]>
  needControl(kind: 'update' | 'unassign'): Promise<Controls>
}

export function createAttempts(deps: {
  history: History
  settleWindow: SettleWindow
  settings: Settings
  lending: Lending
  shared: Shared
  sequence: SequenceView
  over: () => Promise<void>
}): Attempts {
  const { history, settings, shared, sequence, over } = deps
  const { settleMs } = settings
  const needControl = async (kind: 'update' | 'unassign') => {
    needChangers(settings)
    const controls = await acceptedUpdates(deps)
    needAccepted(controls[kind])
    return controls
  }
  /** A bad key is refused before anything else: permissions of the valid key do not matter. */
  const needReadyFor = async (
    { how }: Pick<Attempt, 'how'>,
    ...kinds: readonly ('update' | 'unassign')[]
  ) => {
    const isBadKey = how?.key !== undefined
    needChangers(settings)
    const controls = await acceptedUpdates(deps)
    if (!isBadKey) for (const kind of kinds) needAccepted(controls[kind])
    const anybody = (error: unknown) => {
      if (!isBadKey || !(error instanceof NotDecidable)) throw error
      return assigneesIn(settings)
    }
    const { commented } = controls
    return { controls, commented, people: await sequence.people().catch(anybody) }
  }
  const tryAgain = async (attempt: Attempt, { watchMs, on }: Manner = {}, sent?: AttemptResult) => {
    // First the control: with a single task it would wait for the loan of this very attempt.
    const own = attempt.on === 'assigned' ? ('unassign' as const) : ('update' as const)
    const kinds = attempt.needsEarlier ? (['update', 'unassign'] as const) : [own]
    const { controls, commented, people } = await needReadyFor(attempt, ...kinds)
    const { followUp: _, ...alone } = attempt
    const what = on === undefined ? attempt.what : `${attempt.what}, to ${on}`
    const tryIt = (name: string, one: Attempt, watchMs?: number) =>
      shared(`${name}${watchMs === undefined ? '' : ', watched for long'}`, (service) =>
        tryAlone(one, { ...deps, people, commented, service }, { watchMs, on }),
      )
    const isFirst = watchMs === undefined
    const tried = sent ?? (await tryIt(`update ${what}`, isFirst ? attempt : alone, watchMs))
    noteControl(tried, controls)
    if (attempt.isObserved) return tried
    // Another writer may have made the same change; if it comes every time, the service made it.
    for (let time = 2; tried.carriedOut && !tried.isProven && time <= 3; time += 1) {
      const next = await tryIt(`time ${time}, update ${what}`, alone, watchMs ?? settleMs)
      if (next.isProven) return next
      if (!next.carriedOut) throw new ForeignChange(history, tried.after)
    }
    return tried
  }
  const tryOnce = async (attempt: Attempt, on?: string) =>
    needPermitted(await tryAgain(attempt, { on }))
  const followUp: Attempts['followUp'] = async ({
    attempt,
    answer,
    carriedOut,
    followUp: sent,
  }) => {
    if (!attempt.followUp || isAccepted(answer) || carriedOut) return undefined
    return needPermitted(await tryAgain(attempt.followUp, {}, sent))
  }
  /** Effects that show at the end of the run, of attempts that had none at first. */
  const carriedOutLate = async (tried: readonly AttemptResult[], suspects: () => readonly Op[]) => {
    await over()
    const suspected = suspects().map(({ task, sent }) => ({ task, at: sent }))
    let foreign: ForeignChange | undefined
    const noteForeign = (error: unknown): { carriedOut?: Problem } => {
      if (!(error instanceof ForeignChange)) throw error
      foreign = error
      return {}
    }
    const shown = tried.flatMap(({ attempt: { what }, refused }) =>
      refused ? problemsOfToken(history, refused, `to an update ${what}`) : [],
    )
    // Something changed a task: send each suspect alone, and watch as long as that change took.
    const alone = await Promise.all(
      tried.map(async ({ attempt, refused, isOpen }) => {
        const isTraced = refused?.token !== undefined && keepsComments(history)
        const own = refused && isOpen ? [refused] : []
        const late = [...own, ...(isTraced ? [] : suspected)].filter(({ task, at }) =>
          wasChangedSince(history, task, at),
        )
        if (late.length === 0) return []
        const windows = late.map(({ task, at }) => windowAfter(history, task, at, settleMs))
        const watchMs = Math.max(...windows)
        const { carriedOut } = await tryAgain(attempt, { watchMs }).catch(noteForeign)
        return carriedOut ?? []
      }),
    )
    const problems = [...shown, ...alone.flat()]
    if (problems.length === 0 && suspected.length > 0 && foreign) throw foreign
    return problems
  }
  const carriedOut: Attempts['carriedOut'] = async (tried, suspects = () => []) => {
    const atOnce = tried.flatMap((each) => each.carriedOut ?? [])
    const problems = atOnce.length > 0 ? atOnce : await carriedOutLate(tried, suspects)
    if (problems.length === 0) needNoEffects(tried)
    const vain = tried.find((each) => isAccepted(each.answer) && !each.carriedOut)
    if (problems.length > 0 || !vain) return problems
    const steps = await sequence.accepted('transitions')
    premise(
      steps.some(
        ({ before, stored }) => stored && !isSameButSpelling(before.assignment, stored.assignment),
      ),
      'clause',
      `${describeAnswer(vain.answer)}, and no read shows what any accepted update does`,
      ...ownersOfChange,
    )
    return problems
  }
  /** An effect that does not come again may be another writer's; two of them are too many to pass. */
  const needNoEffects = (tried: readonly AttemptResult[]) => {
    const [one, ...more] = seeminglyCarriedOut(
      history,
      tried.map(({ answer }) => answer.status),
    )
    if (one?.answer && more.length > 0)
      throw new Trouble(
        `${describeAnswer(one.answer)}, and the task then showed what it asked for; so did ${more.length} other refused updates, and no other writer was seen`,
      )
  }
  const tryIn = async ({ name, attempts }: Pool, attempt: Attempt) => {
    const { controls, commented, people } = await needReadyFor(attempt, 'update', 'unassign')
    const outcomes = await shared(name, (service) =>
      tryTogether(attempts, { ...deps, people, commented, service }),
    )
    const outcome = outcomes.get(attempt)
    if (outcome) noteControl(outcome, controls)
    return outcome ? needPermitted(outcome) : tryOnce(attempt)
  }
  return {
    try: (attempt) => tryOnce(attempt),
    tryOn: (id, attempt) => tryOnce(attempt, id),
    followUp,
    tryIn,
    carriedOut,
    needControl,
  }
}

/** Fails if an attempt had an effect, also a late one; returns the words of a pass. */
export async function expectNotCarriedOut(
  attempts: Attempts,
  ...of: Parameters<Attempts['carriedOut']>
): Promise<string> {
  const [tried] = of
  expect(await attempts.carriedOut(...of)).toBeNone()
  return `${describeTried(tried)}, and reads show the assignment as before`
}

export const describeTried = (tried: readonly AttemptResult[]): string =>
  `answered ${tried.map(({ answer }) => answer.status).join(', ')}`

/** For each form one accepted update is the control of all that are refused. */
function noteControl(
  { attempt, body, answer }: AttemptResult,
  { update, unassign }: Controls,
): void {
  const isUnassign = operationOf(body) === 'assign.unassign'
  beside(answer, { control: isUnassign ? unassign : update, differs: differsOf(attempt, body) })
}

/** Permissions are not shown: a refusal for them says nothing. */
function needPermitted(tried: AttemptResult): AttemptResult {
  const { attempt, answer, carriedOut } = tried
  premise(
    attempt.how?.key !== undefined || answer.status !== 403 || carriedOut !== undefined,
    'freedom',
    `${describeAnswer(answer)}: scopes of a key are not shown`,
  )
  return tried
}
