import { expect, expectThat } from '../engine/clause/matchers.ts'
import { describeAnswer, isAccepted, isRefused } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import { NotDecidable } from '../engine/outcome.ts'
import { type Problem, problem } from '../engine/problem.ts'
import { shown } from '../engine/shown.ts'
import { clausesOf } from '../helpers/clause.ts'
import type { Givens } from '../helpers/givens.ts'
import { again } from '../helpers/service/again.ts'
import { premise, taskIn } from '../helpers/service/answers.ts'
import { isAssignedTo } from '../helpers/service/assignments.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { needAnybody } from '../helpers/updates/controls.ts'
import {
  foreignMembers,
  namesTaken,
  versionsShownBeside,
} from '../helpers/updates/further-updates.ts'
import { acceptedOf, type Step } from '../helpers/updates/step.ts'

const clause = clausesOf({ title: 'Update a task assignment' })

clause('assign.by-another', {
  should: 'show a second user as assigner of an update in the name of that user',
  section: 'Assignment',
})(async ({ furtherUpdates: { byAnother }, note }) => {
  if (!byAnother)
    throw new NotDecidable('setting', 'set USER_IDS: two or more users whom the service accepts')
  const { by, answer, to } = byAnother
  const told = describeAnswer(answer)
  const open = `${told} in the name of ${by}: who may assign is not shown`
  premise(!isRefused(answer), 'freedom', open)
  const { assignment } = taskIn(answer)
  const other = 'the answer shows another assignment than was sent'
  premise(isAssignedTo(assignment, to), 'clause', other, 'assign.fields-as-given')
  const [expected, got] = [shown(by), shown(assignment?.assigned_by_id)]
  const isShown = isSameId(assignment?.assigned_by_id, by)
  expectThat(isShown, `${told}: assigned_by_id is ${got}, not ${by}`, {
    expected,
    got,
    judged: answer,
    again: again.id('assignment.assigned_by_id', by),
  })
  note(`assigned_by_id is ${by}, as sent`)
})

clause('assign.new-version.same-assignee', {
  should: 'give a new updated_at to an update that changes only the comment or the assigner',
  section: 'Task',
  reading: 'what is accepted is carried out, whoever has the task; it may be refused',
})(async ({ furtherUpdates, note }) => {
  const { sent, before, answer, after } = furtherUpdates.sameAssignee
  const [former, comment] = [before, after].map((task) => task.assignment?.assignment_comment)
  const told = `${describeAnswer(answer)} to the assignee that the task has already, and`
  expectThat(isAccepted(answer) || comment !== sent, `${told} its comment is shown all the same`, {
    expected: former ?? 'no comment',
    got: comment ?? 'no comment',
    judged: [answer, after],
    again: again.acceptedOrUnchanged,
  })
  premise(isAccepted(answer), 'freedom', `${told} the comment before is still shown`)
  const { updated_at } = taskIn(answer)
  expectThat(
    updated_at !== before.updated_at,
    comment === sent
      ? `${describeAnswer(answer)} changed the comment, and updated_at is still ${updated_at}`
      : `${told} neither the comment that was sent nor a new updated_at is shown`,
    {
      expected: 'a new updated_at',
      got: updated_at,
      judged: answer,
      control: before,
      again: again.newVersion,
    },
  )
  note(`updated_at was ${before.updated_at} and is ${updated_at}`)
})

clause('assign.new-version.shown', {
  should: 'show the updated_at of an answer in a read, or accept it as If-Match at once',
  section: 'Task',
})(async ({ journey, furtherUpdates, session, service, people, actor, note }) => {
  const steps = await journey.accepted('transitions')
  const { first, afterUpdate, afterUnassign } = furtherUpdates.atOnce
  const [updates, unassigns] = [
    steps.filter(({ sent }) => sent.to),
    steps.filter(({ sent }) => !sent.to),
  ]
  const byKind = {
    updates: { atOnce: afterUpdate, of: updates },
    unassigns: { atOnce: afterUnassign, of: unassigns },
  }
  const problems = {
    updates: problemsOfUnshown('updates', byKind.updates, byKind.unassigns),
    unassigns: problemsOfUnshown('unassigns', byKind.unassigns, byKind.updates),
  }
  const to = needAnybody(people)
  const { lending } = session
  const isClear = Object.values(problems).every(({ length }) => length === 0)
  const beside = isClear ? undefined : await versionsShownBeside({ lending, service, actor, to })
  expect([
    ...(beside?.updates ? [] : problems.updates),
    ...(beside?.unassigns ? [] : problems.unassigns),
  ]).toBeNone()
  const read = steps.filter(({ versionWasRead }) => versionWasRead).length
  note(
    `reads gave the updated_at of ${read} of ${steps.length} answers, and ${describeAnswer(first)} to one that was sent at once`,
  )
})

type OfKind = { atOnce: Answer | undefined; of: readonly Step[] }

const isRead = ({ versionWasRead }: Step) => versionWasRead
const isShown = ({ of, atOnce }: OfKind) => of.some(isRead) || (atOnce && isAccepted(atOnce))

/** One kind alone is told apart from a task that is touched again only where all of the other are read. */
function problemsOfUnshown(what: string, kind: OfKind, other: OfKind): Problem[] {
  const { atOnce, of } = kind
  const isAlone = other.of.length > 1 && other.of.every(isRead)
  if (!atOnce || isShown(kind) || (isShown(other) && !isAlone)) return []
  const sentence = `no read showed the updated_at of any of ${of.length} answers to ${what}, and ${describeAnswer(atOnce)} when one was sent at once`
  return [
    problem(sentence, {
      expected: '2xx, or a read that shows it',
      got: String(atOnce.status),
      judged: atOnce,
      again: { why: 'two updates have to follow each other at once' },
      control: of.flatMap((step) => [acceptedOf(step), step.stored]),
    }),
  ]
}

clause('assign.extra-fields.ignored', {
  should: 'change nothing but the assignment by members that the contract does not name',
  section: 'Update a task assignment',
})(async ({ furtherUpdates: { foreignMembers: sent }, each }) => {
  const taken = sent.filter(({ answer }) => isAccepted(answer))
  const refused = sent.map(({ answer }) => describeAnswer(answer)).join(', and ')
  await each(taken, problemsOfMembers, {
    none: ['freedom', `${refused}, to members that the contract does not name`],
    of: `of ${sent.length} were accepted, and ${Object.keys(foreignMembers).join(', ')} as before`,
  })
})

type WithMembers = Givens['furtherUpdates']['foreignMembers'][number]

const problemsOfMembers = ({ before, answer, after }: WithMembers) =>
  namesTaken(after).map((member) => {
    const [expected, got] = [shown(before[member]), shown(after[member])]
    const again = { why: 'the task would be left changed' }
    const sentence = `${describeAnswer(answer)}, and ${member}, which was ${expected}, is ${got}, as sent with it`
    return problem(sentence, { expected, got, judged: answer, again })
  })
