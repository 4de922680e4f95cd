import { caseOrWhy, type Unasked } from '../../engine/clause/law.ts'
import { describeAnswer, isAccepted, isRefused } from '../../engine/http/answers.ts'
import { problemsOfStatus } from '../../engine/http/status.ts'
import { anew, anewOf, beside, from } from '../../engine/origin.ts'
import { allEnded, NotDecidable, Trouble } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { shown } from '../../engine/shown.ts'
import type { Op } from '../history/history.ts'
import {
  keepsComments,
  problemsOfToken,
  seeminglyCarriedOut,
  shownWith,
  wasChangedSince,
  windowAfter,
} from '../history/questions.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import { again } from '../service/again.ts'
import { isOfGateway } from '../service/answered.ts'
import { premise } from '../service/answers.ts'
import { describeWhole, isSameButSpelling } from '../service/assignments.ts'
import { isChanged, otherFields } from '../service/other-fields.ts'
import { ownersOfChange } from '../service/owners.ts'
import type { Shared } from '../service/service.ts'
import { operationOf } from '../service/update-request.ts'
import {
  type Attempt,
  type AttemptResult,
  batchOf,
  differsOf,
  type Manner,
  sendBatch,
} from './attempt.ts'
import { assigneesIn, needChangers, type OfRun } from './controls.ts'
import type { Controls, SequenceView } from './sequence.ts'
import { asCase, type Step } from './step.ts'

const isShown = ({ answer, carriedOut }: AttemptResult) => isAccepted(answer) || carriedOut

export type Attempts = ReturnType<typeof createAttempts>

export const problemsOfAccepted = ({ answer }: Pick<AttemptResult, 'answer'>): Problem[] =>
  problemsOfStatus(answer, '4xx')

export const problemsOfMismatch = ({ attempt, answer, decides }: Tried): Problem[] =>
  attempt.fate === 'not carried out' && !isAccepted(answer)
    ? []
    : problemsOfStatus(answer, 409, { what: attempt.fate && `an update ${attempt.what}`, decides })

/** What laws need of one: recorded traffic has no more. */
export type Tried = Pick<
  AttemptResult,
  'answer' | 'before' | 'stored' | 'carriedOut' | 'refused' | 'decides' | 'traces'
> & { attempt: Pick<Attempt, 'what' | 'fate' | 'version'> }

export function problemsOfEffect(one: Tried): Problem[] {
  const { attempt, answer, before, carriedOut: effect, refused, traces } = one
  const what = `to an update ${attempt.what}`
  const told = `${describeAnswer(answer)} ${what}`
  if (!effect) return refused ? problemsOfToken(refused, traces, what) : []
  if (effect instanceof NotDecidable) {
    const { message: got } = effect
    const sentence = `${told}, but the read after it is not as before: ${got}`
    return [problem(sentence, { expected: 'a read as before', got, judged: answer })]
  }
  const decides = {
    ...one.decides,
    'assignment before': describeWhole(before.assignment),
    'assignment after': describeWhole(effect.assignment),
  }
  return [
    problem(`${told}, ${isAccepted(answer) ? 'and' : 'but'} the assignment changed`, {
      expected: 'the assignment unchanged',
      got: 'it changed',
      judged: one,
      decides,
      again: again.unchanged,
    }),
  ]
}

/** a 409 to the current version is due to another writer */
const isMoved = ({ attempt, answer, before, stored }: Tried): boolean =>
  isRefused(answer) &&
  (answer.status !== 409 || attempt.version !== undefined) &&
  stored.updated_at !== before.updated_at

function problemOfChange({ attempt, answer, before, stored }: Tried, member: string): Problem {
  const [expected, got] = [shown(before[member]), shown(stored[member])]
  const sentence = `${describeAnswer(answer)} to an update ${attempt.what}, but ${member} changed from ${expected} to ${got}`
  const again = { signs: [{ member, of: 'read', as: 'before' } as const] }
  return problem(sentence, { expected, got, judged: [answer, stored], control: before, again })
}

export const problemsOfMoved = (one: Tried): Problem[] =>
  isMoved(one) ? [problemOfChange(one, 'updated_at')] : []

const changedIn = ({ before, stored }: Pick<AttemptResult, 'before' | 'stored'>): string[] =>
  otherFields.filter((field) => isChanged(field, before[field], stored[field]))

export const problemsOfFields = (one: Tried): Problem[] =>
  isRefused(one.answer) && !one.carriedOut
    ? changedIn(one).map((field) => problemOfChange(one, field))
    : []

function watchedOf(one: AttemptResult, traces = one.traces): AttemptResult {
  const watched = asCase({ ...one, traces }, one.carriedOut, ...traces)
  const again = anewOf(one)
  const ask = async () => watchedOf((await again?.ask()) as AttemptResult)
  return again ? anew(watched, ask, { otherwise: again.otherwise }) : watched
}

type Deps = OfRun & { shared: Shared; sequence: SequenceView; over: () => Promise<void> }

export function createAttempts(deps: Deps) {
  const { history, settings, shared, sequence, over } = deps
  const { settleMs } = settings
  /** An invalid key is rejected before anything else: permissions of the valid key do not matter. */
  const needReadyFor = async (attempt: Attempt) => {
    const isBadKey = attempt.how?.key !== undefined
    needChangers(settings)
    // First the control: with a single task it would wait for the loan of this very attempt.
    const isBoth = attempt.needsEarlier || batchOf(attempt)
    const own = attempt.on === 'assigned' ? 'unassign' : 'update'
    const kinds = isBoth ? (['update', 'unassign'] as const) : ([own] as const)
    const controls = await sequence.needControls(...(isBadKey ? [] : kinds))
    const anybody = (error: unknown) => {
      if (!isBadKey || !(error instanceof NotDecidable)) throw error
      return assigneesIn(settings)
    }
    const people = await sequence.people().catch(anybody)
    return { ...deps, controls, commented: controls.commented, people }
  }
  const sendAlone = async (attempt: Attempt, name: string, manner: Manner) => {
    const ready = await needReadyFor(attempt)
    const sent = await shared(name, (service) =>
      sendBatch([attempt], { ...ready, service }, manner),
    )
    return withControl(sent[0] as AttemptResult, ready.controls)
  }
  /** Another writer may have made the same change; if it comes every time, the service made it. */
  const prove = (
    attempt: Attempt,
    { watchMs, on, acquits, sent }: Manner & { acquits?: boolean; sent?: AttemptResult } = {},
  ) => {
    const what = on === undefined ? attempt.what : `${attempt.what}, to ${on}`
    const send = async (time = 1): Promise<AttemptResult> => {
      const ms = time === 1 ? watchMs : (watchMs ?? settleMs)
      const how = ms === undefined ? '' : ', watched for long'
      const tried =
        time === 1 && sent
          ? withControl(sent, (await needReadyFor(attempt)).controls)
          : await sendAlone(attempt, `time ${time}, update ${what}${how}`, { watchMs: ms, on })
      const isOpen = tried.carriedOut && !tried.isProven && attempt.fate !== 'open'
      if (!isOpen || time === maxTimes) return tried
      const otherwise = () => new ForeignChange(history, tried.stored.assignment)
      return anew(tried, () => send(time + 1), acquits ? {} : { otherwise })
    }
    return send()
  }
  const tryOnce = async (...of: Parameters<typeof prove>) => needPermitted(await prove(...of))
  /** Sent again to a task that is still: what changes by itself does not come again there. */
  const onStill = (one: AttemptResult, time = 2): AttemptResult => {
    if (time > maxTimes) return one
    const name = `time ${time}, update ${one.attempt.what}, of a still task`
    return anew(one, async () => {
      const sent = await sendAlone(one.attempt, name, { still: true, watchMs: 0 })
      return onStill(watchedOf(sent), time + 1)
    })
  }
  /**
   * What became of them by the end of the run; undecided if no update of this service ever has an effect. `suspects`:
   * updates of other clauses that may have had a late effect.
   */
  async function* watched(
    sent: Promise<readonly AttemptResult[]>,
    suspects: () => readonly Op[] = () => [],
  ): AsyncGenerator<AttemptResult | Unasked> {
    const tried = await sent
    // An effect that shows at once needs no watching.
    yield* tried.filter(isShown).map((one) => watchedOf(one))
    await over()
    const suspected = suspects().map(({ task, sent }) => ({ task, at: sent }))
    // Something changed a task: send each suspect alone, and watch as long as that change took.
    const sendAnew = async ({ attempt, refused, isOpen }: AttemptResult) => {
      const isTraced = refused?.token !== undefined && keepsComments(history)
      const own = refused && isOpen ? [refused] : []
      const late = [...own, ...(isTraced ? [] : suspected)].filter(({ task, at }) =>
        wasChangedSince(history, task, at),
      )
      if (late.length === 0) return []
      const windows = late.map(({ task, at }) => windowAfter(history, task, at, settleMs))
      const how = { watchMs: Math.max(...windows), acquits: suspected.length === 0 }
      return [watchedOf(await prove(attempt, how))]
    }
    const begun = tried.map((one) => caseOrWhy(sendAnew(one)))
    for (const one of tried) {
      if (isShown(one)) continue
      const last = watchedOf(one, shownWith(history, one.refused?.token))
      yield anewOf(last) || changedIn(one).length === 0 ? last : onStill(last)
    }
    for (const each of begun) yield* [await each].flat()
    await needEffects(tried)
  }
  const unmoved = (tried: readonly AttemptResult[]): AttemptResult[] => {
    const unchanged = tried.filter((one) => !isShown(one)).map((one) => watchedOf(one))
    const moved = unchanged.find(isMoved)
    const still = unchanged.filter((one) => !isMoved(one))
    return moved ? [...still, onStill(moved)] : still
  }
  /** A pass says nothing if refused updates seem to have an effect, or accepted ones have none. */
  const needEffects = async (tried: readonly AttemptResult[]) => {
    // An effect that does not come again may be another writer's; after two of them there is no pass.
    const statuses = tried.map(({ answer }) => answer.status)
    const [one, ...more] = seeminglyCarriedOut(history, statuses)
    if (one?.answer && more.length > 0)
      throw new Trouble(
        `${describeAnswer(one.answer)}, but the task then had the requested assignment; so did ${more.length} other rejected updates, and no other writer was seen`,
      )
    const vain = tried.find(({ answer }) => isAccepted(answer))
    if (!vain) return
    const steps = await sequence.accepted('transitions')
    const isEffective = ({ before, stored }: Step) =>
      stored && !isSameButSpelling(before.assignment, stored.assignment)
    const none = `${describeAnswer(vain.answer)}, and no read shows the effect of any accepted update`
    premise(steps.some(isEffective), 'clause', none, ...ownersOfChange)
  }
  const tryIt = async (attempt: Attempt) => {
    const batch = batchOf(attempt)
    if (!batch) return tryOnce(attempt)
    const ready = await needReadyFor(attempt)
    const begun = shared(batch, (service) => sendBatch(batch, { ...ready, service }))
    const all = await begun.catch((error: unknown) => {
      if (!isOfGateway(error)) throw error
      return []
    })
    const sent = all.find((one) => one.attempt === attempt)
    return tryOnce(attempt, sent ? { sent } : {})
  }
  return {
    try: tryIt,
    all: (attempts: readonly Attempt[]): Promise<readonly AttemptResult[]> =>
      allEnded(attempts.map(tryIt)),
    tryOn: (on: string, attempt: Attempt) => tryOnce(attempt, { on }),
    watched,
    unmoved,
  }
}

export const sent =
  (...updates: readonly Attempt[]) =>
  ({ attempts }: { attempts: Attempts }) =>
    attempts.all(updates)

export const watchedAll =
  (...updates: readonly Attempt[]) =>
  ({ attempts }: { attempts: Attempts }) =>
    attempts.watched(attempts.all(updates))

/** How often an update is sent, if its effect may be another writer's. */
const maxTimes = 3

export const describeTried = (tried: readonly Pick<Tried, 'answer'>[]): string =>
  `responded ${tried.map(({ answer }) => answer.status).join(', ')}`

export const describeUnchanged = (watched: readonly Pick<Tried, 'answer'>[]): string =>
  `${describeTried(watched)}, and reads return the assignment unchanged`

/** As a case of its own, an attempt is judged by its answer alone. */
function withControl(tried: AttemptResult, { update, unassign }: Controls): AttemptResult {
  const { attempt, body, answer } = tried
  const isUnassign = operationOf(body) === 'assign.unassign'
  const control = { control: isUnassign ? unassign : update, differs: differsOf(attempt, body) }
  return from(beside(tried, control), beside(answer, control))
}

/** The contract does not describe permissions: a rejection for them proves nothing. */
function needPermitted(tried: AttemptResult): AttemptResult {
  const { attempt, answer, carriedOut } = tried
  premise(
    attempt.how?.key !== undefined || answer.status !== 403 || carriedOut !== undefined,
    'freedom',
    `${describeAnswer(answer)}; the contract does not describe permissions of a key`,
  )
  return tried
}
