import { distinct } from '../engine/distinct.ts'
import { describeAnswer, isAccepted, membersOf } from '../engine/http/answers.ts'
import { mediaTypeOf, refusalShape } from '../engine/http/shapes.ts'
import { clausesOf } from '../helpers/clause.ts'
import { premise } from '../helpers/service/answers.ts'
import { answeredBy } from '../helpers/updates/after-update.ts'
import { type Attempt, type AttemptResult, asUnassign } from '../helpers/updates/attempt.ts'
import type { Attempts } from '../helpers/updates/attempts.ts'
import type { SequenceView } from '../helpers/updates/sequence.ts'
import { acceptedOf, type Step, wasTakenAtOnce } from '../helpers/updates/step.ts'

const clause = clausesOf({ section: 'Update a task assignment', operation: 'assign.update' })

clause('assign.both-objects', {
  observe: 'what an update with both objects does',
})(({ attempts }) =>
  effectOf(attempts, 'with both objects', (valid) => ({
    update: valid,
    unassign: { assigned_by_id: valid.assigned_by_id },
  })),
)

clause('assign.neither-object', {
  observe: 'what an update with neither object does',
})(({ attempts }) => effectOf(attempts, 'with neither object', () => ({})))

clause('assign.unassign-unassigned', {
  observe: 'what unassign answers for a task that has no assignment',
  section: 'States and transitions',
})(({ attempts }) => effectOf(attempts, 'that unassigns the unassigned', asUnassign))

clause('assign.unknown-assignee', {
  observe: 'what assigning to a user who does not exist does',
})(({ attempts }) =>
  effectOf(attempts, 'to a user who does not exist', (valid) => ({
    update: { ...valid, assigned_to_id: 'ffffffff-ffff-4fff-bfff-fffffffffff0' },
  })),
)

clause('assign.extra-fields', {
  observe: 'what fields that the contract does not name do in an update',
})(({ attempts }) =>
  effectOf(attempts, 'with further fields', (valid) => ({
    update: { ...valid, priority: 'high' },
    trace: 'contract-test',
  })),
)

clause('assign.same-assignee', {
  observe: 'what assigning to the assignee that a task has already does',
  section: 'States and transitions',
})(async ({ attempts }) => {
  const body: Attempt['body'] = (valid, _, before) => ({
    update: {
      ...valid,
      assigned_to_id: before?.assigned_to_id,
      assigned_to_type: before?.assigned_to_type,
    },
  })
  return describeEffect(await attempts.try({ what: 'to the same assignee', on: 'assigned', body }))
})

clause('assign.success-status', {
  observe: 'the status of a successful update',
  section: 'Endpoints',
})(async ({ sequence }) => {
  const steps = await sequence.accepted('transitions')
  const statuses = (of: Step[]) => distinct(of.map((step) => acceptedOf(step).status))
  const isUnassign = ({ sent }: Step) => sent.to === null
  return {
    update: statuses(steps.filter((step) => !isUnassign(step))),
    unassign: statuses(steps.filter(isUnassign)),
  }
})

clause('assign.content-type', {
  observe: 'the media type of the answers to updates',
  section: 'Endpoints',
})(async ({ sequence }) => {
  const steps = await sequence.accepted('transitions')
  return distinct(steps.map((step) => mediaTypeOf(acceptedOf(step)) ?? 'none'))
})

clause('assign.comment-limit', {
  observe: 'which of comments of 256, 1,025 and 5,001 characters are accepted',
})(async ({ attempts }) => {
  const seen: Record<number, string | number> = {}
  let kept = 0
  for (const length of [5001, 1025, 256]) {
    // What keeps a longer one whole keeps this one.
    if (kept > length) {
      seen[length] = `kept ${length}`
      continue
    }
    const what = `with a comment of ${length} characters`
    const from = (text: string) => text.padEnd(length, ' x')
    const { answer, after } = await attempts.try(commented(what, from))
    const whole = after.assignment?.assignment_comment?.length ?? 0
    if (isAccepted(answer) && whole === length) kept = length
    seen[length] = isAccepted(answer) ? `kept ${whole}` : answer.status
  }
  return seen
})

clause('assign.comment-trimming', {
  observe: 'whether spaces around a comment are kept',
})(async ({ attempts }) => {
  const padded = commented('with spaces around the comment', (text) => `  ${text}  `)
  const { answer, after } = await attempts.try(padded)
  premise(
    isAccepted(answer),
    'freedom',
    `${describeAnswer(answer)} to a comment with spaces around it; limits of comments are not shown`,
  )
  const comment = after.assignment?.assignment_comment ?? ''
  return { leading: comment.startsWith('  '), trailing: comment.endsWith('  ') }
})

clause('assign.data-version-rule', {
  observe: 'how data_version moves with an update',
  section: 'Task',
})(({ sequence }) => movement(sequence, 'data_version'))

clause('assign.locked-at-rule', {
  observe: 'how locked_at moves with an update',
  section: 'Task',
})(({ sequence }) => movement(sequence, 'locked_at'))

clause('assign.status-rule', {
  observe: 'how the status of a task moves with an update',
  section: 'States and transitions',
})(({ sequence }) => movement(sequence, 'status'))

clause('assign.read-lag', {
  observe: 'whether reads lag behind updates',
  section: 'States and transitions',
  varies: 'the moment',
})(async ({ sequence }) => {
  const steps = await sequence.accepted('transitions')
  return steps.some(({ lagging }) => lagging > 0) ? 'some reads do' : 'no read did'
})

/** An update whose effect the contract leaves open: it is sent once and described. */
const open = (what: string, body: Attempt['body']): Attempt => ({
  what,
  on: 'unassigned',
  isObserved: true,
  body,
})

const commented = (what: string, from: (comment: string) => string) =>
  open(what, (valid, comment = 'Contract test, please ignore') => ({
    update: { ...valid, assignment_comment: from(comment) },
  }))

const effectOf = async (attempts: Attempts, what: string, body: Attempt['body']) =>
  describeEffect(await attempts.try(open(what, body)))

function describeEffect({ answer, before, after }: AttemptResult) {
  const [first, last] = [before, after].map((each) => JSON.stringify(each.assignment).toLowerCase())
  const effect = isAccepted(answer)
    ? { accepted: answer.status }
    : { refused: refusalShape(answer) }
  return {
    ...effect,
    assignment: first === last ? 'kept' : after.assignment ? 'changed' : 'removed',
  }
}

/** How a field moves from before an update to its answer, over all updates. */
async function movement(sequence: SequenceView, field: 'data_version' | 'locked_at' | 'status') {
  const all = await sequence.accepted('transitions')
  // Another writer changed the task before an update that was refused at first.
  const steps = all.filter(wasTakenAtOnce)
  const moves = (steps.length > 0 ? steps : all).map((step) => {
    const [before, after] = [step.before[field], membersOf(acceptedOf(step))[field]]
    if (before === after) return 'stays'
    if (typeof before === 'number' && typeof after === 'number')
      return after === before + 1 ? 'by one' : after > before ? 'up' : 'down'
    return after === answeredBy(step).updated_at ? 'becomes updated_at' : 'changes'
  })
  return distinct(moves)
}
