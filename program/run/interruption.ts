import { printable } from '../../reporting/parts/printable.ts'

type Signal = 'SIGINT' | 'SIGTERM'

/** What can end a run before its time. */
export type Interruption = {
  /** aborted, with the reason as a sentence, when the run is to end */
  signal: AbortSignal
  /** the signal that ended it, if one did */
  by?: Signal
  end(reason: string): void
  /** says what is left behind where the run is stopped at once */
  leftover: () => string
}

/** An end that nobody but the run itself brings about. */
export function createInterruption(): Interruption {
  const controller = new AbortController()
  const end = (reason: string) => controller.abort(reason)
  return { signal: controller.signal, end, leftover: () => 'Stopped. No task was changed.\n' }
}

function readLeftover({ leftover }: Interruption): string {
  try {
    return leftover()
  } catch (error) {
    return `Stopped. Which tasks are left changed could not be read: ${(error as Error).message}\n`
  }
}

/**
 * A Ctrl-C goes to npm and to this process alike, and npm hands it on: what follows within this
 * time is the same one.
 */
const oneKeyMs = 500

/**
 * Ends the run on the first SIGINT or SIGTERM, so that it puts back what it changed and reports
 * what it has; a second one ends the process at once, and says what is left. A terminal that is
 * closed and a mistake that nobody caught end the run like a signal.
 */
export function createSignalInterruption(): Interruption {
  const interruption = createInterruption()
  let since = 0
  const interrupted = (signal: NodeJS.Signals, why: string = signal) => {
    if (interruption.by && performance.now() - since < oneKeyMs) return
    if (interruption.by) {
      process.stderr.write(readLeftover(interruption))
      // Nothing waits for a slow reader here: the process is to end at once.
      process.exit(signal === 'SIGINT' ? 130 : 143)
    }
    interruption.by = signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM'
    since = performance.now()
    process.stderr.write(`\n${why}: putting tasks back; press Ctrl-C again to stop now\n`)
    interruption.end(`the run was interrupted (${why})`)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => interrupted(signal))
  onceAlone(() => interrupted('SIGTERM', 'npm, which started this run, has ended'))

  process.on('uncaughtException', (error) => {
    const stack = printable(error?.stack ?? String(error))
    process.stderr.write(`Internal error in this suite (your service is not to blame): ${stack}\n`)
    interruption.end(`internal error of the suite: ${error?.message ?? error}`)
  })
  return interruption
}

/**
 * npm and npx start a program in a shell, and a signal that they are sent may end the shell and never
 * reach the program: it is noticed by being left alone. Who was put into the background on purpose is not.
 */
function onceAlone(act: () => void): void {
  if (process.env.npm_command === undefined) return
  const parent = process.ppid
  const looking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(looking)
    act()
  }, 250).unref()
}
