/** Counts requests per second and returns whether one exceeds the limit. */
export function rateLimit(clock: () => number): (perSecond: number) => boolean {
  let second = 0
  let count = 0
  return (perSecond) => {
    const now = Math.floor(clock() / 1000)
    if (now !== second) count = 0
    second = now
    count += 1
    return count > perSecond
  }
}
