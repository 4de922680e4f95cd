import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { isTryAgain } from '../../engine/http/retry.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { type Decides, type Problem, problem } from '../../engine/problem.ts'
import { pause } from '../../engine/time/abort.ts'
import type { History } from '../history/history.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import type { Lending, Loan } from '../loans/lending.ts'
import { needPermitted, type Task, taskIn } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { KnownIds } from '../service/known.ts'
import type { Service } from '../service/service.ts'
import { type Assignee, unassignBody, updateBody } from '../service/update-request.ts'
import { wrongVersions } from '../service/wrong-versions.ts'
import type { Settings } from '../settings/table.ts'
import { assigneesIn } from './controls.ts'

type Deps = {
  lending: Lending
  service: Service
  settings: Settings
  known: KnownIds
  history: History
  stop: AbortSignal
}

/** One refused valid update, and the same with a wrong version. */
type Try = {
  kind: 'USER' | 'TEAM' | 'unassign'
  answer: Answer
  isAlike: boolean
  /** the reads that show the version, before and after */
  reads: [Task, Task?]
}

const minTries = 3
const mismatch = [409, 412, 428]

/**
 * Sends the version that reads show to every given task, more than SETTLE_MS after the last update.
 * Returns an accepted update, or the breach.
 */
export async function tryCurrentVersions(
  deps: Deps,
): Promise<{ accepted?: Answer; breaches: Problem[] }> {
  const tasks = deps.known.tasks.filter(({ lendable }) => lendable)
  const found = await Promise.all(tasks.map(({ id }) => tryTask(id, deps)))
  const tries = found.flat()
  const accepted = tries.find(({ answer }) => isAccepted(answer))?.answer
  if (accepted) return { accepted, breaches: [] }
  const [first] = tries
  if (!first) throw new ForeignChange(deps.history)
  const { users, teams } = peopleOf(deps.settings)
  const tried = (kind: Try['kind']) => tries.some((each) => each.kind === kind)
  const isWhole =
    tried('unassign') &&
    (users.length === 0 || tried('USER')) &&
    (teams.length === 0 || tried('TEAM'))
  const isMismatch = tries.every(
    ({ answer, isAlike }) => mismatch.includes(answer.status) && isAlike,
  )
  if (isWhole && isMismatch && found.every((ofTask) => ofTask.length > 0))
    return {
      breaches: [
        problem(
          `${describeAnswer(first.answer)} to the updated_at that reads before and after it show, ${tries.length} times on ${tasks.length} tasks, just as to a wrong one`,
          {
            expected: '2xx',
            got: String(first.answer.status),
            judged: tries.map(({ answer }) => answer),
            control: tries.flatMap(({ reads }) => reads.flatMap((read) => read ?? [])),
            decides: decidesOf(first),
          },
        ),
      ],
    }
  for (const { answer } of tries) needPermitted(answer)
  const other = tries.find(({ answer, isAlike }) => !mismatch.includes(answer.status) || !isAlike)
  throw new NotDecidable(
    'refused',
    `${describeAnswer(other?.answer ?? first.answer)} to every update; check ACTOR_ID, USER_IDS, TEAM_IDS and TASK_IDS`,
  )
}

/** What was sent, what reads showed, and that a wrong version gets the same answer. */
const decidesOf = ({ answer, reads: [before, after] }: Try): Decides => ({
  'If-Match that was sent': before.updated_at,
  'updated_at read before': before.updated_at,
  ...(after ? { 'updated_at read after': after.updated_at } : {}),
  'answer to a wrong If-Match': `${answer.status} too`,
})

const peopleOf = (settings: Settings) => ({
  users: assigneesIn(settings).filter(({ type }) => type === 'USER'),
  teams: assigneesIn(settings).filter(({ type }) => type === 'TEAM'),
})

const tryTask = (id: string, deps: Deps): Promise<Try[]> =>
  deps.lending.lend({ id }, deps.service, async (loan) => {
    const tries: Try[] = []
    for (let round = 0; round < minTries; round += 1) {
      const found = await tryOnce(loan, round, deps)
      if (found) tries.push(found)
      if (found && !mismatch.includes(found.answer.status)) break
    }
    return tries
  })

/** Undefined if the task changed meanwhile: then what was sent was not current. */
async function tryOnce(
  { task: { id } }: Loan,
  round: number,
  { service, settings, stop }: Deps,
): Promise<Try | undefined> {
  await pause(settings.settleMs + 20, stop)
  const before = taskIn(await service.readTask(id))
  const { kind, body } = updateFor(before, round, settings)
  const answer = await service.put(id, before.updated_at, body)
  if (isAccepted(answer)) return { kind, answer, isAlike: false, reads: [before] }
  const after = taskIn(await service.readTask(id))
  if (after.updated_at !== before.updated_at) return undefined
  const wrong = await service.put(id, wrongVersions.near(before.updated_at), body)
  const isAlike = formOf(answer, before) === formOf(wrong, before)
  return { kind, answer, isAlike, reads: [before, after] }
}

/** In rounds: to a user, to a team, to nobody, as far as the task and the settings allow. */
function updateFor(task: Task, round: number, settings: Settings) {
  const { users, teams } = peopleOf(settings)
  const actor = settings.actorId ?? ''
  const isNew = ({ id }: Assignee) => !isSameId(id, task.assignment?.assigned_to_id)
  const [user, team] = [users.find(isNew), teams.find(isNew)]
  const choices: { kind: Try['kind']; body: unknown }[] = [
    ...(user ? [{ kind: 'USER' as const, body: updateBody(actor, user) }] : []),
    ...(team ? [{ kind: 'TEAM' as const, body: updateBody(actor, team) }] : []),
    // Last: if no assignee is accepted, an unassigned task could not be put back.
    ...(task.assignment ? [{ kind: 'unassign' as const, body: unassignBody(actor) }] : []),
  ]
  return choices[round % choices.length] as (typeof choices)[number]
}

/** Status, type and body of a refusal, with ids, times, numbers and versions masked. */
function formOf({ status, headers, text, sent = '' }: Answer, { updated_at }: Task): string {
  const carried = [
    updated_at,
    wrongVersions.near(updated_at),
    ...(sent.match(/[^"{}:,]{4,}/g) ?? []),
  ]
  const bare = carried.reduce((body, value) => body.replaceAll(value, '•'), text)
  const body = bare
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.,]+(Z|[+-][\d:]+)?/g, 'TIME')
    .replace(/\d+/g, 'N')
  return [status, headers['content-type'] ?? '', body].join('\n')
}

const tries = 3

/**
 * What stays unanswered three times after a version mismatch, with other requests in between: the update
 * itself, or the read that follows it.
 */
export async function fetchMismatch(
  { task: { id }, current, used }: Loan,
  service: Service,
  given: { actor: string; to: Assignee; unknownId: string },
): Promise<{ seen?: string; problems: Problem[] }> {
  const silences: string[] = []
  const controls: Answer[] = []
  const sent: Trouble[] = []
  for (let round = 1; round <= tries; round += 1) {
    const { updated_at } = await current.read(id)
    const body = updateBody(given.actor, given.to)
    let after = 'an update whose If-Match is wrong'
    try {
      const answer = await service.put(id, wrongVersions.older(updated_at), body)
      if (isAccepted(answer)) used.add(updated_at)
      after = `a read of the task after ${describeAnswer(answer)}`
      const read = await service.readTask(id, { retries: false })
      return { seen: `${describeAnswer(answer)}, then ${describeAnswer(read)}`, problems: [] }
    } catch (error) {
      // 429 is an answer, and an unsent request cannot be answered.
      if (!(error instanceof Trouble) || error.tooMany || error.exchange === undefined) throw error
      silences.push(`${after} failed: ${error.message}`)
      sent.push(error)
      // The control: if nothing else is answered either, the network is the reason.
      const control = await service.readTask(given.unknownId, { retries: false })
      if (isTryAgain(control.status)) throw error
      controls.push(control)
    }
  }
  // If no update is answered, If-Match is not the reason.
  controls.push(await current.put(await current.read(id), updateBody(given.actor, given.to)))
  return {
    problems: [
      problem(
        `${tries} of ${tries} times, and each time the read of another id was answered, as was an update with the current version: ${silences.at(-1)}`,
        { expected: 'an answer', got: 'none', judged: sent, control: controls },
      ),
    ],
  }
}
