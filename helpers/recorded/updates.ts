// Recorded requests about tasks in accounts like that of a run, whose laws judge what is accepted; updates are cases.

import { isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { wordsOf } from '../../engine/word-list.ts'
import {
  createHistory,
  createSights,
  type History,
  isAcceptedOp,
  type Op,
} from '../history/history.ts'
import { problemsOfOp, problemsOfSight } from '../history/laws.ts'
import { leftTasksOf, problemsOfLeft } from '../history/left-changed.ts'
import { isSameId } from '../service/ids.ts'
import { problemsOfAnswer } from '../service/judge.ts'
import { isTold, isUnassign, toIn } from '../service/update-request.ts'
import type { Findings } from './findings.ts'
import type { Update } from './moments.ts'
import { headOf, type Seen } from './recorded.ts'
import { effectsIn } from './refused-effects.ts'
import { formOf, isDescribedUpdate, quietMs, transitionOf } from './update-cases.ts'

/** The clauses that the accounts judge by themselves; those with `seen` judge each update. */
export const clausesOfAccounts = wordsOf(
  'answer-is-task persisted persisted.version new-version fields-as-given only-the-assignment comment.plain comment.non-latin comment.quotes comment.long comment.newlines comment.emoji comment.right-to-left comment.not-inherited',
).map((name) => `assign.${name}` as const)

type Line = { history: History; at: number; open: { end: number; done(): void }[] }

const persisted = 'assign.persisted.version'

/** One account of each recording. */
export function createAccounts(findings: Findings, actorId: string | undefined) {
  const lines = new Map<number, Line>()
  const sights = createSights()
  const updates: Update[] = []
  /** what was accepted once, by task, assignee and form of the comment */
  const acceptable = new Map<string, Answer>()

  const lineOf = (recorder: number): Line => {
    const known = lines.get(recorder)
    if (known) return known
    const now = () => line.at
    const line: Line = { at: 0, open: [], history: createHistory({ now, date: now }, sights) }
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

  const judge = ({ history, op }: Update, { answer, number, body }: Seen) => {
    const isUpdate = op.kind === 'update'
    if (!isAccepted(answer) || (isUpdate && !isDescribedUpdate({ op }))) return
    if (isUpdate) for (const place of placesOf(op)) acceptable.set(place, headOf(answer))
    const problems = problemsOfOp(history, op).map(({ owned }) => owned)
    findings.broken(problems)
    if (problems.length > 0 || body === undefined) return
    findings.broken(problemsOfSight(history, op, actorId))
    if (isTold(op.body, op.ifMatch, op.known?.used?.assignment))
      findings.broken(problemsOfAnswer('task', op.task, answer))
    findings.decided(shownBy(op), number)
  }

  return {
    /** Begins a request; an update without an answer of the service may have been accepted. */
    see(seen: Seen, isAnswered: boolean): Update | undefined {
      const { id, recorder, requestHeaders, sent, answer, start, end, number } = seen
      const isUpdate = seen.method === 'PUT'
      const isPlain = seen.key === 'given'
      const isKnown = isPlain || (isUpdate && seen.status === 401)
      if (seen.resource !== 'task' || !isKnown || !(isAnswered || isUpdate)) return undefined
      const line = lineOf(recorder)
      endUntil(line, start)
      line.at = Math.max(line.at, start)
      const { history } = line
      const asked = isUpdate && { body: sent, ifMatch: requestHeaders['if-match'], isPlain }
      const note = history.begin({ kind: isUpdate ? 'update' : 'read', task: id, ...asked })
      const op = history.begun.at(-1) as Op
      const ended = history.endedOf(id)
      const current = ended.findLast(({ shown }) => shown !== undefined)
      const update: Update = { history, op, next: ended.length, current }
      const done = () => {
        note(isAnswered ? answer : undefined, { number } as never)
        judge(update, seen)
        op.answer &&= headOf(answer)
        op.known = {}
      }
      line.open.push({ end, done })
      if (!isUpdate || !isAnswered || seen.requestBody === undefined) return undefined
      updates.push(update)
      return update
    },
    end() {
      for (const line of lines.values()) endUntil(line, Number.POSITIVE_INFINITY)
      const histories = [...lines.values()].map(({ history }) => history)
      for (const history of histories) {
        const tasks = history.tasks.filter((task) => isQuiet(history.endedOf(task)))
        for (const left of leftTasksOf({ ...history, tasks }).seen)
          findings.judged(persisted, problemsOfLeft('version')(left), [left])
      }
      const effects = effectsIn(histories)
      for (const update of updates) {
        const [like, likely] = placesOf(update.op).map((place) => acceptable.get(place))
        Object.assign(update, { like, likely, effect: effects.get(update.op) })
      }
    },
  }
}

/** Whether reads long after its last update show the result of it. */
function isQuiet(ended: readonly Op[]): boolean {
  const last = ended.findLast(({ kind }) => kind === 'update')
  const read = ended.findLast(({ kind, shown }) => kind === 'read' && shown)
  return Boolean(last && read && isAcceptedOp(last) && read.sent > last.ended + quietMs)
}

const placesOf = ({ task, body }: Op): [string, string] => {
  const people = `${task} ${toIn(body)}`.toLowerCase()
  return [`${people} ${formOf(body)}`, people]
}

/** The clauses that an accepted request decides. */
function shownBy({ kind, body, ifMatch, shown, known = {} }: Op): string[] {
  const { same, used } = known
  const form = formOf(body)
  const before = used?.assignment
  const isRead = kind === 'read' && same?.first.kind === 'update'
  const isSame = before && isSameId(before.assigned_to_id, toIn(body))
  const isNew = before !== undefined && shown && shown.version !== ifMatch
  const shows = {
    'answer-is-task': true,
    [transitionOf(body, before) ?? '']: before !== undefined,
    'only-the-assignment': used?.kept,
    'fields-as-given': shown && !isUnassign(body),
    [`comment.${form}`]: shown && form,
    'comment.not-inherited': shown && form === 'omitted' && before?.assignment_comment,
    [`new-version${isSame ? '.same-assignee' : ''}`]: isNew,
  }
  const ofRead = { persisted: isRead, 'new-version': isRead && !same.isReused }
  const names = Object.entries(kind === 'read' ? ofRead : shows)
  return names.flatMap(([name, is]) => (name && is ? [`assign.${name}`] : []))
}
