import { describe } from 'vitest'
import { expect, expectThat } from '../engine/clause/matchers.ts'
import { spanClass } from '../engine/http/shapes.ts'
import { type Problem, problem } from '../engine/problem.ts'
import { clause } from '../helpers/clause.ts'
import { unlessUndecided } from '../helpers/export/learn/ranges.ts'
import { premise, taskIn } from '../helpers/service/answers.ts'
import { problemsOfCommentsRecorded } from '../helpers/trail/all-comments.ts'
import { problemsOfOften } from '../helpers/trail/as-often.ts'
import type { Trail } from '../helpers/trail/event-watch.ts'
import { assignersIn, everyTaskInTime } from '../helpers/trail/every-task.ts'
import { exportedLate } from '../helpers/trail/late-traces.ts'
import { commentTaken } from '../helpers/trail/mails.ts'
import { problemsOfTimes } from '../helpers/trail/recorded-times.ts'
import { askedOf, needComplete, needTask, record } from '../helpers/trail/recording.ts'
import { eventsLeft, eventsOfRefusals } from '../helpers/trail/refusal-watch.ts'
import { problemsOfPdfTrail } from '../helpers/trail/trail-comments.ts'
import { acceptedOf, type Step } from '../helpers/updates/step.ts'

const section = 'Events'
const operation = 'export'
const late = 'events come some time after the updates that they are of'

describe('Audit trail', () => {
  clause(
    'audit.assignment-recorded',
    {
      should: 'export an event for each assignment, reassignment and unassignment',
      section: 'States and transitions',
      operation,
      reading: '“histories of system actions and changes”, found by task_id or entity_id',
    },
    async ({ trail, settings, note }) => {
      const { updates, gained, by, complete, shownBy } = trail
      const found = `${updates.length} updates, and ${gained} events more by metadata[${by}]`
      note(found)
      expectThat(complete, `${found} within ${settings.auditWaitS} s`, {
        expected: `${updates.length} events`,
        got: `${gained} events`,
        judged: shownBy.events,
        again: { why: late },
        control: updates.map(acceptedOf),
      })
    },
  )

  clause(
    'audit.assign-comment',
    {
      should: 'export the comment of an assignment among the events of its entity',
      section,
      operation,
    },
    async ({ trail, ledger, session, exports, settings, note }) => {
      const updates = needComments(trail, 'assignment')
      expect(missingAmong(updates, trail, settings.auditWaitS)).toBeNone()
      const given = { trail, ledger, session, exports, settings }
      const inPdf = await problemsOfPdfTrail(given, updates).catch(unlessUndecided)
      expect(inPdf ?? []).toBeNone()
      note(`comments that events of the entity show: ${updates.length}`)
    },
  )

  clause(
    'audit.unassign-comment',
    {
      should: 'export the comment of an unassignment among the events of its entity',
      section,
      operation,
    },
    async ({ trail, ledger, session, exports, settings, note }) => {
      const updates = needComments(trail, 'unassignment')
      expect(missingAmong(updates, trail, settings.auditWaitS)).toBeNone()
      const given = { trail, ledger, session, exports, settings }
      const inPdf = await problemsOfPdfTrail(given, updates).catch(unlessUndecided)
      expect(inPdf ?? []).toBeNone()
      note(`comments that events of the entity show: ${updates.length}`)
    },
  )

  clause(
    'audit.all-recorded',
    {
      should: 'export an event for every change of an assignment, the last ones too',
      section,
      operation,
      reading: '“histories of system actions and changes”, found by task_id',
    },
    async ({ trail, ledger, session, exports, settings, note }) => {
      const given = { trail, ledger, session, exports, settings }
      const { problems, changes, total } = await record(given)
      expect(problems).toBeNone()
      note(`${total} changes of ${changes.size} tasks, and no fewer events of each`)
    },
  )

  clause(
    'audit.time',
    {
      should: 'export the event of an update in a range around that update',
      section,
      operation,
      reading: 'within seconds, by the clock that the service shows',
    },
    async ({ trail, ledger, session, exports, settings, note }) => {
      const given = { trail, ledger, session, exports, settings }
      const { problems, seen } = await exports.once('events around the run', (inner) =>
        problemsOfTimes(askedOf(given, inner)),
      )
      expect(problems).toBeNone()
      note(seen)
    },
  )

  clause(
    'audit.every-task',
    {
      should: 'show of the changes of every task who made them, and a time of this run',
      section,
      operation,
      reading: 'where the events of one task do, in the column in which they do',
    },
    async ({ trail, ledger, session, exports, settings, note }) => {
      const given = { trail, ledger, session, exports, settings }
      const recorded = await record(given)
      const how = { control: needTask(trail), assigners: assignersIn(ledger, settings.actorId) }
      const { problems, compared, told } = await everyTaskInTime(
        askedOf(given, exports),
        recorded,
        how,
      )
      premise(
        told.length > 0,
        'freedom',
        'events show neither who assigned nor when; the fields of a stored event are not shown',
      )
      premise(compared > 0, 'setting', 'set TASK_IDS to two or more tasks: only one was changed')
      expect(problems).toBeNone()
      note(`${told.join(' and ')} in the events of ${compared + 1} tasks`)
    },
  )

  clause(
    'audit.as-often',
    {
      should: 'export as many events for an update as for others of its kind',
      section,
      operation,
      reading: 'where events show comments: those that show the comment of the update',
    },
    async ({ trail, ledger, session, exports, settings, note }) => {
      const recorded = await record({ trail, ledger, session, exports, settings })
      const { problems, compared, shown } = problemsOfOften(ledger, recorded)
      premise(
        shown > 0,
        'freedom',
        'no event of a task shows a comment; the fields of a stored event are not shown',
      )
      premise(
        compared > 0,
        'data',
        `${shown} updates with a comment of their own, and no three of one kind: let the run make more (TASK_IDS, --clauses)`,
      )
      expect(problems).toBeNone()
      note(`${compared} updates, each with as many events as others of its kind`)
    },
  )

  clause(
    'audit.all-comments',
    {
      should: 'export the comment of every assignment and unassignment, whole',
      section,
      operation,
      reading: 'where events of a task show comments at all, white space apart',
    },
    async ({ trail, ledger, session, service, exports, settings, note }) => {
      const given = { trail, ledger, session, exports, settings }
      const recorded = await record(given)
      const entityOf = async (task: string) => taskIn(await service.readTask(task)).entity_id
      const asked = askedOf(given, exports)
      const { problems, shown } = await problemsOfCommentsRecorded(asked, recorded, entityOf)
      premise(
        shown > 0,
        'freedom',
        'no event of a task shows a comment; the fields of a stored event are not shown',
      )
      expect(problems).toBeNone()
      note(`${shown} comments of this run, each whole`)
    },
  )

  clause(
    'audit.refused-not-recorded',
    { observe: 'whether an update that is answered 409 leaves an event', section, operation },
    async ({ session, service, shared, people, trail, exports, over }) => {
      needComplete(trail)
      premise(
        trail.by === 'task_id',
        'freedom',
        'events of a task are not found by task_id; the fields of a stored event are not shown',
      )
      const { actorId } = session.settings
      const wait = { milliseconds: trail.milliseconds, stop: session.stop }
      const look = eventsLeft(wait, actorId && trail.shows(actorId) ? actorId : undefined)
      const left = await eventsOfRefusals({ ...session, service, shared }, people, look)
      return left === 'none' ? exportedLate(exports, session.taskWatch, over) : left
    },
  )

  clause(
    'audit.delay',
    {
      observe: 'how long it takes until an update can be seen in an export',
      section,
      operation,
      varies: 'the moment',
    },
    async ({ trail }) => {
      needComplete(trail)
      return spanClass(trail.milliseconds)
    },
  )
})

/** The clauses that judge whether an update is accepted with a comment. */
const owners = {
  assignment: 'assign.comment.plain',
  unassignment: 'assign.comment.unassign-with',
} as const

/** The updates of a kind that were accepted with a comment. */
function needComments({ updates }: Trail, kind: keyof typeof owners): Step[] {
  const commented = updates
    .filter(({ sent }) => (sent.to === null) === (kind === 'unassignment'))
    .filter(commentTaken)
  premise(commented.length > 0, 'clause', `no ${kind} was accepted with a comment`, owners[kind])
  return commented
}

/** The comments that no event of the entity shows, one problem each. */
const missingAmong = (updates: readonly Step[], trail: Trail, seconds: number): Problem[] =>
  updates.flatMap((step) => {
    const comment = commentTaken(step)
    if (comment === undefined || trail.shows(comment)) return []
    return [
      problem(`no event of the entity shows within ${seconds} s the comment ${comment}`, {
        expected: comment,
        got: 'no event that shows it',
        judged: trail.shownBy.events,
        again: { why: late },
        control: acceptedOf(step),
      }),
    ]
  })
