// The ground truth for questions to a history: a small service of two tasks, what happens to them,
// and the history that a run writes of it.

import fc from 'fast-check'
import { vi } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import { createHistory, type History, type Op } from '../../../helpers/history/history.ts'
import { settleWindowOf } from '../../../helpers/history/settle-window.ts'
import type { Assignment } from '../../../helpers/service/answers.ts'
import { type Assignee, unassignBody, updateBody } from '../../../helpers/service/update-request.ts'
import { cases } from '../../long.ts'

const idOf = (n: number) => `${n}0000000-0000-4000-8000-000000000000`
export const tasks = [idOf(1), idOf(2)]
export const [one, other] = [idOf(1), idOf(2)]
const actor = idOf(3)
export const people = [idOf(4), idOf(5)].map((id): Assignee => ({ id, type: 'USER' }))
export const settleMs = 500

export const foreignComments = ['please call back', 'by the house ']
/** `own`: of this update alone; `shared`: of several; `plain`: words that anybody may write */
const comments = ['own', 'shared', 'plain', 'none'] as const
const mostly = ['accepted', 'accepted', 'accepted'] as const
const outcomes = [...mostly, 'lost', 'lost and not carried out', 409, 401, 422] as const

// Mostly one task and one person, so that rare events meet.
const task = fc.constantFrom(one, one, one, other)
const to = fc.constantFrom(null, people[0] ?? null, ...people)
const does = <Name extends string>(name: Name) => fc.constant(name)

/** What a lawful service does, and what happens beside it. */
const lawful = {
  /** shows the state of this many changes ago, and never one older than an earlier read showed */
  read: fc.record({ does: does('read'), task, lag: fc.nat({ max: 2 }) }),
  update: fc.record({
    does: does('update'),
    task,
    to,
    comment: fc.constantFrom(...comments),
    comes: fc.constantFrom(...outcomes),
    attempts: fc.constantFrom(1, 1, 2),
    isReadMeanwhile: fc.boolean(),
  }),
  anotherWriter: fc.record({
    does: does('another writer'),
    task,
    to,
    comment: fc.constantFrom(undefined, ...foreignComments),
  }),
  touch: fc.record({ does: does('touch'), task }),
  pause: fc.record({ does: does('pause'), ms: fc.nat({ max: 2 * settleMs }) }),
}

const unlawful = {
  lateEffect: fc.record({ does: does('late effect'), task }),
  spill: fc.record({ does: does('spill'), task }),
  /** accepts the If-Match that the first accepted update had used */
  stale: fc.record({ does: does('stale'), task, to }),
}

type StepOf<All> = All extends Record<string, fc.Arbitrary<infer One>> ? One : never
export type Step = StepOf<typeof lawful> | StepOf<typeof unlawful>
type Update = StepOf<Pick<typeof lawful, 'update'>>

const several = (kinds: Record<string, fc.Arbitrary<Step>>) =>
  fc.array(fc.oneof(...Object.values(kinds)), { maxLength: 30, size: 'max' })
const { anotherWriter: _, ...alone } = lawful

/** Histories of lawful services, of those without other writers, and of any; in a calm one nothing lags. */
export const steps = several(lawful)
export const stepsAlone = several({ ...alone, ...unlawful })
export const calmSteps = several({
  read: lawful.read.map((step) => ({ ...step, lag: 0 })),
  update: lawful.update.map((step) => ({ ...step, isReadMeanwhile: false })),
  pause: lawful.pause,
})
export const anySteps = several({ ...lawful, ...unlawful })

export const read = (task: string, lag = 0): Step => ({ does: 'read', task, lag })

export const accepted = (given: Partial<Update> = {}): Update => ({
  does: 'update',
  task: one,
  to: people[0] ?? null,
  comment: 'own',
  comes: 'accepted',
  attempts: 1,
  isReadMeanwhile: false,
  ...given,
})

/** Enough updates, shown by reads at once, to learn the settle window. */
export const measured = (updates: number): Step[] =>
  Array.from({ length: updates }).flatMap(() => [accepted(), read(one)])

/** After these a run has seen another writer. */
export const meeting: Step[] = [
  read(one),
  { does: 'another writer', task: one, to: people[0] ?? null, comment: foreignComments[1] },
  read(one),
]

export type State = {
  version: string
  assignment: Assignment | null
  /** what made it from the one before */
  by: 'found' | 'accepted' | 'lost' | 'another writer' | 'touch' | 'late effect' | 'spill'
}

/** One request in truth, besides what the history says of it. */
export type MadeOp = {
  op: Op
  /** the state that its answer shows */
  shows?: State | undefined
  /** whether it is a read that overlapped an update of its task */
  isBeside: boolean
  comes?: Update['comes']
}

export type Played = ReturnType<typeof play>

export const answerOf = (state?: State, status = 200, attempts = 1): Answer => {
  const { version: updated_at, assignment } = state ?? {}
  const text = state ? JSON.stringify({ updated_at, assignment }) : '{}'
  return { method: 'PUT', path: '/tasks/t', status, exchange: 1, attempts, text } as Answer
}

const bodyOf = (to: Assignee | null, comment: string | undefined) =>
  to ? updateBody(actor, to, comment) : unassignBody(actor, comment)

const heldBy = (to: Assignee | null, comment?: string): Assignment | null =>
  to && {
    assigned_by_id: actor,
    assigned_to_id: to.id,
    assigned_to_type: to.type,
    ...(comment === undefined ? {} : { assignment_comment: comment }),
  }

/** Plays the steps, each request some milliseconds long, and calls `ask` after each. */
export function play(
  all: readonly Step[],
  {
    kept = (comment: string) => comment,
    ask = (_: History): unknown => undefined,
    history = createHistory(),
  } = {},
) {
  let ms = Math.ceil(performance.now())
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => ms)
  const states = new Map(
    tasks.map((id): [string, State[]] => [id, [{ version: 'v0', assignment: null, by: 'found' }]]),
  )
  const told: MadeOp[] = []
  const seen = new Map<string, number>()
  const refused = new Map<string, Assignment | null>()
  let sent = 0

  const of = (id: string) => states.get(id) ?? []
  const now = (id: string) => of(id).at(-1) as State
  const become = (id: string, assignment: Assignment | null, by: State['by']) => {
    of(id).push({ version: `v${of(id).length}`, assignment, by })
    return now(id)
  }
  const begin = (asked: Parameters<History['begin']>[0]) => {
    ms += 1
    const end = history.begin(asked)
    const op = history.begun.at(-1) as Op
    return (shows: State | undefined, how: Omit<MadeOp, 'op' | 'shows'>, answer?: Answer) => {
      ms += 4
      end(answer)
      told.push({ op, shows, ...how })
      ask(history)
    }
  }
  const readNow = (id: string, lag: number, isBeside = false) => {
    const end = begin({ kind: 'read', task: id })
    return () => {
      seen.set(id, Math.max(seen.get(id) ?? 0, of(id).length - 1 - lag))
      const shows = of(id)[seen.get(id) ?? 0] as State
      end(shows, { isBeside }, answerOf(shows))
    }
  }
  const update = (step: Omit<Update, 'does'>, version = now(step.task).version) => {
    const { task: id, to, comes } = step
    sent += 1
    const comment = textOf(step.comment, sent)
    const ifMatch = comes === 409 ? 'none of its versions' : version
    const end = begin({
      kind: 'update',
      task: id,
      body: bodyOf(to, comment),
      ifMatch,
      isPlain: true,
    })
    const made = heldBy(to, comment && kept(comment))
    const meanwhile = step.isReadMeanwhile ? readNow(id, sent % 2, true) : () => {}
    const isCarriedOut = comes === 'accepted' || comes === 'lost'
    const state = isCarriedOut ? become(id, made, comes) : undefined
    meanwhile()
    const how = { isBeside: false, comes }
    if (comes === 'accepted') end(state, how, answerOf(state, 200, step.attempts))
    else if (typeof comes === 'string') end(undefined, how)
    else {
      refused.set(id, made)
      end(undefined, how, answerOf(undefined, comes, step.attempts))
    }
  }
  const otherThan = (id: string) => tasks.find((each) => each !== id) ?? id
  const firstUsed = (id: string) =>
    told.find(({ op, comes }) => op.task === id && comes === 'accepted')?.op.ifMatch
  const take = (step: Step) => {
    if (step.does === 'read') readNow(step.task, step.lag)()
    else if (step.does === 'update') update(step)
    else if (step.does === 'another writer')
      become(step.task, heldBy(step.to, step.comment), 'another writer')
    else if (step.does === 'touch') become(step.task, now(step.task).assignment, 'touch')
    else if (step.does === 'pause') ms += step.ms
    else if (step.does === 'late effect') {
      const made = refused.get(step.task)
      if (made !== undefined) become(step.task, made, 'late effect')
      refused.delete(step.task)
    } else if (step.does === 'spill') {
      const made = of(step.task).findLast(({ by }) => by === 'accepted')
      if (made) become(otherThan(step.task), made.assignment, 'spill')
    } else {
      const used = firstUsed(step.task)
      if (used !== undefined) update(accepted({ task: step.task, to: step.to }), used)
    }
  }
  try {
    all.forEach(take)
  } finally {
    clock.mockRestore()
  }
  return { history, settleWindow: settleWindowOf(history, settleMs), states, told }
}

/** Plays made-up steps and these examples: what holds after each of them. */
export const always = (
  drawn: fc.Arbitrary<Step[]>,
  holds: (played: Played, all: Step[]) => unknown,
  examples: Step[][] = [],
) =>
  fc.assert(
    fc.property(drawn, (all) => void holds(play(all), all)),
    { numRuns: cases(300), examples: examples.map((all): [Step[]] => [all]) },
  )

const textOf = (kind: (typeof comments)[number], sent: number): string | undefined =>
  ({
    own: `Contract test, please ignore ${sent}`,
    shared: 'Contract test, please ignore for several',
    plain: 'please review',
    none: undefined,
  })[kind]

export const before = ({ told }: Played, one: MadeOp): MadeOp[] =>
  told.slice(0, told.indexOf(one)).filter(({ op }) => op.task === one.op.task)

/**
 * The known state of a task before a request ended: from the last accepted update, or as found. Undefined:
 * unknown, because there is none, or an answer was lost and no read has come since.
 */
export function leftBefore(played: Played, one: MadeOp): State | undefined {
  const all = before(played, one)
  const lost = all.findLastIndex(({ comes }) => String(comes).startsWith('lost'))
  const since = all.slice(lost + 1).filter(({ isBeside, shows }) => shows && !isBeside)
  return (since.findLast(({ op }) => op.kind === 'update') ?? since[0])?.shows
}

export const commentOf = (state: State | undefined) => state?.assignment?.assignment_comment

export const sameSpelling = (state?: State, other?: State): boolean =>
  JSON.stringify(state?.assignment) === JSON.stringify(other?.assignment)

export const isApart = ({ op, isBeside }: MadeOp): boolean => op.kind === 'read' && !isBeside

/** The reads that are the first to show a state of a known task. */
export const changesIn = (played: Played): (MadeOp & { shows: State })[] =>
  played.told.filter(
    (one): one is MadeOp & { shows: State } =>
      isApart(one) &&
      leftBefore(played, one) !== undefined &&
      before(played, one).every(({ shows }) => shows !== one.shows),
  )

/** A read that shows one more state, whether the task has it or not. */
export const readAgain = ({ history }: Played, task: string, state: State): void =>
  history.begin({ kind: 'read', task })(answerOf(state))
