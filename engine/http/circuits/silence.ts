import { Trouble } from '../../outcome.ts'
import { orAborted } from '../../time/abort.ts'

/** A request of a kind, from before it is sent until it is known whether it was answered. */
export type Turn = {
  /** the head of an answer came: others that fall silent do not end it */
  headed(): void
  answered(): void
  /** nothing came in time */
  unanswered(why: string): void
  /** it ended otherwise */
  left(): void
}

export type Kind = {
  /** what people call these requests, in the plural */
  name: string
  /** each takes long: the first that does not come, while no other did, settles it for the others */
  isFile: boolean
}

/** What is known of one kind. */
type Story = {
  /** how many were not answered; of other than files, since one was, and while none was */
  unanswered: number
  answered: number
  /** why none is sent any more */
  silent?: Trouble | undefined
  /** one is sent all the same from time to time, and the others wait for it */
  trial?: { over: Promise<void>; end: () => void } | undefined
  nextTrialAt: number
  pauseMs: number
  /** ends those under way of which not even the head of an answer came */
  waiting: Set<(why: Trouble) => void>
}

const mostUnanswered = 3
const firstPauseMs = 15_000

/** Finds out that a service leaves requests of one kind unanswered, also while it answers others. */
export function watchSilences(now: () => number = () => performance.now()) {
  const stories = new Map<string, Story>()
  let isAnyFileAnswered = false

  const storyOf = ({ name, isFile }: Kind): Story => {
    // Until a file has arrived, one that does not come speaks for all.
    const key = isFile && !isAnyFileAnswered ? 'files' : name
    const begun = { unanswered: 0, answered: 0, nextTrialAt: 0, pauseMs: firstPauseMs }
    const story = stories.get(key) ?? { ...begun, waiting: new Set() }
    stories.set(key, story)
    return story
  }

  const fallSilent = (story: Story, { name, isFile }: Kind, why: string) => {
    const at = new Date().toISOString().slice(11, 19)
    story.silent ??= new Trouble(`the service stopped answering ${name} at ${at} UTC (${why})`)
    if (!isFile) return
    story.nextTrialAt = Number.POSITIVE_INFINITY
    for (const end of story.waiting) end(story.silent)
  }

  return {
    /** waits while it is tried whether this kind is answered again; throws Trouble where it is not */
    async take(kind: Kind, end: (why: Trouble) => void, signal: AbortSignal): Promise<Turn> {
      const { isFile } = kind
      const story = storyOf(kind)
      while (story.trial) await orAborted(story.trial.over, signal)
      if (story.silent && now() < story.nextTrialAt) throw story.silent
      if (story.silent) story.trial = openTrial()
      const { trial, answered } = story
      const headed = () => story.waiting.delete(end)
      const left = () => {
        headed()
        if (trial && story.trial === trial) story.trial = undefined
        trial?.end()
      }
      story.waiting.add(end)
      return {
        headed,
        left,
        answered() {
          if (isFile) isAnyFileAnswered = true
          else story.unanswered = 0
          story.answered += 1
          story.silent = undefined
          story.pauseMs = firstPauseMs
          left()
        },
        unanswered(why) {
          const isAlone = story.answered === answered
          if (isAlone || isFile) story.unanswered += 1
          headed()
          if (trial) {
            story.nextTrialAt = now() + story.pauseMs
            story.pauseMs *= 2
          }
          if ((isAlone && isFile) || story.unanswered >= mostUnanswered)
            fallSilent(story, kind, why)
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
