const streams = () => [process.stdout, process.stderr]

/** Lets a reader of the output leave first (`| head`, a closed terminal): the command continues. */
export function letReadersLeave(): void {
  for (const stream of streams()) stream.on('error', () => {})
}

/**
 * Ends the process once all output is written: `process.exit` alone cuts a pipe at 64 kB. A signal ends it
 * at once, with the same exit code.
 */
export async function leave(exitCode: number): Promise<never> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal)
    process.on(signal, () => process.exit(exitCode))
  }
  await Promise.all(streams().map(goneOut))
  process.exit(exitCode)
}

/** Until Ctrl-C, the end of the process that started this one, or the signal. */
export const untilSignal = (signal?: AbortSignal) =>
  new Promise<void>((resolve) => {
    // Neither a promise nor a handler keeps a process alive; an open port does.
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve())
    signal?.addEventListener('abort', () => resolve(), { once: true })
    if (signal?.aborted) resolve()
  })

/** An empty write calls back after all earlier writes, even without a reader. */
const goneOut = (stream: NodeJS.WriteStream) =>
  stream.writableLength === 0
    ? undefined
    : new Promise<void>((resolve) => stream.write('', () => resolve()))
