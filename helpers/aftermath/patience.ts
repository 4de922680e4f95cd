/** How long to look on where nothing is to happen: learned from how quickly what does happen shows. */
export type Patience = {
  /** an accepted update was shown by reads so long after its answer */
  measured(ms: number): void
  /** the service touched a task by itself so long after an update */
  touched(ms: number): void
  /** how long a window is now: as long as the time to settle until enough was measured */
  windowMs(): number
  /** whether it will not become shorter */
  isLearned(): boolean
  /** tells when enough was measured */
  onceLearned(tell: () => void): void
  readonly learned: Learned
}

/** What windows go by. */
export type Learned = { updates: number; lagMs: number; windowMs: number }

/** Fewer may all have been quick by chance. */
const minUpdates = 30
/** What comes ten times later than anything seen is looked for at the end of the run. */
const factor = 10
const leastMs = 100

/** Opens the patience of a run. A window that is too short can only miss something, never condemn. */
export function createPatience(settleMs: number): Patience {
  let updates = 0
  let lagMs = 0
  const listeners: (() => void)[] = []
  const windowMs = () =>
    updates < minUpdates
      ? settleMs
      : Math.min(settleMs, Math.max(leastMs, Math.ceil(factor * lagMs)))
  return {
    measured(ms) {
      updates += 1
      lagMs = Math.max(lagMs, ms)
      if (updates === minUpdates) for (const tell of listeners) tell()
    },
    touched(ms) {
      lagMs = Math.max(lagMs, ms)
    },
    windowMs,
    isLearned: () => updates >= minUpdates || settleMs <= leastMs,
    onceLearned: (tell) => void listeners.push(tell),
    get learned() {
      return { updates, lagMs: Math.ceil(lagMs), windowMs: windowMs() }
    },
  }
}

/** Says by what the windows of a run went, where they were shorter than the time to settle. */
export const describePatience = ({ updates, lagMs, windowMs }: Learned, settleMs: number) =>
  windowMs >= settleMs
    ? []
    : [
        `reads showed each of ${updates} updates within ${lagMs} ms, so a task was watched for ${windowMs} ms after each refused update, and looked at again at the end of the run`,
      ]
