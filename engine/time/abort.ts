/** Awaits a promise, or throws the signal's reason as soon as it aborts. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const aborted = () => reject(signal.reason)
    if (signal.aborted) aborted()
    signal.addEventListener('abort', aborted, { once: true })
    const settled = () => signal.removeEventListener('abort', aborted)
    promise.then(resolve, reject).finally(settled)
  })
}

/** Waits, or throws as soon as the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await orAborted(passed, signal)
  } finally {
    clearTimeout(timer)
  }
}
