import { describeAnswer, isAccepted, isObject } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { poll } from '../../engine/time/polling.ts'
import { describeWhole, isSameButSpelling } from '../service/assignments.ts'
import { type SeenTask, seenIn } from '../service/read-back.ts'
import type { Service } from '../service/service.ts'

/** A task that shows something else than its last accepted update left. */
export type Undone = {
  task: string
  /** `version`: one that an accepted update had replaced; `comment`: the comment of an earlier update */
  by: 'version' | 'comment'
  shown: Answer & SeenTask
  left: Answer & SeenTask
}

/** What each task of a run was left with, beside what its last read shows. */
export type LeftTasks = {
  /** a read of a task begins; to be given its answer */
  reading(task: string): (answer: Answer) => void
  /** an update of a task begins; to be given its answer, or nothing where none came */
  updating(task: string, body: unknown): (answer?: Answer) => void
  /** how many tasks have an update that was accepted last, and a read after it */
  readonly seen: number
  /** those that no read has shown since */
  readonly unread: readonly string[]
  /** updates that no answer came to, or none of the service */
  readonly unanswered: number
  readonly undone: readonly Undone[]
}

type Story = {
  versions: Set<string>
  /** versions that were seen before an update, the version of which a read has shown since */
  replaced: Set<string>
  /** the comments that were sent with accepted updates */
  words: Set<string>
  underWay: number
  quietSince: number
  /** the versions that were seen before the last update */
  before: ReadonlySet<string>
  left?: (Answer & SeenTask) | undefined
  /** the comment that the last accepted update was sent with */
  sent?: string | undefined
  shown?: (Answer & SeenTask) | undefined
}

type Ended = Story & { left: Answer & SeenTask; shown: Answer & SeenTask }

/** Watches what becomes of accepted updates until the last read of a run. */
export function watchLeftTasks(): LeftTasks {
  const stories = new Map<string, Story>()
  let unanswered = 0
  const storyOf = (task: string): Story => {
    const key = task.toLowerCase()
    const story = stories.get(key) ?? {
      versions: new Set(),
      replaced: new Set(),
      words: new Set(),
      underWay: 0,
      quietSince: 0,
      before: new Set(),
    }
    stories.set(key, story)
    return story
  }

  const reading: LeftTasks['reading'] = (task) => {
    const asked = performance.now()
    const story = storyOf(task)
    return (answer) => {
      const seen = seenIn(answer)
      if (!seen) return
      story.versions.add(seen.version)
      if (story.underWay > 0 || asked < story.quietSince) return
      story.shown = { ...answer, ...seen }
      if (seen.version !== story.left?.version) return
      for (const version of story.before) story.replaced.add(version)
      story.replaced.delete(seen.version)
    }
  }

  const updating: LeftTasks['updating'] = (task, body) => {
    const story = storyOf(task)
    const before = new Set(story.versions)
    story.underWay += 1
    return (answer) => {
      story.underWay -= 1
      story.quietSince = performance.now()
      if (answer === undefined) unanswered += 1
      const isRefused = answer !== undefined && !isAccepted(answer) && answer.status < 500
      if (isRefused) return
      const seen = answer && seenIn(answer)
      story.before = before
      story.left = seen && { ...answer, ...seen }
      story.shown = undefined
      if (!seen) return
      story.versions.add(seen.version)
      story.sent = sentWith(body)
      if (story.sent) story.words.add(story.sent)
    }
  }

  const isUndone = ({ replaced, words, left, sent, shown }: Ended): Undone['by'] | undefined => {
    if (replaced.has(shown.version)) return 'version'
    const comment = shown.assignment?.assignment_comment ?? ''
    const isOwn = [sent, left.assignment?.assignment_comment].includes(comment)
    if (!words.has(comment) || isOwn) return undefined
    return isSameButSpelling(shown.assignment, left.assignment) ? undefined : 'comment'
  }

  const ended = () =>
    [...stories].filter((each): each is [string, Ended] => Boolean(each[1].left && each[1].shown))
  return {
    reading,
    updating,
    get seen() {
      return ended().length
    },
    get unanswered() {
      return unanswered
    },
    get unread() {
      return [...stories].flatMap(([task, { left, shown }]) => (left && !shown ? [task] : []))
    },
    get undone() {
      return ended().flatMap(([task, story]) => {
        const by = isUndone(story)
        return by ? [{ task, by, shown: story.shown, left: story.left }] : []
      })
    },
  }
}

type Ending = {
  leftTasks: LeftTasks
  service: Service
  journey: { accepted(journey: 'transitions'): Promise<unknown> }
  settings: { settleMs: number }
  stop: AbortSignal
  over: () => Promise<void>
}

/** When the run is over: reads those that seem undone until they are not, or the time to settle is over (rule R4). */
export async function settleLeftTasks({
  leftTasks,
  service,
  journey,
  settings,
  stop,
  over,
}: Ending): Promise<Pick<LeftTasks, 'seen' | 'undone'>> {
  await journey.accepted('transitions')
  await over()
  const { seen, unread } = leftTasks
  if (seen === 0) await Promise.all(unread.map((task) => service.readTask(task)))
  if (leftTasks.seen === 0 && leftTasks.unanswered > 0)
    throw new Trouble('updates were not answered, and nothing shows what the others left')
  if (leftTasks.seen === 0)
    throw new NotDecidable(
      'clause',
      'no answer to an update shows a version and an assignment that a read could be held against',
      'assign.answer-is-task',
    )
  const suspects = leftTasks.undone.map(({ task }) => task)
  const isUndone = (task: string) => leftTasks.undone.some((each) => each.task === task)
  const readUntilKept = (task: string) =>
    poll(
      () => service.readTask(task),
      () => !isUndone(task),
      { limitMs: settings.settleMs, stop, maxMs: 250, askLate: true },
    )
  await Promise.all(suspects.map(readUntilKept))
  return { seen: leftTasks.seen, undone: leftTasks.undone }
}

function sentWith(body: unknown): string | undefined {
  const update = isObject(body) ? body.update : undefined
  const comment = isObject(update) ? update.assignment_comment : undefined
  return typeof comment === 'string' ? comment : undefined
}

/** What is wrong with a task that does not show what it was left with. */
export const problemOfUndone = ({ by, shown, left }: Undone): Problem => {
  const [came, expected] = [describeWhole(shown.assignment), describeWhole(left.assignment)]
  const how =
    by === 'version' ? `the replaced updated_at ${shown.version} again` : 'an earlier comment'
  return problem(
    `${describeAnswer(left)} with ${expected}, and at the end of the run a read shows ${how}, with ${came}`,
    {
      expected: `${expected}, updated_at ${left.version} or a new one`,
      got: `${came}, updated_at ${shown.version}`,
      judged: shown,
      control: left,
      again: { why: 'it shows some time after the update' },
    },
  )
}
