import { describeAnswer, isAccepted, isObject } from '../../engine/http/answers.ts'
import type { Observation } from '../../engine/observation.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { randomFor } from '../../engine/random.ts'
import { poll } from '../../engine/time/polling.ts'
import type { TaskWatch } from '../aftermath/task-watch.ts'
import type { Watch } from '../aftermath/watch-during.ts'
import { createExports } from '../export/ask/exports.ts'
import { gainsOf } from '../export/ask/gains.ts'
import { dayBefore } from '../export/ask/recent-hour.ts'
import type { Lending } from '../loans/lending.ts'
import { premise } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { Service, Shared } from '../service/service.ts'
import { type Assignee, updateBody } from '../service/update-request.ts'
import { wrongVersions } from '../service/wrong-versions.ts'
import type { Settings } from '../settings/table.ts'
import type { Mailbox } from './mailbox.ts'
import { addressesOf, goesTo, shows } from './mails.ts'

/** An update that was refused with 409. */
type Refused = { to: Assignee; comment: string }

type Deps = {
  lending: Lending
  service: Service
  shared: Shared
  settings: Settings
  taskWatch: TaskWatch
}

/** Has one update refused, on a task that nobody else changes meanwhile, and looks what follows. */
export async function whileRefused<Found>(
  { lending, service, shared, settings, taskWatch }: Deps,
  people: readonly Assignee[],
  look: Watch<Refused, Found>,
): Promise<Found> {
  if (people.length < 2)
    throw new NotDecidable('setting', 'set USER_IDS: two or more users whom the service accepts')
  return lending.lend('whichever', service, async (loan) => {
    const { id } = loan.task
    const refuse = async (): Promise<Refused> => {
      const { assignment, updated_at } = await loan.current.read(id)
      const isNew = ({ id }: Assignee) => !isSameId(id, assignment?.assigned_to_id)
      const to = people.find(isNew) as Assignee
      const unique = randomFor(settings.seed, `refused ${updated_at}`).string.alphanumeric(10)
      const comment = `Contract test, please ignore ${unique}`
      const body = updateBody(settings.actorId ?? '', to, comment)
      // One near to what a lagging read shows may be the current one.
      const at = performance.now()
      const answer = await service.put(id, wrongVersions.older(updated_at), body)
      const token = answer.attempts === 1 ? comment : undefined
      if (!isAccepted(answer)) taskWatch.forbid({ task: id, answer, token, at })
      if (isAccepted(answer)) loan.used.add(updated_at)
      if (answer.status === 409) return { to, comment }
      const seen = `${describeAnswer(answer)} to a wrong If-Match`
      throw isAccepted(answer) || answer.status >= 500
        ? new NotDecidable('clause', seen, 'version.wrong.older')
        : new NotDecidable(
            'freedom',
            `${seen}; a request with two mistakes may be refused for either`,
          )
    }
    return await look({ task: loan.task, service, shared }, refuse)
  })
}

/** What is to be waited for, where nothing may come: as long again as what does come takes. */
export type Wait = { milliseconds: number; stop: AbortSignal }

const patienceOf = ({ milliseconds, stop }: Wait) => ({ limitMs: 2 * milliseconds + 100, stop })

/**
 * The events that a refused update leaves; those of others are told apart by who assigns, where events
 * show that (`actor`).
 */
export const eventsLeft =
  (wait: Wait, actor?: string): Watch<Refused, Observation> =>
  async ({ task, service, shared }, refuse) => {
    const exports = createExports(service, shared, 'repeat')
    const query = { start: dayBefore(service), metadata: { task_id: task.id } }
    const gained = await gainsOf(exports, query)
    const { comment } = await refuse()
    const countIn = ({ count, showing }: Awaited<ReturnType<typeof gained>>) =>
      actor === undefined ? count : (showing?.(actor) ?? count)
    const { last } = await poll(gained, (gain) => countIn(gain) > 0, patienceOf(wait))
    premise(
      last.refused === undefined,
      'freedom',
      `${last.refused}: a task without an event cannot be asked for by task_id`,
    )
    const count = countIn(last)
    if (count === 0) return 'none'
    return { events: count === 1 ? 'one' : 'more', comment: last.text.includes(comment) }
  }

const maxLooks = 3

/** The same of several refused updates: what does not come with each of them is somebody else's. */
export async function eventsOfRefusals(
  deps: Deps,
  people: readonly Assignee[],
  look: Watch<Refused, Observation>,
): Promise<Observation> {
  let left: Observation = 'none'
  for (let time = 1; time <= maxLooks; time += 1) {
    left = await whileRefused(deps, people, look)
    if (!isObject(left) || left.comment) return left
  }
  return left
}

/** Who is mailed of a refused update. */
export const mailsLeft =
  (mailbox: Mailbox, settings: Settings, wait: Wait): Watch<Refused, Observation> =>
  async ({ task }, refuse) => {
    const mark = await mailbox.mark()
    const { to, comment } = await refuse()
    const look = async () => {
      const mails = await mailbox.since(mark)
      return mails.filter((mail) => shows(mail, comment) || shows(mail, task.id))
    }
    const { last } = await poll(look, (mails) => mails.length > 0, patienceOf(wait))
    const addresses = addressesOf(to, settings)
    if (last.length === 0) return 'nobody'
    return last.some((mail) => goesTo(mail, addresses))
      ? 'who would have been assigned'
      : 'somebody'
  }
