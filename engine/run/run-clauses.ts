import type { Worker } from 'node:worker_threads'
import type { ProvidedContext } from 'vitest'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { ClauseFacts } from '../clause/clause.ts'
import type { Forms } from '../clause/forms.ts'
import { NoSuchClause, type Selection } from '../clause/selection.ts'
import type { Exchange } from '../http/exchange.ts'
import { outcomeOf } from '../outcome.ts'
import type { Outcome } from '../verdict.ts'
import { openMainEnd } from './channel.ts'
import type { MetHere } from './report.ts'
import { type Runner, runnerOptions } from './runner-options.ts'

/** What became of one clause. */
export type Judged = {
  facts: ClauseFacts
  /** title of the suite it stands in */
  suite: string
  outcome: Outcome
  evidence: Exchange[]
  note?: string
  /** from its beginning to its end, its waiting with it */
  tookMs?: number
  /** the forms in which it asked, as far as it noted them */
  asked?: Forms
}

/** What the run tells while it goes on. */
export type Watcher<Note> = {
  collected(total: number): void
  started(id: string): void
  judged(clause: Judged): void
  requested(count: number): void
  noted?(note: Note): void
}

export type Clauses = {
  judged: Judged[]
  /** what kept suites from loading, or the runner from ending well */
  errors: string[]
  /** the ids of all clauses, chosen or not */
  declared: string[]
  /** breaches that clauses met and others own */
  met: MetHere[]
}

/** What is run, and where. */
export type Running = {
  /** names the channel to the worker */
  id: string
  /** the file that imports every suite */
  entry: string
  selection: Selection
  /** what the contract's givens are made from */
  provide: Partial<ProvidedContext>
  runner?: Runner
}

/** A clause that computes without end hears nothing: its tasks are to be put back all the same. */
const mostToEndMs = 5000

/**
 * Runs the clauses in one vitest worker and gives what became of each. Aborting `stop` ends it:
 * what is under way or has not begun is then trouble, with the reason of the abort.
 */
export async function runClauses<Note>(
  { id, entry, selection, provide, runner }: Running,
  watcher: Watcher<Note>,
  stop: AbortSignal,
): Promise<Clauses> {
  const judged = new Map<string, Judged>()
  /** in the order of the suites */
  const places = new Map<string, number>()
  const errors: string[] = []
  const declared: string[] = []
  const met: MetHere[] = []
  let noSuchClause: string | undefined
  let patient = true
  const channel = openMainEnd<Note>(id, (message) => {
    if (message.says === 'requests') watcher.requested(message.count)
    else if (message.says === 'met') met.push(message.met)
    else watcher.noted?.(message.note)
  })

  // A run that was ended may tell of a clause once more when it has already been given up.
  const judge = (test: TestCase) => {
    if (judged.has(test.name)) return
    const clause = judgedBy(test, stop)
    judged.set(test.name, clause)
    watcher.judged(clause)
  }
  const reporter: Reporter = {
    onTestModuleCollected: (module) => watcher.collected([...module.children.allTests()].length),
    onTestCaseReady: (test) => watcher.started(test.name),
    onTestCaseResult: judge,
    onTestRunEnd: (modules, unhandled) => {
      const failed = modules.flatMap((module) => module.errors())
      noSuchClause = failed.find(({ name }) => name === NoSuchClause.kind)?.message
      if (patient) errors.push(...troubleOf(modules, unhandled))
      const suites = modules.flatMap((module) => [...module.children.allSuites()])
      declared.push(...suites.flatMap((suite) => suite.meta().declared ?? []))
      // What the end of the run came before was never reported on.
      const tests = modules.flatMap((module) => [...module.children.allTests()])
      for (const test of tests) judge(test)
      tests.forEach(({ name }, at) => void places.set(name, at))
    },
  }

  // Loaded here: a run that cannot be made ends before it is needed.
  const { createVitest } = await import('vitest/node')
  const vitest = await withoutItsSignals(() =>
    createVitest('test', {
      ...runnerOptions(entry, { ...provide, selection }, runner),
      reporters: [reporter],
    }),
  )
  let saying: NodeJS.Timeout | undefined
  let losingPatience: NodeJS.Timeout | undefined
  const threads: Worker[] = []
  const keep = (thread: Worker) => threads.push(thread)
  process.on('worker', keep)
  const end = () => {
    losingPatience = setTimeout(() => {
      patient = false
      for (const thread of threads) void thread.terminate()
    }, mostToEndMs)
    // Said again and again: a worker that has only begun to load does not listen yet.
    const say = () => channel.say({ says: 'end', reason: String(stop.reason) })
    saying = setInterval(say, 100)
    say()
    void vitest.cancelCurrentRun('keyboard-input')
  }
  stop.addEventListener('abort', end)
  if (stop.aborted) end()
  await vitest.start()
  await vitest.close()
  // An end that comes later, while tasks are put back, is no matter of the clauses.
  stop.removeEventListener('abort', end)
  clearInterval(saying)
  clearTimeout(losingPatience)
  process.off('worker', keep)
  channel.close()
  if (noSuchClause) throw new NoSuchClause(noSuchClause)
  const placeOf = ({ facts }: Judged) => places.get(facts.id) ?? 0
  const inOrder = [...judged.values()].sort((a, b) => placeOf(a) - placeOf(b))
  return { judged: inOrder, errors, declared, met }
}

/** vitest ends the process on a signal within a millisecond: before anything could be put back. */
async function withoutItsSignals<T>(create: () => Promise<T>): Promise<T> {
  const signals = ['SIGINT', 'SIGTERM'] as const
  const ours = signals.map((signal) => process.listeners(signal))
  const created = await create()
  signals.forEach((signal, at) => {
    for (const listener of process.listeners(signal))
      if (!ours[at]?.includes(listener)) process.off(signal, listener)
  })
  return created
}

function judgedBy(test: TestCase, stop: AbortSignal): Judged {
  const { clause, outcome, evidence = [], note, asked } = test.meta()
  const suite = test.parent.type === 'suite' ? test.parent.name : ''
  const facts = clause ?? { id: test.name, level: 'must', statement: test.name, section: '' }
  const tookMs = test.diagnostic()?.duration
  const ended = outcome ?? unfinished(test, stop)
  return {
    facts,
    suite,
    outcome: ended,
    evidence,
    note,
    asked,
    ...(tookMs === undefined ? {} : { tookMs }),
  }
}

/** What became of a clause whose body did not end: a given that could not be had, or an end. */
function unfinished(test: TestCase, stop: AbortSignal): Outcome {
  const error = test.result().errors?.[0]
  if (error)
    return outcomeOf(
      Object.assign(new Error(error.message), {
        name: error.name,
        why: error.why,
        breaches: error.breaches,
      }),
    )
  const reason = stop.aborted ? String(stop.reason) : 'the runner ended before this clause did'
  return { kind: 'trouble', reason }
}

/** What kept suites from loading, or the runner from ending well. */
function troubleOf(
  modules: readonly TestModule[],
  unhandled: readonly { message: string }[],
): string[] {
  const failed = modules.flatMap((module) => module.errors())
  // The second line of an assertion is the text that did not hold.
  const messages = [...failed, ...unhandled].map(({ message }) =>
    message.split('\n').filter(Boolean).slice(0, 2).join(' ').replace(/\s+/g, ' '),
  )
  return modules.length === 0 ? ['no suite was found', ...messages] : messages
}
