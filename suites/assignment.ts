import { expect, expectThat } from '../engine/clause/matchers.ts'
import { describeAnswer, objectIn } from '../engine/http/answers.ts'
import { distinctProblems, type Problem, problem, problemUnless } from '../engine/problem.ts'
import { shown } from '../engine/shown.ts'
import { clausesOf } from '../helpers/clause.ts'
import { problemOfUndone } from '../helpers/history/left-changed.ts'
import { isByOther, spills, unmadeChanges, updatedTasks } from '../helpers/history/questions.ts'
import type { Loan } from '../helpers/loans/lending.ts'
import { bodiesOf } from '../helpers/reads/readings.ts'
import { again } from '../helpers/service/again.ts'
import { type Assignment, premise, taskIn } from '../helpers/service/answers.ts'
import { describeWhole, isSameButSpelling } from '../helpers/service/assignments.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { isKept, otherFields } from '../helpers/service/other-fields.ts'
import { problemsOf } from '../helpers/service/schema.ts'
import { transitions } from '../helpers/service/update-request.ts'
import {
  answeredBy,
  expectAssigned,
  expectFormAccepted,
  minToJudge,
  needOwnSteps,
  wasTouched,
} from '../helpers/updates/after-update.ts'
import {
  fetchChangedAlong,
  nearness,
  suspectsAmong,
  updateInEachWay,
  updateOnce,
} from '../helpers/updates/other-tasks.ts'
import { acceptedOf, type Step } from '../helpers/updates/step.ts'

const clause = clausesOf({ title: 'Assign, reassign, unassign', section: 'States and transitions' })

const statements: Record<(typeof transitions)[number], string> = {
  'unassigned-to-user': 'assign an unassigned task to a user',
  'user-to-user': 'reassign a task from one user to another',
  'user-to-team': 'reassign a task from a user to a team',
  'team-to-team': 'reassign a task from one team to another',
  'team-to-user': 'reassign a task from a team to a user',
  'unassign-user': 'unassign a task that is assigned to a user: the assignment becomes null',
  'unassigned-to-team': 'assign an unassigned task to a team',
  'unassign-team': 'unassign a task that is assigned to a team: the assignment becomes null',
}

for (const name of transitions) {
  const operation = name.startsWith('unassign-') ? 'assign.unassign' : 'assign.update'
  clause(`assign.${name}`, {
    must: statements[name],
    operation,
  })(async ({ sequence, note }) => {
    const step = await sequence.step('transitions', name)
    await sequence.needPermitted(step)
    const answer = acceptedOf(step)
    expect(answer).toBeAccepted()
    expectAssigned(taskIn(answer), step.sent.to, { where: describeAnswer(answer) })
    await sequence.needOwn(step)
    const afterwards = { where: 'a read afterwards', control: answer }
    expectAssigned(step.stored, step.sent.to, afterwards)
    note(`${describeAnswer(answer)} with ${describeGoal(step)}; a read shows the same`)
  })
}

clause('assign.header-forms', {
  should:
    'accept an update with the names of its headers in any letter case, and a charset behind the media type',
  section: 'Update a task assignment',
  reading:
    'names of header fields have no letter case, and media types may have parameters (RFC 9110)',
  since: '0.2',
})(async ({ sequence, note }) => {
  for (const name of ['to-team-again', 'unassign-team-again']) {
    const step = await sequence.step('transitions', name)
    expectFormAccepted(step, `the names of headers in ${step.sent.how?.headerForm}, a charset`)
  }
  note('an update in upper case, and an unassign in title case')
})

clause('assign.answer-is-task', {
  must: 'answer every update with the full Task',
  section: 'Update a task assignment',
})(async ({ sequence, each }) => {
  const steps = await sequence.accepted('transitions', 'comments')
  await each(steps, problemsOfAnswer, { of: 'accepted updates, each answered with the full Task' })
})

function problemsOfAnswer(step: Step): Problem[] {
  const answer = acceptedOf(step)
  const body = objectIn(answer)
  const [expected, got] = [shown(step.before.id), shown(body.id)]
  const identity = {
    sentence: `id is ${got}`,
    expected,
    got,
    again: again.id('id', step.before.id),
  }
  const wrong = isSameId(body.id, step.before.id) ? [] : [identity]
  return [...problemsOf('task', body), ...wrong].map(({ sentence, ...seen }) =>
    problem(`${describeAnswer(answer)}: ${sentence}`, {
      expected: seen.expected,
      got: seen.got,
      judged: answer,
      again: seen.again,
    }),
  )
}

clause('assign.persisted', {
  must: 'give the same assignment in a following read as in the answer',
})(async ({ sequence, session, note }) => {
  const accepted = await sequence.accepted('transitions')
  const steps = needOwnSteps(session.history, accepted)
  expect(steps.flatMap(problemsOfStored)).toBeNone()
  note(`reads after ${steps.length} of ${accepted.length} updates show the answer’s assignment`)
})

function problemsOfStored(step: Step): Problem[] {
  const [answer, { assignment }] = [acceptedOf(step), answeredBy(step)]
  const [expected, got] = [describeWhole(assignment), describeWhole(step.stored?.assignment)]
  const sentence = `${describeAnswer(answer)} with ${expected}, but a read shows ${got}`
  const seen = { expected, got, judged: step.stored, control: answer, again: again.persisted }
  const isSame = isSameButSpelling(step.stored?.assignment ?? null, assignment)
  return problemUnless(isSame, sentence, seen)
}

clause('assign.persisted.version', {
  must: 'show no updated_at again that an accepted update has replaced',
})(async ({ leftTasks: { seen, undone }, note }) => {
  expect(undone.filter(({ by }) => by === 'version').map(problemOfUndone)).toBeNone()
  note(`at the end of the run none of ${seen} tasks shows a version that was replaced`)
})

clause('assign.persisted.comment', {
  should: 'leave a task as its last update made it, not as an earlier one did',
})(async ({ leftTasks: { seen, undone }, note }) => {
  expect(undone.filter(({ by }) => by === 'comment').map(problemOfUndone)).toBeNone()
  note(`at the end of the run none of ${seen} tasks shows the comment of an earlier update`)
})

clause('assign.new-version', {
  must: 'give a new updated_at in the answer to every update, and show it in a read',
  reading:
    'it is shown if, of three or more updates, a read gave the version of one, or one never seen before',
})(async ({ sequence, note }) => {
  const steps = await sequence.accepted('transitions')
  const versions = steps.map((step) => step.before.updated_at)
  const stale = steps.filter((step, at) =>
    versions.slice(0, at + 1).includes(answeredBy(step).updated_at),
  )
  expect(stale.map(problemOfOldVersion)).toBeNone()
  const read = steps.filter((step) => step.versionWasRead || wasTouched(step, steps)).length
  const unread = `no read showed the updated_at of any of ${steps.length} answers`
  const few = `set USER_IDS and TEAM_IDS to more people: ${unread}, and ${minToJudge} are needed to judge that`
  premise(read > 0 || steps.length >= minToJudge, 'setting', few)
  expectThat(read > 0, unread, {
    expected: shown(steps[0] && answeredBy(steps[0]).updated_at),
    got: shown(steps[0]?.stored?.updated_at),
    judged: steps.map(({ stored }) => stored),
    control: steps.map(acceptedOf),
    again: { signs: [{ member: 'updated_at', of: 'read', as: 'answer' }] },
  })
  note(`${steps.length} answers with a new updated_at; reads gave that of ${read}, or a newer`)
})

function problemOfOldVersion(step: Step): Problem {
  const [answer, got] = [acceptedOf(step), shown(answeredBy(step).updated_at)]
  const sentence = `${describeAnswer(answer)} with updated_at ${got}, which was there before`
  const seen = { expected: 'a new updated_at', got, judged: answer, control: step.before }
  return problem(sentence, { ...seen, again: again.newVersion })
}

const assigning = [
  'assign.unassigned-to-user',
  'assign.unassigned-to-team',
  'assign.user-to-user',
  'assign.user-to-team',
  'assign.team-to-user',
  'assign.team-to-team',
] as const

clause('assign.fields-as-given', {
  must: 'show who assigned, to whom and of which type as they were sent',
  section: 'Update a task assignment',
})(async ({ sequence, actor, note }) => {
  const accepted = await sequence.accepted('transitions', 'comments')
  const steps = accepted.filter(({ sent }) => sent.to)
  premise(steps.length > 0, 'clause', 'no assignment was accepted', ...assigning)
  expect(steps.flatMap((step) => problemsOfFields(step, actor))).toBeNone()
  note(`who, to whom and which type in the answers to ${steps.length} assignments`)
})

function problemsOfFields(step: Step, actor: string): Problem[] {
  const [answer, { assignment }, { to }] = [acceptedOf(step), answeredBy(step), step.sent]
  const sent = { assigned_by_id: actor, assigned_to_id: to?.id, assigned_to_type: to?.type }
  return (Object.keys(sent) as (keyof typeof sent)[]).flatMap((field) => {
    const [value, got] = [sent[field], shown(assignment?.[field])]
    const sentence = `${describeAnswer(answer)}: ${field} is ${got}, not ${value}`
    const seen = { expected: shown(value), got, judged: answer }
    const asked = again.id(`assignment.${field}`, value)
    return problemUnless(isSameId(assignment?.[field], value), sentence, { ...seen, again: asked })
  })
}

clause('assign.only-the-assignment', {
  should: 'leave the ids, names and metadata of a task, its step and created_at as they were',
})(async ({ sequence, note }) => {
  // A read of another version may show another writer's change: then judge answers alone.
  const steps = await sequence.accepted('transitions')
  const read = steps.filter((step) => step.versionWasRead)
  const own = read.length > 0 ? read : steps.filter((step) => wasTouched(step, steps))
  premise(own.length > 0, 'clause', 'no read gave the version of an answer', 'assign.new-version')
  const kept = needFields(own)
  const changed = read.flatMap((step) => problemsOfChanged(step, kept))
  const answered = own.flatMap((step) => problemsOfAnswered(step, kept))
  expect(distinctProblems([...changed, ...answered])).toBeNone()
  note(`${kept.join(', ')} before and after ${read.length} updates, and in ${own.length} answers`)
})

clause('assign.only-this-task', {
  should: 'leave other tasks as they are',
})(async ({ service, session, taskReadings, people, alone, actor, settings, over, note }) => {
  const { history, known, lending, stop } = session
  const { settleMs } = settings
  const still = known.tasks.filter(({ lendable, heldBy }) => !lendable && heldBy === undefined)
  premise(still.length > 0, 'setting', 'set READ_TASK_IDS: tasks that must stay as they are')
  const readable = bodiesOf(taskReadings)
  const isAmong = (all: readonly { id: string }[], id: string) => all.some((each) => each.id === id)
  const others = taskReadings
    .filter(({ id }) => isAmong(readable, id) && isAmong(still, id))
    .slice(0, 5)
  premise(others.length > 0, 'refused', 'none of READ_TASK_IDS can be read; correct it')
  // A background touch of other tasks occurs here too; other clauses judge it.
  const own = lending.lend('any', service, (loan) => updateOnce(loan, actor, people[0]))
  const lost = await own.then(over, (error: unknown) => over().then(() => error))
  // A lent task may have a version that neither its updates nor another writer made.
  const updated = updatedTasks(history)
  const hasChanged = updated.some((id) => unmadeChanges(history, id).length > 0)
  const lent = spills(history) || (hasChanged && !isByOther(history, null)) ? updated : []
  const suspects = [...(await suspectsAmong(service, others)), ...lent]
  const near = ({ task }: Loan) => nearness(task.id, suspects, readable)
  const lookAlone = (loans: [Loan, ...Loan[]]) => {
    const loan = loans.reduce((best, each) => (near(each) > near(best) ? each : best))
    const ids = suspects.filter((id) => !isSameId(id, loan.task.id))
    const update = () => updateInEachWay(loan, actor, people)
    const byOther = (assignment: Assignment | null) => isByOther(history, assignment)
    return fetchChangedAlong(service, { ids, settleMs, stop, isByOther: byOther }, update)
  }
  const none = { changed: [], restless: [] as string[] }
  const { changed, restless } = suspects.length > 0 ? await alone(lookAlone) : none
  const calm = others.filter(({ id }) => !restless.includes(id))
  premise(
    calm.length > 0,
    'freedom',
    'every task of READ_TASK_IDS changes by itself, or by another writer; transitions of a status are not shown',
  )
  expect(changed).toBeNone()
  if (lost) throw lost
  note(`${calm.length} other tasks before and after the updates of the run`)
})

function needFields(own: readonly Step[]) {
  const kept = otherFields.filter((field) =>
    own.some(({ before, stored }) => before[field] != null || stored?.[field] != null),
  )
  const names = otherFields.join(', ')
  premise(
    kept.length > 0,
    'freedom',
    `reads show no value of ${names}, and which fields can be null is not shown`,
  )
  return kept
}

type Fields = ReturnType<typeof needFields>

const problemsOfChanged = (step: Step, fields: Fields) =>
  fields.flatMap((field) => {
    const { before, touched = before, stored } = step
    const [expected, got] = [shown(touched[field]), shown(stored?.[field])]
    const judged = [acceptedOf(step), stored]
    const seen = { expected, got, judged, control: touched, again: again.kept(field, 'read') }
    const isSame = isKept(touched[field], stored?.[field])
    return problemUnless(isSame, `${field} was ${expected} and is ${got}`, seen)
  })

function problemsOfAnswered(step: Step, fields: Fields) {
  const { before, touched = before } = step
  const answer = answeredBy(step)
  return fields.flatMap((field) => {
    const [expected, got] = [shown(touched[field]), shown(answer[field])]
    const sentence = `${describeAnswer(acceptedOf(step))} with ${field} ${got}, which was ${expected}`
    const seen = { expected, got, judged: answer, control: touched, again: again.kept(field) }
    const isSame = !(field in answer) || isKept(touched[field], answer[field])
    return problemUnless(isSame, sentence, seen)
  })
}

const describeGoal = ({ sent: { to } }: Step) =>
  to ? `the assignment to ${to.type} ${to.id}` : 'assignment null'
