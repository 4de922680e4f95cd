import type { Again, Context, Kind, Words } from '../../engine/findings/kind.ts'
import { keyOfStatus } from '../../engine/findings/status.ts'
import { type Symptom, symptomOfRejected } from '../../engine/findings/symptom.ts'
import { describeAnswer, type Head, headOf } from '../../engine/head.ts'
import { isAccepted } from '../../engine/http/answers.ts'
import { shown } from '../../engine/shown.ts'
import { statuses } from '../contract/statuses.ts'

/** An update has an effect that it may not have. */
type EffectFinding = Context & {
  kind: 'effect'
  /** the update; of another task, the read that shows the change */
  of: Head
} & Effect

type Effect =
  | Change
  /** an answer shows the comment, although reads after the update did not show its effect */
  | { effect: 'changed later'; comment: string | undefined; shownBy: Head }
  /** the read after it does not show the task; `read`: why, in words */
  | { effect: 'unlike before'; read: string }
  | { effect: 'changed another task'; task: string; before: TaskState; after: TaskState }
  /** what it left behind is like the traces of accepted updates */
  | { effect: 'left a trace'; trace: 'event' | 'email'; text: string }

type Change = {
  effect: 'changed'
  member: Changed
  before: unknown
  after: unknown
  /** the status of its rejection, if its mistake has one of its own */
  due?: number
}

type Changed = 'assignment' | 'assignment.assignment_comment'

type TaskState = { updated_at: unknown; assignment: unknown }

declare module '../../engine/findings/finding.ts' {
  interface FindingKinds {
    effect: EffectFinding
  }
}

export const effectFinding = (of: Head, effect: Effect, context: Context = {}): EffectFinding => ({
  kind: 'effect',
  of: headOf(of),
  ...effect,
  ...context,
})

export const effect: Kind<EffectFinding> = {
  wordsOf: (finding) => {
    const { of, to, more = '' } = finding
    const update = `${describeAnswer(of)}${to ? ` ${to}` : ''}`
    const { sentence, ...rest } = wordsAfter(update, finding)
    return { sentence: `${sentence}${more}`, ...rest }
  },
  symptomsOf: (finding) => [symptomOf(finding), ...furtherSymptomsOf(finding)],
  againOf,
}

function symptomOf(finding: EffectFinding): Symptom {
  const { effect, of } = finding
  if (effect === 'changed another task')
    return { key: effect, title: 'Changes other tasks than the one that is updated' }
  if (effect === 'left a trace')
    return {
      key: `${finding.trace} of a rejected update`,
      title: `Makes an ${finding.trace} for a rejected update`,
    }
  if (!isAccepted(of)) return symptomOfRejected(of.status)
  return symptomOfAccepted(of.status, effect === 'changed' ? finding.due : undefined)
}

function symptomOfAccepted(status: number, due: number | undefined): Symptom {
  switch (due) {
    case statuses.staleVersion:
      return {
        key: keyOfStatus(due, status),
        title: 'Accepts an update with a wrong or stale If-Match',
        explainedBy: ['accepted stale version'],
      }
    case statuses.badKey:
      return {
        key: keyOfStatus(due, status),
        title: 'Accepts an update without a valid key',
        isGrave: true,
      }
    default:
      return {
        key: 'accepted, done',
        title: 'Accepts an update that has to be rejected',
        explainedBy: ['accepted update'],
      }
  }
}

/** A rejected update that is carried out leaves a trace. */
const furtherSymptomsOf = ({ effect, of }: EffectFinding): Symptom[] =>
  effect === 'left a trace' ? [symptomOfRejected(of.status)] : []

function wordsAfter(update: string, finding: EffectFinding): Words {
  switch (finding.effect) {
    case 'changed':
      return wordsOfChange(update, finding)
    case 'changed later':
      return {
        sentence: `${update}, but the assignment changed later`,
        expected: 'no task with its comment',
        got: `${describeAnswer(finding.shownBy)} with the comment ${shown(finding.comment)}`,
      }
    case 'unlike before':
      return {
        sentence: `${update}, but the read after it is not as before: ${finding.read}`,
        expected: 'a read as before',
        got: finding.read,
      }
    case 'changed another task':
      return {
        sentence: `task ${finding.task} changed when another task was updated`,
        expected: JSON.stringify(finding.before),
        got: JSON.stringify(finding.after),
      }
    case 'left a trace':
      return wordsOfTrace(update, finding)
  }
}

type Of<Name> = Extract<EffectFinding, { effect: Name }>

function wordsOfChange(update: string, { of, member, before, after }: Of<'changed'>): Words {
  if (member === 'assignment')
    return {
      sentence: `${update}, ${isAccepted(of) ? 'and' : 'but'} the assignment changed`,
      expected: 'the assignment unchanged',
      got: 'it changed',
    }
  return {
    sentence: `${update}, but the task then has its comment`,
    expected: typeof before === 'string' ? before : 'no comment',
    got: String(after),
  }
}

function wordsOfTrace(update: string, { trace, text }: Of<'left a trace'>): Words {
  const got = shown(text)
  return {
    sentence: `${update}, but the ${trace} ${got} is like the ${trace}s of accepted updates`,
    expected: `no such ${trace}, or an ${trace} that says that the update was rejected`,
    got,
  }
}

function againOf(finding: EffectFinding): Again | undefined {
  switch (finding.effect) {
    case 'changed':
      return againOfChange(finding.member)
    case 'changed later':
      return {
        why: 'the assignment changed some time after the response, and a script does not wait for that',
      }
    case 'changed another task':
      return {
        why: 'one task was updated and another task changed, which may be by another writer unless it comes several times',
      }
    case 'left a trace':
      return { why: `the ${finding.trace} comes some time after its update` }
    case 'unlike before':
      return undefined
  }
}

/** An update of the comment alone may be accepted or rejected: a reader sees which. */
const againOfChange = (member: Changed): Again =>
  member === 'assignment'
    ? { signs: [{ member, of: 'read', as: 'before' }] }
    : { signs: [{ member: 'assignment', of: 'read' }] }
