import { type Case, caseOf } from '../../engine/clause/case.ts'
// A walk of one task through the table of transitions: it is drawn and shrunk, and each request of it is a case.

import fc from 'fast-check'
import { isAccepted, membersOf } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { exchangesOf, type Origin } from '../../engine/origin.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { randomFor } from '../../engine/random.ts'
import type { AssigneeType } from '../contract/fields.ts'
import { statuses } from '../contract/statuses.ts'
import { isByOther } from '../history/questions.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import type { Loan } from '../loans/lending.ts'
import { needPermitted, type Task } from '../service/answers.ts'
import { isAssignedTo } from '../service/assignments.ts'
import { isSameId } from '../service/ids.ts'
import { versionIn } from '../service/task-members.ts'
import type { Assignee } from '../service/update-request.ts'
import { chooseComments } from './comment-kinds.ts'
import { createToken, type OfRun } from './controls.ts'
import { needUnassigned, send } from './sender.ts'
import { needNullShown } from './shown-update.ts'

type Choice = { asks: 'assign' | 'unassign' | 'stale' | 'invalid'; nth: number }

export type Walked = {
  asks: 'valid' | 'stale' | 'invalid'
  what: string
  walk: string
  answer: Answer
  to: Assignee | null
  /** left out: the answer alone is judged; an error: why no read shows the task any more */
  stored?: Task | NotDecidable
  /** of an update that was answered 5xx for its comment: an accepted update with such a comment */
  control?: Answer
  /** the exchanges that brought the task into its state */
  before: readonly number[]
}

export const caseOfWalked = (walked: Walked): Case<Walked> => {
  const { answer, stored, control, before } = walked
  return caseOf(walked, { judged: [answer, stored], control, before })
}

type Walking = OfRun & {
  people: readonly Assignee[]
  commented: boolean
}

const most = 18
const least = 16

const choices: fc.Arbitrary<Choice> = fc.record({
  asks: fc.constantFrom('assign', 'assign', 'assign', 'unassign', 'stale', 'invalid'),
  nth: fc.nat(99),
})

/**
 * Walks until a case is broken: then the shortest such walk that was found. Only the embedded service gets
 * shorter walks: elsewhere each may cost mails.
 */
export async function fetchWalk(
  loan: Loan,
  walking: Walking,
  isClear: (one: Walked) => boolean,
): Promise<readonly Walked[]> {
  const { seed, embedded } = walking.settings
  const walk = walkerOn(loan, walking)
  let found: Walked[] | undefined
  let foul: unknown
  const drawn = fc.array(choices, { maxLength: most, size: 'max' })
  const property = fc.asyncProperty(drawn, async (steps) => {
    const isFirst = found === undefined
    // A short walk shows little.
    fc.pre(!isFirst || steps.length >= least)
    const all: Walked[] = []
    try {
      for await (const one of walk(steps, isFirst)) {
        all.push(one)
        if (isClear(one)) continue
        found = all
        return false
      }
      found ??= all
    } catch (error) {
      // Trouble while shrinking does not undo the failure.
      foul = error
    }
    return true
  })
  const draws = randomFor(seed, 'version.model').number.int({ max: 0x7fffffff })
  await fc.check(property, { seed: draws, numRuns: 1, unbiased: true, endOnFailure: !embedded })
  if (!found) throw foul
  return found
}

type Place = {
  task: Task
  to: Assignee | null
  /** in the last accepted answer, or as another writer left it; undefined: not known */
  version: string | undefined
  before: readonly Origin[]
  old?: string
  first?: string
  /** the types of assignees whose task got all kinds of stale updates */
  tried: Set<AssigneeType>
}

/** Other writers may change the task during a long walk, so often at most. */
const maxMeetings = 6

function walkerOn(loan: Loan, { history, people, commented }: Walking) {
  const { task: found, current, actor } = loan
  const { id } = found
  const comments = chooseComments(commented, history.names.next())
  const taken: string[] = []
  /** by the kind of its comment: the last accepted update, and those that were answered 5xx for it */
  const accepted = new Map<string, Answer>()
  const failed: { kind: string; one: Walked }[] = []
  let met = 0

  const start = async (isFirst: boolean): Promise<Place> => {
    const left = isFirst ? found : await current.read(id)
    const task = await needUnassigned({ ...loan, task: left })
    return { task, before: [task], to: null, version: task.updated_at, tried: new Set() }
  }

  type Sent = Pick<Walked, 'asks' | 'what' | 'answer'>
  const answered = (place: Place, sent: Sent, stored?: Walked['stored']): Walked => ({
    ...sent,
    walk: taken.join(','),
    to: place.to,
    ...(stored && { stored }),
    before: exchangesOf(place.before),
  })

  /**
   * The update and the read after it. Undefined if another writer came between: the walk goes on from there. A
   * change that other writers are not known to write, or that a refused update asked for, may be the service's.
   */
  const followed = async (
    place: Place,
    sent: Sent,
    refused?: { to: Assignee | null; token: string | undefined },
  ): Promise<Walked | undefined> => {
    const isAsDue = (task: Task) => {
      place.task = task
      if (sent.asks === 'invalid') needNullShown(history, task)
      return isAssignedTo(task.assignment, place.to)
    }
    try {
      await current.readUntil(id, isAsDue)
    } catch (error) {
      // Reads were well-formed until this update, so it had an effect.
      const isOfIt = sent.asks === 'invalid' && isAccepted(sent.answer)
      if (!isOfIt || !(error instanceof NotDecidable)) throw error
      return answered(place, sent, error)
    }
    const { task, version } = place
    const { assignment, updated_at } = task
    const isTold = [undefined, updated_at].includes(version) || current.isReplaced(updated_at)
    const isRefused = !!refused?.token && assignment?.assignment_comment === refused.token
    if (isTold || isRefused || isAsDue(task)) return answered(place, sent, task)
    const isAsked = refused && isAssignedTo(assignment, refused.to)
    if (met >= maxMeetings || isAsked || !isByOther(history, assignment))
      throw new ForeignChange(history, assignment)
    met += 1
    place.version = updated_at
    place.to = assignment && { id: assignment.assigned_to_id, type: assignment.assigned_to_type }
    return undefined
  }

  const sendValid = async (place: Place, to: Assignee | null) => {
    const { kind, text } = comments.next(to)
    const first = await send(loan, { to, comment: text }, place.task)
    const isRefused = !isAccepted(first) && !!text
    // A service may limit comments: without one the same update has to be accepted.
    const answer = isRefused ? await send(loan, { to }, place.task) : first
    if (isRefused && isAccepted(answer)) comments.leaveOut(to, kind)
    needPermitted(answer)
    if (text && isAccepted(first)) accepted.set(kind, first)
    if (isRefused && first.status >= 500) {
      const one = answered(place, { asks: 'valid', what: named(to), answer: first })
      failed.push({ kind, one })
    }
    const sent: Sent = { asks: 'valid', what: named(to), answer }
    if (!isAccepted(answer)) return answered(place, sent)
    const { updated_at } = place.task
    const version = versionIn(membersOf(answer))
    Object.assign(place, { to, version, before: [place.task, answer] })
    if (current.isReplaced(updated_at)) place.old = updated_at
    place.first ??= place.old
    return followed(place, sent)
  }

  const sendStale = async (place: Place, to: Assignee | null, version: string) => {
    const token = to && commented ? createToken(history) : undefined
    const answer = await send(loan, { to, comment: token, ifMatch: version })
    const what = `an update with a stale If-Match, ${named(to)}`
    const sent: Sent = { asks: 'stale', what, answer }
    return answer.status === statuses.staleVersion
      ? followed(place, sent, { to, token })
      : answered(place, sent)
  }

  const sendInvalid = async (place: Place) => {
    const body = { update: { assigned_by_id: actor } }
    const answer = await send(loan, { body, ifMatch: place.task.updated_at })
    return followed(place, { asks: 'invalid', what: 'an invalid update', answer })
  }

  async function* take(place: Place, { asks, nth }: Choice): AsyncGenerator<Walked | undefined> {
    const others = people.filter(({ id }) => !isSameId(id, place.to?.id))
    const other = others[nth % others.length] ?? null
    const to = asks === 'unassign' && place.to ? null : other
    // Not the last version but the first: a service may know only the latest as stale.
    const stale = asks === 'stale' ? place.first : undefined
    taken.push(asks === 'invalid' ? asks : stale ? 'stale' : named(to))
    place.before = [place.task, ...place.before.slice(1)]
    if (asks === 'invalid') return yield sendInvalid(place)
    if (stale) return yield sendStale(place, other, stale)
    yield sendValid(place, to)
    // To tasks of a user and of a team: a walk would reach each only by chance.
    if (!to || !place.old || place.tried.has(to.type)) return
    for (const each of [null, ...people.filter((one) => !isSameId(one.id, to.id)).slice(0, 1)])
      yield sendStale(place, each, place.old)
    place.tried.add(to.type)
  }

  return async function* walk(steps: readonly Choice[], isFirst: boolean): AsyncGenerator<Walked> {
    taken.length = 0
    failed.length = 0
    const place = await start(isFirst)
    for (const step of steps) {
      let last: Walked | undefined
      do
        for await (last of take(place, step)) {
          if (!last) break
          yield last
        }
      while (!last)
    }
    for (const { kind, one } of failed) {
      const control = accepted.get(kind)
      if (control) yield Object.assign(one, { control })
    }
  }
}

const named = (to: Assignee | null) =>
  to ? `assign to ${to.type} ${to.id.slice(0, 8)}` : 'unassign'
