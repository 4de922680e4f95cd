// Distributes a numbered list of jobs over processes of this program.
import { fork } from 'node:child_process'

/** Whether this process is a worker. */
export const isTold = process.send !== undefined

/** Does the worker's jobs one after another, and sends the results. */
export function doAsTold<Done>(act: (at: number) => Promise<Done>): void {
  process.on('message', async (at: number) => void process.send?.(await act(at)))
}

/**
 * Distributes all jobs over this many processes; the list is taken from both ends, so that each does much
 * of one area.
 */
export async function doInProcesses<Done>(
  list: readonly number[],
  jobs: number,
  hear: (at: number, done: Done) => void,
): Promise<{ lost: number[] }> {
  const queue = [...list]
  const lost: number[] = []
  const work = (n: number) =>
    new Promise<void>((resolve) => {
      const { SIMULATED_BUNDLE = process.argv[1] as string } = process.env
      const child = fork(SIMULATED_BUNDLE, process.argv.slice(2), {
        execArgv: [...process.execArgv, '--max-semi-space-size=64'],
      })
      let at: number | undefined
      const send = () => {
        at = n % 2 === 0 ? queue.shift() : queue.pop()
        if (at === undefined) child.disconnect()
        else child.send(at)
      }
      child.on('message', (done: Done) => {
        hear(at as number, done)
        send()
      })
      child.on('exit', () => {
        if (at !== undefined) lost.push(at)
        resolve()
      })
      send()
    })
  await Promise.all(Array.from({ length: jobs }, (_, n) => work(n)))
  return { lost: [...lost, ...queue] }
}
