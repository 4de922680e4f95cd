import { distinct } from '../engine/distinct.ts'
import { describeAnswer, isAccepted, membersOf } from '../engine/http/answers.ts'
import { mediaTypeOf, refusalShape } from '../engine/http/shapes.ts'
import { clausesOf } from '../helpers/clause.ts'
import { updatesIn } from '../helpers/recorded/update-cases.ts'
import { premise } from '../helpers/service/answers.ts'
import { type Attempt, type AttemptResult, asUnassign } from '../helpers/updates/attempt.ts'
import type { Attempts } from '../helpers/updates/attempts.ts'
import {
  acceptedOf,
  answeredBy,
  asCase,
  type Step,
  wasTakenAtOnce,
} from '../helpers/updates/step.ts'

const clause = clausesOf({ section: 'Update a task assignment', operation: 'assign.update' })

const open = { on: 'unassigned', fate: 'open' } as const
const sent =
  (what: string, body: Attempt['body'], how: Pick<Attempt, 'on' | 'fate'> = open) =>
  async ({ attempts }: { attempts: Attempts }) =>
    [asCase({ ...(await attempts.try({ what, body, ...how })) })] as const

const effect = {
  look: ([one]: readonly AttemptResult[]) => effectOf(one as AttemptResult),
  needs: 'an unusual update',
}

clause('assign.both-objects', {
  observe: 'what an update with both an update object and an unassign object does',
  ...effect,
})(
  sent('with both objects', (valid) => ({
    update: valid,
    unassign: { assigned_by_id: valid.assigned_by_id },
  })),
)

clause('assign.neither-object', {
  observe: 'what an update with neither an update object nor an unassign object does',
  ...effect,
})(sent('with neither object', () => ({})))

clause('assign.unassign-unassigned', {
  observe: 'what an unassign request does to a task that has no assignment',
  section: 'States and transitions',
  ...effect,
})(sent('that unassigns the unassigned', asUnassign))

clause('assign.unknown-assignee', {
  observe: 'what an update to an assignee who does not exist does',
  ...effect,
})(
  sent('to a user who does not exist', (valid) => ({
    update: { ...valid, assigned_to_id: 'ffffffff-ffff-4fff-bfff-fffffffffff0' },
  })),
)

clause('assign.extra-fields', {
  observe: 'what fields beyond the contract do in an update',
  ...effect,
})(
  sent('with further fields', (valid) => ({
    update: { ...valid, priority: 'high' },
    trace: 'contract-test',
  })),
)

clause('assign.same-assignee', {
  observe: 'what an update to the current assignee does',
  section: 'States and transitions',
  ...effect,
})(
  sent(
    'to the same assignee',
    (valid, _, now) => {
      const { assigned_to_id, assigned_to_type } = now ?? {}
      return { update: { ...valid, assigned_to_id, assigned_to_type } }
    },
    { on: 'assigned' },
  ),
)

clause('assign.success-status', {
  observe: 'the status of a successful update',
  section: 'Endpoints',
  look: (steps: readonly Step[]) => {
    const statuses = (of: Step[]) => distinct(of.map((step) => acceptedOf(step).status))
    const isUnassign = ({ sent }: Step) => sent.to === null
    return {
      update: statuses(steps.filter((step) => !isUnassign(step))),
      unassign: statuses(steps.filter(isUnassign)),
    }
  },
  needs: 'an accepted update',
})(({ sequence }) => sequence.accepted('transitions'))

clause('assign.content-type', {
  observe: 'the media type of the response to an update',
  section: 'Endpoints',
  look: (steps: readonly Pick<Step, 'answer' | 'control'>[]) =>
    distinct(steps.map((step) => mediaTypeOf(acceptedOf(step)) ?? 'none')),
  needs: 'an accepted update',
  seen: updatesIn(({ seen: { answer } }) => (isAccepted(answer) ? { answer } : undefined)),
})(({ sequence }) => sequence.accepted('transitions'))

const lengths = [5001, 1025, 256]

clause('assign.comment-limit', {
  observe:
    'whether comments of 256, 1,025 and 5,001 characters are accepted, and how much of each is kept',
  look: (tried: readonly OfLength[]) =>
    Object.fromEntries([
      ...lengths.map((length) => [length, `kept ${length}`]),
      ...tried.map((one) => [one.length, lengthOf(one)]),
    ]),
  needs: 'a long comment',
})(({ attempts }) => tryLengths(attempts))

clause('assign.comment-trimming', {
  observe: 'whether spaces around a comment are kept',
  look: ([one]: readonly AttemptResult[]) => {
    const comment = commentOf(one as AttemptResult)
    return { leading: comment.startsWith('  '), trailing: comment.endsWith('  ') }
  },
  needs: 'a comment with spaces around it',
})(async ({ attempts }) => {
  const padded = commented('with spaces around the comment', (text) => `  ${text}  `)
  const [one] = await padded({ attempts })
  premise(
    isAccepted(one.answer),
    'freedom',
    `${describeAnswer(one.answer)} to a comment with spaces around it; the contract does not specify limits of comments`,
  )
  return [one]
})

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
  clause(id, {
    observe,
    section,
    look: (steps: readonly Step[]) => distinct(steps.map((step) => moveOf(step, field))),
    needs: 'an accepted update',
  })(async ({ sequence }) => {
    const all = await sequence.accepted('transitions')
    // Another writer changed the task before the update, which was rejected at first.
    const steps = all.filter(wasTakenAtOnce)
    return steps.length > 0 ? steps : all
  })

clause('assign.read-lag', {
  observe: 'whether reads lag behind updates',
  section: 'States and transitions',
  varies: 'the moment',
  look: (steps: readonly Step[]) =>
    steps.some(({ lagging }) => lagging > 0) ? 'some reads do' : 'no read did',
  needs: 'an accepted update',
})(({ sequence }) => sequence.accepted('transitions'))

const commented = (what: string, from: (comment: string) => string) =>
  sent(what, (valid, comment = 'Contract test, please ignore') => ({
    update: { ...valid, assignment_comment: from(comment) },
  }))

const commentOf = ({ stored }: AttemptResult) => stored.assignment?.assignment_comment ?? ''

const lengthOf = (one: AttemptResult) =>
  isAccepted(one.answer) ? `kept ${commentOf(one).length}` : one.answer.status

type OfLength = AttemptResult & { length: number }

async function* tryLengths(attempts: Attempts): AsyncGenerator<OfLength> {
  for (const length of lengths) {
    const from = (text: string) => text.padEnd(length, ' x')
    const update = commented(`with a comment of ${length} characters`, from)
    const [one] = await update({ attempts })
    yield Object.assign(one, { length })
    if (isAccepted(one.answer) && commentOf(one).length === length) return
  }
}

function effectOf({ answer, before, stored }: AttemptResult) {
  const [first, last] = [before, stored].map((each) =>
    JSON.stringify(each.assignment).toLowerCase(),
  )
  const effect = isAccepted(answer)
    ? { accepted: answer.status }
    : { refused: refusalShape(answer) }
  return {
    ...effect,
    assignment: first === last ? 'kept' : stored.assignment ? 'changed' : 'removed',
  }
}

function moveOf(step: Step, field: 'data_version' | 'locked_at' | 'status'): string {
  const [before, after] = [step.before[field], membersOf(acceptedOf(step))[field]]
  if (before === after) return 'stays'
  if (typeof before === 'number' && typeof after === 'number')
    return after === before + 1 ? 'by one' : after > before ? 'up' : 'down'
  return after === answeredBy(step).updated_at ? 'becomes updated_at' : 'changes'
}
