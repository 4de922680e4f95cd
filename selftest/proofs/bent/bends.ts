import type { open } from '../../../reference/rules/open.ts'

type Rule<Given, Result> = (given: Given) => Result

/** A rule that changes for good after this many calls; each run gets a new one. */
export const midway = <Given, Result>(
  before: Rule<Given, Result>,
  after: Rule<Given, Result>,
  times: number,
): Rule<Given, Result> => eitherOf(before, after, (asked) => asked > times)

/** A rule that differs on every n-th call; each run gets a new one. */
export const nowAndThen = <Given, Result>(
  usual: Rule<Given, Result>,
  other: Rule<Given, Result>,
  times: number,
): Rule<Given, Result> => eitherOf(usual, other, (asked) => asked % times === 0)

function eitherOf<Given, Result>(
  usual: Rule<Given, Result>,
  other: Rule<Given, Result>,
  isOther: (asked: number) => boolean,
): Rule<Given, Result> {
  let asked = 0
  return (given) => {
    asked += 1
    return isOther(asked) ? other(given) : usual(given)
  }
}

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
