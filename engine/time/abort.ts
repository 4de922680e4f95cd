import { clock, type Timer } from './timers.ts'
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const aborted = () => reject(signal.reason)
    if (signal.aborted) aborted()
    signal.addEventListener('abort', aborted, { once: true })
    const settled = () => signal.removeEventListener('abort', aborted)
    promise.then(resolve, reject).finally(settled)
  })
}

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: Timer | undefined
  const passed = new Promise<void>((resolve) => {
    timer = clock.setTimeout(resolve, ms)
  })
  try {
    await orAborted(passed, signal)
  } finally {
    clock.clear(timer)
  }
}
