// The settle window: how long a change may take to show, learned from the accepted updates of the run.

import type { History } from './history.ts'
import { lagIn } from './questions.ts'

export type LearnedWindow = { updates: number; lagMs: number; windowMs: number }

export type SettleWindow = ReturnType<typeof settleWindowOf>

/** Fewer quick updates may be chance. */
const minUpdates = 5
/** The end of the run notices what comes more than this many times later than anything seen. */
const factor = 10
const leastMs = 100

/** A window that is too short can only miss a breach, never invent one. */
export function settleWindowOf(history: History, settleMs: number) {
  const windowMs = () => {
    const { updates, ms } = lagIn(history)
    const isMeasured = updates >= minUpdates
    return isMeasured ? Math.min(settleMs, Math.max(leastMs, Math.ceil(factor * ms))) : settleMs
  }
  return {
    windowMs,
    get learned(): LearnedWindow {
      const { updates, ms } = lagIn(history)
      return { updates, lagMs: Math.ceil(ms), windowMs: windowMs() }
    },
  }
}

export const describeWindow = ({ updates, lagMs, windowMs }: LearnedWindow, settleMs: number) =>
  windowMs >= settleMs
    ? []
    : [
        `${lagMs === 0 ? `the first read after each of ${updates} updates showed it` : `reads showed each of ${updates} updates within ${lagMs} ms`}, so a task was watched for ${windowMs} ms after each rejected update, and looked at again at the end of the run`,
      ]
