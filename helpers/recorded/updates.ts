// Recorded requests about tasks in histories like that of a run, whose laws judge what is accepted; updates are cases.

import { grouped } from '../../engine/grouped.ts'
import { isAccepted, isRefused } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { wordsOf } from '../../engine/word-list.ts'
import { createHistory, createSights, type History, type Op } from '../history/history.ts'
import { problemsOfOp, problemsOfSight } from '../history/laws.ts'
import { type LeftTask, leftTasksOf, problemsOfLeft } from '../history/left-changed.ts'
import { unmadeChanges } from '../history/questions.ts'
import type { Assignment } from '../service/answers.ts'
import { problemsOfAnswer } from '../service/judge.ts'
import { headOf, isKeyed, type Reader, type Seen } from '../service/seen.ts'
import { isTold, isUnassign, objectIn, toIn, transitionOf } from '../service/update-request.ts'
import {
  type Effect,
  formOf,
  isDescribedUpdate,
  quietMs,
  type UpdateInHistory,
} from '../updates/seen-updates.ts'
import type { Findings } from './findings.ts'

/** The clauses that the histories judge by themselves; those with `seen` judge each update. */
export const clausesOfHistories = wordsOf(
  'answer-is-task persisted persisted.version new-version fields-as-given only-the-assignment comment.plain comment.non-latin comment.quotes comment.long comment.newlines comment.emoji comment.right-to-left comment.not-inherited',
).map((name) => `assign.${name}` as const)

/** Judges the requests about tasks, in one history of each recording; gives the updates by their exchanges. */
export function updatesAmong(
  all: readonly Seen[],
  readAt: Reader,
  { broken, decided, judged }: Findings,
  actorId: string | undefined,
): ReadonlyMap<number, UpdateInHistory> {
  const sights = createSights()
  const updates = new Map<number, UpdateInHistory>()
  const histories: History[] = []
  const acceptable = new Map<string, Answer>()

  const judge = ({ history, op }: UpdateInHistory, { answer, number, body }: Seen) => {
    const isUpdate = op.kind === 'update'
    if (!isAccepted(answer) || (isUpdate && !isDescribedUpdate({ op }))) return
    if (isUpdate) for (const place of kindsOf(op)) acceptable.set(place, headOf(answer))
    const problems = problemsOfOp(history, op).map(({ owned }) => owned)
    broken(problems)
    if (problems.length > 0 || body === undefined) return
    broken(problemsOfSight(history, op, actorId))
    if (isTold(op.body, op.ifMatch, op.known?.used?.assignment))
      broken(problemsOfAnswer('task', op.task, answer))
    decided(shownBy(op), number)
  }

  const begin = (history: History, seen: Seen, isOnlyClient: boolean) => {
    const { id, requestHeaders, sent, answer, number, isAnswered } = seen
    const isUpdate = seen.method === 'PUT'
    const how = { body: sent, ifMatch: requestHeaders['if-match'], isPlain: isKeyed(seen) }
    const kind = isUpdate ? 'update' : 'read'
    const note = history.begin({ kind, task: id, ...(isUpdate && how) })
    const op = history.begun.at(-1) as Op
    const ended = history.endedOf(id)
    const current = ended.findLast(({ shown }) => shown !== undefined)
    const update: UpdateInHistory = { history, op, next: ended.length, current, isOnlyClient }
    if (isUpdate && isAnswered && seen.requestBody !== undefined) updates.set(number, update)
    return () => {
      note(isAnswered ? answer : undefined, { number } as never)
      judge(update, seen)
      op.answer &&= headOf(answer)
      op.known = {}
    }
  }

  // An update without an answer of the service may have been accepted, and one that got 401 have an effect.
  const isNoted = ({ resource, method, key, status, isAnswered }: Seen) =>
    resource === 'task' &&
    (method === 'PUT' ? key === 'given' || status === 401 : key === 'given' && isAnswered)
  for (const [, own] of grouped(all.filter(isNoted), ({ recorder }) => recorder)) {
    let at = 0
    const now = () => at
    const history = createHistory({ now, date: now }, sights)
    histories.push(history)
    const ends = new Map<Seen, () => void>()
    const clients = new Set(own.filter(isKeyed).map(({ who }) => who))
    // Recorders round to milliseconds: an end counts as before a start of the same one.
    const turns = own.flatMap((one) => [
      { one, time: one.start, isEnd: false },
      { one, time: Math.max(one.end - 1, one.start + 0.5), isEnd: true },
    ])
    turns.sort((a, b) => a.time - b.time || Number(b.isEnd) - Number(a.isEnd))
    for (const { one, isEnd } of turns) {
      at = Math.max(at, isEnd ? one.end : one.start)
      const seen = isEnd ? undefined : readAt(one.number)
      if (seen) ends.set(one, begin(history, seen, clients.size === 1))
      if (!isEnd) continue
      ends.get(one)?.()
      ends.delete(one)
    }
    const isSettled = ({ shown, left }: LeftTask) =>
      (readAt(shown.exchange)?.start ?? 0) > (readAt(left.exchange)?.end ?? 0) + quietMs
    for (const one of leftTasksOf(history).seen.filter(isSettled))
      judged('assign.persisted.version', problemsOfLeft('version')(one), [one])
  }
  const effects = effectsIn(histories)
  for (const update of updates.values()) {
    const places = update.isOnlyClient ? kindsOf(update.op) : []
    const [sameSigns, sameForm, samePeople] = places.map((place) => acceptable.get(place))
    Object.assign(update, { sameSigns, sameForm, samePeople, effect: effects.get(update.op) })
  }
  return updates
}

/** By the kinds of signs in its comment, by the form of its comment, and by its people alone. */
const kindsOf = ({ task, body }: Op): [string, string, string] => {
  const people = `${task} ${toIn(body)}`.toLowerCase()
  const form = `${people} ${formOf(body)}`
  const comment = String(objectIn(body).assignment_comment)
  const isIn = [/\p{L}/u, /\p{N}/u, /\s/, /[^\p{L}\p{N}\s]/u].map((sign) => sign.test(comment))
  return [`${form} ${isIn}`, form, people]
}

/** The clauses that an accepted request decides. */
function shownBy({ kind, body, ifMatch, shown, known: { same, used } = {} }: Op): string[] {
  if (kind === 'read') return same?.first.kind === 'update' ? ['assign.persisted'] : []
  const [form, before] = [formOf(body), used?.assignment]
  const ofChange = [
    ...['new-version', 'only-the-assignment', ...(isUnassign(body) ? [] : ['fields-as-given'])],
    ...[transitionOf(body, before) ?? [], form ? `comment.${form}` : []].flat(),
  ]
  const isNew = before !== undefined && shown && shown.version !== ifMatch
  return ['answer-is-task', ...(isNew ? ofChange : [])].map((name) => `assign.${name}`)
}

/** Fewer accepted updates may fit one clock offset by chance. */
const leastMade = 5
/** A single one may be the work of another writer; several are hardly chance. */
const [leastCarriedOut, leastTouched] = [2, 3]

const madeAt = ({ shown }: Op) => Date.parse(shown?.version ?? '')

/**
 * The rejected updates whose effect reads show: a version that was made while they were in flight. None if the
 * recordings show another writer, or a clock that cannot be trusted.
 */
function effectsIn(histories: readonly History[]): Map<Op, Effect> {
  const found = new Map<Op, Effect>()
  for (const history of histories) {
    const made = history.ended.filter(({ kind, shown }) => kind === 'update' && shown)
    // How far the service's clock is ahead of the recorder's.
    const leastAhead = made.reduce((now, op) => Math.max(now, madeAt(op) - op.ended), -Infinity)
    const mostAhead = made.reduce((now, op) => Math.min(now, madeAt(op) - op.sent), Infinity)
    const isTrusted = made.length >= leastMade && leastAhead <= mostAhead
    for (const { read, before, isAssigned } of changesIn(history)) {
      const [from, to] = [madeAt(read) - mostAhead, madeAt(read) - leastAhead]
      const updates = history.begunOf(read.task).filter(({ kind }) => kind === 'update')
      const inFlight = updates.filter((op) => from <= op.ended && to >= op.sent)
      const isCause = (op: Op) => isRefusedBefore(op, before) && (!isAssigned || isAsked(op, read))
      const causes = inFlight.filter(isCause)
      const isOther = causes.length === 0 || inFlight.some(isOpen)
      if (!isTrusted || isOther) return new Map()
      const op = causes.find((one) => from >= one.sent && to <= one.ended)
      if (op) found.set(op, { read, isTouched: !isAssigned })
    }
  }
  const touched = [...found.values()].filter(({ isTouched }) => isTouched).length
  const isEnough = ([, { isTouched }]: [Op, Effect]) =>
    isTouched ? touched >= leastTouched : found.size - touched >= leastCarriedOut
  return new Map([...found].filter(isEnough))
}

/** The reads that show a version which no recorded update made, each with what its task showed before. */
const changesIn = (history: History) =>
  history.tasks.flatMap((task) => {
    const ended = history.endedOf(task)
    return unmadeChanges(history, task).flatMap(({ done, isAssigned }) => {
      const at = ended.findIndex((op) => op.done === done)
      const [read, before] = [ended[at], ended.slice(0, at).findLast(({ shown }) => shown)]
      const first = history.firstSight(task, read?.shown?.version)?.first
      return read && before && first?.kind === 'read' ? [{ read, before, isAssigned }] : []
    })
  })

/** Whether its effect, or what it made, is unknown. */
const isOpen = ({ answer, shown }: Op) =>
  !answer || !(isRefused(answer) || (isAccepted(answer) && shown))

/** With 409, only if its version is stale: otherwise another writer may have made the same assignment. */
function isRefusedBefore({ answer, ifMatch }: Op, before: Op): boolean {
  if (!answer || !isRefused(answer)) return false
  const mayHaveLost = ifMatch === undefined || Date.parse(ifMatch) >= madeAt(before)
  return answer.status !== 409 || !mayHaveLost
}

function isAsked({ body }: Op, { shown }: Op): boolean {
  const now = shown?.assignment
  const asked = Object.entries(objectIn(body))
  const isSo = ([name, value]: [string, unknown]) =>
    (now?.[name as keyof Assignment] ?? null) === (value ?? null)
  return toIn(body) === null ? now === null : asked.length > 0 && asked.every(isSo)
}
