import { acceptedBody } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { beside, from } from '../../engine/origin.ts'
import { pause } from '../../engine/time/abort.ts'
import { clock } from '../../engine/time/timers.ts'
import type { History } from '../history/history.ts'
import { isByOther, spills, unmadeChanges, updatedTasks } from '../history/questions.ts'
import type { Loan } from '../loans/lending.ts'
import { bodiesOf, type Reading } from '../reads/readings.ts'
import { type Assignment, premise } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { KnownIds } from '../service/known.ts'
import type { Service } from '../service/service.ts'
import { type Assignee, unassignBody, updateBody } from '../service/update-request.ts'

type Shown = { id: string; text: string; assignment: Assignment | null; answer: Answer }
type Look = readonly [before: Shown, after: Shown]
/** What tasks showed before and after updates of others: once, or around each of several. */
export type Others = { looks: readonly Look[] }

export const isChanged = ([before, after]: Look) => before.text !== after.text

/** Tasks that can be read and that no clause updates, five at most. */
export function needOthers({ tasks }: KnownIds, readings: readonly Reading[]): Reading[] {
  const still = tasks.filter(({ lendable, heldBy }) => !lendable && heldBy === undefined)
  premise(still.length > 0, 'setting', 'set READ_TASK_IDS: tasks that must stay as they are')
  const isAmong = (all: readonly { id: string }[], id: string) => all.some((each) => each.id === id)
  const others = readings
    .filter(({ id }) => isAmong(bodiesOf(readings), id) && isAmong(still, id))
    .slice(0, 5)
  premise(others.length > 0, 'refused', 'none of READ_TASK_IDS can be read; correct it')
  return others
}

type Deps = {
  service: Service
  session: { history: History; settings: { settleMs: number }; stop: AbortSignal }
  taskReadings: readonly Reading[]
  people: readonly Assignee[]
  actor: string
  alone<T>(act: (loans: [Loan, ...Loan[]]) => Promise<T>): Promise<T>
}

/** What the tasks show after the updates of the run; those that changed are looked at while nothing else is sent. */
export async function fetchOthers(readings: readonly Reading[], deps: Deps): Promise<Others> {
  const { service, session, taskReadings, people, actor, alone } = deps
  const { history } = session
  const once = await lookAgain(service, readings.map(shownIn))
  // A lent task may have a version that neither its updates nor another writer made.
  const updated = updatedTasks(history)
  const hasChanged = updated.some((id) => unmadeChanges(history, id).length > 0)
  const lent = spills(history) || (hasChanged && !isByOther(history, null)) ? updated : []
  const suspects = [...once.filter(isChanged).map(([{ id }]) => id), ...lent]
  const near = ({ task }: Loan) => nearness(task.id, suspects, taskReadings)
  const lookAlone = (loans: [Loan, ...Loan[]]) => {
    const loan = loans.reduce((best, each) => (near(each) > near(best) ? each : best))
    const ids = suspects.filter((id) => !isSameId(id, loan.task.id))
    return fetchAround(service, session, ids, () => updateInEachWay(loan, actor, people))
  }
  const watched = suspects.length > 0 ? await alone(lookAlone) : []
  const looks = [...once.filter((each) => !isChanged(each)), ...watched]
  premise(
    readings.some(({ id }) => looks.some(([before]) => before.id === id)),
    'freedom',
    'every task of READ_TASK_IDS changes without an update of this run; the contract does not specify transitions of status',
  )
  const [control, judged] = ([0, 1] as const).map((at) => looks.map((each) => each[at].answer))
  return beside(from({ looks }, judged), { control })
}

const rounds = 3

/**
 * What tasks show before and after updates of another one, in three rounds or until they stay as they were;
 * without those that change while nothing is sent, or by another writer. Other clauses must send no updates.
 */
async function fetchAround(
  service: Service,
  { history, settings: { settleMs }, stop }: Deps['session'],
  ids: readonly string[],
  update: () => Promise<unknown>,
): Promise<Look[]> {
  let suspects = ids
  let found: Look[] = []
  for (let round = 1; round <= rounds && suspects.length > 0; round += 1) {
    const first = await look(service, suspects)
    await pause(settleMs, stop)
    const idle = await lookAgain(service, first)
    await update()
    await pause(settleMs, stop)
    const still = idle.flatMap((each) => (isChanged(each) ? [] : each[1]))
    const own = (await lookAgain(service, still)).filter(
      ([{ assignment: before }, { assignment: now }]) =>
        JSON.stringify(before) === JSON.stringify(now) || !isByOther(history, now),
    )
    const left = own.map(([{ id }]) => id)
    const isRestless = ([{ id }]: Look) => suspects.includes(id) && !left.includes(id)
    found = [...found.filter((each) => !isRestless(each)), ...own]
    suspects = own.filter(isChanged).map(([{ id }]) => id)
  }
  return found
}

/** One update of a task, of a kind that its state allows; returns when it was answered. */
export async function updateOnce(
  { task: { id }, current }: Loan,
  actor: string,
  to: Assignee | undefined,
): Promise<number> {
  const task = await current.read(id)
  const body = task.assignment || !to ? unassignBody(actor) : updateBody(actor, to)
  premise(await current.put(task, body))
  return clock.now()
}

/** One update of each kind: it is unknown which of them changes other tasks. */
async function updateInEachWay(
  { task: { id }, current }: Loan,
  actor: string,
  people: readonly Assignee[],
): Promise<void> {
  for (const kind of ['USER', 'TEAM'] as const) {
    const task = await current.read(id)
    const to = people.find(({ type }) => type === kind)
    if (to) await current.put(task, updateBody(actor, to))
  }
  await current.put(await current.read(id), unassignBody(actor))
}

/** How many ids a task shares with the most similar other task: a change of one may affect both. */
function nearness(id: string, others: readonly string[], readings: readonly Reading[]): number {
  const bodies = bodiesOf(readings)
  const own = bodies.find((each) => each.id === id)?.body ?? {}
  const keys = Object.keys(own).filter((key) => key.endsWith('_id'))
  return bodies
    .filter((other) => others.includes(other.id) && other.id !== id)
    .map(({ body }) => keys.filter((key) => isSameId(own[key], body[key])).length)
    .reduce((most, count) => Math.max(most, count), 0)
}

const look = async (service: Service, ids: readonly string[]): Promise<Shown[]> =>
  Promise.all(ids.map(async (id) => shownIn({ id, answer: await service.readTask(id) })))

async function lookAgain(service: Service, before: readonly Shown[]): Promise<Look[]> {
  const ids = before.map(({ id }) => id)
  return (await look(service, ids)).map((after, at) => [before[at] as Shown, after])
}

function shownIn({ id, answer }: Reading): Shown {
  const { assignment, updated_at } = acceptedBody(answer) ?? {}
  const shown = (assignment as Assignment | null) ?? null
  return { id, text: JSON.stringify([updated_at, shown]), assignment: shown, answer }
}
