import { memberFinding } from '../../engine/findings/member.ts'
import { isObject, membersOf } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { chance } from '../../engine/time/timers.ts'
import { commentPath } from './again.ts'
import type { Assignment } from './answers.ts'
import { isSameId } from './ids.ts'
import { type Owned, problemOwnedBy } from './judge.ts'

/** Other comments are put back as found. */
export const ownComment = /^Contract test, please ignore \S/

/** Whether this suite may have sent it, in this run or another, even if the service changes comments. */
export const mayBeOwn = (comment: string): boolean =>
  /contract test|please ignore|\bct[\da-f]{12}/i.test(comment)

/** Names for comments: no other comment of any run has the same. The first six digits are those of the run. */
export function createNames(run = chance.hex(6)) {
  let count = 0
  const next = () => {
    count += 1
    return `${run}${count.toString(16).padStart(6, '0')}`
  }
  return { run, next }
}

/** A comment that identifies an update. */
export const plainComment = (name: string): string => `Contract test, please ignore ${name}`

/** Whether another run of this suite sent it: it shows a name, and none of this run, if that has begun. */
export function isOfAnotherRun(comment: string | null | undefined, run?: string): boolean {
  const names = (comment ?? '').matchAll(/(?:please ignore |\bct)([\da-f]{6})[\da-f]{6}/gi)
  const runs = Array.from(names, ([, shownRun = '']) => shownRun.toLowerCase())
  return runs.length > 0 && !runs.includes(run ?? '')
}

/** for a text, a comment made for it alone */
export function commentIn(body: unknown): string | undefined {
  if (typeof body === 'string') return /Contract test, please ignore [\da-f]{12}/.exec(body)?.[0]
  const update = isObject(body) ? body.update : undefined
  const comment = isObject(update) ? update.assignment_comment : undefined
  return typeof comment === 'string' ? comment : undefined
}

/** A task shows a comment that this run sent only to other tasks (`sentTo`). */
export function problemsOfStrays(
  sentTo: (comment: string) => readonly string[],
  id: string,
  answer: Answer,
): Owned[] {
  const { assignment } = membersOf(answer)
  const comment = isObject(assignment) ? assignment.assignment_comment : undefined
  if (typeof comment !== 'string' || !ownComment.test(comment)) return []
  const tasks = sentTo(comment)
  if (tasks.length === 0 || tasks.some((task) => isSameId(task, id))) return []
  const finding = memberFinding(answer, {
    member: commentPath,
    got: comment,
    wanted: { kind: 'form', form: 'a comment of its own' },
    although: `an update of task ${tasks[0]} sent it`,
  })
  return [problemOwnedBy('assign.only-this-task', finding, { judged: answer })]
}

/**
 * None if a service may change the comment. A changed comment belongs to the clause on the words that are missing, or
 * on the whole, if only its form has changed.
 */
export function ownerOfComment(comment: string, got?: unknown): string | undefined {
  // The contract does not specify the length limit of comments, or whether they are trimmed.
  if (comment.length > 500 || comment !== comment.trim()) return undefined
  const missing = comment.split(/\s+/).filter((word) => !String(got ?? '').includes(word))
  const isOfWhole =
    missing.length === 0 || formOfWhole.test(comment) || comment.length > mostOfShort
  return `assign.comment.${formOf(isOfWhole ? comment : missing.join(' '))}`
}

function formOf(text: string): string {
  if (text.length > mostOfShort) return 'long'
  return forms.find(({ pattern }) => pattern.test(text))?.form ?? 'plain'
}

/** As long as the longest comment of every other form. */
const mostOfShort = 120

const formOfWhole = /[\r\n]|^(?:007\d+|\d+e3|\d-\d|true|null)$/i

const forms: readonly { form: string; pattern: RegExp }[] = [
  { form: 'newlines', pattern: /[\r\n]/ },
  { form: 'values', pattern: formOfWhole },
  { form: 'emoji', pattern: /\p{Extended_Pictographic}|\p{Regional_Indicator}/u },
  { form: 'right-to-left', pattern: /[\p{Script=Arabic}\p{Script=Hebrew}]/u },
  { form: 'combining', pattern: /\p{Mark}/u },
  { form: 'non-latin', pattern: /[^\x20-\x7e]/ },
  { form: 'quotes', pattern: /["'<>&\\]/ },
  { form: 'placeholders', pattern: /[%{}]/ },
]

export function ownersOfComment(
  sent: unknown,
  { assignment_comment: now }: Partial<Assignment>,
  before: Assignment | null | undefined,
): [owner: string, expected: string | undefined][] {
  if (typeof sent === 'string' && sent !== '') {
    const owner = ownerOfComment(sent, now)
    return owner && now !== sent ? [[owner, sent]] : []
  }
  if (!now) return []
  if (sent === null) return [['assign.comment.null', undefined]]
  if (before?.assignment_comment === now) return [['assign.comment.not-inherited', undefined]]
  return sent === undefined ? [['assign.comment.omitted', undefined]] : []
}
