// An update as the history shows it: what its task showed before, what was sent, what came, and what reads show since.

import { acceptedBody, type JsonObject } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Assignment } from '../service/answers.ts'
import { isSameButSpelling } from '../service/assignments.ts'
import { commentIn, mayBeOwn } from '../service/comments.ts'
import { type History, isAcceptedOp, type Op } from './history.ts'
import { type Change, replacedIn, unmadeChanges } from './questions.ts'
import { type Whose, whoseOf } from './whose.ts'

/** What one answer shows of a task. */
export type Sight = {
  version: string
  assignment: Assignment | null
  /** the whole task, where it is kept */
  fields?: JsonObject | undefined
  exchange: number
  /** how long after the end of the update; negative: before it */
  afterMs: number
  /** who made what it shows, as far as that is known until now */
  whose: Whose
}

export type Sent = { id: string; ifMatch: string | undefined; body: unknown; isPlain: boolean }

/** Only what is refused is known not to be carried out. */
export type Fate = 'accepted' | 'refused' | 'unknown'

export type Brief = {
  sent: Sent
  fate: Fate
  /** the version that its answer shows */
  made?: string | undefined
  exchange?: number | undefined
}

/** Values alone; a later one of the same update may show more. */
export type Moment = Brief & {
  /** the task that is looked at: an update with another id is sent elsewhere */
  task: string
  answer?: Answer | undefined
  answered?: Sight | undefined
  /** the newest version before it, which need not be the last that was read */
  before?: Sight | undefined
  /** the reads since then, until the next update that may be carried out */
  after: readonly Sight[]
  /** of an accepted one: the first read that shows the answer, or the last within SETTLE_MS */
  stored?: Sight | undefined
  beside: readonly Brief[]
  earlier: readonly Brief[]
  /** the next update that may be carried out */
  next?: Brief | undefined
  /** the answers that show its comment, of any task, if it alone sent that */
  traces: readonly Sight[]
  /** the changes of its task since then that no accepted update made */
  unexplained: readonly Change[]
  /** nothing more can come */
  isOver: boolean
}

/** What is known until now of an update that has ended; `task`: where to look. */
export function momentOf(history: History, op: Op, task = op.task): Moment {
  const ended = history.endedOf(task)
  const updates = history.begunOf(task).filter((each) => each.kind === 'update' && each !== op)
  const mayCount = updates.filter((each) => fateOf(each) !== 'refused')
  const earlier = updates.filter(({ done }) => done < op.begun)
  const next = mayCount.find(({ begun }) => begun > op.done)
  const replaced = replacedIn(history, task)
  const wasReplaced = ({ shown, begun }: Op, since = begun) =>
    (replaced.get(shown?.version ?? '') ?? Number.POSITIVE_INFINITY) < since
  const lost = earlier.findLast((each) => fateOf(each) === 'unknown')
  const old = ended.findLast(
    (each) =>
      each.shown &&
      each.done < op.begun &&
      each.begun > (lost?.done ?? 0) &&
      !wasReplaced(each, op.begun),
  )
  const sightOf = (each: Op): Sight | undefined =>
    each.shown &&
    each.answer && {
      ...each.shown,
      fields: acceptedBody(each.answer),
      exchange: each.answer.exchange,
      afterMs: each.ended - op.ended,
      whose: whoseOf(history, op, each, { old, isReplaced: wasReplaced(each) }),
    }
  const sightsOf = (ops: readonly Op[]) => ops.flatMap((each) => sightOf(each) ?? [])
  const after = sightsOf(
    ended.filter(
      (each) =>
        each.kind === 'read' &&
        each.begun > op.done &&
        each.done < (next?.begun ?? Number.POSITIVE_INFINITY) &&
        !mayCount.some((other) => isBeside(each, other)),
    ),
  )
  const answered = sightOf(op)
  const isStored = ({ version, assignment }: Sight) =>
    version === answered?.version && isSameButSpelling(assignment, answered.assignment)
  const inTime = after.filter(({ afterMs }, at) => at === 0 || afterMs <= history.settleMs)
  return {
    ...briefOf(op),
    task,
    answer: op.answer,
    answered,
    before: old && sightOf(old),
    after,
    stored: isAcceptedOp(op) ? (after.find(isStored) ?? inTime.at(-1)) : undefined,
    beside: updates.filter((each) => isBeside(each, op)).map(briefOf),
    earlier: earlier.map(briefOf),
    next: next && briefOf(next),
    traces: sightsOf(tracesOf(history, op)),
    unexplained: unmadeChanges(history, task).filter(({ at }) => at >= op.sent),
    isOver: history.isOver,
  }
}

export const fateOf = (op: Pick<Op, 'answer'>): Fate =>
  isAcceptedOp(op) ? 'accepted' : op.answer && op.answer.status < 500 ? 'refused' : 'unknown'

export const isBeside = (one: Op, other: Op): boolean =>
  one !== other && one.begun < other.done && other.begun < one.done

export function briefOf(op: Op): Brief {
  const { task: id, ifMatch, body, isPlain = false, answer, shown } = op
  const sent = { id, ifMatch, body, isPlain }
  return { sent, fate: fateOf(op), made: shown?.version, exchange: answer?.exchange }
}

/** After a retry, the first try may have been carried out. */
function tracesOf(history: History, op: Op): readonly Op[] {
  const comment = commentIn(op.body)
  const isAlone = comment && history.sending(comment).length === 1 && mayBeOwn(comment)
  const isOnce = op.answer?.attempts === 1
  return isAlone && isOnce ? history.showing(comment).filter((each) => each !== op) : []
}
