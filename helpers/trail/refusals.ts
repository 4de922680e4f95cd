// What refused updates leave: events and mails, at once and at the end of the run.

import { describeAnswer, isAccepted, isObject } from '../../engine/http/answers.ts'
import type { Observation } from '../../engine/observation.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { poll } from '../../engine/time/polling.ts'
import { createExports, type Exports } from '../export/ask/exports.ts'
import { type NewRows, newRowsOf } from '../export/ask/new-rows.ts'
import { dayBefore } from '../export/ask/recent-hour.ts'
import type { History } from '../history/history.ts'
import { refusedUpdates } from '../history/questions.ts'
import type { Lending } from '../loans/lending.ts'
import type { Watch } from '../loans/watch-during.ts'
import { premise } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { Service, Shared } from '../service/service.ts'
import { type Assignee, updateBody } from '../service/update-request.ts'
import { wrongVersions } from '../service/wrong-versions.ts'
import type { Settings } from '../settings/table.ts'
import { createToken } from '../updates/controls.ts'
import type { Arrivals } from './arrivals.ts'
import type { Mailbox } from './mailbox.ts'
import { addressesOf, goesTo, shows } from './mails.ts'
import { slackMs } from './recorded.ts'

type Refused = { to: Assignee; comment: string }

type Deps = {
  lending: Lending
  service: Service
  shared: Shared
  settings: Settings
}

/** Has one update refused on a task on loan, and looks at the result. */
export async function whileRefused<Found>(
  { lending, service, shared, settings }: Deps,
  people: readonly Assignee[],
  look: Watch<Refused, Found>,
): Promise<Found> {
  if (people.length < 2)
    throw new NotDecidable('setting', 'set USER_IDS: two or more users whom the service accepts')
  return lending.lend('any state', service, async (loan) => {
    const { id } = loan.task
    const refuse = async (): Promise<Refused> => {
      const { assignment, updated_at } = await loan.current.read(id)
      const isNew = ({ id }: Assignee) => !isSameId(id, assignment?.assigned_to_id)
      const to = people.find(isNew) as Assignee
      const comment = createToken()
      // A version near that of a lagging read may be current.
      const wrong = wrongVersions.older(updated_at)
      const answer = await service.put(id, wrong, updateBody(settings.actorId ?? '', to, comment))
      if (isAccepted(answer)) loan.used.add(updated_at)
      if (answer.status === 409) return { to, comment }
      const seen = `${describeAnswer(answer)} to a wrong If-Match`
      if (isAccepted(answer) || answer.status >= 500)
        throw new NotDecidable('clause', seen, 'version.wrong.older')
      const either = 'a request with two mistakes may be refused for either'
      throw new NotDecidable('freedom', `${seen}; ${either}`)
    }
    return look({ task: loan.task, service, shared }, refuse)
  })
}

/** Where nothing should come, wait twice as long as the usual arrival takes. */
type Wait = { milliseconds: number; stop: AbortSignal }

const limitsOf = ({ milliseconds, stop }: Wait) => ({ limitMs: 2 * milliseconds + 100, stop })

/** The events that a refused update leaves: those that show who assigned (`actor`), if events show that. */
export const eventsLeft =
  (wait: Wait, actor?: string): Watch<Refused, Observation> =>
  async ({ task, service, shared }, refuse) => {
    const exports = createExports(service, shared, 'repeat')
    const query = { start: dayBefore(service), metadata: { task_id: task.id } }
    const newRows = await newRowsOf(exports, query)
    const { comment } = await refuse()
    const countIn = ({ count, showing }: NewRows) =>
      actor === undefined ? count : (showing?.(actor) ?? count)
    const { last } = await poll(newRows, (rows) => countIn(rows) > 0, limitsOf(wait))
    premise(
      last.refused === undefined,
      'freedom',
      `${last.refused}: a task without an event cannot be asked for by task_id`,
    )
    const count = countIn(last)
    if (count === 0) return 'none'
    return { events: count === 1 ? 'one' : 'more', comment: last.text.includes(comment) }
  }

/** The same of several refused updates: what does not come with each of them is another writer's. */
export async function eventsOfRefusals(
  deps: Deps,
  people: readonly Assignee[],
  look: Watch<Refused, Observation>,
): Promise<Observation> {
  let left: Observation = 'none'
  for (const _ of ['first', 'second', 'third']) {
    left = await whileRefused(deps, people, look)
    if (!isObject(left) || left.comment) return left
  }
  return left
}

/** The recipients of mails about a refused update. */
export const mailsLeft =
  (mailbox: Mailbox, settings: Settings, wait: Wait): Watch<Refused, Observation> =>
  async ({ task }, refuse) => {
    const mark = await mailbox.mark()
    const { to, comment } = await refuse()
    const look = async () => {
      const mails = await mailbox.since(mark)
      return mails.filter((mail) => shows(mail, comment) || shows(mail, task.id))
    }
    const { last } = await poll(look, (mails) => mails.length > 0, limitsOf(wait))
    if (last.length === 0) return 'nobody'
    const isTheirs = last.some((mail) => goesTo(mail, addressesOf(to, settings)))
    return isTheirs ? 'who would have been assigned' : 'somebody'
  }

/** The comments of all refused updates at the end of the run, and when the first was sent. */
async function refusedBy(over: () => Promise<void>, history: History) {
  await over()
  const refused = refusedUpdates(history)
  const tokens = refused.flatMap(({ token }) => token ?? [])
  return { tokens, first: Math.min(...refused.map(({ at }) => at)) }
}

/** Whether the export of the whole run finally shows the comment of a refused update. */
export async function exportedLate(
  exports: Exports,
  history: History,
  over: () => Promise<void>,
): Promise<Observation> {
  const { tokens, first } = await refusedBy(over, history)
  if (tokens.length === 0) return 'none'
  const [earliest = Date.now()] = exports.times()
  const start = new Date(earliest - (performance.now() - first) - slackMs).toISOString()
  let found = false
  const each = (cells: string[]) => {
    found ||= cells.some((cell) => tokens.some((token) => cell.includes(token)))
  }
  await exports.fresh.csv({ start }, { keep: 0, each })
  return found ? 'some time later' : 'none'
}

/** Whether a mail of the run finally shows such a comment. */
export async function mailedLate(
  { later }: Pick<Arrivals, 'later'>,
  history: History,
  over: () => Promise<void>,
): Promise<Observation> {
  const { tokens } = await refusedBy(over, history)
  const mails = tokens.length > 0 ? await later() : []
  const isShown = mails.some((mail) => tokens.some((token) => shows(mail, token)))
  return isShown ? 'somebody, some time later' : 'nobody'
}
