import type { Task } from '../service/answers.ts'
import type { Service, Shared } from '../service/service.ts'

/**
 * Looks around a task, lets `act` change it, and looks again while the task is on loan: a new difference
 * comes from that change.
 */
export type Watch<Acted, Found> = (at: WatchDeps, act: () => Promise<Acted>) => Promise<Found>

type WatchDeps = { task: Task; service: Service; shared: Shared }

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
      // A watcher that fails does not hold up the others.
      ready()
    }
  })
  if (watches.length === 0) begin()
  return { acted, seen: Promise.allSettled([...seeing, acted]).then(() => {}) }
}
