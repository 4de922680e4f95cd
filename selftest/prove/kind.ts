import { fork, type Serializable } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { matchesAny } from '../../engine/glob.ts'
import { commitOf, product, root, sampleOf } from '../kept.ts'

// What every way of proving shares: the choice of what is tried, processes, a start that goes on, and the form of results.

export type Flags = {
  what: string
  /** the words after WHAT */
  words: string[]
  only: string[]
  seeds: number[]
  share: number
  jobs: number
  everything: boolean
}

/** What is not as it has to be. */
export type Wrong = { what: string; expected: string; got: string; again: string }

/** `figure`: the result in a few words. */
type Outcome = { wrong: Wrong[]; figure: string }

/** `act` does one task, in a process of its own; `prove` chooses the tasks, and says what they showed. */
export type Kind<Task extends Serializable, Told> = {
  /** the sources besides the product on which a result depends */
  sources: string[]
  /** its tasks write files: none is left out because it was done before */
  isDoneAnew?: boolean
  /** the words of the command on which a result depends: all */
  wordsOf?(words: readonly string[]): readonly string[]
  act(task: Task, flags: Flags): Promise<Told>
  /** what `--only` calls a task */
  nameOf(task: Task, flags: Flags): string
  prove(flags: Flags, tryAll: TryAll<Task, Told>): Promise<Outcome>
}

export type TryAll<Task, Told> = (
  tasks: readonly Task[],
  hear: (task: Task, told: Told) => void,
) => Promise<void>

/** What cannot be tried as it was said. */
export class Refused extends Error {}

export const say = (text: string): void => void process.stdout.write(`${text}\n`)

export const chosen = <T extends { name: string }>(
  list: readonly T[],
  { only, what }: Flags,
): T[] => {
  const found = list.filter(({ name }) => matchesAny(name, only))
  if (found.length > 0) return found
  throw new Refused(`${what} has nothing with a name like ${only.join(' or ')}`)
}

/** The share that the flags ask for, drawn by their seed. */
export const shareOf = <T>(list: readonly T[], { share, seeds: [seed = 1] }: Flags): T[] =>
  sampleOf(list, Math.round(list.length * share), seed)

/** What is wrong with one thing, and the command that tries it again. */
export function wrongOf(
  { what, words, everything }: Flags,
  [name, shown = name]: [name: string, shown?: string],
  expected: string,
  got: string,
  seeds: readonly number[] = [],
): Wrong {
  const again = [
    ['npm run prove --', ...(what === 'all' ? [] : [what]), ...words, `--only '${name}'`].join(' '),
    ...(everything ? ['--everything'] : []),
    ...seeds.map((seed) => `--seed ${seed}`),
  ]
  return { what: shown, expected, got, again: again.join(' ') }
}

/** The result of each task, line by line, so that an interrupted start loses only what was under way. */
const reports = join(root, 'reports')
const proven = join(reports, 'proven.jsonl')

/** The results under these flags; a line that was cut short is tried again. */
function toldBefore<Told>(under: string): Map<string, Told> {
  const lines = existsSync(proven) ? readFileSync(proven, 'utf8').split('\n') : []
  const all = lines.flatMap((line) => (line.endsWith('}') ? [JSON.parse(line)] : []))
  return new Map(all.filter((each) => each.under === under).map(({ task, told }) => [task, told]))
}

/** Tries what was not tried at this commit with these flags; `lost`: the tasks whose processes ended. */
export function tryingAll<Task extends Serializable, Told>(
  kind: Kind<Task, Told>,
  flags: Flags,
  lost: Task[],
): TryAll<Task, Told> {
  const { what, words, seeds, everything, jobs } = flags
  const commit = commitOf(...product, 'selftest/simulated', 'selftest/proofs', ...kind.sources)
  const telling = kind.wordsOf?.(words) ?? words
  const under = [commit, what, ...telling, ...seeds, everything, process.env.WAITS].join(' ')
  return async (tasks, hear) => {
    const before = kind.isDoneAnew ? new Map<string, Told>() : toldBefore<Told>(under)
    mkdirSync(reports, { recursive: true })
    const left: Task[] = []
    for (const task of tasks) {
      const told = before.get(JSON.stringify(task))
      if (told === undefined) left.push(task)
      else hear(task, told)
    }
    let done = 0
    const ended = await doInProcesses<Told, Task>(left, jobs, (task, told) => {
      appendFileSync(proven, `${JSON.stringify({ under, task: JSON.stringify(task), told })}\n`)
      hear(task, told)
      done += 1
      if (done % 50 === 0) say(`${done} of ${left.length}`)
    })
    lost.push(...ended)
  }
}

// Divides a list of jobs, each a number or other JSON, among processes of this same program.

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

/** Starts so many workers, and returns the tasks whose processes ended; they take from both ends of the list, so that each does much of one area. */
async function doInProcesses<Done, Task extends Serializable>(
  list: readonly Task[],
  jobs: number,
  hear: (task: Task, done: Done) => void,
): Promise<Task[]> {
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
  return [...lost, ...queue]
}
