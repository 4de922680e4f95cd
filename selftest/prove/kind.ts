// What every way of proving shares: the choice of what is tried, processes, a start that goes on, and the form of results.
import type { Serializable } from 'node:child_process'
import { matchesAny } from '../../engine/glob.ts'
import { commitOf, createKept, product } from '../kept.ts'
import { doInProcesses } from '../simulated/processes.ts'

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
export type Outcome = { wrong: Wrong[]; figure: string }

/** `act` does one task, in a process of its own; `prove` chooses the tasks, and says what they showed. */
export type Kind<Task extends Serializable, Told> = {
  /** the sources besides the product on which a result depends */
  sources: string[]
  /** its tasks write files: none is left out because it was done before */
  isDoneAnew?: boolean
  /** the words of the command on which a result depends: all */
  wordsOf?(words: readonly string[]): readonly string[]
  act(task: Task, flags: Flags): Promise<Told>
  prove(flags: Flags, tryAll: TryAll<Task, Told>): Promise<Outcome>
}

/** Returns the tasks whose processes ended. */
export type TryAll<Task, Told> = (
  tasks: readonly Task[],
  hear: (task: Task, told: Told) => void,
) => Promise<Task[]>

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

/** The command that tries one thing again. */
export const again = ({ what, words, everything }: Flags, name: string, seed?: number): string =>
  [
    `npm run prove -- ${[...(what === 'all' ? [] : [what]), ...words].join(' ')} --only '${name}'`,
    ...(everything ? ['--everything'] : []),
    ...(seed === undefined ? [] : [`--seed ${seed}`]),
  ].join(' ')

/** Tries what was not tried at this commit with these flags. */
export function tryingAll<Task extends Serializable, Told>(
  kind: Kind<Task, Told>,
  flags: Flags,
): TryAll<Task, Told> {
  const { what, words, seeds, everything, jobs } = flags
  const commit = commitOf(...product, 'selftest/simulated', 'selftest/proofs', ...kind.sources)
  const telling = kind.wordsOf?.(words) ?? words
  const under = [commit, what, ...telling, ...seeds, everything, process.env.WAITS].join(' ')
  const kept = createKept<{ under: string; task: string; told: Told }>('proven.jsonl')
  return async (tasks, hear) => {
    const before = new Map(
      (kind.isDoneAnew ? [] : kept.read()).flatMap((each) =>
        each.under === under ? [[each.task, each.told]] : [],
      ),
    )
    const left: Task[] = []
    for (const task of tasks) {
      const told = before.get(JSON.stringify(task))
      if (told === undefined) left.push(task)
      else hear(task, told)
    }
    let done = 0
    const { lost } = await doInProcesses<Told, Task>(left, jobs, (task, told) => {
      kept.keep({ under, task: JSON.stringify(task), told })
      hear(task, told)
      done += 1
      if (done % 50 === 0) say(`${done} of ${left.length}`)
    })
    return lost
  }
}
