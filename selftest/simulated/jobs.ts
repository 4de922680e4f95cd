import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'

// What is written to make sure that it outlives a crash takes long on a disk, while the clock stands.
const inMemory = existsSync('/dev/shm') ? { TMPDIR: '/dev/shm' } : {}

type Dealing<Item, Told> = {
  jobs: number
  hear: (item: Item, told: Told) => void
  /** the rest is left */
  isOver?: () => boolean
}

/** Has processes of this bundle, with the same flags, do all of a list; each asks for the next when it is done. */
export async function deal<Item extends object, Told>(
  items: readonly Item[],
  { jobs, hear, isOver = () => false }: Dealing<Item, Told>,
): Promise<void> {
  const queue = [...items]
  const work = (takes: () => Item | undefined) =>
    new Promise<void>((resolve, reject) => {
      const { SIMULATED_BUNDLE = '' } = process.env
      const child = fork(SIMULATED_BUNDLE, process.argv.slice(2), {
        execArgv: [...process.execArgv, '--max-semi-space-size=64'],
        env: { ...process.env, ...inMemory },
      })
      let item: Item | undefined
      const send = () => {
        item = takes()
        if (item === undefined) child.disconnect()
        else child.send(item)
      }
      child.on('message', (told: Told) => {
        hear(item as Item, told)
        send()
      })
      child.on('exit', (code) =>
        item === undefined
          ? resolve()
          : reject(new Error(`a process ended with ${code} at ${JSON.stringify(item)}`)),
      )
      send()
    })
  await Promise.all(
    Array.from({ length: jobs }, () => work(() => (isOver() ? undefined : queue.shift()))),
  )
}

/** Does what it is told to, one after another, where this process is one of those. */
export function doJobs<Item, Told>(act: (item: Item) => Promise<Told>): void {
  process.on('message', async (item: Item) => process.send?.(await act(item)))
}
