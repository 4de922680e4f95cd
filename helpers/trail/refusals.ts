// What refused updates leave, events and mails, by the end of the run.

import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Origin } from '../../engine/origin.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import { shown } from '../../engine/shown.ts'
import { poll } from '../../engine/time/polling.ts'
import { clock } from '../../engine/time/timers.ts'
import type { Exports } from '../export/ask/exports.ts'
import { lastRead } from '../history/accepted-updates.ts'
import type { History } from '../history/history.ts'
import { refusedUpdates } from '../history/questions.ts'
import type { Lending } from '../loans/lending.ts'
import { premise } from '../service/answers.ts'
import { mayBeOwn } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import type { Shared } from '../service/service.ts'
import { type Assignee, objectIn, updateBody } from '../service/update-request.ts'
import { wrongVersions } from '../service/wrong-versions.ts'
import type { Settings } from '../settings/table.ts'
import { createToken } from '../updates/controls.ts'
import type { Arrivals } from './arrivals.ts'
import { wordsOf } from './mailbox.ts'
import { slackMs } from './recorded.ts'
import { needTask, type Trail } from './sequence-events.ts'

/** Has one update refused with 409, for events and mails alike: the run may have had none. */
const refuseOne = ({ session, shared, settings, people }: Given) =>
  shared('an update that is rejected', async (service) => {
    if (people.length < 2)
      throw new NotDecidable('setting', 'set USER_IDS: two or more users whom the service accepts')
    await session.lending.lend('any state', service, async ({ task: { id }, current }) => {
      const { assignment, updated_at } = await current.read(id)
      const isNew = ({ id }: Assignee) => !isSameId(id, assignment?.assigned_to_id)
      const body = updateBody(settings.actorId ?? '', people.find(isNew) as Assignee, createToken())
      // A version near to what a lagging read shows may be the current one.
      const answer = await service.put(id, wrongVersions.older(updated_at), body)
      if (answer.status === 409) return
      const seen = `${describeAnswer(answer)} to a wrong If-Match`
      if (isAccepted(answer) || answer.status >= 500)
        throw new NotDecidable('clause', seen, 'version.wrong.older')
      const either = 'a request with two mistakes may be rejected for either'
      throw new NotDecidable('freedom', `${seen}; ${either}`)
    })
  })

/** What an update left: the row of an export, or the words of a mail. */
export type Left = {
  cells: readonly string[]
  comment: string
  answer: Answer
  /** in whose name it was sent */
  by: unknown
  /** what a read showed of its task: of such words an event tells nothing else */
  task: string
}

/**
 * Words, and cells that are a number, by their places; what the comment and the task say and ids are left out.
 * A word with a digit in it is a generated name.
 */
function wordsIn({ cells, comment, task }: Worded): string[][] {
  const form = wordsOf(comment)
  const known = wordsOf(task)
  return cells.map((cell) => {
    const plain = wordsOf(cell).replaceAll(form, ' ').replaceAll(uuids, ' ')
    const words = plain.match(/^\d{1,3}$|(?<![\p{L}\d])\p{L}{2,}(?![\p{L}\d])/gu) ?? []
    return words.filter((word) => !known.includes(word))
  })
}

type Worded = Pick<Left, 'cells' | 'comment' | 'task'>

const uuids = /[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}/g

/**
 * Whether nothing tells what a refused update left from what accepted ones did: in no place does it have more
 * words of its own than most of those have, which may show names or what is drawn for each.
 */
function isLikeAccepted(left: Worded, accepted: readonly Worded[]): boolean {
  const all = accepted.map(wordsIn)
  const own = (one: string[][], at: number) =>
    one[at]?.filter((word) => !all.some((other) => other !== one && other[at]?.includes(word)))
      .length ?? 0
  const usual = (at: number) => all.map((one) => own(one, at)).sort((a, b) => a - b)
  const words = wordsIn(left)
  return words.every((_, at) => own(words, at) <= (usual(at)[all.length >> 1] ?? 0))
}

/** What the updates of a run left that show their comment: those that were refused, and those that were accepted. */
export type Traces = { refused: Left[]; accepted: Left[]; origin?: Origin }

/** What refused updates left that nothing tells from what accepted ones did, as problems. */
export const problemsOfTraces = (
  { refused, accepted, origin }: Traces,
  what: 'event' | 'mail',
): Problem[] =>
  refused
    .filter((one) => isLikeAccepted(one, accepted))
    .slice(0, 3)
    .map(({ cells, comment, answer }) => {
      const expected = `no ${what} of it, or one that says so`
      const got = shown(cells.filter(Boolean).join(', '))
      const sentence = `${describeAnswer(answer)}, and the ${what} ${got} does not differ from those of accepted updates`
      const again = { why: `the ${what} comes some time after its update` }
      const control = accepted[0]?.answer
      return problem(sentence, {
        ...{ expected, got, judged: [answer, origin], control, again },
        decides: { 'comment of the rejected update': comment },
      })
    })

export const describeTraces = ({ refused, accepted }: Traces): string =>
  `${accepted.length} show accepted updates, ${refused.length ? `and ${refused.length} say that an update was rejected` : 'and none shows a rejected update'}`

/**
 * Looks at the end of the run, and until nothing more is to come, for what shows the comment of an update. Where
 * nothing may come, it is waited for twice as long as what does come takes.
 */
async function fetchTraces(
  history: History,
  look: (each: (cells: string[]) => void) => Promise<Origin>,
  { milliseconds, stop }: { milliseconds: number; stop: AbortSignal },
): Promise<Traces> {
  const isRefused = new Map(refusedUpdates(history).map(({ token, answer }) => [token, answer]))
  const sent = history.ended.flatMap(({ kind, task: id, body, answer }) => {
    const { assignment_comment: comment, assigned_by_id: by } = objectIn(body)
    if (kind !== 'update' || typeof comment !== 'string' || !mayBeOwn(comment)) return []
    return answer ? [{ comment, answer, by, task: lastRead(history, id)?.body ?? '' }] : []
  })
  // A comment that others begin with tells no update from theirs.
  const updates = sent.filter(
    ({ comment }) => !sent.some((each) => each.comment.startsWith(`${comment} `)),
  )
  const fetch = async () => {
    const traces: Traces = { refused: [], accepted: [] }
    traces.origin = await look((cells) => {
      const text = wordsOf(cells.join(' '))
      if (!mayBeOwn(text)) return
      const of = updates.findLast(({ comment }) => text.includes(wordsOf(comment)))
      if (!of) return
      if (isAccepted(of.answer)) traces.accepted.push({ ...of, cells })
      else if (isRefused.get(of.comment) === of.answer) traces.refused.push({ ...of, cells })
    })
    return traces
  }
  const last = Math.max(...refusedUpdates(history).map(({ at }) => at))
  const limitMs = Math.max(0, last + 2 * milliseconds + 100 - clock.now())
  const isFound = ({ refused }: Traces) => refused.length > 0
  return (await poll(fetch, isFound, { limitMs, stop, firstMs: limitMs })).last
}

type Given = {
  session: { lending: Lending; history: History; stop: AbortSignal }
  shared: Shared
  settings: Settings
  people: readonly Assignee[]
  over: () => Promise<void>
}

/** The events that show the comments of the updates of a run, at its end; one of these was refused. */
export async function eventsOfUpdates({
  exports,
  trail,
  ...given
}: Given & { exports: Exports; trail: Trail }): Promise<Traces> {
  const { history, stop } = given.session
  needTask(trail)
  await refuseOne(given)
  await given.over()
  const traces = await exports.once('events that show comments', ({ fresh, times }) => {
    const first = Math.min(...history.begun.map(({ sent }) => sent))
    const [earliest = clock.date()] = times()
    let start = earliest - (clock.now() - first) - slackMs
    const look = async (each: (cells: string[]) => void) => {
      // A file may be kept for some seconds under its whole query.
      start += 1
      const query = { start: new Date(start).toISOString() }
      return (await fresh.csv(query, { keep: 0, each })).answer
    }
    return fetchTraces(history, look, { milliseconds: trail.milliseconds, stop })
  })
  premise(traces.accepted.length > 0, 'freedom', noComments)
  return traces
}

/** The mails that do. */
export async function mailsOfUpdates({
  arrivals: { later, milliseconds },
  ...given
}: Given & { arrivals: Arrivals }): Promise<Traces> {
  await refuseOne(given)
  await given.over()
  const look = async (each: (cells: string[]) => void) => {
    for (const { words } of await later()) each([words])
    return undefined
  }
  const { history, stop } = given.session
  return fetchTraces(history, look, { milliseconds, stop })
}

/** Why nothing is known of the event of an update. */
export const noComments =
  'no event of a task shows a comment; the contract does not specify the fields of an event'

/**
 * Events that show another id than that of who made their change, in the column in which most show that. A
 * column that shows it in all of them clears the others, which may show who did something else.
 */
export function problemsOfActors({ accepted, origin }: Traces): Problem[] {
  const isBy = ({ cells, by }: Left, at: number) => isSameId(cells[at], by)
  const columns = [...Array(Math.max(...accepted.map(({ cells }) => cells.length))).keys()]
  const timesIn = (at: number) => accepted.filter((one) => isBy(one, at)).length
  const best = columns.reduce((most, at) => (timesIn(at) > timesIn(most) ? at : most), 0)
  const open =
    'no column of the events shows the id of who assigned; the contract does not specify the fields of an event'
  premise(2 * timesIn(best) > accepted.length, 'freedom', open)
  const right = accepted.find((one) => isBy(one, best))
  return accepted
    .filter((one) => !isBy(one, best) && isUuid(one.cells[best] ?? ''))
    .slice(0, 3)
    .map(({ cells, by, comment, answer }) => {
      const [expected, got] = [String(by), cells[best] ?? '']
      const sentence = `the event with the comment ${shown(comment)} shows ${got} where others show who made the change, which was ${expected}`
      const again = { why: 'updates by two users have to be made first' }
      const control = right?.answer
      return problem(sentence, { expected, got, judged: [answer, origin], control, again })
    })
}
