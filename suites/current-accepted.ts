import { type Case, caseOf } from '../engine/clause/case.ts'
import { caseOrWhy } from '../engine/clause/law.ts'
import { counted } from '../engine/counted.ts'
import { statusFinding } from '../engine/findings/status.ts'
import { unservedFinding } from '../engine/findings/unserved.ts'
import { describeAnswer, isAccepted } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import { preconditionStatuses } from '../engine/http/preconditions.ts'
import { isTryAgain } from '../engine/http/retry.ts'
import { NotDecidable, Trouble } from '../engine/outcome.ts'
import { type Decides, type Problem, problem } from '../engine/problem.ts'
import { pause } from '../engine/time/abort.ts'
import { clausesOf } from '../helpers/clause.ts'
import { type AssigneeType, assigneeTypes } from '../helpers/contract/fields.ts'
import { statuses } from '../helpers/contract/statuses.ts'
import { isAcceptedOp, type Op } from '../helpers/history/history.ts'
import { ForeignChange } from '../helpers/loans/foreign-change.ts'
import type { Loan } from '../helpers/loans/lending.ts'
import { needPermitted, type Task, taskIn } from '../helpers/service/answers.ts'
import type { KnownIds } from '../helpers/service/known.ts'
import type { Service } from '../helpers/service/service.ts'
import type { Assignee } from '../helpers/service/update-request.ts'
import { wrongVersions } from '../helpers/service/wrong-versions.ts'
import type { Settings } from '../helpers/settings/table.ts'
import { assigneesIn, needAnybody, type OfRun, othersThan } from '../helpers/updates/controls.ts'
import { send } from '../helpers/updates/sender.ts'
import { acceptedOf, caseOfStep, type Step } from '../helpers/updates/step.ts'

const clause = clausesOf({ title: 'Optimistic concurrency', section: 'Errors' })

type Deps = OfRun & { service: Service }

type Try = {
  kind: AssigneeType | 'unassign'
  answer: Answer
  isAlike: boolean
  reads: [before: Task, after?: Task]
}

const minTries = 3
/** How an update of another version may be refused. */
const mismatch = [statuses.staleVersion, ...preconditionStatuses]

/**
 * The refused tries, on tasks that accepted no update; `isWhole`: they are of all given tasks or of most of
 * several, and assign and unassign as far as settings allow.
 */
type Tries = { tries: Try[]; tasks: number; isWhole: boolean; accepted?: Answer | undefined }

/** Of so many given tasks, a few may be refused for reasons of their own. */
const several = 4

/** The given tasks that accepted no update, if one refused the version that a read before had shown. */
function refusing({ known, history }: Deps): string[] {
  const left = givenIn(known).filter(
    (id) => !history.endedOf(id).some((op) => op.kind === 'update' && isAcceptedOp(op)),
  )
  const isRefused = ({ task, ifMatch, begun, answer, isPlain }: Op) => {
    const isBefore = ({ shown, done }: Op) => shown !== undefined && done < begun
    const current = history.endedOf(task).findLast(isBefore)?.shown?.version
    return isPlain && mismatch.includes(answer?.status ?? 0) && ifMatch === current
  }
  return left.some((id) => history.endedOf(id).some(isRefused)) ? left : []
}

const givenIn = ({ tasks }: KnownIds) => tasks.flatMap(({ id, lendable }) => (lendable ? id : []))

/** More than SETTLE_MS after their last update; to all tasks if no update was accepted. */
async function tryCurrentVersions(
  deps: Deps,
  wasAccepted: boolean,
): Promise<Case<Tries> | undefined> {
  const all = givenIn(deps.known)
  const tasks = wasAccepted ? refusing(deps) : all
  const found = await Promise.all(tasks.map((id) => tryTask(id, deps)))
  const answered = found.flat().map(({ answer }) => answer)
  if (answered.length === 0 && !wasAccepted) throw new ForeignChange(deps.history)
  if (answered.length === 0) return undefined
  const accepted = answered.find(isAccepted)
  const stuck = found.filter((tries) => !tries.some(({ answer }) => isAccepted(answer)))
  const tries = stuck.flat()
  const isTried = (kind: Try['kind']) => tries.some((each) => each.kind === kind)
  const isMost = all.length >= several && stuck.length > all.length / 2
  const isWhole =
    (isMost || stuck.length === all.length) &&
    stuck.every((ofTask) => ofTask.length > 0) &&
    isTried('unassign') &&
    assigneesIn(deps.settings).every(({ type }) => isTried(type))
  const control = tries.flatMap(({ reads }) => reads)
  const judged = tries.length > 0 ? tries.map(({ answer }) => answer) : accepted
  return caseOf({ tries, tasks: stuck.length, isWhole, accepted }, { judged, control })
}

/** Three tries, more than SETTLE_MS apart; a try does not count if the task changed meanwhile. */
const tryTask = (id: string, { lending, service, settings, stop }: Deps): Promise<Try[]> =>
  lending.lend({ id }, service, async (loan) => {
    const tries: Try[] = []
    for (let round = 0; round < minTries; round += 1) {
      await pause(settings.settleMs + 20, stop)
      const before = taskIn(await service.readTask(id))
      const to = assigneeFor(before, round, settings)
      const kind = to?.type ?? 'unassign'
      const answer = await send(loan, { to, ifMatch: before.updated_at })
      if (isAccepted(answer)) return [...tries, { kind, answer, isAlike: false, reads: [before] }]
      const after = taskIn(await service.readTask(id))
      if (after.updated_at !== before.updated_at) continue
      const wrong = await send(loan, { to, ifMatch: wrongVersions.near(before.updated_at) })
      const isAlike = formOf(answer, before) === formOf(wrong, before)
      tries.push({ kind, answer, isAlike, reads: [before, after] })
      if (!mismatch.includes(answer.status)) break
    }
    return tries
  })

/** In turn a user, a team and nobody, as far as the task and the settings allow. */
function assigneeFor(task: Task, round: number, settings: Settings): Assignee | null {
  const others = othersThan(assigneesIn(settings), task)
  const choices = [
    ...assigneeTypes.flatMap((of) => others.find(({ type }) => type === of) ?? []),
    // Last: if no assignee is accepted, an unassigned task could not be put back.
    ...(task.assignment ? [null] : []),
  ]
  return choices[round % choices.length] ?? null
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

/** An update whose If-Match is wrong and the read after it, or what failed each time that they were sent. */
type Mismatch =
  | { answers: [Answer, Answer] }
  | { failed: readonly number[]; last: string; control: Answer[] }

/** Sends it until it and the read are answered, with requests in between that are to be answered. */
async function fetchMismatch(
  loan: Loan,
  { unknownId, to }: { unknownId: string; to: Assignee },
): Promise<Case<Mismatch>> {
  const {
    service,
    current,
    task: { id },
  } = loan
  const [failed, control, wrong]: [Trouble[], Answer[], Answer[]] = [[], [], []]
  let sent = ''
  while (failed.length < minTries) {
    const task = await current.read(id)
    sent = 'an update whose If-Match is wrong'
    try {
      const answer = await send(loan, { to, ifMatch: wrongVersions.older(task.updated_at) })
      wrong.push(answer)
      sent = `a read of the task after ${describeAnswer(answer)}`
      const read = await service.readTask(id, { retries: false })
      return caseOf({ answers: [answer, read] }, { judged: [answer, read], before: task })
    } catch (error) {
      // 429 is an answer, and an unsent request cannot be answered.
      if (!(error instanceof Trouble) || error.status === 429 || error.exchange === undefined)
        throw error
      failed.push(error)
      // The control: if nothing else is answered either, the network is the reason.
      control.push(await service.readTask(unknownId, { retries: false }))
      if (control.some(({ status }) => isTryAgain(status))) throw error
    }
  }
  // If no update is answered, If-Match is not the reason.
  control.push(await send(loan, { to }, await current.read(id)))
  const last = `${sent} failed: ${failed.at(-1)?.message}`
  const exchanges = failed.flatMap(({ exchange }) => exchange ?? [])
  const unanswered = { failed: exchanges, last, control }
  return caseOf<Mismatch>(unanswered, { judged: exchanges, control, before: wrong })
}

clause('version.mismatch-answered', {
  should: 'respond to an update whose If-Match is wrong, and to the read that follows it',
  law: problemsOfUnanswered,
  of: describeMismatch,
})(['unknownId', 'people', 'borrowed'], async ({ unknownId, people, borrowed }) => [
  await fetchMismatch(borrowed, { unknownId, to: needAnybody(people) }),
])

function problemsOfUnanswered(one: Mismatch): Problem[] {
  if ('answers' in one) return []
  const { failed, last, control } = one
  const lack = { lacks: 'response', tries: failed.length, last } as const
  const finding = unservedFinding(lack, {
    to: 'to an update with a wrong If-Match',
    although: 'a read of another id and an update with the current version got responses',
  })
  return [problem(finding, { judged: failed, control })]
}

function describeMismatch(decided: readonly Mismatch[]): string {
  const answers = decided.flatMap((one) => ('answers' in one ? one.answers : []))
  return answers.map(describeAnswer).join(', then ')
}

clause('version.current-accepted', {
  must: 'accept an update whose If-Match is the updated_at that reads return',
  reading: '409 is stated for a version mismatch alone',
  law: problemsOfCurrent,
  of: (decided) =>
    `${decided.flatMap((one) => acceptedAmong(one) ?? []).map(describeAnswer)} to the version that a read had shown`,
})(
  ['session', 'service', 'sequence', 'otherUpdatesOver'],
  async function* ({ session, service, sequence, otherUpdatesOver }) {
    const [accepted] = await sequence.accepted('transitions').catch((error: unknown) => {
      // No update was accepted: find out whether the version is the reason.
      if (!(error instanceof NotDecidable) || error.why.cause !== 'clause') throw error
      return []
    })
    if (accepted) yield caseOfStep(accepted)
    await otherUpdatesOver()
    const tries = await caseOrWhy(
      tryCurrentVersions({ ...session, service }, accepted !== undefined),
    )
    if (tries) yield tries
  },
)

const acceptedAmong = (one: Step | Tries): Answer | undefined =>
  'tries' in one ? one.accepted : acceptedOf(one)

function problemsOfCurrent(one: Step | Tries): Problem[] {
  if (!('tries' in one) || one.tries.length === 0) return []
  const { tries, tasks, isWhole, accepted } = one
  const other = tries.find(({ answer, isAlike }) => !mismatch.includes(answer.status) || !isAlike)
  const { answer, reads } = tries[0] as Try
  const judged = tries.map((one) => one.answer)
  if (isWhole && !other)
    return [
      problem(
        statusFinding(answer, '2xx', {
          to: `to the updated_at that reads before and after it show, ${counted(tries.length, 'time')} on ${counted(tasks, 'task')}, just as to a wrong version`,
        }),
        { judged, decides: decidesOf(answer, reads) },
      ),
    ]
  if (accepted) return []
  for (const { answer } of tries) needPermitted(answer)
  throw new NotDecidable(
    'refused',
    `${describeAnswer(other?.answer ?? answer)} to every update; check ACTOR_ID, USER_IDS, TEAM_IDS and TASK_IDS`,
  )
}

/** What was sent, what reads showed, and that a wrong version gets the same answer. */
const decidesOf = ({ status }: Answer, [before, after]: Try['reads']): Decides => ({
  'If-Match that was sent': before.updated_at,
  'updated_at read before': before.updated_at,
  ...(after ? { 'updated_at read after': after.updated_at } : {}),
  'response to a wrong If-Match': `${status} too`,
})
