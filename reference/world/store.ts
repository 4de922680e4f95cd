import { canonical, freshVersion, timestampAt } from './versions.ts'
import type { Task } from './world.ts'

/** The tasks in memory, with enough of their past for reads that lag. */
export type Store = {
  /** the task as of now */
  current(id: string): Task | undefined
  /** all tasks as they were some milliseconds ago */
  tasks(lag: number): Task[]
  put(task: Task): void
  /** the version the task would get by a change made now */
  nextVersion(task: Task): string
  /** changes nothing of a task but its version */
  touch(id: string): void
  /** has the task touched once more, after each of these milliseconds */
  touchLater(id: string, delays: number[]): void
}

const pastKept = 100

/** Keeps the tasks of a world; `form` is how a version is shown, for no shown version may repeat. */
export function createStore(
  tasks: Task[],
  clock: () => number,
  form: (version: string) => string,
): Store {
  const pasts = new Map<string, { task: Task; since: number }[]>()
  const touches = new Map<string, number[]>()

  const append = (task: Task, since: number) => {
    const past = pasts.get(task.id) ?? []
    pasts.set(task.id, [...past.slice(-pastKept), { task, since }])
  }
  const latest = (id: string) => pasts.get(id)?.at(-1)?.task
  const touch = (id: string, time: number) => {
    const task = latest(id)
    if (!task) return
    append({ ...task, updated_at: freshVersion(task.updated_at, timestampAt(time), form) }, time)
  }

  // later touches are made when somebody looks: no timer outlives a test
  const settle = (id: string) => {
    const now = clock()
    const times = touches.get(id) ?? []
    if (times.length === 0) return
    for (const time of times.filter((time) => time <= now).sort((a, b) => a - b)) touch(id, time)
    const later = times.filter((time) => time > now)
    touches.set(id, later)
  }

  for (const task of tasks) {
    const { created_at, updated_at, locked_at } = task
    append(
      {
        ...structuredClone(task),
        created_at: canonical(created_at),
        updated_at: canonical(updated_at),
        locked_at: canonical(locked_at),
      },
      Number.NEGATIVE_INFINITY,
    )
  }

  return {
    current(id) {
      settle(id)
      return latest(id)
    },
    tasks(lag) {
      const seen = clock() - lag
      return [...pasts.keys()].map((id) => {
        settle(id)
        const past = pasts.get(id) ?? []
        const then = past.findLast(({ since }) => since <= seen) ?? past[0]
        return (lag > 0 ? then : past.at(-1))?.task as Task
      })
    },
    put: (task) => append(task, clock()),
    nextVersion: (task) => freshVersion(task.updated_at, timestampAt(clock()), form),
    touch: (id) => touch(id, clock()),
    touchLater(id, delays) {
      if (delays.length === 0) return
      const now = clock()
      touches.set(id, [...(touches.get(id) ?? []), ...delays.map((delay) => now + delay)])
    },
  }
}
