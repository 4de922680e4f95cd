// What the reads of a run show of the tasks that it changes, whoever asked: an update that was refused may
// be carried out when the clause that sent it has long gone on.

import type { Answer } from '../../engine/http/client.ts'
import { isSameButSpelling } from '../service/assignments.ts'
import { commentIn } from '../service/comments.ts'
import { type SeenTask, seenIn } from '../service/read-back.ts'
import { carriedOutMeanwhile, type Refused } from './carried-out.ts'
import { createCommentsKept } from './comments-kept.ts'
import { createCommentsKnown } from './comments-known.ts'
import { createMismatches, type Mismatch } from './mismatches.ts'
import { createPatience, type Patience } from './patience.ts'

export type TaskWatch = {
  readonly patience: Patience
  /** a read of a task begins; to be given its answer */
  reading(task: string): (answer: Answer) => void
  /** an update of a task begins; to be given its answer, or nothing where none came */
  updating(task: string, body: unknown): (answer?: Answer) => void
  /** from now on no task may show the comment of this update */
  forbid(refused: Refused): void
  readonly refused: readonly Refused[]
  /** the tasks that updates were sent to */
  readonly changed: readonly string[]
  /** those of them of which no read was asked for since then */
  unseenSince(at: number): readonly string[]
  /** the tasks of refused updates after which no update was accepted */
  readonly unfollowed: readonly string[]
  /** the tasks that changed in nothing but their version, when no update of theirs was accepted of late */
  readonly touched: readonly string[]
  /** whether a task showed the accepted update of another one */
  readonly spills: boolean
  /** Ends the clause where what a task shows is the refused update of another: nothing is held against its own. */
  needNotAnothers(assignment: SeenTask['assignment'], own?: string): void
  /**
   * Whether a change may be that of another writer: by its comment, or, where it shows none, because others,
   * or updates of other tasks, were seen to change tasks in this run.
   */
  mayBeAnothers(assignment: SeenTask['assignment']): boolean
  /** the same, by what others than this run were seen to do: then a change that came once is theirs */
  isExplained(assignment: SeenTask['assignment']): boolean
  /** the refused update whose comment this task was shown with since then, though it was sent before */
  othersShownSince(task: string, since: number): Refused | undefined
  /** the answers that show a task with this comment */
  shownWith(token: string | undefined): readonly Answer[]
  /** whether accepted comments come back as they were sent: only then does a token tell anything */
  readonly keepsComments: boolean
  /** updates answered 409 that asked for what their task shows since, in a version that no accepted update made */
  readonly lateMismatches: readonly Mismatch[]
  /** whether reads have shown a version of this task, since then, that no accepted update made */
  wasChangedSince(task: string, at: number): boolean
  /** how long to watch what was sent then once more: as long as it took until such a version was shown */
  windowAfter(task: string, at: number): number
}

/** What is known of one task. */
type Story = {
  versions: Set<string>
  /** as the last accepted update left it, or as it was found; undefined: not known */
  last?: SeenTask['assignment'] | undefined
  underWay: number
  /** when the last read was asked for that gave the task */
  readAt: number
  /** when the last update was answered: reads that were asked for before say nothing about it */
  quietSince: number
  /** when the last update was accepted */
  acceptedAt: number
  /** an accepted update of which reads are to show the version */
  followed?: { version: string; at: number; lagged: boolean; shown: boolean } | undefined
  /** when reads showed a version that no accepted update made, and whether with another assignment */
  changes: { at: number; isAssigned: boolean; isLate: boolean }[]
  /** the comments of refused updates that it was shown with */
  tokens: { token: string; at: number }[]
}

/** Who touches its tasks by itself, now and then, is not waited for for ever. */
const longestMs = 30_000

/** Watches the tasks of a run from its first read to its last. */
export function createTaskWatch(settleMs: number): TaskWatch {
  const stories = new Map<string, Story>()
  const patience = createPatience(settleMs)
  const refused: Refused[] = []
  const changed = new Set<string>()
  const sightings = new Map<string, Answer[]>()
  let isAnybodyElseHere = false
  let spills = false
  const comments = createCommentsKnown()
  const commentsSent = createCommentsKept()
  const mismatches = createMismatches()
  const isExplained: TaskWatch['isExplained'] = (assignment) =>
    comments.isForeign(assignment) || (isAnybodyElseHere && !assignment?.assignment_comment)

  const storyOf = (task: string): Story => {
    const key = task.toLowerCase()
    const known = stories.get(key)
    if (known) return known
    const story: Story = {
      versions: new Set(),
      underWay: 0,
      readAt: Number.NEGATIVE_INFINITY,
      quietSince: 0,
      acceptedAt: 0,
      changes: [],
      tokens: [],
    }
    stories.set(key, story)
    return story
  }

  const noteToken = (story: Story, answer: Answer, { assignment }: SeenTask) => {
    const comment = assignment?.assignment_comment
    const shown = typeof comment === 'string' ? sightings.get(comment) : undefined
    if (!shown) return
    shown.push(answer)
    story.tokens.push({ token: comment as string, at: performance.now() })
  }

  /** How long after its answer an update shows, and how long after it the service touches the task. */
  const measure = ({ followed, versions }: Story, version: string, asked: number) => {
    if (!followed) return
    const isOld = version !== followed.version && versions.has(version)
    if (isOld) followed.lagged ||= !followed.shown
    else if (!followed.shown) patience.measured(followed.lagged ? asked - followed.at : 0)
    else if (!versions.has(version)) patience.touched(asked - followed.at)
    followed.shown ||= !isOld
  }

  const reading: TaskWatch['reading'] = (task) => {
    const asked = performance.now()
    const story = storyOf(task)
    return (answer) => {
      const seen = seenIn(answer)
      if (!seen) return
      noteToken(story, answer, seen)
      story.readAt = Math.max(story.readAt, asked)
      const { version, assignment } = seen
      const isQuiet = story.underWay === 0 && asked >= story.quietSince
      const isNew = !story.versions.has(version)
      if (isQuiet) {
        // What was unassigned already shows in its version alone that it was unassigned once more.
        if (isNew && story.last !== undefined) {
          const isAssigned = !isSameButSpelling(assignment, story.last)
          const at = performance.now()
          const isLate = story.acceptedAt > 0 && at - story.acceptedAt > settleMs
          story.changes.push({ at, isAssigned, isLate })
          mismatches.shown(task, assignment)
          isAnybodyElseHere ||= isAssigned && comments.isForeign(assignment)
          spills ||= isAssigned && comments.isOfAnother(assignment, task)
        }
        if (story.last === undefined) {
          story.last = assignment
          comments.note(assignment?.assignment_comment)
        }
        if (isSameButSpelling(assignment, story.last)) measure(story, version, asked)
      }
      story.versions.add(version)
    }
  }

  const updating: TaskWatch['updating'] = (task, body) => {
    const story = storyOf(task)
    const at = performance.now()
    changed.add(task.toLowerCase())
    const comment = commentIn(body)
    comments.note(comment)
    story.underWay += 1
    return (answer) => {
      story.underWay -= 1
      story.quietSince = performance.now()
      if (answer?.status === 409) mismatches.note(task, body, at)
      const isUnknown = answer === undefined || answer.status >= 500
      const isAccepted = answer !== undefined && answer.status >= 200 && answer.status < 300
      const seen = answer && seenIn(answer)
      if (isAccepted) {
        story.acceptedAt = story.quietSince
        // An id that never was read is none of a task: what is shown elsewhere may be what it stands for.
        if (story.versions.size > 0) comments.noteAccepted(comment, task)
      }
      if (seen) {
        noteToken(story, answer, seen)
        commentsSent.note(body, seen)
        const { version, assignment } = seen
        if (!story.versions.has(version))
          story.followed = { version, at: story.quietSince, lagged: false, shown: false }
        story.versions.add(version)
        story.last = assignment
      } else if (isUnknown || isAccepted) {
        story.last = undefined
        story.followed = undefined
      }
    }
  }

  return {
    patience,
    reading,
    updating,
    forbid(one) {
      refused.push(one)
      if (one.token !== undefined && !sightings.has(one.token)) sightings.set(one.token, [])
    },
    refused,
    get changed() {
      // One that never was seen is none: it was made up.
      return [...changed].filter((task) => storyOf(task).versions.size > 0)
    },
    unseenSince(at) {
      return this.changed.filter((task) => storyOf(task).readAt < at)
    },
    get unfollowed() {
      const isFollowed = ({ task, at }: Refused) => storyOf(task).acceptedAt > at
      return [...new Set(refused.filter((one) => !isFollowed(one)).map(({ task }) => task))]
    },
    get touched() {
      const isTouched = (task: string) =>
        storyOf(task).changes.some(({ isAssigned, isLate }) => isLate && !isAssigned)
      return [...changed].filter(isTouched)
    },
    get spills() {
      return spills
    },
    needNotAnothers(assignment, own) {
      const comment = assignment?.assignment_comment
      const of = refused.find(({ token }) => token !== undefined && token === comment)
      if (of && comment !== own) throw carriedOutMeanwhile(of)
    },
    isExplained,
    mayBeAnothers: (assignment) =>
      isExplained(assignment) || (spills && !assignment?.assignment_comment),
    othersShownSince(task, since) {
      const shown = storyOf(task).tokens.filter(({ at }) => at >= since)
      return refused.find((one) => one.at < since && shown.some(({ token }) => token === one.token))
    },
    shownWith: (token) => (token === undefined ? [] : (sightings.get(token) ?? [])),
    get keepsComments() {
      return commentsSent.areKept
    },
    get lateMismatches() {
      return mismatches.late
    },
    wasChangedSince: (task, at) => storyOf(task).changes.some((each) => each.at >= at),
    windowAfter(task, at) {
      // What another writer changed tells nothing of when the service did.
      if (isAnybodyElseHere) return settleMs
      const since = storyOf(task).changes.filter((each) => each.at >= at)
      // Several may have been put off alike: theirs comes last. What only touches a task may go on for ever.
      const last = since.findLast((each) => each.isAssigned) ?? since[0]
      return Math.max(settleMs, Math.min(longestMs, 1.2 * ((last?.at ?? at) - at) + 200))
    },
  }
}
