import { depart, enter, numbered } from '../../engine/time/entering.ts'
import { clock } from '../../engine/time/timers.ts'
import { printable } from '../../reporting/parts/texts.ts'

type Signal = 'SIGINT' | 'SIGTERM'

export type Interruption = {
  /** aborted, with a sentence as the reason */
  signal: AbortSignal
  by?: Signal
  end(reason: string): void
  /** ends it from outside, by a signal or by its caller */
  interrupt(by: Signal | undefined, reason: string): void
  leftover: () => string
}

export function createInterruption(): Interruption {
  const controller = new AbortController()
  const end = (reason: string) => controller.abort(reason)
  return {
    signal: controller.signal,
    end,
    interrupt(by, reason) {
      if (by) this.by = by
      end(reason)
    },
    leftover: () => 'Stopped. No task was changed.\n',
  }
}

function readLeftover({ leftover }: Interruption): string {
  try {
    return leftover()
  } catch (error) {
    return `Stopped. Which tasks are left changed could not be read: ${(error as Error).message}\n`
  }
}

/** Ctrl-C reaches npm and this process, and npm passes it on: a second signal within this time is the same one. */
const oneKeyMs = 500

/**
 * The first SIGINT or SIGTERM puts tasks back and writes the report; the second ends the process at once
 * and says what is left. A closed terminal and an uncaught error work like a signal.
 */
export function createSignalInterruption(): Interruption {
  const interruption = createInterruption()
  let since = 0
  const interrupted = (signal: NodeJS.Signals, why: string = signal) => {
    if (interruption.by && clock.now() - since < oneKeyMs) return
    if (interruption.by) {
      process.stderr.write(readLeftover(interruption))
      // Do not wait for a slow reader: the process has to end now.
      process.exit(signal === 'SIGINT' ? 130 : 143)
    }
    since = clock.now()
    process.stderr.write(`\n${why}: putting tasks back; press Ctrl-C again to stop now\n`)
    // At once: a second signal may come before its turn.
    interruption.by = signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM'
    enterInterruption(interruption, interruption.by, `the run was interrupted (${why})`)
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

/** An interruption enters in its turn; it ends the order of a replay. */
export function enterInterruption(
  interruption: Interruption,
  by: Signal | undefined,
  reason: string,
): void {
  depart(reason)
  enter(numbered('interruption'), () => interruption.interrupt(by, reason), [by ?? null, reason])
}

/**
 * A signal may end npm's shell without reaching the program, which then notices that its parent is gone. A
 * program that npm did not start may outlive its parent.
 */
function onceAlone(act: () => void): void {
  if (process.env.npm_command === undefined) return
  const parent = process.ppid
  clock.watch('parent', 250, () => process.ppid !== parent, act)
}

const streams = () => [process.stdout, process.stderr]

/** Lets a reader of the output leave first (`| head`, a closed terminal): the command continues. */
export function letReadersLeave(): void {
  for (const stream of streams()) stream.on('error', () => {})
}

/** `process.exit` alone cuts a pipe at 64 kB. A signal ends it at once, with the same exit code. */
export async function leave(exitCode: number): Promise<never> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal)
    process.on(signal, () => process.exit(exitCode))
  }
  await Promise.all(streams().map(goneOut))
  process.exit(exitCode)
}

/** Until Ctrl-C, or the end of the process that started this one. */
export const untilSignal = () =>
  new Promise<void>((resolve) => {
    // Neither a promise nor a handler keeps a process alive; an open port does.
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve())
  })

/** An empty write calls back after all earlier writes, even without a reader. */
const goneOut = (stream: NodeJS.WriteStream) =>
  stream.writableLength === 0
    ? undefined
    : new Promise<void>((resolve) => stream.write('', () => resolve()))
