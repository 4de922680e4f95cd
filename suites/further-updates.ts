import { expect, expectThat } from '../engine/clause/matchers.ts'
import { describeAnswer, isAccepted, isRefused } from '../engine/http/answers.ts'
import { NotDecidable } from '../engine/outcome.ts'
import { problem } from '../engine/problem.ts'
import { shown } from '../engine/shown.ts'
import { clausesOf } from '../helpers/clause.ts'
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
import { acceptedOf } from '../helpers/updates/step.ts'

const clause = clausesOf({ title: 'Update a task assignment' })

clause('assign.by-another', {
  should: 'show a second user as assigner of an update in the name of that user',
  section: 'Assignment',
})(async ({ furtherUpdates, note }) => {
  const { byAnother } = furtherUpdates
  if (!byAnother)
    throw new NotDecidable('setting', 'set USER_IDS: two or more users whom the service accepts')
  const { by, answer, to } = byAnother
  premise(
    !isRefused(answer),
    'freedom',
    `${describeAnswer(answer)} in the name of ${by}: who may assign is not shown`,
  )
  const { assignment } = taskIn(answer)
  premise(
    isAssignedTo(assignment, to),
    'clause',
    'the answer shows another assignment than was sent',
    'assign.fields-as-given',
  )
  const shownBy = assignment?.assigned_by_id
  expectThat(
    isSameId(shownBy, by),
    `${describeAnswer(answer)}: assigned_by_id is ${shown(shownBy)}, not ${by}`,
    {
      expected: shown(by),
      got: shown(shownBy),
      judged: answer,
      again: again.id('assignment.assigned_by_id', by),
    },
  )
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
  const kinds = [
    { what: 'updates' as const, atOnce: afterUpdate, of: steps.filter(({ sent }) => sent.to) },
    { what: 'unassigns' as const, atOnce: afterUnassign, of: steps.filter(({ sent }) => !sent.to) },
  ]
  const isShown = ({ of, atOnce }: (typeof kinds)[number]) =>
    of.some(({ versionWasRead }) => versionWasRead) || (atOnce && isAccepted(atOnce))
  const problems = kinds.flatMap((kind) => {
    const { what, atOnce, of } = kind
    if (!atOnce || isShown(kind)) return []
    // One kind alone is told apart from a task that is touched again only where all others are read.
    const others = kinds.filter((other) => other !== kind)
    const isNever = others.every((other) => !isShown(other))
    const isAlone = others.every(
      (other) => other.of.length > 1 && other.of.every(({ versionWasRead }) => versionWasRead),
    )
    if (!isNever && !isAlone) return []
    const each = problem(
      `no read showed the updated_at of any of ${of.length} answers to ${what}, and ${describeAnswer(atOnce)} when one was sent at once`,
      {
        expected: '2xx, or a read that shows it',
        got: String(atOnce.status),
        judged: atOnce,
        again: { why: 'two updates have to follow each other at once' },
        control: of.flatMap((step) => [acceptedOf(step), step.stored]),
      },
    )
    return { what, each }
  })
  const { lending } = session
  const to = needAnybody(people)
  const beside =
    problems.length > 0 ? await versionsShownBeside({ lending, service, actor, to }) : undefined
  expect(problems.filter(({ what }) => !beside?.[what]).map(({ each }) => each)).toBeNone()
  const read = steps.filter(({ versionWasRead }) => versionWasRead).length
  note(
    `reads gave the updated_at of ${read} of ${steps.length} answers, and ${describeAnswer(first)} to one that was sent at once`,
  )
})

clause('assign.extra-fields.ignored', {
  should: 'change nothing but the assignment by members that the contract does not name',
  section: 'Update a task assignment',
})(async ({ furtherUpdates, note }) => {
  const sent = furtherUpdates.foreignMembers
  const taken = sent.filter(({ answer }) => isAccepted(answer))
  premise(
    taken.length > 0,
    'freedom',
    `${sent.map(({ answer }) => describeAnswer(answer)).join(', and ')}, to members that the contract does not name`,
  )
  const problems = taken.flatMap(({ before, answer, after }) =>
    namesTaken(after).map((member) =>
      problem(
        `${describeAnswer(answer)}, and ${member}, which was ${shown(before[member])}, is ${shown(after[member])}, as sent with it`,
        {
          expected: shown(before[member]),
          got: shown(after[member]),
          judged: answer,
          again: { why: 'the task would be left changed' },
        },
      ),
    ),
  )
  expect(problems).toBeNone()
  note(
    `${taken.length} of ${sent.length} were accepted, and ${Object.keys(foreignMembers).join(', ')} as before`,
  )
})
