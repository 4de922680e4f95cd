import { distinct } from '../engine/distinct.ts'
import { describeAnswer, isAccepted, membersOf } from '../engine/http/answers.ts'
import { mediaTypeOf, refusalShape } from '../engine/http/shapes.ts'
import { clausesOf } from '../helpers/clause.ts'
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

type OfAttempts = { attempts: Attempts }
const sent =
  (what: string, body: Attempt['body'], on: Attempt['on'] = 'unassigned') =>
  async ({ attempts }: OfAttempts) => {
    const fate = on === 'unassigned' ? { fate: 'open' as const } : {}
    return [asCase({ ...(await attempts.try({ what, body, on, ...fate })) })] as const
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
  clause(`assign.${id}`, {
    observe: `what ${observe}`,
    ...(id.startsWith('unassign') || id.startsWith('same')
      ? { section: 'States and transitions' }
      : {}),
    look: ([one]: readonly AttemptResult[]) => effectOf(one as AttemptResult),
    needs: 'an unusual update',
  })(sent(...update))

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

const ofUpdates = { needs: 'an accepted update' }
const accepted = ({ sequence }: { sequence: { accepted(of: 'transitions'): Promise<Step[]> } }) =>
  sequence.accepted('transitions')

clause('assign.success-status', {
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
  ...ofUpdates,
})(accepted)

clause('assign.content-type', {
  observe: 'the media type of the response to an update',
  section: 'Endpoints',
  look: (steps: readonly Pick<Step, 'answer' | 'control'>[]) =>
    distinct(steps.map((step) => mediaTypeOf(acceptedOf(step)) ?? 'none')),
  ...ofUpdates,
  seen: ({ seen, key, update }) =>
    seen.method === 'PUT' && key === 'given' && !update && isAccepted(seen.answer)
      ? { answer: seen.answer }
      : undefined,
})(accepted)

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
    ...ofUpdates,
  })(async (givens) => {
    const all = await accepted(givens)
    // Another writer changed the task before the update, which was rejected at first.
    const steps = all.filter(wasTakenAtOnce)
    return steps.length > 0 ? steps : all
  })

function moveOf(step: Step, field: 'data_version' | 'locked_at' | 'status'): string {
  const [before, after] = [step.before[field], membersOf(acceptedOf(step))[field]]
  if (before === after) return 'stays'
  if (typeof before === 'number' && typeof after === 'number')
    return after === before + 1 ? 'by one' : after > before ? 'up' : 'down'
  return after === answeredBy(step).updated_at ? 'becomes updated_at' : 'changes'
}

clause('assign.read-lag', {
  observe: 'whether reads lag behind updates',
  section: 'States and transitions',
  varies: 'the moment',
  look: (steps: readonly Step[]) =>
    steps.some(({ lagging }) => lagging > 0) ? 'some reads do' : 'no read did',
  ...ofUpdates,
})(accepted)

const lengths = [5001, 1025, 256]

clause('assign.comment-limit', {
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
  needs: 'a long comment',
})(({ attempts }) => tryLengths(attempts))

clause('assign.comment-trimming', {
  observe: 'whether spaces around a comment are kept',
  look: ([one]: readonly Commented[]) => {
    const { kept = '' } = one ?? {}
    return { leading: kept.startsWith('  '), trailing: kept.endsWith('  ') }
  },
  needs: 'a comment with spaces around it',
})(async ({ attempts }) => {
  const what = 'with spaces around the comment'
  const one = await tryComment(attempts, what, (text) => `  ${text}  `)
  const open = `${describeAnswer(one.answer)} to a comment with spaces around it; the contract does not specify limits of comments`
  premise(isAccepted(one.answer), 'freedom', open)
  return [one]
})

type Commented = AttemptResult & { kept: string }
type OfLength = Commented & { length: number }

async function tryComment(attempts: Attempts, what: string, from: (comment: string) => string) {
  const [one] = await sent(what, (valid, comment = 'Contract test, please ignore') => ({
    update: { ...valid, assignment_comment: from(comment) },
  }))({ attempts })
  return Object.assign(one, { kept: one.stored.assignment?.assignment_comment ?? '' })
}

async function* tryLengths(attempts: Attempts): AsyncGenerator<OfLength> {
  for (const length of lengths) {
    const what = `with a comment of ${length} characters`
    const one = await tryComment(attempts, what, (text) => text.padEnd(length, ' x'))
    yield Object.assign(one, { length })
    if (isAccepted(one.answer) && one.kept.length === length) return
  }
}
