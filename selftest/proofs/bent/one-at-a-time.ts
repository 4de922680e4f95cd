import type { open } from '../../../reference/rules/open.ts'

type Delay = typeof open.delay

/** A service that works on one request at a time, or on one of a kind, for so many milliseconds each. */
export function oneAtATime(
  each: number,
  isOf: (call: Parameters<Delay>[0]) => boolean = () => true,
): Delay {
  let free = 0
  return (call) => {
    if (call.at !== 'end' || !isOf(call)) return 0
    const now = Date.now()
    // Another run may have begun earlier in simulated time.
    if (free > now + 1000 * each) free = now
    free = Math.max(now, free) + each
    return free - now
  }
}
