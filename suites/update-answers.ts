import { expect, expectThat } from '../engine/clause/matchers.ts'
import { describeAnswer, isAccepted, isRefused } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import { codesIn, headersShown, refusalShape } from '../engine/http/shapes.ts'
import { NotDecidable } from '../engine/outcome.ts'
import { type Problem, problem } from '../engine/problem.ts'
import { shown } from '../engine/shown.ts'
import { clausesOf } from '../helpers/clause.ts'
import type { Givens } from '../helpers/givens.ts'
import { again } from '../helpers/service/again.ts'
import { premise, taskIn } from '../helpers/service/answers.ts'
import { isAssignedTo } from '../helpers/service/assignments.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { updateBody } from '../helpers/service/update-request.ts'
import { needAnybody } from '../helpers/updates/controls.ts'
import { fetchMismatch, tryCurrentVersions } from '../helpers/updates/current-accepted.ts'
import {
  foreignMembers,
  namesTaken,
  versionsShownBeside,
} from '../helpers/updates/further-updates.ts'
import { acceptedOf, type Step } from '../helpers/updates/step.ts'

const clause = clausesOf({ section: 'Errors', operation: 'assign.update' })
const version = clausesOf({ title: 'Optimistic concurrency', section: 'Errors' })
const further = clausesOf({ title: 'Update a task assignment' })
const longAgo = '2001-01-01T00:00:00.000Z'

clause('assign.headers', {
  observe: 'which headers every accepted update comes with',
  section: 'Endpoints',
})(async ({ sequence }) => headersShown((await sequence.accepted('transitions')).map(acceptedOf)))

for (const [id, observe, told] of [
  ['assign.error-body', 'what refusals of an update look like', refusalShape],
  ['assign.error-codes', 'which codes and fixed words refusals of an update carry', codesIn],
] as const)
  clause(id, { observe })(async ({ session, shared, unknownId, actor, user }) => {
    const body = updateBody(actor, user)
    const refusals = await shared('updates that are refused', (service) =>
      session.lending.lend('any state', service, async ({ task: { id, updated_at } }) => ({
        'unknown id': await service.put(unknownId, longAgo, body),
        'no key': await service.put(unknownId, longAgo, body, { key: null }),
        'stale If-Match': await service.put(id, longAgo, body),
        'no If-Match': await service.put(id, undefined, body),
        'neither object': await service.put(id, updated_at, {}),
      })),
    )
    return Object.fromEntries(Object.entries(refusals).map(([name, one]) => [name, told(one)]))
  })

clause('assign.validation-order', {
  observe: 'which of several mistakes in one update is refused first',
})(async ({ service, borrowed, unknownId, actor, user, random }) => {
  const { id } = borrowed.task
  const key = random.string.alphanumeric(32)
  const valid = updateBody(actor, user)
  const put = async (...request: Parameters<typeof service.put>) => {
    const answer = await service.put(...request)
    return isAccepted(answer) ? 'accepted' : answer.status
  }
  return {
    'bad key, unknown id, stale If-Match': await put(unknownId, longAgo, valid, { key }),
    'bad key, unknown id, invalid body': await put(unknownId, longAgo, {}, { key }),
    'bad key, stale If-Match': await put(id, longAgo, valid, { key }),
    'bad key, invalid body': await put(id, longAgo, {}, { key }),
    'unknown id, stale If-Match': await put(unknownId, longAgo, valid),
    'unknown id, invalid body': await put(unknownId, longAgo, {}),
    'unknown id, no If-Match': await put(unknownId, undefined, {}),
    'stale If-Match, invalid body': await put(id, longAgo, { update: {} }),
    'no If-Match, invalid body': await put(id, undefined, { update: {} }),
    'stale If-Match, not JSON': await put(id, longAgo, '{'),
  }
})

version('version.mismatch-answered', {
  should: 'answer an update whose If-Match is wrong, and the read that follows it',
})(async ({ borrowed, service, actor, people, unknownId, note }) => {
  const to = needAnybody(people)
  const { seen, problems } = await fetchMismatch(borrowed, service, { actor, to, unknownId })
  expect(problems).toBeNone()
  note(seen ?? '')
})

version('version.current-accepted', {
  must: 'accept an update whose If-Match is the updated_at that reads show',
  reading: '409 is stated for a version mismatch alone',
})(async ({ sequence, session, service, note }) => {
  try {
    const [step] = await sequence.accepted('transitions')
    if (step) note(`${describeAnswer(acceptedOf(step))} to the version that a read had shown`)
    return
  } catch (error) {
    // No update was accepted: find out here whether the version is the reason.
    if (!(error instanceof NotDecidable) || error.why.cause !== 'clause') throw error
  }
  const { accepted, breaches } = await tryCurrentVersions({ ...session, service })
  if (accepted) note(`${describeAnswer(accepted)} to the version that a read had shown`)
  expect(breaches).toBeNone()
})

further('assign.by-another', {
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

further('assign.new-version.same-assignee', {
  should: 'give a new updated_at to an update that changes only the comment or the assigner',
  section: 'Task',
  reading: 'an accepted update is carried out, also for the current assignee; it may be refused',
})(async ({ furtherUpdates, note }) => {
  const { sent, before, answer, after } = furtherUpdates.sameAssignee
  const [former, comment] = [before, after].map((task) => task.assignment?.assignment_comment)
  const told = `${describeAnswer(answer)} to the assignee that the task has already, and`
  expectThat(isAccepted(answer) || comment !== sent, `${told} nevertheless its comment is shown`, {
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

further('assign.new-version.shown', {
  should: 'show the updated_at of an answer in a read, or accept it as If-Match at once',
  section: 'Task',
})(async ({ sequence, furtherUpdates, session, service, people, actor, note }) => {
  const steps = await sequence.accepted('transitions')
  const { first, afterUpdate, afterUnassign } = furtherUpdates.atOnce
  const updates = { atOnce: afterUpdate, of: steps.filter(({ sent }) => sent.to) }
  const unassigns = { atOnce: afterUnassign, of: steps.filter(({ sent }) => !sent.to) }
  const problems = {
    updates: problemsOfUnshown('updates', updates, unassigns),
    unassigns: problemsOfUnshown('unassigns', unassigns, updates),
  }
  const to = needAnybody(people)
  const { lending } = session
  const isClear = Object.values(problems).every(({ length }) => length === 0)
  const beside = isClear ? undefined : await versionsShownBeside({ lending, service, actor, to })
  expect([
    ...(beside?.updates ? [] : problems.updates),
    ...(beside?.unassigns ? [] : problems.unassigns),
  ]).toBeNone()
  const read = `${steps.filter(isRead).length} of ${steps.length} answers`
  note(`reads gave the updated_at of ${read}, and ${describeAnswer(first)} to one sent at once`)
})

type OfKind = { atOnce: Answer | undefined; of: readonly Step[] }

const isRead = ({ versionWasRead }: Step) => versionWasRead
const isShown = ({ of, atOnce }: OfKind) => of.some(isRead) || (atOnce && isAccepted(atOnce))

/** A single kind is distinguished from a background touch only if all tasks of the other kind were read. */
function problemsOfUnshown(what: string, kind: OfKind, other: OfKind): Problem[] {
  const { atOnce, of } = kind
  const isAlone = other.of.length > 1 && other.of.every(isRead)
  if (!atOnce || isShown(kind) || (isShown(other) && !isAlone)) return []
  const sentence = `no read showed the updated_at of any of ${of.length} answers to ${what}, and ${describeAnswer(atOnce)} when one was sent at once`
  return [
    problem(sentence, {
      expected: '2xx, or a read that shows it',
      judged: atOnce,
      again: { why: 'two updates have to follow each other at once' },
      control: of.flatMap((step) => [acceptedOf(step), step.stored]),
    }),
  ]
}

further('assign.extra-fields.ignored', {
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
