// Divides a list of jobs, each a number or other JSON, among processes of this same program.
import { fork, type Serializable } from 'node:child_process'

/** Whether this process is a worker. */
export const isWorker = process.send !== undefined

/** As a worker: does each job that it is sent, and sends the result back. */
export function doJobs<Done, Task extends Serializable = number>(
  act: (task: Task) => Promise<Done>,
): void {
  process.on('message', async (task: Task) => void process.send?.(await act(task)))
  // Over sockets connections may still be open.
  process.on('disconnect', () => process.exit())
}

/** Starts so many workers; they take from both ends of the list, so that each does much of one area. */
export async function doInProcesses<Done, Task extends Serializable = number>(
  list: readonly Task[],
  jobs: number,
  hear: (task: Task, done: Done) => void,
): Promise<{ lost: Task[] }> {
  const queue = [...list]
  const lost: Task[] = []
  const work = (n: number) =>
    new Promise<void>((resolve) => {
      const { SIMULATED_BUNDLE = process.argv[1] as string } = process.env
      const child = fork(SIMULATED_BUNDLE, process.argv.slice(2), {
        execArgv: [...process.execArgv, '--max-semi-space-size=64'],
      })
      let task: Task | undefined
      const send = () => {
        task = n % 2 === 0 ? queue.shift() : queue.pop()
        if (task === undefined) child.disconnect()
        else child.send(task)
      }
      child.on('message', (done: Done) => {
        hear(task as Task, done)
        send()
      })
      child.on('exit', () => {
        if (task !== undefined) lost.push(task)
        resolve()
      })
      send()
    })
  await Promise.all(Array.from({ length: jobs }, (_, n) => work(n)))
  return { lost: [...lost, ...queue] }
}
