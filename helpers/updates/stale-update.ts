import { isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import type { Lending, Loan } from '../loans/lending.ts'
import { afterNextUpdate } from '../loans/next-update.ts'
import { needAccepted, premise, type Task } from '../service/answers.ts'
import { isSameButSpelling } from '../service/assignments.ts'
import type { Service, Shared } from '../service/service.ts'
import { type Assignee, unassignBody, updateBody } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import { insisted } from './attempts.ts'
import { createToken, needAnybody, needUnassigned, needUpdated } from './controls.ts'

/** An update sent with a version that was current once, and what reads showed before and after. */
export type Stale = {
  answer: Answer
  /** what it asked for; null: unassigning */
  to: Assignee | null
  before: Task
  after: Task
  /** the task changes by itself */
  restless: boolean
  /** when it was sent, by performance.now() */
  at: number
  /** to the update that followed it, with the latest version */
  next?: Answer | undefined
}

export type StaleStory = {
  reassign: Stale
  unassign: Stale
  assign: Stale
  /** to a second update of a kind, which may be refused for something else too */
  further: Partial<Record<'reassign' | 'unassign' | 'assign', { answer: Answer; what: string }>>
  /** the update that followed the refusals, with the version that was read after them */
  retry: Answer
}

type StaleUpdate = { version: string; actor: string; to: Assignee | null; people: Assignee[] }

type Telling = Manner & {
  lending: Lending
  service: Service
  settings: Settings
  people: Assignee[]
}

type Manner = {
  /** whether comments were seen to be taken */
  commented: boolean
  /** how long each is watched; left out: as long as the run has learned */
  limitMs?: number | undefined
}

/**
 * Makes a version stale and sends it once for every kind of update. Two updates are meant to be
 * accepted, and leave a task that was unassigned as it was.
 */
async function staleStory({ lending, service, settings, people, ...manner }: Telling) {
  const to = needAnybody(people)
  const [, other = to] = people
  const team = people.find(({ type }) => type === 'TEAM') ?? to
  const { actorId = '' } = settings
  const tell = async (loan: Loan): Promise<StaleStory> => {
    const { current } = loan
    const unassigned = await needUnassigned(loan, actorId)
    const { id } = unassigned
    const assignFirst = (on: Task) => needUpdated(current, on, updateBody(actorId, to))
    await assignFirst(unassigned === loan.task ? unassigned : await current.read(id))
    const old = lastConsumed(loan)
    const restless = await isRestless(loan, manner.limitMs)
    const repeated = await service.put(id, old, updateBody(actorId, to))
    const what = 'an accepted update, sent once more as it was'
    const further = { reassign: { answer: repeated, what } }

    const send = async (version: string, asked: Assignee | null): Promise<Stale> => ({
      ...(await sendStale(loan, service, {
        version,
        actor: actorId,
        to: asked,
        people,
        ...manner,
      })),
      restless,
    })
    const reassign = await send(old, other)
    const unassign = await send(old, null)
    const { next } = unassign
    if (next?.status === 409) return { reassign, unassign, assign: reassign, further, retry: next }
    // What was carried out all the same must not keep the next refusal from being asked for.
    if (unassign.after.assignment === null) await assignFirst(unassign.after)
    const latest = await current.read(id)
    const retry = await current.put(latest, unassignBody(actorId))
    if (retry.status === 409) return { reassign, unassign, assign: reassign, further, retry }
    needAccepted(retry)
    const assign = await send(lastConsumed(loan), team)
    const story = { reassign, unassign, assign, further, retry }
    const first = [...loan.used].find((version) => version !== assign.after.updated_at)
    if (first === undefined) return story
    const oldest = {
      answer: await service.put(id, first, updateBody(actorId, to)),
      what: 'an update with the first version that this run used up',
    }
    return { ...story, further: { ...further, assign: oldest } }
  }
  return lending.lend('unassigned', service, tell, 'when windows are known')
}

function lastConsumed({ used }: Loan): string {
  const last = [...used].at(-1)
  if (last === undefined)
    throw new NotDecidable('clause', 'no update gave a new version', 'assign.new-version')
  return last
}

/**
 * Whether a task changes by itself, again and again: that has to be known before a change can be held against
 * a refusal. Once may be what the service does after an update.
 */
const isRestless = async (loan: Loan, limitMs?: number): Promise<boolean> =>
  (await changesBySelf(loan, limitMs)) && changesBySelf(loan, limitMs)

async function changesBySelf({ task: { id }, current, used }: Loan, limitMs?: number) {
  const { updated_at } = await current.read(id)
  let isChanged = false
  const look = (seen: Task) => {
    isChanged ||= seen.updated_at !== updated_at && !used.has(seen.updated_at)
  }
  await current.watch(id, look, { limitMs, isSeen: true })
  return isChanged
}

/** Sends a stale update, and watches the task for the time to settle. */
async function sendStale(
  loan: Loan,
  service: Service,
  { version: old, actor, to, people, ...manner }: Manner & StaleUpdate,
): Promise<Omit<Stale, 'restless'>> {
  const { commented, limitMs } = manner
  const { current, used } = loan
  const { id } = loan.task
  const token = to && commented ? createToken() : undefined
  const body = to ? updateBody(actor, to, token) : unassignBody(actor)
  const before = await current.read(id)
  premise(
    before.updated_at !== old,
    'clause',
    `an accepted update left updated_at at ${old}`,
    'assign.new-version',
  )
  const at = performance.now()
  const send = () => service.put(id, old, body)
  const answer = await insisted(send, 'whose If-Match is stale, beside accepted ones,')
  let after = before
  let next: Answer | undefined
  const noteAfter = (seen: Task) => {
    if (!used.has(seen.updated_at)) after = seen
  }
  const last = await current.watch(id, noteAfter, { limitMs })
  // Nothing shows what has been put off until the next change.
  if (to === null && isSameButSpelling(after.assignment, before.assignment))
    ({ answer: next, late: after = after } = await afterNextUpdate(loan, last, { actor, people }))
  if (isAccepted(answer)) used.add(before.updated_at)
  return { answer, to, before, after, at, next }
}

/** The story of a run, which can be gone through again. */
export type Stories = StaleStory & {
  again(): Promise<StaleStory>
  /** watched as long as the run has learned */
  briefly(time: number): Promise<StaleStory>
  /** watched for so long, whatever was learned */
  patiently(time: number, watchMs: number): Promise<StaleStory>
}

/** Goes through the story once a run, and again for who asks. */
export async function openStories(
  deps: { lending: Lending; settings: Settings },
  shared: Shared,
  given: { people: Assignee[]; commented: boolean },
): Promise<Stories> {
  const { settings } = deps
  const story = (name: string, limitMs?: number) =>
    shared(name, (service) => staleStory({ ...deps, ...given, service, limitMs }))
  return {
    ...(await story('stale versions')),
    again: () => story('stale versions, once more', settings.settleMs),
    briefly: (time) => story(`stale versions, time ${time}`),
    patiently: (time, watchMs) => story(`stale versions, watched for long, time ${time}`, watchMs),
  }
}

/** The stale updates that were answered 409; without one, the clauses on each of them say why. */
export function needMismatch(stale: StaleStory): Stale[] {
  const refused = [stale.reassign, stale.unassign, stale.assign].filter(
    ({ answer }) => answer.status === 409,
  )
  premise(
    refused.length > 0,
    'clause',
    'no stale update was answered 409',
    'version.stale.reassign',
    'version.stale.unassign',
    'version.stale.assign',
  )
  return refused
}
