// The attempts of a run, each sent once and judged by many clauses.

import { type Law, rule } from '../../engine/clause/law.ts'
import { expect } from '../../engine/clause/matchers.ts'
import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { problemsOfStatus } from '../../engine/http/status.ts'
import { beside, from } from '../../engine/origin.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import type { History, Op } from '../history/history.ts'
import {
  keepsComments,
  problemsOfToken,
  seeminglyCarriedOut,
  shownWith,
  wasChangedSince,
  windowAfter,
} from '../history/questions.ts'
import type { SettleWindow } from '../history/settle-window.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import type { Lending } from '../loans/lending.ts'
import { again } from '../service/again.ts'
import { needAccepted, premise } from '../service/answers.ts'
import { describeWhole, isSameButSpelling } from '../service/assignments.ts'
import { ownersOfChange } from '../service/owners.ts'
import type { Shared } from '../service/service.ts'
import { operationOf } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import { withReads } from './after-update.ts'
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
   * What became of them by the end of the run, unless the law condemns one at once; undecided if no update
   * of this service ever has an effect. At the end, `suspects` names updates of other clauses that may have
   * had a late one.
   */
  watched(
    tried: readonly AttemptResult[],
    by?: { law?: Law<Watched>; suspects?: () => readonly Op[] },
  ): Promise<readonly (Watched | ForeignChange)[]>
  needControl(kind: 'update' | 'unassign'): Promise<Controls>
}

/** An attempt, and the answers that show its comment though it was refused. */
export type Watched = AttemptResult & { traces: readonly Answer[] }

/** The law of every update that may be refused for one reason alone. */
export const problemsOfAccepted = ({ answer }: Pick<AttemptResult, 'answer'>): Problem[] =>
  problemsOfStatus(answer, '4xx')

/** The law of every update with another If-Match than the current version. */
export const problemsOfMismatch = ({
  answer,
  decides,
}: Pick<AttemptResult, 'answer' | 'decides'>): Problem[] =>
  problemsOfStatus(answer, 409, { decides })

/** The law of every update that must not be carried out. */
export function problemsOfEffect(one: Watched): Problem[] {
  const { attempt, answer, before, carriedOut: effect, refused, traces } = one
  const what = `to an update ${attempt.what}`
  const told = `${describeAnswer(answer)} ${what}`
  if (!effect) return refused ? problemsOfToken(refused, traces, what) : []
  if (effect instanceof NotDecidable) {
    const { message: got } = effect
    const sentence = `${told}, and after it ${got}`
    return [problem(sentence, { expected: 'a read as before', got, judged: answer })]
  }
  const decides = {
    ...one.decides,
    'assignment before': describeWhole(before.assignment),
    'assignment after': describeWhole(effect.assignment),
  }
  return [
    problem(`${told}, and it was carried out`, {
      expected: 'the assignment unchanged',
      got: 'it changed',
      judged: one,
      decides,
      again: again.unchanged,
    }),
  ]
}

const watchedOf = (one: AttemptResult, traces: readonly Answer[] = []): Watched =>
  withReads({ ...one, traces }, one.carriedOut, ...traces)

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
    const tryIt = async (name: string, one: Attempt, watchMs?: number) => {
      const tried = await shared(
        `${name}${watchMs === undefined ? '' : ', watched for long'}`,
        (service) => tryAlone(one, { ...deps, people, commented, service }, { watchMs, on }),
      )
      return withControl(tried, controls)
    }
    const isFirst = watchMs === undefined
    const tried = sent
      ? withControl(sent, controls)
      : await tryIt(`update ${what}`, isFirst ? attempt : alone, watchMs)
    if (attempt.isObserved) return tried
    // Another writer may have made the same change; if it comes every time, the service made it.
    for (let time = 2; tried.carriedOut && !tried.isProven && time <= 3; time += 1) {
      const next = await tryIt(`time ${time}, update ${what}`, alone, watchMs ?? settleMs)
      if (next.isProven) return next
      if (!next.carriedOut) throw new ForeignChange(history, tried.after.assignment)
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
  const watched: Attempts['watched'] = async (tried, by = {}) => {
    const { law = problemsOfEffect, suspects = () => [] } = by
    const isClear = (one: Watched | ForeignChange) =>
      !(one instanceof Trouble) && law(one).length === 0
    const atOnce = tried.map((one) => watchedOf(one))
    if (!atOnce.every(isClear)) return atOnce
    await over()
    const suspected = suspects().map(({ task, sent }) => ({ task, at: sent }))
    // Something changed a task: send each suspect alone, and watch as long as that change took.
    const sentAnew = async ({ attempt, refused, isOpen }: AttemptResult) => {
      const isTraced = refused?.token !== undefined && keepsComments(history)
      const own = refused && isOpen ? [refused] : []
      const late = [...own, ...(isTraced ? [] : suspected)].filter(({ task, at }) =>
        wasChangedSince(history, task, at),
      )
      if (late.length === 0) return []
      const windows = late.map(({ task, at }) => windowAfter(history, task, at, settleMs))
      const anew = tryAgain(attempt, { watchMs: Math.max(...windows) })
      return anew.then(
        (one) => [watchedOf(one)],
        (error: unknown) => {
          if (!(error instanceof ForeignChange)) throw error
          return suspected.length > 0 ? [error] : []
        },
      )
    }
    const shown = tried.map((one) => watchedOf(one, shownWith(history, one.refused?.token)))
    const cases = [...shown, ...(await Promise.all(tried.map(sentAnew))).flat()]
    if (cases.every(isClear)) await needEffects(tried)
    return cases
  }
  /** A pass says nothing if refused updates seem to have an effect, or accepted ones have none. */
  const needEffects = async (tried: readonly AttemptResult[]) => {
    // An effect that does not come again may be another writer's; two of them are too many to pass.
    const statuses = tried.map(({ answer }) => answer.status)
    const [one, ...more] = seeminglyCarriedOut(history, statuses)
    if (one?.answer && more.length > 0)
      throw new Trouble(
        `${describeAnswer(one.answer)}, and the task then showed what it asked for; so did ${more.length} other refused updates, and no other writer was seen`,
      )
    const vain = tried.find(({ answer }) => isAccepted(answer))
    if (!vain) return
    const steps = await sequence.accepted('transitions')
    premise(
      steps.some(
        ({ before, stored }) => stored && !isSameButSpelling(before.assignment, stored.assignment),
      ),
      'clause',
      `${describeAnswer(vain.answer)}, and no read shows what any accepted update does`,
      ...ownersOfChange,
    )
  }
  const tryIn = async ({ name, attempts }: Pool, attempt: Attempt) => {
    const { controls, commented, people } = await needReadyFor(attempt, 'update', 'unassign')
    const outcomes = await shared(name, (service) =>
      tryTogether(attempts, { ...deps, people, commented, service }),
    )
    const outcome = outcomes.get(attempt)
    return outcome ? needPermitted(withControl(outcome, controls)) : tryOnce(attempt)
  }
  return {
    try: (attempt) => tryOnce(attempt),
    tryOn: (id, attempt) => tryOnce(attempt, id),
    followUp,
    tryIn,
    watched,
    needControl,
  }
}

/** Fails if an attempt had an effect, also a late one; returns the words of a pass. */
export async function expectNotCarriedOut(
  attempts: Attempts,
  ...of: Parameters<Attempts['watched']>
): Promise<string> {
  const cases = await attempts.watched(...of)
  const { problems, decided } = await rule(cases, { law: problemsOfEffect })
  expect(problems).toBeNone()
  return describeUnchanged(decided)
}

export const describeTried = (tried: readonly Pick<AttemptResult, 'answer'>[]): string =>
  `answered ${tried.map(({ answer }) => answer.status).join(', ')}`

export const describeUnchanged = (watched: readonly Watched[]): string =>
  `${describeTried(watched)}, and reads show the assignment as before`

/**
 * For each form one accepted update is the control of all that are refused. As a case of its own, an attempt
 * is judged by its answer alone.
 */
function withControl(tried: AttemptResult, { update, unassign }: Controls): AttemptResult {
  const { attempt, body, answer } = tried
  const isUnassign = operationOf(body) === 'assign.unassign'
  const control = { control: isUnassign ? unassign : update, differs: differsOf(attempt, body) }
  return from(beside(tried, control), beside(answer, control))
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
