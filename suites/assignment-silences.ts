import { distinct } from '../engine/distinct.ts'
import { describeAnswer, isAccepted, membersOf } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import { mediaTypeOf, refusalShape } from '../engine/http/shapes.ts'
import { clausesOf } from '../helpers/clause.ts'
import { premise } from '../helpers/service/answers.ts'
import { answeredBy, withReads } from '../helpers/updates/after-update.ts'
import { type Attempt, type AttemptResult, asUnassign } from '../helpers/updates/attempt.ts'
import type { Attempts } from '../helpers/updates/attempts.ts'
import { acceptedOf, type Step, wasTakenAtOnce } from '../helpers/updates/step.ts'

const states = 'States and transitions'
const clause = clausesOf({ section: 'Update a task assignment', operation: 'assign.update' })

/** An update whose effect the contract leaves open: it is sent once and described. */
const open = (what: string, body: Attempt['body']): Attempt => ({
  what,
  on: 'unassigned',
  isObserved: true,
  body,
})

const withBoth = open('with both objects', (valid) => ({
  update: valid,
  unassign: { assigned_by_id: valid.assigned_by_id },
}))
const toNobody = open('to a user who does not exist', (valid) => ({
  update: { ...valid, assigned_to_id: 'ffffffff-ffff-4fff-bfff-fffffffffff0' },
}))
const withMore = open('with further fields', (valid) => ({
  update: { ...valid, priority: 'high' },
  trace: 'contract-test',
}))
const toTheSame: Attempt = {
  what: 'to the same assignee',
  on: 'assigned',
  body: (valid, _, before) => ({
    update: {
      ...valid,
      assigned_to_id: before?.assigned_to_id,
      assigned_to_type: before?.assigned_to_type,
    },
  }),
}

for (const [id, observe, update, section] of [
  ['assign.both-objects', 'what an update with both objects does', withBoth],
  [
    'assign.neither-object',
    'what an update with neither object does',
    open('with neither object', () => ({})),
  ],
  [
    'assign.unassign-unassigned',
    'what unassign answers for a task that has no assignment',
    open('that unassigns the unassigned', asUnassign),
    states,
  ],
  ['assign.unknown-assignee', 'what assigning to a user who does not exist does', toNobody],
  ['assign.extra-fields', 'what fields that the contract does not name do in an update', withMore],
  [
    'assign.same-assignee',
    'what assigning to the assignee that a task has already does',
    toTheSame,
    states,
  ],
] as const)
  clause(id, {
    observe,
    ...(section && { section }),
    look: ([one]: readonly AttemptResult[]) => effectOf(one as AttemptResult),
    needs: 'such an update',
  })(async ({ attempts }) => [withReads({ ...(await attempts.try(update)) })])

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
  observe: 'the media type of the answers to updates',
  section: 'Endpoints',
  look: (steps: readonly Step[]) =>
    distinct(steps.map((step) => mediaTypeOf(acceptedOf(step)) ?? 'none')),
  needs: 'an accepted update',
})(({ sequence }) => sequence.accepted('transitions'))

const lengths = [5001, 1025, 256]

clause('assign.comment-limit', {
  observe: 'which of comments of 256, 1,025 and 5,001 characters are accepted',
  // What keeps a longer one whole keeps this one.
  look: (sent: readonly OfLength[]) => ({
    ...Object.fromEntries(lengths.map((length) => [length, `kept ${length}`])),
    ...Object.fromEntries(
      sent.map(({ length, answer, kept }) => [
        length,
        isAccepted(answer) ? `kept ${kept}` : answer.status,
      ]),
    ),
  }),
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
  const one = withReads({ ...(await attempts.try(padded)) })
  premise(
    isAccepted(one.answer),
    'freedom',
    `${describeAnswer(one.answer)} to a comment with spaces around it; limits of comments are not shown`,
  )
  return [one]
})

for (const [id, observe, field, section] of [
  ['assign.data-version-rule', 'how data_version moves with an update', 'data_version', 'Task'],
  ['assign.locked-at-rule', 'how locked_at moves with an update', 'locked_at', 'Task'],
  ['assign.status-rule', 'how the status of a task moves with an update', 'status', states],
] as const)
  clause(id, {
    observe,
    section,
    look: (steps: readonly Step[]) => distinct(steps.map((step) => moveOf(step, field))),
    needs: 'an accepted update',
  })(async ({ sequence }) => {
    const all = await sequence.accepted('transitions')
    // Another writer changed the task before an update that was refused at first.
    const steps = all.filter(wasTakenAtOnce)
    return steps.length > 0 ? steps : all
  })

clause('assign.read-lag', {
  observe: 'whether reads lag behind updates',
  section: states,
  varies: 'the moment',
  look: (steps: readonly Step[]) =>
    steps.some(({ lagging }) => lagging > 0) ? 'some reads do' : 'no read did',
  needs: 'an accepted update',
})(({ sequence }) => sequence.accepted('transitions'))

const commented = (what: string, from: (comment: string) => string) =>
  open(what, (valid, comment = 'Contract test, please ignore') => ({
    update: { ...valid, assignment_comment: from(comment) },
  }))

const commentOf = ({ after }: AttemptResult) => after.assignment?.assignment_comment ?? ''

/** An update with a comment of a length, and how much of it is kept. */
type OfLength = { length: number; answer: Answer; kept: number }

async function* tryLengths(attempts: Attempts): AsyncGenerator<OfLength> {
  for (const length of lengths) {
    const what = `with a comment of ${length} characters`
    const tried = await attempts.try(commented(what, (text) => text.padEnd(length, ' x')))
    const { answer, after } = tried
    const kept = commentOf(tried).length
    yield withReads({ length, answer, before: tried.before, after, kept })
    if (isAccepted(answer) && kept === length) return
  }
}

function effectOf({ answer, before, after }: AttemptResult) {
  const [first, last] = [before, after].map((each) => JSON.stringify(each.assignment).toLowerCase())
  const effect = isAccepted(answer)
    ? { accepted: answer.status }
    : { refused: refusalShape(answer) }
  return {
    ...effect,
    assignment: first === last ? 'kept' : after.assignment ? 'changed' : 'removed',
  }
}

/** How a field moves from before an update to its answer. */
function moveOf(step: Step, field: 'data_version' | 'locked_at' | 'status'): string {
  const [before, after] = [step.before[field], membersOf(acceptedOf(step))[field]]
  if (before === after) return 'stays'
  if (typeof before === 'number' && typeof after === 'number')
    return after === before + 1 ? 'by one' : after > before ? 'up' : 'down'
  return after === answeredBy(step).updated_at ? 'becomes updated_at' : 'changes'
}
