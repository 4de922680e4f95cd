import { type Case, caseOf } from '../engine/clause/case.ts'
import { counted } from '../engine/counted.ts'
import { memberFinding } from '../engine/findings/member.ts'
import {
  acceptedBody,
  describeAnswer,
  type JsonObject,
  jsonIn,
  membersOf,
  problemsOfNoObject,
} from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import { problemsOfStatus } from '../engine/http/status-problems.ts'
import { toSet } from '../engine/outcome.ts'
import { type Problem, problem, problemUnless } from '../engine/problem.ts'
import { pause } from '../engine/time/abort.ts'
import { clock } from '../engine/time/timers.ts'
import { clausesOf } from '../helpers/clause.ts'
import { listed, sinceOf } from '../helpers/contract/fields.ts'
import {
  operationOfTransition,
  type Transition,
  transitionNames,
} from '../helpers/contract/transitions.ts'
import { effectFinding } from '../helpers/findings/effect.ts'
import type { Givens } from '../helpers/givens.ts'
import { caseOfLeft, problemsOfLeft } from '../helpers/history/left-changed.ts'
import { isByOther, spills, unmadeChanges, updatedTasks } from '../helpers/history/questions.ts'
import type { Loan } from '../helpers/loans/lending.ts'
import { bodiesOf, type Reading } from '../helpers/reads/readings.ts'
import { type Assignment, premise, type Task, taskIn } from '../helpers/service/answers.ts'
import {
  describeWhole,
  differenceIn,
  isAssignedTo,
  isSameButSpelling,
  wantedAssignee,
} from '../helpers/service/assignments.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { otherId } from '../helpers/service/judge.ts'
import type { KnownIds } from '../helpers/service/known.ts'
import { isKept, otherFields } from '../helpers/service/other-fields.ts'
import { toAnybody } from '../helpers/service/owners.ts'
import { problemsOf } from '../helpers/service/schema.ts'
import type { Service } from '../helpers/service/service.ts'
import type { Assignee } from '../helpers/service/update-request.ts'
import { needUpdated, send } from '../helpers/updates/sender.ts'
import {
  acceptedOf,
  answeredBy,
  caseOfForm,
  caseOfStep,
  judgedInStep,
  minToJudge,
  needForm,
  needOwnSteps,
  problemsOfForm,
  type Step,
  withoutRead,
} from '../helpers/updates/step.ts'

const clause = clausesOf({
  title: 'Assign, reassign, unassign',
  section: 'States and transitions',
})

const statements: Record<Transition, string> = {
  'unassigned-to-user': 'assign an unassigned task to a user',
  'user-to-user': 'reassign a task from one user to another',
  'user-to-team': 'reassign a task from a user to a team',
  'team-to-team': 'reassign a task from one team to another',
  'team-to-user': 'reassign a task from a team to a user',
  'unassign-user': 'unassign a task that is assigned to a user, and set assignment to null',
  'unassigned-to-team': 'assign an unassigned task to a team',
  'unassign-team': 'unassign a task that is assigned to a team, and set assignment to null',
}

for (const name of transitionNames)
  clause(`assign.${name}`, {
    must: statements[name],
    operation: operationOfTransition(name),
    law: problemsOfAssigned,
    of: ([step]) => `${step && describeTaken(step)}; a read shows the same`,
  })(['sequence'], async function* ({ sequence }) {
    const step = await sequence.needPermitted(await sequence.step('transitions', name))
    // First the answer alone: another writer may change the task before the read.
    yield caseOfStep(withoutRead(step))
    yield caseOfStep(await sequence.needOwn(step))
  })

/** Of the read after an update, which may show what was there before it. */
function inRead({ before, touched = before, stored }: Step) {
  const isAsBefore = stored && isSameButSpelling(stored.assignment, touched.assignment)
  return { in: 'read' as const, ...(isAsBefore ? { isAsBefore: true as const } : {}) }
}

function problemsOfAssigned(step: Step): Problem[] {
  const [answer, { to }, { stored }] = [acceptedOf(step), step.sent, step]
  const refused = problemsOfStatus(answer, '2xx', { what: step.told })
  if (refused.length > 0) return refused
  const problemsIn = (task: Task, of?: 'read') => {
    const finding = memberFinding(answer, {
      member: 'assignment',
      got: task.assignment,
      wanted: wantedAssignee(to),
      ...(of ? inRead(step) : {}),
    })
    const grounds = { judged: task, control: of && answer }
    return problemUnless(isAssignedTo(task.assignment, to), finding, grounds)
  }
  const told = problemsIn(to ? answeredBy(step) : unassignedBy(answer))
  return told.length > 0 || !stored ? told : problemsIn(stored, 'read')
}

/** "After a successful unassign, `assignment` is null": an empty object is not. */
function unassignedBy(answer: Answer): Task {
  const { assignment = null } = membersOf(answer)
  return { ...taskIn(answer), assignment: assignment as Assignment | null }
}

const describeTaken = (step: Step) =>
  `${describeAnswer(acceptedOf(step))} with ${describeWhole(answeredBy(step).assignment)}`

clause('assign.header-forms', {
  should:
    'treat header names of an update as case-insensitive, and accept a charset in Content-Type',
  section: 'Update a task assignment',
  reading:
    'names of header fields have no letter case, and media types may have parameters (RFC 9110)',
  since: '0.2',
  law: problemsOfForm,
  of: () => 'an update in upper case, and an unassign request in title case',
})(['sequence'], async function* ({ sequence }) {
  yield inHeaderForm(await sequence.step('transitions', 'to-team-again'))
  yield inHeaderForm(await sequence.step('transitions', 'unassign-team-again'))
})

const inHeaderForm = (step: Step) =>
  caseOfForm(needForm(step, `the names of headers in ${step.sent.how?.headerForm}, a charset`))

clause('assign.answer-is-task', {
  must: 'return the full Task, with valid fields and the same id, in the response to every accepted update',
  section: 'Update a task assignment',
  law: problemsOfAnswer,
  of: 'accepted updates, each with the full Task in its response',
})(['sequence'], async ({ sequence }) =>
  casesOfAnswers(await sequence.accepted('transitions', 'comments')),
)

const casesOfAnswers = (steps: readonly Step[]) =>
  steps.map((step) => caseOfStep(withoutRead(step)))

function problemsOfAnswer(step: Step): Problem[] {
  const { id } = step.before
  const answer = acceptedOf(step)
  const broken = problemsOfNoObject(answer)
  if (broken.length > 0) return broken
  const body = jsonIn(answer) as JsonObject
  const departures = problemsOf('task', body).map(({ path: member, got, wanted }) =>
    memberFinding(answer, { member, got, wanted }),
  )
  const identity = isSameId(body.id, id) ? [] : [memberFinding(answer, otherId(id, body))]
  return [...departures, ...identity].map((finding) => problem(finding, { judged: answer }))
}

clause('assign.persisted', {
  must: 'return the same assignment in a read after an update as in the response to the update',
  law: problemsOfStored,
  of: ({ length }) =>
    `reads after ${counted(length, 'update')} return the assignment of the response`,
})(['session', 'sequence'], async ({ session, sequence }) =>
  needOwnSteps(session.history, await sequence.accepted('transitions')).map(caseOfStep),
)

function problemsOfStored(step: Step): Problem[] {
  const [answer, { assignment }] = [acceptedOf(step), answeredBy(step)]
  const stored = step.stored?.assignment
  const { member, one: value, other: got } = differenceIn(assignment, stored)
  const wanted = { kind: 'same value', as: 'answer', value } as const
  const finding = memberFinding(answer, { member, got, wanted, ...inRead(step) })
  const isSame = isSameButSpelling(stored ?? null, assignment)
  return problemUnless(isSame, finding, { judged: step.stored, control: answer })
}

clause('assign.persisted.version', {
  must: 'not revert a task, by the end of a run, to an updated_at that an accepted update has replaced',
  law: problemsOfLeft('version'),
  of: 'tasks, without a replaced version at the end of the run',
})(['leftTasks'], ({ leftTasks }) => leftTasks.map(caseOfLeft))

clause('assign.persisted.comment', {
  should: 'not revert a task, by the end of a run, to the comment of an earlier accepted update',
  law: problemsOfLeft('comment'),
  of: 'tasks, without the comment of an earlier update at the end of the run',
})(['leftTasks'], ({ leftTasks }) => leftTasks.map(caseOfLeft))

clause('assign.new-version', {
  must: 'return a new updated_at in the response to every accepted update, and in a later read',
  reading:
    'judged on three or more updates: a read returned the version of one update, or a version never seen before',
  law: problemsOfVersions,
  of: ([row]) =>
    `${counted(row?.steps.length ?? 0, 'response')} with a new updated_at; reads returned that value, or a newer value, after ${row && versionsRead(row)}`,
})(['sequence'], async ({ sequence }) => {
  const steps = await sequence.accepted('transitions')
  return [caseOf({ steps }, { judged: steps.map(judgedInStep) })]
})

/** Then a read shows a new version; the contract does not say how versions follow each other. */
function wasTouched(step: Step, all: readonly Step[]): boolean {
  const { stored } = step
  if (!stored || step.versionWasRead) return false
  const earlier = all.slice(0, all.indexOf(step) + 1)
  return !earlier.some((each) =>
    [each.before.updated_at, answeredBy(each).updated_at].includes(stored.updated_at),
  )
}

type Row = { steps: readonly Step[] }
const versionsRead = ({ steps }: Row) =>
  steps.filter((step) => step.versionWasRead || wasTouched(step, steps)).length

function problemsOfVersions(row: Row): Problem[] {
  const { steps } = row
  const old = steps.flatMap((step, at) => problemsOfOldVersion(step, steps.slice(0, at + 1)))
  if (old.length > 0) return old
  const isRead = versionsRead(row) > 0
  const unread = `no read returned the updated_at of any of ${counted(steps.length, 'response')}`
  const few = ` to more users and teams: ${unread}, and at least ${minToJudge} updates are needed to judge this`
  premise(isRead || steps.length >= minToJudge, ...toSet(['USER_IDS', 'TEAM_IDS'], few))
  const [first] = steps
  if (isRead || !first) return []
  const finding = memberFinding(acceptedOf(first), {
    in: 'read',
    member: 'updated_at',
    got: first.stored?.updated_at,
    wanted: { kind: 'same value', as: 'answer', value: answeredBy(first).updated_at },
    more: `\n${unread}`,
  })
  const grounds = { judged: steps.map(({ stored }) => stored), control: steps.map(acceptedOf) }
  return [problem(finding, grounds)]
}

function problemsOfOldVersion(step: Step, until: readonly Step[]): Problem[] {
  const [answer, { updated_at }] = [acceptedOf(step), answeredBy(step)]
  const earlier = until.find(({ before }) => before.updated_at === updated_at)
  const wanted = { kind: 'new value' } as const
  const finding = memberFinding(answer, { member: 'updated_at', got: updated_at, wanted })
  return problemUnless(!earlier, finding, { judged: answer, control: earlier?.before })
}

clause('assign.fields-as-given', {
  must: 'return assigned_by_id, assigned_to_id and assigned_to_type as sent in the update',
  section: 'Update a task assignment',
  law: problemsOfFields,
  of: ({ length }) =>
    `assigned_by_id, assigned_to_id and assigned_to_type as sent, in ${counted(length, 'response')}`,
  none: ['clause', 'no assignment was accepted', ...toAnybody.USER, ...toAnybody.TEAM],
})(['sequence'], async ({ sequence }) => {
  const accepted = await sequence.accepted('transitions', 'comments')
  return casesOfAnswers(accepted.filter(({ sent }) => sent.to))
})

function problemsOfFields(step: Step): Problem[] {
  const [answer, { to }] = [acceptedOf(step), step.sent]
  const assignment = membersOf(answer).assignment as Assignment | null
  const sent = { assigned_by_id: step.by, assigned_to_id: to?.id, assigned_to_type: to?.type }
  return (Object.keys(sent) as (keyof typeof sent)[]).flatMap((field) => {
    const value = sent[field]
    const got = assignment?.[field]
    const finding = memberFinding(answer, {
      member: `assignment.${field}`,
      got,
      wanted: { kind: 'value', value, anyCase: true, isSent: true },
    })
    return problemUnless(isSameId(got, value), finding, { judged: answer })
  })
}

clause('assign.only-the-assignment', {
  should: `leave ${listed.kept.words} of an updated task unchanged`,
  ...sinceOf(listed.kept),
  law: problemsOfKept,
  of: (all) =>
    `${otherFields.filter((field) => all.some((step) => isShown(step, field))).join(', ')} before and after ${counted(all.length, 'update')}, and in the responses`,
  none: ['clause', 'no read returned the version of a response', 'assign.new-version'],
})(['sequence'], async ({ sequence }) => {
  // A read of another version may show another writer's change: then judge answers alone.
  const steps = await sequence.accepted('transitions')
  const read = steps.filter((step) => step.versionWasRead)
  const judged = read.length > 0 ? read : steps.filter((step) => wasTouched(step, steps))
  return judged.map(caseOfStep)
})

const isShown = ({ before, stored }: Step, field: string) =>
  before[field] != null || stored?.[field] != null

function problemsOfKept(step: Step): Problem[] {
  const { before, touched = before, stored, versionWasRead } = step
  const [accepted, answer] = [acceptedOf(step), answeredBy(step)]
  const fields = otherFields.filter((field) => isShown(step, field))
  const names = otherFields.join(', ')
  const unshown = `reads show no value of ${names}, and the contract does not say which fields can be null`
  premise(fields.length > 0, 'freedom', unshown)
  const shownBy = [...(versionWasRead && stored ? [stored] : []), answer]
  return fields.flatMap((field) =>
    shownBy.flatMap((task) => {
      const of = task === stored ? ('read' as const) : undefined
      const finding = memberFinding(accepted, {
        member: field,
        got: task[field],
        wanted: { kind: 'same value', as: 'before', value: touched[field] },
        ...(of ? { in: of } : {}),
      })
      const isSame = isKept(touched[field], task[field]) || !(of || field in task)
      const judged = of ? [accepted, task] : task
      return problemUnless(isSame, finding, { judged, control: touched })
    }),
  )
}

type Shown = {
  id: string
  state: { updated_at: unknown; assignment: Assignment | null }
  answer: Answer
}
type Look = readonly [before: Shown, after: Shown]
type Others = { looks: readonly Look[] }

const isChanged = ([before, after]: Look) =>
  JSON.stringify(before.state) !== JSON.stringify(after.state)

/** A task may change without an update: it counts if it changed in each of three looks. */
function problemsOfOthers({ looks }: Others): Problem[] {
  const kept = looks.flatMap((each) => (isChanged(each) ? [] : each[0].id))
  const last = new Map(looks.map((each) => [each[0].id, each]))
  return [...last].flatMap(([id, [before, after]]) => {
    const { answer: judged } = after
    const finding = effectFinding(judged, {
      effect: 'changed another task',
      task: id,
      before: before.state,
      after: after.state,
    })
    return problemUnless(kept.includes(id), finding, { judged, control: before.answer })
  })
}

clause('assign.only-this-task', {
  should: 'leave other tasks unchanged when a task is updated',
  law: problemsOfOthers,
  of: ([one]: readonly Others[]) =>
    `${counted(new Set(one?.looks.map(([before]) => before.id)).size, 'other task')}, unchanged by the updates of the run`,
})(
  ['session', 'service', 'taskReadings', 'over', 'people', 'alone'],
  async function* ({ session, service, taskReadings, over, people, alone }) {
    const others = needOthers(session.known, taskReadings)
    // A background touch of other tasks occurs here too; other clauses judge it.
    const own = session.lending.lend('any', service, (loan) => updateOnce(loan, people[0]))
    const error = await own.then(over, (error: unknown) => over().then(() => error))
    yield fetchOthers(others, { service, session, taskReadings, people, alone })
    if (error) throw error
  },
)

function needOthers({ tasks }: KnownIds, readings: readonly Reading[]): Reading[] {
  const still = tasks.filter(({ lendable, heldBy }) => !lendable && heldBy === undefined)
  premise(still.length > 0, ...toSet(['READ_TASK_IDS'], ': tasks that must stay as they are'))
  const isAmong = (all: readonly { id: string }[], id: string) => all.some((each) => each.id === id)
  const others = readings
    .filter(({ id }) => isAmong(bodiesOf(readings), id) && isAmong(still, id))
    .slice(0, 5)
  premise(others.length > 0, 'refused', 'none of READ_TASK_IDS can be read; correct it')
  return others
}

type Deps = Pick<Givens, 'service' | 'session' | 'taskReadings' | 'people' | 'alone'>

/** What the tasks show after the updates of the run; those that changed are looked at while nothing else is sent. */
async function fetchOthers(readings: readonly Reading[], deps: Deps): Promise<Case<Others>> {
  const { service, session, taskReadings, alone } = deps
  const { history } = session
  const once = await lookAgain(service, readings.map(shownIn))
  // A lent task may have a version that neither its updates nor another writer made.
  const updated = updatedTasks(history)
  const hasChanged = updated.some((id) => unmadeChanges(history, id).length > 0)
  const lent = spills(history) || (hasChanged && !isByOther(history, null)) ? updated : []
  const suspects = [...once.filter(isChanged).map(([{ id }]) => id), ...lent]
  const near = ({ task }: Loan) => nearness(task.id, suspects, taskReadings)
  const watched = await (suspects.length > 0 ? alone(lookAlone) : [])
  const looks = [...once.filter((each) => !isChanged(each)), ...watched]
  premise(
    readings.some(({ id }) => looks.some(([before]) => before.id === id)),
    'freedom',
    'every task of READ_TASK_IDS changes without an update of this run; the contract does not specify transitions of status',
  )
  const [control, judged] = ([0, 1] as const).map((at) => looks.map((each) => each[at].answer))
  return caseOf({ looks }, { judged, control })

  function lookAlone(loans: [Loan, ...Loan[]]): Promise<Look[]> {
    const loan = loans.reduce((best, each) => (near(each) > near(best) ? each : best))
    const ids = suspects.filter((id) => !isSameId(id, loan.task.id))
    return fetchAround(service, session, ids, () => updateInEachWay(loan, deps))
  }
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
      ([{ state: before }, { state: now }]) =>
        JSON.stringify(before.assignment) === JSON.stringify(now.assignment) ||
        !isByOther(history, now.assignment),
    )
    const left = own.map(([{ id }]) => id)
    const isRestless = ([{ id }]: Look) => suspects.includes(id) && !left.includes(id)
    found = [...found.filter((each) => !isRestless(each)), ...own]
    suspects = own.filter(isChanged).map(([{ id }]) => id)
  }
  return found
}

async function updateOnce(loan: Loan, to?: Assignee) {
  const task = await loan.current.read(loan.task.id)
  await needUpdated(loan, { to: task.assignment ? null : (to ?? null) }, task)
  return clock.now()
}

/** One update of each kind: it is unknown which of them changes other tasks. */
async function updateInEachWay(loan: Loan, { people }: Deps) {
  const { current, task } = loan
  const isOf = (kind: string) => (to: Assignee) => to.type === kind
  for (const to of [people.find(isOf('USER')), people.find(isOf('TEAM')), null])
    if (to !== undefined) await send(loan, { to }, await current.read(task.id))
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
  return { id, state: { updated_at, assignment: shown }, answer }
}
