const streams = () => [process.stdout, process.stderr]

/** Lets who reads along leave first (`| head`, a closed terminal): the command goes on to its end. */
export function letReadersLeave(): void {
  for (const stream of streams()) stream.on('error', () => {})
}

/**
 * Ends the process when all that was written has gone out: `process.exit` alone cuts what a pipe has
 * not taken yet, at 64 kB. A signal ends it at once, with the same exit code.
 */
export async function leave(exitCode: number): Promise<never> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal)
    process.on(signal, () => process.exit(exitCode))
  }
  await Promise.all(streams().map(goneOut))
  process.exit(exitCode)
}

/** A write of nothing is called back after all before it, also where nobody reads any more. */
const goneOut = (stream: NodeJS.WriteStream) =>
  stream.writableLength === 0
    ? undefined
    : new Promise<void>((resolve) => stream.write('', () => resolve()))
