import type { Task } from '../service/answers.ts'
import type { Service, Shared } from '../service/service.ts'

/** A new difference comes from `act`. */
export type Watch<Acted, Found> = (at: WatchDeps, act: () => Promise<Acted>) => Promise<Found>

export type WatchDeps = { task: Task; service: Service; shared: Shared }

/** Acts once every watcher is ready for it, or has failed. */
export function watchDuring<Acted>(
  watches: readonly ((act: () => Promise<Acted>) => Promise<unknown>)[],
  doIt: () => Promise<Acted>,
): { acted: Promise<Acted>; seen: Promise<void> } {
  const begun = watches.map((watch) => {
    let ready = () => {}
    const isReady = new Promise<void>((resolve) => {
      ready = resolve
    })
    const seeing = async () =>
      watch(() => {
        ready()
        return acted
      })
    return { isReady, see: () => seeing().finally(ready) }
  })
  const acted: Promise<Acted> = Promise.all(begun.map(({ isReady }) => isReady)).then(doIt)
  const seeing = begun.map(({ see }) => see())
  return { acted, seen: Promise.allSettled([...seeing, acted]).then(() => {}) }
}
