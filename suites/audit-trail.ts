import { caseOf, isUnasked } from '../engine/clause/case.ts'
import type { Some } from '../engine/clause/law.ts'
import { counted } from '../engine/counted.ts'
import { distinct } from '../engine/distinct.ts'
import { exactly, type Place, rowsFinding } from '../engine/findings/file-rows.ts'
import { spanClass } from '../engine/http/shapes.ts'
import { toSet } from '../engine/outcome.ts'
import { type Problem, problem, problemUnless } from '../engine/problem.ts'
import { shown } from '../engine/shown.ts'
import { clausesOf } from '../helpers/clause.ts'
import { keyOf } from '../helpers/contract/metadata-keys.ts'
import { placeOf } from '../helpers/export/ask/places.ts'
import { filterBy } from '../helpers/export/ask/query.ts'
import { eventsOf } from '../helpers/export/laws/file.ts'
import { lateEvents } from '../helpers/findings/not-scripted.ts'
import type { TextFinding } from '../helpers/findings/text.ts'
import { needNoOtherWriter } from '../helpers/loans/foreign-change.ts'
import { premise, taskIn } from '../helpers/service/answers.ts'
import { isSameId } from '../helpers/service/ids.ts'
import type { Settings } from '../helpers/settings/table.ts'
import {
  askClasses,
  askCommented,
  askInPdf,
  askTwins,
  caseOfUsual,
  compareTasks,
  compareUpdates,
  describeAlike,
  problemsOfAlike,
  problemsOfClassified,
  problemsOfTwins,
  problemsOfUsual,
  shownInCsv,
} from '../helpers/trail/alike.ts'
import { commentTaken } from '../helpers/trail/mails.ts'
import { askMissed, type Missed } from '../helpers/trail/missed.ts'
import {
  askedOf,
  askLocalTime,
  askOwnEnds,
  askTimes,
  caseOfCounted,
  describeTimes,
  inAtOwnEnd,
  problemsOfCount,
  problemsOfLocalTime,
  problemsOfOwnEnds,
  record,
} from '../helpers/trail/recorded.ts'
import {
  describeActors,
  describeTraces,
  eventsOfUpdates,
  problemsOfActors,
  problemsOfTraces,
} from '../helpers/trail/refusals.ts'
import {
  anotherThanActor,
  caseOfTrail,
  needComplete,
  type ShownTrail,
  type Trail,
} from '../helpers/trail/sequence-events.ts'
import { caseOfTrace, problemsOfTrace, type Trace } from '../helpers/trail/traces.ts'
import { acceptedOf } from '../helpers/updates/step.ts'

const clause = clausesOf({
  section: 'Events',
  operation: 'export',
})

clause('audit.assignment-recorded', {
  should: 'export an event for each assignment, reassignment and unassignment',
  section: 'States and transitions',
  reading: '“histories of system actions and changes”, found by task_id or entity_id',
  law: problemsOfTrail,
  of: ([trail]) => describeCounts(trail),
})(['trail'], ({ trail }) => [caseOfTrail(trail)])

function describeCounts({ updates, newEvents, by }: ShownTrail): string {
  return `${counted(updates.length, 'update')}, and ${counted(newEvents, 'new event')} found by metadata[${by}]`
}

function problemsOfTrail(trail: ShownTrail): Problem[] {
  const { updates, newEvents, complete, shownBy, waitS } = trail
  const finding = rowsFinding({
    wrong: 'number',
    place: placeOfTrail(trail),
    wanted: { least: updates.length },
    got: newEvents,
    what: `${waitS} s after ${counted(updates.length, 'update')}`,
    to: 'without those that were there before',
  })
  const control = updates.map(acceptedOf)
  return problemUnless(complete, finding, { judged: shownBy.events, control, again: lateEvents })
}

function placeOfTrail({ updates, by, query: { start } }: ShownTrail): Place {
  const task = updates[0]?.before
  const id = by === keyOf.task ? task?.id : task?.entity_id
  return placeOf({ start, ...filterBy(by, String(id)) }, 'trail')
}

const ofSequence = {
  assignment: { id: 'audit.assign-comment', owner: 'assign.comment.plain' },
  unassignment: { id: 'audit.unassign-comment', owner: 'assign.comment.unassign-with' },
} as const

for (const [kind, { id, owner }] of Object.entries(ofSequence))
  clause(id, {
    should: `export the comment of an ${kind} among the events of its entity`,
    law: (trace: Trace<TextFinding>) => problemsOfTrace(trace),
    of: (all) =>
      `${distinct(all.map(({ finding }) => finding.text)).length} comments that events of the entity show`,
    none: ['clause', `no ${kind} was accepted with a comment`, owner],
  })(
    ['session', 'exports', 'trail', 'ledger'],
    async function* ({ session, exports, trail, ledger }) {
      const updates = trail.updates.filter(
        (step) => commentTaken(step) && (step.sent.to === null) === (kind === 'unassignment'),
      )
      if (updates.length === 0) return
      yield* shownInCsv(updates, trail).map(caseOfTrace)
      const asked = () => askedOf({ trail, ledger, session, exports })
      for (const trace of await askInPdf(updates, trail, asked))
        yield isUnasked(trace) ? trace : caseOfTrace(trace)
    },
  )

clause('audit.all-recorded', {
  should: 'export an event for every change of an assignment, including the latest changes',
  reading: '“histories of system actions and changes”, found by task_id',
  law: problemsOfCount,
  none: ['data', 'no assignment was changed'],
  of: (all) => {
    const total = all.reduce((sum, { changes }) => sum + changes, 0)
    return `${counted(all.length, 'task')} with ${counted(total, 'change')}, and at least as many events of each`
  },
})(['session', 'exports', 'trail', 'ledger'], async ({ session, exports, trail, ledger }) => {
  const recorded = await record(askedOf({ trail, ledger, session, exports }))
  return recorded.map(caseOfCounted)
})

clause('audit.time', {
  should: 'include the event of an update in a range around the time of the update',
  reading: 'within seconds, by the clock that the service shows',
  law: problemsOfCount,
  of: describeTimes,
})(['session', 'exports', 'trail', 'ledger'], async ({ session, exports, trail, ledger }) => [
  caseOfCounted(await askTimes(askedOf({ trail, ledger, session, exports }))),
])

clause('audit.updated-at', {
  should: 'return an updated_at in UTC that agrees with the time of the update in the audit trail',
  section: 'Resources and their fields',
  reading: 'a clock that is off as a whole is off in both',
  since: '0.2',
  law: problemsOfLocalTime,
  of: ([{ run }]) => `${counted(run, 'update')}, none off by the offset of a time zone`,
})(['session', 'exports', 'trail', 'ledger'], ({ session, exports, trail, ledger }) =>
  askLocalTime(askedOf({ trail, ledger, session, exports }), session),
)

clause('audit.exact-end', {
  should: 'include the event of an update in a range that ends exactly at the time of the event',
  section: 'Export audit events',
  reading: 'an updated_at is that time if it is the latest range_start that includes the event',
  since: '0.2',
  law: problemsOfOwnEnds,
  of: ([ends]) =>
    `the event of the update at ${inAtOwnEnd(ends)?.version} is included in a range that ends at that time`,
})(['session', 'exports', 'trail', 'ledger'], ({ session, exports, trail, ledger }) =>
  askOwnEnds(askedOf({ trail, ledger, session, exports }), session.history),
)

clause('audit.every-task', {
  should: 'show who made each change, and a time within the run, in the events of every task',
  reading: 'where the events of one task do, in the column in which they do',
  law: problemsOfAlike,
  of: describeAlike,
  none: toSet(['TASK_IDS'], ' to two or more tasks: only one was changed'),
})(
  ['session', 'settings', 'exports', 'trail', 'ledger'],
  async ({ session, settings, exports, trail, ledger }) => {
    const asked = askedOf({ trail, ledger, session, exports })
    return (await compareTasks(asked, await record(asked), settings)).map(caseOfCounted)
  },
)

clause('audit.as-often', {
  should: 'export no more events for an update than for most other updates of the same kind',
  reading: 'where events show comments: those that show the comment of the update',
  law: problemsOfUsual,
  of: 'updates, each with as many events as others of its kind',
})(['session', 'exports', 'trail', 'ledger'], async ({ session, exports, trail, ledger }) => {
  const recorded = await record(askedOf({ trail, ledger, session, exports }))
  needNoOtherWriter(session.history)
  return compareUpdates(ledger, recorded).map(caseOfUsual)
})

clause('audit.once', {
  should: 'export one event of an update, not two that differ only in their ids',
  reading: 'an event of another type, subtype or source is another event; times within a second',
  since: '0.2',
  law: problemsOfTwins,
  of: ([{ marked }]) => `${counted(marked.length, 'update')}, and of most no event twice`,
})(
  ['session', 'exports', 'filters', 'trail', 'ledger'],
  async ({ session, exports, filters, trail, ledger }) => {
    const recorded = await record(askedOf({ trail, ledger, session, exports }))
    needNoOtherWriter(session.history)
    return askTwins(filters, ledger, recorded)
  },
)

clause('audit.classified', {
  should: 'export the events of updates with a type, a subtype and a source',
  reading: 'in the columns by which the filters of these names select events',
  since: '0.2',
  law: problemsOfClassified,
  of: (all) =>
    `updates whose events each have ${all.map(({ field }) => `a value of ${field}`).join(' and ')}`,
})(
  ['session', 'exports', 'filters', 'trail', 'ledger'],
  async ({ session, exports, filters, trail, ledger }) =>
    askClasses(filters, ledger, await record(askedOf({ trail, ledger, session, exports }))),
)

clause('audit.all-comments', {
  should: 'export the complete comment of every assignment and unassignment',
  reading: 'where events of a task show comments at all, white space apart',
  law: problemsOfTrace,
  of: 'comments of this run, each whole',
})(
  ['session', 'service', 'exports', 'trail', 'ledger'],
  async ({ session, service, exports, trail, ledger }) => {
    const entityOf = async (task: string) => taskIn(await service.readTask(task)).entity_id
    const asked = askedOf({ trail, ledger, session, exports })
    return (await askCommented(asked, await record(asked), entityOf)).map(caseOfTrace)
  },
)

clause('audit.refused-not-recorded', {
  should: 'export no event of a rejected update that looks like the event of an accepted update',
  reading: '“histories of system actions and changes”; where events show comments',
  since: '0.2',
  law: problemsOfTraces('event'),
  of: (traces) => describeTraces('event', traces),
})(
  ['session', 'settings', 'shared', 'exports', 'trail', 'over', 'people'],
  ({ session, settings, shared, exports, trail, over, people }) =>
    eventsOfUpdates({ session, shared, settings, people, trail, exports, over }),
)

clause('audit.each-actor', {
  should: 'show the user who made each change in its event, even when other users make changes too',
  reading: 'where events show comments, and in one column the ids of two users who assigned',
  since: '0.2',
  law: problemsOfActors,
  of: describeActors,
})(
  ['session', 'settings', 'shared', 'exports', 'trail', 'over', 'people'],
  async ({ session, settings, shared, exports, trail, over, people }) => {
    const traces = await eventsOfUpdates({
      session,
      shared,
      settings,
      people,
      trail,
      exports,
      over,
    })
    needNoOtherWriter(session.history)
    return traces
  },
)

clause('audit.delay', {
  observe: 'how long an update takes to appear in an export',
  varies: 'the moment',
  look: ([{ milliseconds }]: Some<ShownTrail>) => spanClass(milliseconds),
})(['trail'], ({ trail }) => {
  needComplete(trail)
  return [caseOfTrail(trail)]
})

clause('audit.actor', {
  should: 'return the event of an update when auditee_id is the id of the assigner',
  reading: '“Filter by the id of the user who caused the event”',
  section: 'Export audit events',
  law: problemsOfFound,
  of: ([{ actor }]) => `found with auditee_id=${actor}`,
})(
  ['session', 'settings', 'openFilters', 'trail'],
  async ({ session, settings, openFilters, trail }) => {
    const found = foundWith(trail, settings)
    const { stop, waits } = session
    const asked = { ...found, stop, waiting: waits.events, openFilters }
    const missed = await askMissed(trail, asked)
    const judged = [found.byUser, missed?.files]
    return [caseOf({ ...found, missed }, { judged, control: found.updates.map(acceptedOf) })]
  },
)

clause('audit.actor-alone', {
  should:
    'exclude the event of an update when auditee_id is the id of any other user or team than the assigner',
  reading:
    '“Filter by the id of the user who caused the event”; the events are recognised by their cells',
  section: 'Export audit events',
  law: problemsOfEither,
  of: ([{ assigner, others }]) =>
    `none of ${counted(assigner, 'event')} is found with the auditee_id of ${counted(1 + others.length, 'other')}`,
})(['settings', 'trail'], ({ settings, trail }) => {
  const found = foundWith(trail, settings)
  const judged = [found.byUser, found.others.map(({ file }) => file)]
  return [caseOf(found, { judged, control: found.updates.map(acceptedOf) })]
})

type Found = Trail['foundWith'] & { actor: string | undefined; other: string } & Pick<
    Trail,
    'updates' | 'newEvents' | 'query'
  > & { byUser: Trail['shownBy']['byUser'] }

/** The events of the task that auditee_id finds. */
function placeBy(user: string | undefined, { updates, query }: Pick<Found, 'updates' | 'query'>) {
  const { id = '' } = updates[0]?.before ?? {}
  const byUser = filterBy('auditee_id', user ?? '')
  return placeOf({ start: query.start, ...filterBy(keyOf.task, id), ...byUser }, 'trail')
}

function foundWith(trail: Trail, { userIds, actorId }: Settings): Found {
  const other = anotherThanActor({ userIds, actorId }) ?? 'a user beside that of ACTOR_ID'
  const isAssigned = trail.updates.some(({ sent }) => isSameId(sent.to?.id, other))
  premise(isAssigned, 'data', `no update to ${other} was accepted, whose event could be found`)
  const { shows: _, ...shown } = trail
  return { ...trail.foundWith, ...shown, byUser: trail.shownBy.byUser, actor: actorId, other }
}

type Missing = Found & { missed: Missed | undefined }

function problemsOfFound({ assigner, assignee, actor, missed, ...of }: Missing): Problem[] {
  const { updates, newEvents, byUser } = of
  const control = updates.map(acceptedOf)
  const findingOf = (got: number, although: string) =>
    rowsFinding({
      wrong: 'number',
      place: placeBy(actor, of),
      wanted: { least: updates.length },
      got,
      to: 'the number of updates by this user',
      although,
    })
  if (missed) {
    const others = `the filter finds other events; the column of auditee_id contains ${missed.named || 'nobody'}`
    const { files: judged } = missed
    return [problem(findingOf(0, others), { judged, control, again: lateEvents })]
  }
  // Another clause judges missing events.
  const isFound = assigner >= Math.min(newEvents, updates.length)
  premise(
    isFound ? assignee < assigner : assignee > 0 || assigner > 0,
    'freedom',
    `${assigner} of ${updates.length} events are found with auditee_id of the assigner, ${assignee} with that of the assignee`,
  )
  const finding = findingOf(assigner, `the id of the assignee finds ${eventsOf(assignee)}`)
  return problemUnless(isFound, finding, { judged: byUser, control, again: lateEvents })
}

/** Exported cells are personal data: no more than shows which event it is. */
const longestEvent = 80

function problemsOfEither({ assigner, assignee, showing, others, actor, ...of }: Found): Problem[] {
  const { other, byUser, updates, query } = of
  const unshown = `no event that is found with auditee_id=${actor} shows the comment of its update`
  premise(showing.length > 0, 'freedom', unshown)
  const ignored = `${assignee} of ${assigner} events are found with auditee_id=${other} too: the service may not accept the filter in the form in which it was sent`
  premise(assignee < assigner, 'freedom', ignored)
  return others.flatMap(({ id, rows, file: judged }) => {
    const [cells] = rows
    if (!cells) return []
    const event = cells.filter(Boolean).join(', ')
    const finding = rowsFinding({
      wrong: 'strange',
      place: placeBy(id, { updates, query }),
      wanted: exactly(0),
      got: rows.length,
      count: rows.length,
      first: [event.slice(0, longestEvent)],
      to: `such as ${shown(event)}, as auditee_id=${actor}, who assigned, finds them too`,
    })
    return problem(finding, { judged, control: byUser[0] })
  })
}
