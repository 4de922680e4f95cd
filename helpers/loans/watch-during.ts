import type { Task } from '../service/answers.ts'
import type { Service, Shared } from '../service/service.ts'

/**
 * Looks around a task before something is done with it, has it done by `act`, and looks again while
 * nobody else may touch the task yet: what is new then came of that.
 */
export type Watch<Acted, Found> = (at: WatchDeps, act: () => Promise<Acted>) => Promise<Found>

export type WatchDeps = { task: Task; service: Service; shared: Shared }

/** Does something once all watchers are ready; `seen` comes when they have seen what followed. */
export function watchDuring<Acted>(
  watches: readonly ((act: () => Promise<Acted>) => Promise<unknown>)[],
  doIt: () => Promise<Acted>,
): { acted: Promise<Acted>; seen: Promise<void> } {
  let begin: () => void = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const acted = begun.then(doIt)

  let awaited = watches.length
  const seeing = watches.map(async (watch) => {
    let isReady = false
    const ready = () => {
      if (isReady) return
      isReady = true
      awaited -= 1
      if (awaited === 0) begin()
    }
    try {
      await watch(() => {
        ready()
        return acted
      })
    } finally {
      // One that cannot look does not keep the others from it.
      ready()
    }
  })
  if (watches.length === 0) begin()
  return { acted, seen: Promise.allSettled([...seeing, acted]).then(() => {}) }
}
