import type { Hooks } from './hooks.ts'
import type { Change, Task } from './model.ts'

/** An append-only log. Nothing is ever altered in it; a task is what its changes add up to. */
export class Journal {
  readonly #byTask = new Map<string, Change[]>()
  readonly #hooks: Hooks
  #latest = 0

  constructor(hooks: Hooks) {
    this.#hooks = hooks
  }

  append(change: Change): void {
    const list = this.#byTask.get(change.taskId) ?? []
    list.push(change)
    this.#byTask.set(change.taskId, list)
    this.#latest = Math.max(this.#latest, change.at)
  }

  /** A moment later than every moment in the log, so that no two changes share one. */
  nextMoment(): number {
    return Math.max(Date.now(), this.#latest + 1)
  }

  clock(ms: number): string {
    return this.#hooks.run('clock', new Date(ms).toISOString(), { ms })
  }

  task(id: string, until = Number.POSITIVE_INFINITY): Task | undefined {
    let task: Task | undefined
    for (const change of this.#byTask.get(id) ?? [])
      if (change.at <= until) task = this.apply(task, change)
    return task
  }

  tasks(): Task[] {
    return [...this.#byTask.keys()].flatMap((id) => this.task(id) ?? [])
  }

  apply(before: Task | undefined, change: Change): Task | undefined {
    const updated_at = this.clock(change.stamp)
    if (change.what === 'opened')
      return { ...change.opening, assignment: null, updated_at, data_version: 1 }
    if (!before) return before
    if (change.what === 'touched') return { ...before, updated_at }
    return {
      ...before,
      assignment: change.assignment,
      updated_at,
      data_version: before.data_version + 1,
      ...change.patch,
    }
  }
}
