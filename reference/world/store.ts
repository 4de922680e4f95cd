import type { Task } from './resources.ts'
import { canonical, freshVersion, timestampAt } from './versions.ts'

/** The tasks in memory, with enough history for reads that lag. */
export type Store = ReturnType<typeof createStore>

const pastKept = 100

/** Keeps the tasks of a world. `form` formats a version, because no shown version may repeat. */
export function createStore(tasks: Task[], clock: () => number, form: (version: string) => string) {
  const pasts = new Map<string, { task: Task; since: number }[]>()
  let due: { id: string; time: number; act: (time: number) => void }[] = []
  const waiting = new Map<string, (() => void)[]>()

  const append = (task: Task, since: number) => {
    const past = pasts.get(task.id) ?? []
    pasts.set(task.id, [...past.slice(-pastKept), { task, since }])
  }
  const latest = (id: string) => pasts.get(id)?.at(-1)?.task
  const touch = (id: string, time: number, written: Partial<Task> = {}) => {
    const task = latest(id)
    if (!task) return
    const updated_at = freshVersion(task.updated_at, timestampAt(time), form)
    append({ ...task, ...written, updated_at }, time)
  }

  // Delayed actions run on the next access: no timer outlives a test.
  const settle = (id: string) => {
    const now = clock()
    const past = due.filter((each) => each.id === id && each.time <= now)
    due = due.filter((each) => !past.includes(each))
    for (const { time, act } of past.sort((a, b) => a.time - b.time)) act(time)
  }
  const doLater = (id: string, delay: number, act: (time: number) => void) =>
    due.push({ id, time: clock() + delay, act })

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
    current(id: string): Task | undefined {
      settle(id)
      return latest(id)
    },
    /** all tasks as they were this many milliseconds ago */
    tasks(lag: number): Task[] {
      const seen = clock() - lag
      return [...pasts.keys()].map((id) => {
        settle(id)
        const past = pasts.get(id) ?? []
        const then = past.findLast(({ since }) => since <= seen) ?? past[0]
        return (lag > 0 ? then : past.at(-1))?.task as Task
      })
    },
    put: (task: Task) => append(task, clock()),
    /** the version that a change now would give the task */
    nextVersion: (task: Task, now: string) => freshVersion(task.updated_at, now, form),
    /** changes only the version of a task */
    touch: (id: string) => touch(id, clock()),
    /** has the task touched once more, after each of these milliseconds, and these fields written */
    touchLater(id: string, delays: number[], written: Partial<Task>) {
      for (const delay of delays) doLater(id, delay, (time) => touch(id, time, written))
    },
    /** does something with a task after so many milliseconds, or with the next change of it */
    later(id: string, when: number | 'next change', act: () => void) {
      if (when === 'next change') waiting.set(id, [...(waiting.get(id) ?? []), act])
      else doLater(id, when, act)
    },
    /** a task was changed: run what waited for it */
    changed(id: string) {
      const acts = waiting.get(id) ?? []
      waiting.delete(id)
      for (const act of acts) act()
    },
  }
}
