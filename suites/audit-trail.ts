import { expect, expectThat } from '../engine/clause/matchers.ts'
import { distinct } from '../engine/distinct.ts'
import { nearestText } from '../engine/files/entry-text.ts'
import { spanClass } from '../engine/http/shapes.ts'
import type { Why } from '../engine/outcome.ts'
import { type Problem, problem } from '../engine/problem.ts'
import { shown } from '../engine/shown.ts'
import { clausesOf } from '../helpers/clause.ts'
import { pagesToRead } from '../helpers/export/ask/breaches.ts'
import { eventsOf } from '../helpers/export/laws/words.ts'
import { unlessUndecided } from '../helpers/export/learn/ranges.ts'
import { premise, taskIn } from '../helpers/service/answers.ts'
import { isSameId } from '../helpers/service/ids.ts'
import type { Settings } from '../helpers/settings/table.ts'
import { assignersIn, compareTasksInTime, compareUpdates } from '../helpers/trail/alike.ts'
import { fetchCommented, missingInPdf } from '../helpers/trail/comments.ts'
import { commentTaken } from '../helpers/trail/mails.ts'
import {
  askedOf,
  judgeOwnEnds,
  late,
  problemsOfCount,
  problemsOfLocalTime,
  problemsOfTimes,
  record,
} from '../helpers/trail/recorded.ts'
import {
  describeTraces,
  eventsOfUpdates,
  noComments,
  problemsOfActors,
  problemsOfTraces,
} from '../helpers/trail/refusals.ts'
import {
  anotherThanActor,
  needComplete,
  needTask,
  type Trail,
} from '../helpers/trail/sequence-events.ts'
import { acceptedOf, type Step } from '../helpers/updates/step.ts'

const clause = clausesOf({ section: 'Events', operation: 'export' })

const oneTask = 'set TASK_IDS to two or more tasks: only one was changed'

/** The comment of an update of the sequence, in a CSV and, if that shows comments, in a PDF. */
const ofSequence = {
  assignment: { id: 'audit.assign-comment', owner: 'assign.comment.plain' },
  unassignment: { id: 'audit.unassign-comment', owner: 'assign.comment.unassign-with' },
} as const

clause('audit.assignment-recorded', {
  should: 'export an event for each assignment, reassignment and unassignment',
  section: 'States and transitions',
  reading: '“histories of system actions and changes”, found by task_id or entity_id',
})(async ({ trail, settings, note }) => {
  const { updates, newEvents, by, complete, shownBy } = trail
  const found = `${updates.length} updates, and ${newEvents} events more by metadata[${by}]`
  note(found)
  expectThat(complete, `${found} within ${settings.auditWaitS} s`, {
    expected: eventsOf(updates.length),
    got: eventsOf(newEvents),
    judged: shownBy.events,
    again: late,
    control: updates.map(acceptedOf),
  })
})

for (const [kind, { id, owner }] of Object.entries(ofSequence))
  clause(id, {
    should: `export the comment of an ${kind} among the events of its entity`,
  })(async ({ trail, ledger, session, exports, settings, each }) => {
    const updates = trail.updates
      .filter(({ sent }) => (sent.to === null) === (kind === 'unassignment'))
      .filter(commentTaken)
    const none: Why = ['clause', `no ${kind} was accepted with a comment`, owner]
    const of = 'comments that events of the entity show'
    await each(updates, (step) => missingFromCsv(step, trail, settings.auditWaitS), { none, of })
    const asked = () => askedOf({ trail, ledger, session, exports, settings })
    expect((await missingFromPdf(updates, trail, asked).catch(unlessUndecided)) ?? []).toBeNone()
  })

clause('audit.all-recorded', {
  should: 'export an event for every change of an assignment, including the latest changes',
  reading: '“histories of system actions and changes”, found by task_id',
})(async ({ trail, ledger, session, exports, settings, each }) => {
  const recorded = await record({ trail, ledger, session, exports, settings })
  const total = [...recorded.changes.values()].reduce((sum, times) => sum + times, 0)
  await each([...recorded.changes.keys()], (task) => problemsOfCount(recorded, ledger, task), {
    none: ['data', 'no assignment was changed'],
    of: `tasks with ${total} changes, and no fewer events of each`,
  })
})

clause('audit.time', {
  should: 'include the event of an update in a range around the time of the update',
  reading: 'within seconds, by the clock that the service shows',
})(async ({ trail, ledger, session, exports, settings, note }) => {
  const given = { trail, ledger, session, exports, settings }
  const { problems, seen } = await exports.once('events around the run', (inner) =>
    problemsOfTimes(askedOf(given, inner)),
  )
  expect(problems).toBeNone()
  note(seen)
})

clause('audit.updated-at', {
  should: 'return an updated_at in UTC that agrees with the time of the update in the audit trail',
  section: 'Resources and their fields',
  reading: 'a clock that is off as a whole is off in both',
  since: '0.2',
})(async ({ trail, ledger, session, exports, settings, note }) => {
  const { history, clock } = session
  const asked = askedOf({ trail, ledger, session, exports, settings })
  expect(await problemsOfLocalTime(asked, history, clock.ahead)).toBeNone()
  note(`${asked.ledger.updates.length} updates, none of them by the offset of a zone apart`)
})

clause('audit.exact-end', {
  should: 'include the event of an update in a range that ends exactly at the time of the event',
  section: 'Export audit events',
  reading: 'an updated_at is that time where it is the latest range_start that holds the event',
  since: '0.2',
})(async ({ trail, ledger, session, exports, settings, note }) => {
  const asked = askedOf({ trail, ledger, session, exports, settings })
  const { problems, seen } = await judgeOwnEnds(asked, session.history)
  expect(problems).toBeNone()
  note(`the event of the update at ${seen} is in up to that time`)
})

clause('audit.every-task', {
  should: 'show who made each change, and a time within the run, in the events of every task',
  reading: 'where the events of one task do, in the column in which they do',
})(async ({ trail, ledger, session, exports, settings, each }) => {
  const given = { trail, ledger, session, exports, settings }
  const recorded = await record(given)
  const how = { control: needTask(trail), assigners: assignersIn(ledger, settings.actorId) }
  const { others, what, problemsOf } = await compareTasksInTime(askedOf(given), recorded, how)
  premise(
    what.length > 0,
    'freedom',
    'events show neither who assigned nor when; the fields of a stored event are not shown',
  )
  const of = `tasks whose events show ${what.join(' and ')}, beside task ${how.control}`
  await each(others, problemsOf, { none: ['setting', oneTask], of })
})

clause('audit.as-often', {
  should: 'export no more events for an update than for most other updates of the same kind',
  reading: 'where events show comments: those that show the comment of the update',
})(async ({ trail, ledger, session, exports, settings, each }) => {
  const recorded = await record({ trail, ledger, session, exports, settings })
  const { compared, shown, problemsOf } = compareUpdates(ledger, recorded)
  premise(shown > 0, 'freedom', noComments)
  const few = `${shown} updates with a comment of their own, and no three of one kind: let the run make more (TASK_IDS, --clauses)`
  const of = 'updates, each with as many events as others of its kind'
  await each(compared, problemsOf, { none: ['data', few], of })
})

clause('audit.all-comments', {
  should: 'export the complete comment of every assignment and unassignment',
  reading: 'where events of a task show comments at all, white space apart',
})(async ({ trail, ledger, session, service, exports, settings, each }) => {
  const given = { trail, ledger, session, exports, settings }
  const recorded = await record(given)
  const entityOf = async (task: string) => taskIn(await service.readTask(task)).entity_id
  const asked = askedOf(given)
  const { commented, isShown, problemsOf } = await fetchCommented(asked, recorded, entityOf)
  premise(isShown, 'freedom', noComments)
  const of = 'comments of this run, each whole'
  await each(commented, problemsOf, { none: ['freedom', noComments], of })
})

clause('audit.refused-not-recorded', {
  should: 'export no event of a rejected update that looks like the event of an accepted update',
  reading: '“histories of system actions and changes”; where events show comments',
  since: '0.2',
})(async ({ session, shared, settings, people, trail, exports, over, note }) => {
  const given = { session, shared, settings, people, trail, exports, over }
  const traces = await eventsOfUpdates(given)
  expect(problemsOfTraces(traces, 'event')).toBeNone()
  note(describeTraces(traces))
})

clause('audit.each-actor', {
  should: 'show the user who made each change in its event, even when other users make changes too',
  reading: 'where events show comments, and in one column the ids of two users who assigned',
  since: '0.2',
})(async ({ session, shared, settings, people, trail, exports, over, note }) => {
  const given = { session, shared, settings, people, trail, exports, over }
  const traces = await eventsOfUpdates(given)
  const users = distinct(traces.accepted.map(({ by }) => String(by).toLowerCase()))
  const one = `every update with a comment was made by ${users[0]}: let the run make others (USER_IDS, --clauses)`
  premise(users.length > 1, 'data', one)
  expect(problemsOfActors(traces)).toBeNone()
  note(`${traces.accepted.length} events, of updates by ${users.length} users`)
})

clause('audit.delay', {
  observe: 'how long an update takes to appear in an export',
  varies: 'the moment',
})(async ({ trail }) => {
  needComplete(trail)
  return spanClass(trail.milliseconds)
})

function missingFromCsv(step: Step, trail: Trail, seconds: number): Problem[] {
  const comment = commentTaken(step)
  if (comment === undefined || trail.shows(comment)) return []
  const sentence = `no event of the entity shows within ${seconds} s the comment ${comment}`
  const seen = { expected: comment, got: 'no event that shows it', judged: trail.shownBy.events }
  return [problem(sentence, { ...seen, again: late, control: acceptedOf(step) })]
}

/** The comments of these updates that the CSV shows and the PDF lacks, beside others that it shows. */
async function missingFromPdf(
  updates: readonly Step[],
  trail: Trail,
  asked: () => Parameters<typeof missingInPdf>[1],
): Promise<Problem[]> {
  const { pdf, missing } = await missingInPdf(trail, asked())
  return updates.flatMap((step) => {
    const comment = commentTaken(step)
    if (comment === undefined || !missing.includes(comment)) return []
    const sentence = `the PDF shows other comments of this task, and not ${comment}, which the CSV shows`
    const got = nearestText(pdf.text ?? [], comment) ?? 'a PDF without this text'
    const seen = { expected: comment, got, judged: pdf, again: pagesToRead }
    return [problem(sentence, { ...seen, control: [trail.shownBy.events, acceptedOf(step)] })]
  })
}

clause('audit.actor', {
  should: 'return the event of an update when auditee_id is the id of the assigner',
  reading: '“Filter by the id of the user who caused the event”',
  section: 'Export audit events',
})(async ({ trail, settings, note }) => {
  needAssigned(trail, settings)
  const { assigner, assignee: byAssignee } = trail.foundWith
  // Another clause judges missing events.
  const isFound = assigner >= Math.min(trail.newEvents, trail.updates.length)
  premise(
    isFound ? byAssignee < assigner : byAssignee > 0 || assigner > 0,
    'freedom',
    `${assigner} of ${trail.updates.length} events are found with auditee_id of the assigner, ${byAssignee} with that of the assignee`,
  )
  const sentence = `${assigner} events of ${trail.updates.length} updates by ${settings.actorId} are found with their auditee_id, and ${byAssignee} with that of the assignee`
  expectThat(isFound, sentence, {
    expected: eventsOf(trail.updates.length),
    got: eventsOf(assigner),
    judged: trail.shownBy.byUser,
    again: late,
    control: trail.updates.map(acceptedOf),
  })
  note(`found with auditee_id=${settings.actorId}`)
})

clause('audit.actor-alone', {
  should:
    'exclude the event of an update when auditee_id is the id of the assignee, not of the assigner',
  reading:
    '“Filter by the id of the user who caused the event”; the events are recognised by their cells',
  section: 'Export audit events',
})(async ({ trail, settings, note }) => {
  const assignee = needAssigned(trail, settings)
  const { assigner, assignee: byAssignee, showing, either = [] } = trail.foundWith
  const unshown = `no event that is found with auditee_id=${settings.actorId} shows the comment of its update`
  premise(showing.length > 0, 'freedom', unshown)
  premise(
    trail.foundWith.either !== undefined,
    'freedom',
    `${byAssignee} of ${assigner} events are found with auditee_id=${assignee} too: the filter may not be taken in the form in which it was sent`,
  )
  const [control, judged] = trail.shownBy.byUser
  const problems = either.map((cells) => {
    const event = shown(cells.filter(Boolean).join(', '))
    const sentence = `the event ${event} is found with auditee_id=${settings.actorId}, who assigned, and with ${assignee}, who did not`
    const [expected, got] = [
      `an event that auditee_id=${assignee} does not find`,
      'the same event by either',
    ]
    return problem(sentence, {
      expected,
      got,
      judged,
      control,
      again: { signs: [{ lacks: plainOf(cells) }] },
    })
  })
  expect(problems).toBeNone()
  note(`none of ${assigner} events is found with auditee_id=${assignee}`)
})

const plainOf = (cells: readonly string[]) => cells.filter((cell) => /^[\w:.+-]+$/.test(cell))

function needAssigned(trail: Trail, settings: Settings): string {
  const assignee = anotherThanActor(settings) ?? 'a user beside that of ACTOR_ID'
  const isAssigned = trail.updates.some(({ sent }) => isSameId(sent.to?.id, assignee))
  premise(isAssigned, 'data', `no update to ${assignee} was accepted, whose event could be found`)
  return assignee
}
