// Recorded requests about tasks: the account of each recording, whose laws judge what is accepted. Refusals are cases.

import { isAccepted, isRefused } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { mediaTypeOf } from '../../engine/http/shapes.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import {
  createHistory,
  createSights,
  type History,
  isAcceptedOp,
  type Op,
} from '../history/history.ts'
import { problemsOfOp, problemsOfSight } from '../history/laws.ts'
import { leftTasksOf, problemsOfLeft } from '../history/left-changed.ts'
import type { Assignment } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import { problemsOfAnswer } from '../service/judge.ts'
import { problemsOf } from '../service/schema.ts'
import { isDescribed, isTold, isUnassign, toIn, transitions } from '../service/update-request.ts'
import type { Findings } from './findings.ts'
import type { Moment, Update } from './moments.ts'
import { headOf, type Seen } from './recorded.ts'
import { createEffectLaws, type Owners } from './refused-effects.ts'
import { clauseOfMistake, comments, formOf, quietMs, transitionOf } from './update-cases.ts'

const named = (prefix: string, names: string) => names.split(' ').map((name) => `${prefix}.${name}`)

/** The clauses that the account judges by itself; those with `seen` judge what was refused. */
export const clausesOfUpdates = [
  'auth.refused-changes-nothing',
  ...[...transitions, ...comments.map((name) => `comment.${name}`)].map((name) => `assign.${name}`),
  ...named(
    'assign',
    'answer-is-task persisted persisted.version new-version new-version.same-assignee fields-as-given only-the-assignment refused-keeps-version content-type',
  ),
]

/** What a recorder's clock puts in order. */
type Line = {
  history: History
  at: number
  open: { end: number; done: () => void }[]
}

type One = Pick<Update, 'op' | 'current' | 'next'> & {
  line: Line
  seen: Seen
  /** the recording holds the body of its answer */
  isWhole: boolean
}

export type Told = { actorId?: string | undefined }

/** Judges reads and updates of tasks, each recording in its own order; `close` gets each update at the end. */
export function createUpdateLaws(
  findings: Findings,
  { actorId }: Told,
  close: (moment: Moment) => void,
) {
  const lines = new Map<number, Line>()
  const sights = createSights()
  const updates: One[] = []
  /** what was accepted once: by task and assignee, and form of the comment */
  const acceptable = new Map<string, Answer>()
  const effects = createEffectLaws(findings)

  const lineOf = (recorder: number): Line => {
    const known = lines.get(recorder)
    if (known) return known
    const now = () => line.at
    const history = createHistory({ now, date: now }, sights)
    const line: Line = { at: 0, open: [], history }
    lines.set(recorder, line)
    return line
  }

  /** Ends the requests that had ended by then; recorders round to milliseconds. */
  const endUntil = (line: Line, time: number) => {
    for (const { end, done } of line.open.sort((a, b) => a.end - b.end)) {
      if (end > time + 1) break
      line.at = Math.max(line.at, end)
      done()
    }
    line.open = line.open.filter(({ end }) => end > time + 1)
  }

  const begin = (line: Line, seen: Seen) => {
    const { id, requestHeaders, sent, method, answer, body, start, end, number } = seen
    endUntil(line, start)
    line.at = Math.max(line.at, start)
    const isRead = method === 'GET'
    const update = { body: sent, ifMatch: requestHeaders['if-match'], isPlain: true }
    const note = line.history.begin({
      kind: isRead ? 'read' : 'update',
      task: id,
      ...(isRead ? {} : update),
    })
    const op = line.history.begun.at(-1) as Op
    const ended = line.history.endedOf(id)
    const current = ended.findLast(({ shown }) => shown !== undefined)
    const done = () => {
      note(answer, { number } as never)
      // An accepted answer without its body shows that the update took effect, but not its result.
      const isWhole = body !== undefined || !isAccepted(answer)
      const one = { line, op, seen, isWhole, current, next: ended.length }
      if (isRead) seeRead(one)
      else seeUpdate(one)
      op.answer = headOf(answer)
      op.known = {}
    }
    line.open.push({ end, done })
  }

  const seeRead = ({ line, op, seen, isWhole }: One) => {
    if (!isWhole || !op.shown) return
    const { number } = seen
    const first = op.known?.same
    const isAnswer = first?.first.kind === 'update'
    effects.read(seen, op.shown, first !== undefined)
    if (isAnswer) findings.decided(['assign.persisted'], number)
    if (isAnswer && !first.isReused) findings.decided(['assign.new-version'], number)
    findings.broken(problemsOfSight(line.history, op))
    findings.broken(problemsOfOp(line.history, op).map(({ owned }) => owned))
  }

  const seeUpdate = (one: One) => {
    const { line, op, seen, isWhole } = one
    const { id, answer, number, sent } = seen
    const isTaken = isAccepted(answer)
    if (isTaken) findings.observed('assign.content-type', mediaTypeOf(answer) ?? 'none', number)
    if (isTaken && op.shown) effects.accepted(seen, op.shown)
    else if (!isRefused(answer)) effects.unknown(seen)
    else effects.refused(seen, ownersOfEffect(one))
    if (seen.requestBody === undefined) return
    const { body: _, ...kept } = seen
    updates.push({ ...one, seen: { ...kept, answer: headOf(answer) } })
    const isValid = isDescribed(sent, op.ifMatch) || (isUnassign(sent) && op.ifMatch !== undefined)
    if (!isUuid(id) || !isValid || !isTaken) return
    for (const place of placesOf(one)) acceptable.set(place, headOf(answer))
    const problems = problemsOfOp(line.history, op).map(({ owned }) => owned)
    findings.broken(problems)
    if (problems.length === 0 && isWhole) judgeAccepted(one, op.known?.used?.assignment)
  }

  const judgeAccepted = (
    { line, op, seen: { id, answer, number, sent } }: One,
    before: Assignment | null | undefined,
  ) => {
    const { ifMatch, shown, known } = op
    if (isTold(sent, ifMatch, before)) findings.broken(problemsOfAnswer('task', id, answer))
    findings.broken(problemsOfSight(line.history, op, actorId))
    const form = formOf(sent)
    const [transition, isUpdate] = [transitionOf(sent, before), !isUnassign(sent)]
    const isSame = before && isSameId(before.assigned_to_id, toIn(sent))
    const shows = {
      'answer-is-task': true,
      [transition ?? '']: transition,
      'only-the-assignment': known?.used?.kept,
      'fields-as-given': shown && isUpdate,
      [`comment.${form}`]: shown && form,
      'comment.not-inherited': shown && form === 'omitted' && before?.assignment_comment,
      [`new-version${isSame ? '.same-assignee' : ''}`]:
        before !== undefined && shown && shown.version !== ifMatch,
    }
    const decided = Object.entries(shows).flatMap(([name, is]) => (is ? [`assign.${name}`] : []))
    findings.decided(decided, number)
  }

  /** The clause that a rejected update breaks if the task changes, if the same update would be rejected twice. */
  const ownersOfEffect = ({ op, seen }: One): Owners => {
    const { answer, sent } = seen
    const { ifMatch } = op
    const unchanged = 'version.refused-changes-nothing'
    const assigned = op.known?.used?.assignment
    if (answer.status === 409) return { carriedOut: unchanged, touched: `${unchanged}.version` }
    if (problemsOf('update-assignment', sent).length > 0)
      return { carriedOut: clauseOfMistake(sent), touched: 'assign.refused-keeps-version' }
    if (ifMatch === undefined)
      return { carriedOut: `version.required${isUnassign(sent) ? '.unassign' : ''}` }
    const isSame = assigned && isSameId(assigned.assigned_to_id, toIn(sent))
    return isSame ? { carriedOut: 'assign.new-version.same-assignee' } : {}
  }

  const closeUpdate = (one: One) => {
    const { line, seen, isWhole, ...place } = one
    const [like, likely] = placesOf(one).map((each) => acceptable.get(each))
    close({
      ...{ seen, key: 'given', isWhole, isKnown: true, persists: false, isEnd: true },
      ...{ namedBy: [], pairs: { alike: 0, apart: 0, ids: new Set() } },
      update: { ...place, history: line.history, like, likely },
    })
  }

  return {
    see(seen: Seen) {
      if (seen.resource !== 'task') return
      if (seen.key === 'given') begin(lineOf(seen.recorder), seen)
      else if (seen.method === 'PUT' && seen.status === 401)
        effects.refused(seen, { carriedOut: 'auth.refused-changes-nothing' })
    },
    /** An update without a response of the service may have been accepted. */
    miss(seen: Seen) {
      if (seen.resource === 'task' && seen.method === 'PUT') effects.unknown(seen)
    },
    end() {
      for (const line of lines.values()) {
        endUntil(line, Number.POSITIVE_INFINITY)
        const { history } = line
        // Reads long after the last update show its result.
        const tasks = history.tasks.filter((task) => {
          const ended = history.endedOf(task)
          const last = ended.findLast(({ kind }) => kind === 'update')
          const read = ended.findLast(({ kind, shown }) => kind === 'read' && shown)
          return last && read && isAcceptedOp(last) && read.sent > last.ended + quietMs
        })
        const owner = 'assign.persisted.version'
        for (const task of tasks)
          findings.decided([owner], history.endedOf(task).at(-1)?.answer?.exchange ?? 0)
        const undone = leftTasksOf({ ...history, tasks }).seen.flatMap(problemsOfLeft('version'))
        findings.broken(undone.map((each) => ({ owner, ...each })))
      }
      for (const one of updates) closeUpdate(one)
      effects.end()
    },
  }
}

const placesOf = ({ seen: { id, sent } }: Pick<One, 'seen'>): string[] => {
  const people = `${id} ${toIn(sent)}`.toLowerCase()
  return [`${people} ${formOf(sent)}`, people]
}
