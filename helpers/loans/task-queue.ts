import { clock } from '../../engine/time/timers.ts'
import type { AssigneeType } from '../contract/fields.ts'
import type { KnownTask } from '../service/known.ts'
import type { Debt } from './journal.ts'

/** The wanted state of a task; `any state` is for updates that should be rejected. */
export type LoanKind = 'any state' | 'any' | 'unassigned' | AssigneeType | { id: string }

/** Long uses come first: the end of the run waits for them. */
export type When = 'first' | 'at once'

export type LendableTask = KnownTask & { free: boolean; debt?: Debt }

type Waiting = {
  wanted: LoanKind
  when: When
  take: (task: LendableTask) => void
  refuse: (error: unknown) => void
}

/** The tasks that may be lent, and who waits for them. */
export class TaskQueue {
  readonly tasks: LendableTask[]
  readonly #waiting: Waiting[] = []
  #lastError: unknown

  constructor(tasks: readonly KnownTask[], stop: AbortSignal) {
    this.tasks = tasks.map((task) => ({ ...task, free: true }))
    stop.addEventListener('abort', () => {
      for (const { refuse } of this.#waiting.splice(0)) refuse(stop.reason)
    })
  }

  /** Waits for a fitting task; throws why the last one was struck out, if none can come. */
  take(wanted: LoanKind, when: When): Promise<LendableTask> {
    const mayCome =
      typeof wanted === 'object'
        ? this.tasks.some(({ id }) => id === wanted.id)
        : this.tasks.length > 0
    if (!mayCome) throw this.#lastError
    return new Promise((take, refuse) => {
      this.#waiting.push({ wanted, when, take, refuse })
      // Clauses that waited for the same finding ask at the same time: serve by rank, not by speed.
      clock.setImmediate(() => this.#serve())
    })
  }

  release(task: LendableTask): void {
    task.free = true
    this.#serve()
  }

  /** The task is lent to nobody any more. */
  strikeOut(task: LendableTask, error: unknown): void {
    this.#lastError = error
    this.tasks.splice(this.tasks.indexOf(task), 1)
    const isLost = ({ wanted }: Waiting) =>
      this.tasks.length === 0 || (typeof wanted === 'object' && wanted.id === task.id)
    for (const waiting of this.#waiting.filter(isLost)) {
      this.#leave(waiting)
      waiting.refuse(error)
    }
    this.#serve()
  }

  #serve(): void {
    const isFirst = ({ when }: Waiting) => when === 'first'
    const first = this.#waiting.filter(isFirst)
    const others = this.#waiting.filter((waiting) => !isFirst(waiting))
    for (const waiting of [...first, ...others]) {
      const task = this.#bestFor(waiting.wanted)
      if (!task) continue
      this.#leave(waiting)
      task.free = false
      waiting.take(task)
    }
  }

  #leave(waiting: Waiting): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
  }

  /**
   * A task in the wanted state saves updates, and an unassigned one is put back without a mail: waiting for a fitting
   * task, the cost of a run does not depend on the order of clauses.
   */
  #bestFor(wanted: LoanKind): LendableTask | undefined {
    const free = this.tasks.filter((task) => task.free)
    if (typeof wanted === 'object') return free.find(({ id }) => id === wanted.id)
    if (wanted === 'any state') return free.find(({ assigned }) => assigned !== 'none') ?? free[0]
    for (const state of worthWaitingFor(wanted, this.tasks)) {
      const task = free.find(({ assigned }) => assigned === state)
      if (task) return task
    }
    return undefined
  }
}

type TaskState = KnownTask['assigned']

const preferred = {
  any: ['none', 'USER', 'TEAM', 'unknown'],
  unassigned: ['none', 'USER', 'TEAM', 'unknown'],
  USER: ['USER', 'TEAM', 'none', 'unknown'],
  TEAM: ['TEAM', 'USER', 'none', 'unknown'],
} as const satisfies Record<string, readonly TaskState[]>

/** Clauses that accept any task do long walks: with fewer tasks they would wait for each other. */
const leastOfAny = 4
const leastOfState = 2

/**
 * The states of tasks worth waiting for, best first: enough to make up a quarter of the tasks and at least
 * a few. Otherwise every clause would wait for the one unassigned task.
 */
export function worthWaitingFor(
  wanted: keyof typeof preferred,
  tasks: readonly Pick<KnownTask, 'assigned'>[],
): TaskState[] {
  const states: TaskState[] = []
  const least = Math.max(tasks.length / 4, wanted === 'any' ? leastOfAny : leastOfState)
  const isEnough = () => tasks.filter(({ assigned }) => states.includes(assigned)).length >= least
  for (const state of preferred[wanted]) if (!isEnough()) states.push(state)
  return states
}
