type Signal = 'SIGINT' | 'SIGTERM'

/** What can end a run before its time. */
export type Interruption = {
  /** aborted, with the reason as a sentence, when the run is to end */
  signal: AbortSignal
  /** the signal that ended it, if one did */
  readonly by?: Signal
  end(reason: string): void
}

/** An end that nobody but the run itself brings about. */
export function neverInterrupted(): Interruption {
  const controller = new AbortController()
  return { signal: controller.signal, end: (reason) => controller.abort(reason) }
}

/**
 * Ends the run on the first SIGINT or SIGTERM, so that it puts back what it changed and reports
 * what it has; a second one ends the process at once, with what `leftover` tells.
 */
export function interruptedBySignals(leftover: () => string): Interruption {
  const controller = new AbortController()
  let by: Signal | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (by !== undefined) {
        process.stderr.write(leftover())
        process.exit(signal === 'SIGINT' ? 130 : 143)
      }
      by = signal
      process.stderr.write(
        `\n${signal}: putting back what was changed; once more to stop at once\n`,
      )
      controller.abort(`the run was interrupted (${signal})`)
    })
  }
  return {
    signal: controller.signal,
    get by() {
      return by
    },
    end: (reason) => controller.abort(reason),
  }
}
