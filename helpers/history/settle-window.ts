// How long a change may take to show: learned from how quickly the accepted updates of the run show.

import type { History } from './history.ts'
import { lagIn } from './questions.ts'

/** What windows go by. */
export type LearnedWindow = { updates: number; lagMs: number; windowMs: number }

/** How long to look on where nothing is to happen. */
export type SettleWindow = {
  /** as long as the time to settle until enough was measured */
  windowMs(): number
  /** whether it will not become shorter */
  isLearned(): boolean
  /** says when enough was measured */
  onceLearned(hear: () => void): void
  readonly learned: LearnedWindow
}

/** Fewer may all have been quick by chance. */
const minUpdates = 30
/** The end of the run looks for what comes ten times later than anything seen. */
const factor = 10
const leastMs = 100

/** A window that is too short can only miss something, never condemn. */
export function settleWindowOf(history: History, settleMs: number): SettleWindow {
  const isMeasured = () => lagIn(history).updates >= minUpdates
  const windowMs = () =>
    isMeasured()
      ? Math.min(settleMs, Math.max(leastMs, Math.ceil(factor * lagIn(history).ms)))
      : settleMs
  return {
    windowMs,
    isLearned: () => isMeasured() || settleMs <= leastMs,
    onceLearned(hear) {
      let isHeard = false
      history.onEnded(() => {
        if (isHeard || !isMeasured()) return
        isHeard = true
        hear()
      })
    },
    get learned() {
      const { updates, ms } = lagIn(history)
      return { updates, lagMs: Math.ceil(ms), windowMs: windowMs() }
    },
  }
}

/** Says by what the windows of a run went, where they were shorter than the time to settle. */
export const describeWindow = ({ updates, lagMs, windowMs }: LearnedWindow, settleMs: number) =>
  windowMs >= settleMs
    ? []
    : [
        `${lagMs === 0 ? `the first read after each of ${updates} updates showed it` : `reads showed each of ${updates} updates within ${lagMs} ms`}, so a task was watched for ${windowMs} ms after each refused update, and looked at again at the end of the run`,
      ]
