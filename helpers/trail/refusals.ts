import { type Case, caseOf } from '../../engine/clause/case.ts'
import { counted } from '../../engine/counted.ts'
import { distinct } from '../../engine/distinct.ts'
import { cellFinding } from '../../engine/findings/cell.ts'
import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Origin } from '../../engine/origin.ts'
import { NotDecidable, toSet } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import { shown } from '../../engine/shown.ts'
import { poll } from '../../engine/time/polling.ts'
import { clock } from '../../engine/time/timers.ts'
import { statuses } from '../contract/statuses.ts'
import type { Exports } from '../export/ask/exports.ts'
import { eachLater } from '../export/ask/query.ts'
import { effectFinding } from '../findings/effect.ts'
import { lastRead } from '../history/accepted-updates.ts'
import type { History } from '../history/history.ts'
import { refusedUpdates } from '../history/questions.ts'
import type { Lending } from '../loans/lending.ts'
import { premise } from '../service/answers.ts'
import { isOfAnotherRun, mayBeOwn } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import type { Shared } from '../service/service.ts'
import { type Assignee, objectIn } from '../service/update-request.ts'
import { wrongVersions } from '../service/wrong-versions.ts'
import type { Settings } from '../settings/table.ts'
import { createToken, othersThan } from '../updates/controls.ts'
import { send } from '../updates/sender.ts'
import type { Arrivals } from './mails.ts'
import { noComments, slackMs } from './recorded.ts'
import { needTask, type Trail } from './sequence-events.ts'
import { wordsOf } from './traces.ts'

/** Has one update rejected as stale, for events and mails: the run may have had none. */
const refuseOne = ({ session, shared, people }: Given) =>
  shared('an update that is rejected', async (service) => {
    if (people.length < 2)
      throw new NotDecidable(...toSet(['USER_IDS'], ': two or more users whom the service accepts'))
    await session.lending.lend('any state', service, async (loan) => {
      const task = await loan.current.read(loan.task.id)
      const [to = null] = othersThan(people, task)
      // A version near to what a lagging read shows may be the current one.
      const ifMatch = wrongVersions.older(task.updated_at)
      const answer = await send(loan, { to, comment: createToken(session.history), ifMatch })
      if (answer.status === statuses.staleVersion) return
      const seen = `${describeAnswer(answer)} to a wrong If-Match`
      if (isAccepted(answer) || answer.status >= 500)
        throw new NotDecidable('clause', seen, 'version.wrong.older')
      const either = 'a request with two mistakes may be rejected for either'
      throw new NotDecidable('freedom', `${seen}; ${either}`)
    })
  })

type Left = {
  comment: string
  answer: Answer
  by: unknown
  /** what a read showed of its task: such words in an event say nothing */
  task: string
  left: string[][]
}

type Traces = { refused: Left[]; accepted: Left[]; origin: Origin }

type Row = Pick<Left, 'comment' | 'task' | 'by' | 'answer'> & { cells: string[] }

const rowsOf = ({ left, ...of }: Left): Row[] => left.map((cells) => ({ ...of, cells }))

/** Without ids and the words of the comment and the task. A word with a digit in it is a generated name. */
function wordsIn({ cells, comment, task }: Row): string[][] {
  const form = wordsOf(comment)
  const known = wordsOf(task)
  return cells.map((cell) => {
    const plain = wordsOf(cell).replaceAll(form, ' ').replaceAll(uuids, ' ')
    const words = plain.match(/^\d{1,3}$|(?<![\p{L}\d])\p{L}{2,}(?![\p{L}\d])/gu) ?? []
    return words.filter((word) => !known.includes(word))
  })
}

const uuids = /[\da-f]{8}(?:-?[\da-f]{4}){3}-?[\da-f]{12}/g

/**
 * Whether nothing distinguishes the trace of a rejected update from those of accepted updates: in no place
 * does it have more words of its own than most of those have, which may be names or drawn values.
 */
function isLikeAccepted(left: Row, accepted: readonly Row[]): boolean {
  const all = accepted.map(wordsIn)
  const own = (one: string[][], at: number) =>
    one[at]?.filter((word) => !all.some((other) => other !== one && other[at]?.includes(word)))
      .length ?? 0
  const usual = (at: number) => all.map((one) => own(one, at)).sort((a, b) => a - b)
  const words = wordsIn(left)
  return words.every((_, at) => own(words, at) <= (usual(at)[all.length >> 1] ?? 0))
}

function caseOfTraces(traces: Traces): Case<Traces> {
  const answers = [...traces.refused, ...traces.accepted].map(({ answer }) => answer)
  return caseOf(traces, { judged: [traces.origin, answers] })
}

type Kind = 'event' | 'email'
type Decided = readonly [Traces, ...unknown[]]

export const problemsOfTraces =
  (what: Kind) =>
  ({ refused, accepted, origin }: Traces): Problem[] => {
    const usual = accepted.flatMap(rowsOf)
    const alike = refused.flatMap(rowsOf).filter((row) => isLikeAccepted(row, usual))
    return alike.slice(0, 3).map(({ cells, comment, answer }) => {
      const text = cells.filter(Boolean).join(', ')
      const trace = { effect: 'left a trace', trace: what, text } as const
      return problem(effectFinding(answer, trace), {
        judged: [answer, origin],
        control: usual[0]?.answer,
        decides: { 'comment of the rejected update': comment },
      })
    })
  }

export function describeTraces(what: Kind, [{ refused, accepted }]: Decided): string {
  const [no = 0, yes = 0] = [refused, accepted].map((each) => each.flatMap(rowsOf).length)
  const other = no > 0 ? `${counted(no, what)} saying that an update was rejected` : undefined
  return `${counted(yes, what)} of accepted updates, and ${other ?? `no ${what} of a rejected update`}`
}

/** To see that nothing comes, it waits twice as long as other traces take. */
async function fetchTraces(
  history: History,
  look: (each: (cells: string[]) => void) => Promise<Origin>,
  { milliseconds, stop }: { milliseconds: number; stop: AbortSignal },
): Promise<Traces> {
  const sent = history.ended.flatMap(({ kind, task: id, body, answer }) => {
    const { assignment_comment: comment, assigned_by_id: by } = objectIn(body)
    if (kind !== 'update' || typeof comment !== 'string' || !mayBeOwn(comment)) return []
    if (isOfAnotherRun(comment, history.names.run)) return []
    return answer ? [{ comment, answer, by, task: lastRead(history, id)?.body ?? '' }] : []
  })
  // A comment that is the beginning of another comment does not identify an update.
  const updates = sent.filter(
    ({ comment }) => !sent.some((each) => each.comment.startsWith(`${comment} `)),
  )
  const refused = refusedUpdates(history)
  const isToken = (comment: string, answer: Answer) =>
    refused.some((one) => one.token === comment && one.answer === answer)
  const fetch = async (): Promise<Traces> => {
    const left = new Map(updates.map((update) => [update, [] as string[][]]))
    const origin = await look((cells) => {
      const text = wordsOf(cells.join(' '))
      if (!mayBeOwn(text)) return
      const of = updates.findLast(({ comment }) => text.includes(wordsOf(comment)))
      if (of) left.get(of)?.push(cells)
    })
    const all = updates.map((update): Left => ({ ...update, left: left.get(update) ?? [] }))
    return {
      refused: all.filter(({ comment, answer }) => isToken(comment, answer)),
      accepted: all.filter(({ answer, left }) => isAccepted(answer) && left.length > 0),
      origin,
    }
  }
  const last = Math.max(...refused.map(({ at }) => at))
  const limitMs = Math.max(0, last + 2 * milliseconds + 100 - clock.now())
  const isFound = ({ refused }: Traces) => refused.some(({ left }) => left.length > 0)
  return (await poll(fetch, isFound, { limitMs, stop, firstMs: limitMs })).last
}

type Given = {
  session: { lending: Lending; history: History; stop: AbortSignal }
  shared: Shared
  settings: Settings
  people: readonly Assignee[]
  over: () => Promise<void>
}

export async function eventsOfUpdates({
  exports,
  trail,
  ...given
}: Given & { exports: Exports; trail: Trail }): Promise<[Case<Traces>]> {
  const { history, stop } = given.session
  needTask(trail)
  await refuseOne(given)
  await given.over()
  const traces = await exports.once('events that show comments', ({ fresh, times }) => {
    const first = Math.min(...history.begun.map(({ sent }) => sent))
    const [earliest = clock.date()] = times()
    const start = earliest - (clock.now() - first) - slackMs
    const later = eachLater({ start: new Date(start).toISOString() })
    const look = async (each: (cells: string[]) => void) =>
      (await fresh.csv(later(), { keep: 0, each })).answer
    return fetchTraces(history, look, { milliseconds: trail.milliseconds, stop })
  })
  premise(traces.accepted.length > 0, 'freedom', noComments)
  return [caseOfTraces(traces)]
}

export async function mailsOfUpdates({
  arrivals: { later, milliseconds },
  ...given
}: Given & { arrivals: Arrivals }): Promise<[Case<Traces>]> {
  await refuseOne(given)
  await given.over()
  const look = async (each: (cells: string[]) => void) => {
    for (const { words } of await later()) each([words])
    return undefined
  }
  const { history, stop } = given.session
  return [caseOfTraces(await fetchTraces(history, look, { milliseconds, stop }))]
}

const usersOf = ({ accepted }: Pick<Traces, 'accepted'>): string[] =>
  distinct(accepted.map(({ by }) => String(by).toLowerCase()))

export const describeActors = ([{ accepted }]: Decided): string =>
  `${counted(accepted.flatMap(rowsOf).length, 'event')}, of updates by ${usersOf({ accepted }).length} users`

/** A column with that id in all events clears the other columns, which may show who did something else. */
export function problemsOfActors({ accepted, origin }: Traces): Problem[] {
  const rows = accepted.flatMap(rowsOf)
  const users = usersOf({ accepted })
  const one = `every update with a comment was made by ${users[0]}: let other users assign (USER_IDS, --clauses)`
  premise(users.length > 1, 'data', one)
  const isBy = ({ cells, by }: Row, at: number) => isSameId(cells[at], by)
  const columns = [...Array(Math.max(...rows.map(({ cells }) => cells.length))).keys()]
  const timesIn = (at: number) => rows.filter((row) => isBy(row, at)).length
  const best = columns.reduce((most, at) => (timesIn(at) > timesIn(most) ? at : most), 0)
  const open =
    'no column of the events shows the id of the assigner; the contract does not specify the fields of an event'
  premise(2 * timesIn(best) > rows.length, 'freedom', open)
  const control = rows.find((row) => isBy(row, best))?.answer
  const wrong = rows.filter((row) => !isBy(row, best) && isUuid(row.cells[best] ?? ''))
  return wrong.slice(0, 3).map(({ cells, by, comment, answer }) => {
    const what = `the event with the comment ${shown(comment)}`
    const facts = { place: { in: 'trail' }, column: best + 1, what, to: 'who assigned' } as const
    const wanted = String(by)
    const finding = cellFinding(facts, { wrong: 'value', wanted, got: cells[best] ?? '' })
    const again = { why: 'updates by two users have to be made first' }
    return problem(finding, { judged: [answer, origin], control, again })
  })
}
