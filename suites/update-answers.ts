import { isDeepStrictEqual } from 'node:util'
import { type Case, caseOf, derivedFrom, valueIn } from '../engine/clause/case.ts'
import { counted } from '../engine/counted.ts'
import { distinct } from '../engine/distinct.ts'
import { memberFinding } from '../engine/findings/member.ts'
import {
  describeAnswer,
  isAccepted,
  isObject,
  isRefused,
  membersOf,
} from '../engine/http/answers.ts'
import {
  codesIn,
  headersShown,
  mediaTypeOf,
  refusalShape,
  statusOfRefusal,
} from '../engine/http/shapes.ts'
import { problemsOfStatus } from '../engine/http/status-problems.ts'
import { toSet } from '../engine/outcome.ts'
import { type Problem, problem, problemUnless } from '../engine/problem.ts'
import { clausesOf } from '../helpers/clause.ts'
import { fieldsWith } from '../helpers/contract/fields.ts'
import { effectFinding } from '../helpers/findings/effect.ts'
import type { Givens } from '../helpers/givens.ts'
import type { Loan } from '../helpers/loans/lending.ts'
import { byKind, type Refused } from '../helpers/reads/refusals.ts'
import { commentPath } from '../helpers/service/again.ts'
import { needAssignmentIn, premise, type Task, taskIn } from '../helpers/service/answers.ts'
import { commentShownIn, isAssignedTo } from '../helpers/service/assignments.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { ownersOfChange } from '../helpers/service/owners.ts'
import type { Service } from '../helpers/service/service.ts'
import type { Assignee, How } from '../helpers/service/update-request.ts'
import { type Attempt, type AttemptResult, asUnassign } from '../helpers/updates/attempt.ts'
import { type Attempts, effectOf, watchedOf } from '../helpers/updates/attempts.ts'
import { foreignMembers, namesTaken } from '../helpers/updates/further-updates.ts'
import { send, type Update } from '../helpers/updates/sender.ts'
import {
  acceptedOf,
  answeredBy,
  caseOfStep,
  judgedInStep,
  type Step,
  type Updated,
  wasTakenAtOnce,
} from '../helpers/updates/step.ts'

const clause = clausesOf({ section: 'Errors', operation: 'assign.update' })
const further = clausesOf({ title: 'Update a task assignment' })
const longAgo = '2001-01-01T00:00:00.000Z'

clause('assign.headers', {
  observe: 'which headers every response to an accepted update has',
  section: 'Endpoints',
  look: headersShown,
})(['sequence'], async ({ sequence }) => (await sequence.accepted('transitions')).map(acceptedOf))

for (const [id, observe, shownOf] of [
  ['body', 'what error responses to an update look like', refusalShape],
  ['codes', 'which error codes and fixed texts the error responses to an update contain', codesIn],
] as const)
  clause(`assign.error-${id}`, {
    observe,
    look: byKind(shownOf),
  })(['session', 'shared', 'unknownId', 'user'], ({ session, shared, unknownId: id, user: to }) =>
    shared('updates that are rejected', (service) =>
      session.lending.lend('any state', service, (loan) =>
        sendInTurn(loan, {
          'unknown id': { id, ifMatch: longAgo, to },
          'no key': { id, ifMatch: longAgo, to, how: { key: null } },
          'stale If-Match': { ifMatch: longAgo, to },
          'no If-Match': { ifMatch: undefined, to },
          'neither object': { ifMatch: loan.task.updated_at, body: {} },
        }),
      ),
    ),
  )

clause('assign.validation-order', {
  observe: 'which of several mistakes in one update determines the response',
  look: byKind(statusOfRefusal),
})(['random', 'unknownId', 'user', 'borrowed'], ({ random, unknownId, user, borrowed }) =>
  sendInTurn(borrowed, mistaken(unknownId, user, { key: random.string.alphanumeric(32) })),
)

const mistaken = (
  id: string,
  to: Assignee,
  how: How,
  ifMatch = longAgo,
): Record<string, Update> => ({
  'bad key, unknown id, stale If-Match': { id, ifMatch, to, how },
  'bad key, unknown id, invalid body': { id, ifMatch, body: {}, how },
  'bad key, stale If-Match': { ifMatch, to, how },
  'bad key, invalid body': { ifMatch, body: {}, how },
  'unknown id, stale If-Match': { id, ifMatch, to },
  'unknown id, invalid body': { id, ifMatch, body: {} },
  'unknown id, no If-Match': { id, ifMatch: undefined, body: {} },
  'stale If-Match, invalid body': { ifMatch, body: { update: {} } },
  'no If-Match, invalid body': { ifMatch: undefined, body: { update: {} } },
  'stale If-Match, not JSON': { ifMatch, body: '{' },
})

async function sendInTurn(loan: Loan, updates: Record<string, Update>): Promise<Case<Refused>[]> {
  const refused: Case<Refused>[] = []
  for (const [kind, update] of Object.entries(updates)) {
    const answer = await send(loan, update)
    refused.push(caseOf({ kind, answer }, { judged: answer }))
  }
  return refused
}

type ByAnother = NonNullable<Givens['furtherUpdates']['byAnother']>

further('assign.by-another', {
  should:
    'return the id of a second user as assigned_by_id when an update is sent in that user’s name',
  section: 'Assignment',
  law: problemsOfAssigner,
  of: (decided) => `assigned_by_id is ${decided.map(({ by }) => by)}, as sent`,
  none: toSet(['USER_IDS'], ': two or more users whom the service accepts'),
})(['furtherUpdates'], async ({ furtherUpdates: { byAnother } }) =>
  byAnother ? [caseOfStep(byAnother)] : [],
)

function problemsOfAssigner({ by, answer, to }: ByAnother): Problem[] {
  const told = describeAnswer(answer)
  const open = `${told} to an update in the name of ${by}; the contract does not say who may assign`
  premise(!isRefused(answer), 'freedom', open)
  const assignment = needAssignmentIn(answer)
  const { assignment: inAnswer } = membersOf(answer)
  const shownBy = isObject(inAnswer) ? inAnswer.assigned_by_id : undefined
  const other = 'the response contains another assignment than the update'
  premise(isAssignedTo(assignment, to), 'clause', other, 'assign.fields-as-given')
  const finding = memberFinding(answer, {
    member: 'assignment.assigned_by_id',
    got: shownBy,
    wanted: { kind: 'value', value: by, anyCase: true, isSent: true },
  })
  return problemUnless(isSameId(shownBy, by), finding, { judged: answer })
}

further('assign.new-version.same-assignee', {
  should:
    'return a new updated_at when only the comment or the assigner changes, or reject the update and leave the comment unchanged',
  section: 'Task',
  reading: 'an accepted update changes the task, also for the current assignee; it may be rejected',
  law: problemsOfSameVersion,
  of: (decided) => `updated_at was ${decided.map(({ before }) => before.updated_at)} and is new`,
})(['furtherUpdates'], async ({ furtherUpdates }) => [caseOfStep(furtherUpdates.sameAssignee)])

type SameAssignee = Givens['furtherUpdates']['sameAssignee']

function problemsOfSameVersion(one: SameAssignee): Problem[] {
  const { sent, before, answer, stored } = one
  const comment = stored.assignment?.assignment_comment
  const told = `${describeAnswer(answer)} to an update to the current assignee`
  if (!isAccepted(answer) && comment === sent)
    return [problem(findingOfComment(one), { judged: [answer, stored] })]
  premise(isAccepted(answer), 'freedom', `${told}, and the task keeps the comment before`)
  const { updated_at } = taskIn(answer)
  const how = comment === sent ? 'with a new comment' : 'without the comment that was sent'
  const finding = memberFinding(answer, {
    member: 'updated_at',
    got: updated_at,
    wanted: { kind: 'new value' },
    to: `to an update to the current assignee, ${how}`,
  })
  const isNew = updated_at !== before.updated_at
  return problemUnless(isNew, finding, { judged: answer, control: before })
}

const findingOfComment = ({ answer, before, stored }: SameAssignee) =>
  effectFinding(
    answer,
    {
      effect: 'changed',
      member: commentPath,
      before: before.assignment?.assignment_comment,
      after: stored.assignment?.assignment_comment,
    },
    { to: 'to an update to the current assignee' },
  )

further('assign.new-version.shown', {
  should:
    'return the updated_at of an update response in a read, or accept it as If-Match immediately',
  section: 'Task',
  law: problemsOfUnshown,
  of: ([one]) => describeShown(one as AtOnce),
})(
  ['session', 'service', 'sequence', 'furtherUpdates'],
  async ({ session, service, sequence, furtherUpdates: { atOnce } }) => {
    const steps = await sequence.accepted('transitions')
    const isRestless = await session.lending.lend('any state', service, ({ task }) =>
      changesWhenRead(service, task.id),
    )
    const judged = Object.values(atOnce)
    return [caseOf({ steps, atOnce, isRestless }, { judged, control: steps.map(judgedInStep) })]
  },
)

type AtOnce = {
  steps: readonly Step[]
  atOnce: Givens['furtherUpdates']['atOnce']
  isRestless: boolean
}

async function changesWhenRead(service: Service, id: string): Promise<boolean> {
  const versions = new Set<unknown>()
  for (let look = 0; look < 3; look += 1) {
    const answer = await service.readTask(id)
    versions.add(isAccepted(answer) ? taskIn(answer).updated_at : undefined)
  }
  return versions.size === 3
}

const isRead = ({ versionWasRead }: Step) => versionWasRead

const describeShown = ({ steps, atOnce }: AtOnce) =>
  `reads returned the updated_at of ${steps.filter(isRead).length} of ${counted(steps.length, 'response')}; sent at once: ${Object.values(atOnce).map(describeAnswer).join(', ')}`

/** Whether the read after an update shows what neither its answer nor a read before it did: something else wrote it. */
function isWrittenSince(step: Step): boolean {
  const { before, stored } = step
  const answer: Partial<Task> = answeredBy(step)
  const isNew = (field: string) =>
    [before, answer].every((each) => !isDeepStrictEqual(each[field], stored?.[field]))
  const fields = fieldsWith('task', ({ kept, unruled }) => kept || unruled)
  // An answer with the old version shows nothing of its own update.
  return answer.updated_at !== before.updated_at && stored !== undefined && fields.some(isNew)
}

/**
 * A change by itself looks the same for one kind of update, unless all tasks of the other kind were read. One that
 * writes nothing but updated_at looks like an answer with another version than is stored: the contract says that the
 * answer is the updated Task with the new updated_at, and so it warns, unless another field shows that change.
 */
function problemsOfUnshown({ steps, atOnce, isRestless }: AtOnce): Problem[] {
  const kinds = {
    updates: steps.filter(({ sent }) => sent.to),
    unassigns: steps.filter(({ sent }) => !sent.to),
  }
  const isShown = (what: keyof AtOnce['atOnce']) =>
    kinds[what].some(isRead) || (atOnce[what] !== undefined && isAccepted(atOnce[what]))
  const problems = (['updates', 'unassigns'] as const).flatMap((what) => {
    const [next, other] = [atOnce[what], what === 'updates' ? 'unassigns' : 'updates'] as const
    const others = kinds[other]
    const isAlone = others.length > 1 && others.every(isRead)
    if (!next || isShown(what) || (isShown(other) && !isAlone)) return []
    return problemsOfStatus(next, '2xx', {
      to: 'to the updated_at of the response before it, sent at once as If-Match',
      although: `no read returned the updated_at of a response to ${what} either`,
      control: kinds[what].flatMap((step) => [acceptedOf(step), step.stored]),
      again: { why: 'two updates have to follow each other at once' },
    })
  })
  const isTouched = isRestless || steps.every((step) => !isRead(step) && isWrittenSince(step))
  const touched =
    'reads show other changes of the task than updates; the contract does not say what else changes it'
  premise(problems.length === 0 || !isTouched, 'freedom', touched)
  const isEither = problems.length > 0 || Object.values(kinds).every(({ length }) => length > 0)
  const unknown = 'no response to an accepted update, or to an accepted unassign request, is a task'
  premise(isEither, 'clause', unknown, 'assign.answer-is-task', ...ownersOfChange)
  return problems
}

further('assign.extra-fields.ignored', {
  should: 'ignore name, c_name and custom_metadata in an accepted update',
  section: 'Update a task assignment',
  law: problemsOfMembers,
  of: `accepted, and ${Object.keys(foreignMembers).join(', ')} as before`,
})(['furtherUpdates'], async ({ furtherUpdates }) => furtherUpdates.foreignMembers.map(caseOfStep))

function problemsOfMembers({ before, answer, stored }: Updated): Problem[] {
  const refused = `${describeAnswer(answer)} to members that the contract does not name`
  premise(isAccepted(answer), 'freedom', refused)
  return namesTaken(stored).map((member) => {
    const finding = memberFinding(answer, {
      in: 'read',
      member,
      got: stored[member],
      wanted: { kind: 'same value', as: 'before', value: before[member] },
      although: 'an update has no such field',
    })
    const again = { why: 'the task would be left changed' }
    return problem(finding, { judged: [answer, stored], again })
  })
}

const observing = clausesOf({ section: 'Update a task assignment', operation: 'assign.update' })

type OfAttempts = { attempts: Attempts }
const sent =
  (what: string, body: Attempt['body'], on: Attempt['on'] = 'unassigned') =>
  async ({ attempts }: OfAttempts) => {
    const fate = on === 'unassigned' ? { fate: 'open' as const } : {}
    return [watchedOf(await attempts.try({ what, body, on, ...fate }))] as const
  }

const unusual: Record<string, [observe: string, ...Parameters<typeof sent>]> = {
  'both-objects': [
    'an update with both an update object and an unassign object does',
    'with both objects',
    (valid) => ({ update: valid, unassign: { assigned_by_id: valid.assigned_by_id } }),
  ],
  'neither-object': [
    'an update with neither an update object nor an unassign object does',
    'with neither object',
    () => ({}),
  ],
  'unassign-unassigned': [
    'an unassign request does to a task that has no assignment',
    'that unassigns the unassigned',
    asUnassign,
  ],
  'unknown-assignee': [
    'an update to an assignee who does not exist does',
    'to a user who does not exist',
    (valid) => ({ update: { ...valid, assigned_to_id: 'ffffffff-ffff-4fff-bfff-fffffffffff0' } }),
  ],
  'extra-fields': [
    'fields beyond the contract do in an update',
    'with further fields',
    (valid) => ({ update: { ...valid, priority: 'high' }, trace: 'contract-test' }),
  ],
  'same-assignee': [
    'an update to the current assignee does',
    'to the same assignee',
    (valid, _, now) => {
      const { assigned_to_id, assigned_to_type } = now ?? {}
      return { update: { ...valid, assigned_to_id, assigned_to_type } }
    },
    'assigned',
  ],
}

for (const [id, [observe, ...update]] of Object.entries(unusual))
  observing(`assign.${id}`, {
    observe: `what ${observe}`,
    ...(id.startsWith('unassign') || id.startsWith('same')
      ? { section: 'States and transitions' }
      : {}),
    look: ([one]: readonly AttemptResult[]) => effectOf(one as AttemptResult),
  })(['attempts'], sent(...update))

type OfSequence = { sequence: { accepted(of: 'transitions'): Promise<Step[]> } }

const accepted = async ({ sequence }: OfSequence) =>
  (await sequence.accepted('transitions')).map(caseOfStep)

observing('assign.success-status', {
  observe: 'the status of a successful update',
  section: 'Endpoints',
  look: (steps: readonly Step[]) => {
    const statuses = (isUnassign: boolean) =>
      distinct(
        steps.flatMap((step) =>
          (step.sent.to === null) === isUnassign ? acceptedOf(step).status : [],
        ),
      )
    return { update: statuses(false), unassign: statuses(true) }
  },
})(['sequence'], accepted)

observing('assign.content-type', {
  observe: 'the media type of the response to an update',
  section: 'Endpoints',
  look: (steps: readonly Step[]) =>
    distinct(steps.map((step) => mediaTypeOf(acceptedOf(step)) ?? 'none')),
})(['sequence'], accepted)

for (const [id, observe, field, section] of [
  ['assign.data-version-rule', 'how an update changes data_version', 'data_version', 'Task'],
  ['assign.locked-at-rule', 'how an update changes locked_at', 'locked_at', 'Task'],
  [
    'assign.status-rule',
    'how an update changes the status of a task',
    'status',
    'States and transitions',
  ],
] as const)
  observing(id, {
    observe,
    section,
    look: (steps: readonly Step[]) => distinct(steps.map((step) => moveOf(step, field))),
  })(['sequence'], async ({ sequence }) => {
    const all = await sequence.accepted('transitions')
    // Another writer changed the task before the update, which was rejected at first.
    const steps = all.filter(wasTakenAtOnce)
    return (steps.length > 0 ? steps : all).map(caseOfStep)
  })

function moveOf(step: Step, field: 'data_version' | 'locked_at' | 'status'): string {
  const [before, after] = [step.before[field], membersOf(acceptedOf(step))[field]]
  if (before === after) return 'stays'
  if (typeof before === 'number' && typeof after === 'number')
    return after === before + 1 ? 'by one' : after > before ? 'up' : 'down'
  return after === answeredBy(step).updated_at ? 'becomes updated_at' : 'changes'
}

observing('assign.read-lag', {
  observe: 'whether reads lag behind updates',
  section: 'States and transitions',
  varies: 'the moment',
  look: (steps: readonly Step[]) =>
    steps.some(({ lagging }) => lagging > 0) ? 'some reads do' : 'no read did',
})(['sequence'], accepted)

const lengths = [5001, 1025, 256]

observing('assign.comment-limit', {
  observe:
    'whether comments of 256, 1,025 and 5,001 characters are accepted, and how much of each is kept',
  look: (tried: readonly OfLength[]) =>
    Object.fromEntries([
      ...lengths.map((length) => [length, `kept ${length}`]),
      ...tried.map(({ length, answer, kept }) => [
        length,
        isAccepted(answer) ? `kept ${kept.length}` : answer.status,
      ]),
    ]),
})(['attempts'], ({ attempts }) => tryLengths(attempts))

observing('assign.comment-trimming', {
  observe: 'whether spaces around a comment are kept',
  look: ([one]: readonly Commented[]) => {
    const { kept = '' } = one ?? {}
    return { leading: kept.startsWith('  '), trailing: kept.endsWith('  ') }
  },
})(['attempts'], async ({ attempts }) => {
  const what = 'with spaces around the comment'
  const commented = await tryComment(attempts, what, (text) => `  ${text}  `)
  const { answer } = valueIn(commented)
  const open = `${describeAnswer(answer)} to a comment with spaces around it; the contract does not specify limits of comments`
  premise(isAccepted(answer), 'freedom', open)
  return [commented]
})

type Commented = Pick<AttemptResult, 'answer'> & { kept: string }
type OfLength = Commented & { length: number }

async function tryComment(
  attempts: Attempts,
  what: string,
  from: (comment: string) => string,
): Promise<Case<Commented>> {
  const [tried] = await sent(what, (valid, comment = 'Contract test, please ignore') => ({
    update: { ...valid, assignment_comment: from(comment) },
  }))({ attempts })
  return derivedFrom(tried, ({ answer, stored }) => ({
    answer,
    kept: commentShownIn(stored.assignment) ?? '',
  }))
}

async function* tryLengths(attempts: Attempts): AsyncGenerator<Case<OfLength>> {
  for (const length of lengths) {
    const what = `with a comment of ${length} characters`
    const commented = await tryComment(attempts, what, (text) => text.padEnd(length, ' x'))
    yield derivedFrom(commented, (value) => ({ ...value, length }))
    const { answer, kept } = valueIn(commented)
    if (isAccepted(answer) && kept.length === length) return
  }
}
