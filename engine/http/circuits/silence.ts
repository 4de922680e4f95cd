import { Trouble } from '../../outcome.ts'
import { orAborted } from '../../time/abort.ts'
import { clock } from '../../time/timers.ts'

export type Turn = {
  /** the head of an answer came: a silence of its kind no longer ends it */
  headed(): void
  answered(): void
  unanswered(why: string): void
  left(): void
}

export type Kind = {
  name: string
  /** each takes long: the first timeout decides for the others, unless an answer came meanwhile */
  isFile: boolean
}

type Silence = {
  /** how many were not answered; for JSON requests, since the last answer */
  unanswered: number
  answered: number
  silent?: Trouble | undefined
  /** one request is still tried now and then; the others wait for it */
  trial?: { over: Promise<void>; end: () => void } | undefined
  nextTrialAt: number
  pauseMs: number
  /** ends those under way that have no head yet */
  waiting: Set<(why: Trouble) => void>
}

const mostUnanswered = 3
const firstPauseMs = 15_000

/** Notices that a service leaves requests of one kind unanswered, even while it answers others. */
export function watchSilences(now: () => number = () => clock.now()) {
  const silences = new Map<string, Silence>()
  let isAnyFileAnswered = false

  const silenceOf = ({ name, isFile }: Kind): Silence => {
    // Until a file has arrived, one timeout opens the circuit for all files.
    const key = isFile && !isAnyFileAnswered ? 'files' : name
    const begun = { unanswered: 0, answered: 0, nextTrialAt: 0, pauseMs: firstPauseMs }
    const silence = silences.get(key) ?? { ...begun, waiting: new Set() }
    silences.set(key, silence)
    return silence
  }

  const fallSilent = (silence: Silence, { name, isFile }: Kind, why: string) => {
    const at = clock.iso().slice(11, 19)
    silence.silent ??= new Trouble(
      `the service stopped responding to ${name} at ${at} UTC (${why})`,
    )
    if (!isFile) return
    silence.nextTrialAt = Number.POSITIVE_INFINITY
    for (const end of silence.waiting) end(silence.silent)
  }

  return {
    async take(kind: Kind, end: (why: Trouble) => void, signal: AbortSignal): Promise<Turn> {
      const { isFile } = kind
      const silence = silenceOf(kind)
      while (silence.trial) await orAborted(silence.trial.over, signal)
      if (silence.silent && now() < silence.nextTrialAt) throw silence.silent
      if (silence.silent) silence.trial = openTrial()
      const { trial, answered } = silence
      const headed = () => silence.waiting.delete(end)
      const left = () => {
        headed()
        if (trial && silence.trial === trial) silence.trial = undefined
        trial?.end()
      }
      silence.waiting.add(end)
      return {
        headed,
        left,
        answered() {
          if (isFile) isAnyFileAnswered = true
          else silence.unanswered = 0
          silence.answered += 1
          silence.silent = undefined
          silence.pauseMs = firstPauseMs
          left()
        },
        unanswered(why) {
          const isAlone = silence.answered === answered
          if (isAlone || isFile) silence.unanswered += 1
          headed()
          if (trial) {
            silence.nextTrialAt = now() + silence.pauseMs
            silence.pauseMs *= 2
          }
          if ((isAlone && isFile) || silence.unanswered >= mostUnanswered)
            fallSilent(silence, kind, why)
          left()
        },
      }
    },
  }
}

function openTrial() {
  let end = () => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  return { over, end }
}
