// Whose comment a task shows: one of this run's, be it of another task, or one that nobody here wrote.

import { mayBeOwn, ownComment } from '../service/comments.ts'

type Shown = { assignment_comment?: unknown } | null | undefined

export function createCommentsKnown() {
  /** comments that this run sent, or found */
  const known = new Set<string>()
  /** the tasks that accepted updates gave a comment to, which is made for them alone */
  const given = new Map<string, Set<string>>()
  return {
    note(comment: unknown): void {
      if (typeof comment === 'string') known.add(comment.trim())
    },
    /** an update of this task with this comment was accepted */
    noteAccepted(comment: unknown, task: string): void {
      if (typeof comment !== 'string' || !ownComment.test(comment)) return
      given.set(comment, (given.get(comment) ?? new Set()).add(task.toLowerCase()))
    },
    /** whether nobody of this run, nor any before it, can have written the comment */
    isForeign(shown: Shown): boolean {
      const comment = shown?.assignment_comment
      if (typeof comment !== 'string' || comment.trim() === '') return false
      return !known.has(comment.trim()) && !mayBeOwn(comment)
    },
    /** whether the comment was given to other tasks, and never to this one */
    isOfAnother(shown: Shown, task: string): boolean {
      const tasks = given.get(String(shown?.assignment_comment))
      return tasks !== undefined && !tasks.has(task.toLowerCase())
    },
  }
}
