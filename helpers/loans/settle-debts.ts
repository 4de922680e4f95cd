import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { isAccepted } from '../../engine/http/answers.ts'
import { span } from '../../engine/http/failure.ts'
import { redactor } from '../../engine/http/redaction.ts'
import { Trouble } from '../../engine/outcome.ts'
import type { Residue } from '../../engine/run/report.ts'
import { entered } from '../../engine/time/entering.ts'
import { clock } from '../../engine/time/timers.ts'
import type { Resource } from '../contract/fields.ts'
import { resources } from '../contract/operations.ts'
import { statuses } from '../contract/statuses.ts'
import { isSameId } from '../service/ids.ts'
import type { Service } from '../service/service.ts'
import { idsOf } from '../settings/resource-ids.ts'
import type { Settings } from '../settings/table.ts'
import { type Debt, type Journal, openJournal } from './journal.ts'
import type { Ending, Manner } from './put-back.ts'

type TaskEnding = Ending & { task: string }

export type SettledDebts = {
  endings: TaskEnding[]
  residue: Residue[]
  requests: number
}

export type Settling = { tasks?: readonly string[]; doubt?: Manner['doubt']; retryForMs?: number }

export async function settleDebts(
  settings: Settings,
  { tasks, doubt = 'a difference', retryForMs = 20_000 }: Settling = {},
): Promise<SettledDebts> {
  if (tasks?.length === 0) return nothing()
  const journal = openJournal(settings.journalDir, settings.baseUrl)
  const isWanted = (task: string) => tasks?.some((id) => isSameId(id, task)) ?? true
  const debts = journal.open().filter(({ task }) => isWanted(task))
  if (debts.length === 0) return nothing()
  // Loaded on demand: few runs leave anything to put back.
  const [{ createService }, { openServiceClient }, { putBack }] = await entered('load', () =>
    Promise.all([
      import('../service/service.ts'),
      import('../settings/client.ts'),
      import('./put-back.ts'),
    ]),
  )
  const { actorId: actor, userIds: people, settleMs } = settings
  const overtime = stopAfter(retryForMs + settleMs + settings.timeoutMs)
  const { stop } = overtime
  // No rate limit: the machine that runs this may be about to stop.
  const client = openServiceClient(
    { ...settings, requestsPerSecond: undefined },
    { stop, tellsSoon: true },
  )
  const service = createService(client, () => {})
  const redact = redactor(settings.apiKey)
  const manner: Manner = { actor, people, settleMs, stop, doubt, retryForMs }
  const settle = async (debt: Debt): Promise<TaskEnding> => {
    const ending = await putBack(service, debt, manner)
    if (isDone(ending)) journal.settle(debt.task)
    else if (debt.last) journal.note(debt)
    const { task } = debt
    return 'reason' in ending
      ? { task, ...ending, reason: redact(ending.reason) }
      : { task, ...ending }
  }
  try {
    const settled = await Promise.all(debts.map(settle))
    const gone = settled.filter(isGone)
    const isRightService = settled.some(isDone) || (await hasAnything(service, settings, gone))
    if (isRightService) for (const { task } of gone) journal.settle(task)
    const endings = settled.map((ending) =>
      isRightService || !isGone(ending) ? ending : notGone(ending, journal),
    )
    const residue = endings.flatMap((ending) => ('reason' in ending ? [residueOf(ending)] : []))
    return { endings, residue, requests: client.requests }
  } finally {
    overtime.clear()
    await client.close()
  }
}

/** When the time is over, requests under way get their usual time, then are aborted. */
function stopAfter(milliseconds: number) {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  const timer = clock.setTimeout(
    () => controller.abort(new Trouble(`the service did not respond within ${span(milliseconds)}`)),
    milliseconds,
  )
  return { stop: controller.signal, clear: () => clock.clear(timer) }
}

const isDone = ({ state }: Ending) => ['as found', 'put back', 'theirs', 'unknown'].includes(state)

const isGone = ({ state }: Ending) => state === 'gone'

async function hasAnything(service: Service, settings: Settings, gone: readonly unknown[]) {
  if (gone.length === 0) return true
  const { taskIds, readTaskIds } = settings
  const others = resources.filter((resource) => resource !== 'task')
  const firstOf = (resource: Resource) => idsOf(resource, settings).slice(0, 1)
  const answers = await Promise.allSettled([
    ...[...readTaskIds, ...taskIds].slice(0, 4).map((id) => service.readTask(id)),
    ...others.flatMap((resource) =>
      firstOf(resource).map((id) => service.read(`${resource}.read`, id)),
    ),
  ])
  return answers.some((each) => each.status === 'fulfilled' && isAccepted(each.value))
}

/** If the service has none of the given ids, no task is gone: the service is broken, or it is another service. */
const notGone = <T extends { task: string }>(ending: T, { dir }: Journal) => ({
  ...ending,
  state: 'owed' as const,
  reason: `the service responds ${statuses.unknownId} to it, and shows nothing else either; if it was deleted, remove ${join(dir, `${ending.task.toLowerCase()}.json`)}`,
})

function residueOf({ task, ...ending }: TaskEnding & { reason: string }): Residue {
  const { state, reason } = ending
  if (state === 'owed') return { task, reason, ...(ending.unsure ? { unsure: true } : {}) }
  return { task, reason, [state]: true }
}

const nothing = (): SettledDebts => ({ endings: [], residue: [], requests: 0 })

export const unsettled = (tasks: readonly string[], error: unknown): SettledDebts => ({
  ...nothing(),
  residue: tasks.map((task) => ({
    task,
    reason: `not known to be put back: ${error instanceof Error ? error.message : error}`,
    unsure: true,
  })),
})
