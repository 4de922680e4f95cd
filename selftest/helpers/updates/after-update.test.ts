import { describe, expect, test } from 'vitest'
import { createHistory } from '../../../helpers/history/history.ts'
import { ForeignChange } from '../../../helpers/loans/foreign-change.ts'
import { isDisturbed, needOwn, needOwnSteps } from '../../../helpers/updates/after-update.ts'
import { commentAt } from '../../../helpers/updates/controls.ts'
import type { Step } from '../../../helpers/updates/step.ts'

const to = { id: 'anna', type: 'USER' as const }
const ours = commentAt('2026-01-01T00:00:00Z')
const assigned = (comment: string | null, by = 'me') => ({
  assigned_to_id: to.id,
  assigned_to_type: to.type,
  assigned_by_id: by,
  assignment_comment: comment,
})

/** An update to Anna, after which a read shows this. */
function stepShowing(assignment: unknown, former: unknown = null): Step {
  const task = (version: string, shown: unknown) => ({
    id: '1',
    updated_at: version,
    assignment: shown,
  })
  const answer = {
    status: 200,
    method: 'PUT',
    path: '/tasks/1/update-assignment',
    text: JSON.stringify(task('b', assigned(ours))),
  }
  return {
    before: task('a', former),
    stored: task('c', assignment),
    by: 'me',
    sent: { to, comment: ours },
    answer,
    versionWasRead: false,
  } as unknown as Step
}

test.each<[boolean, string, unknown, unknown?]>([
  [true, 'another writer made it', assigned('please call back', 'you')],
  [true, 'the user of this run wrote, elsewhere, what this run did not', assigned('call back')],
  [false, 'the comment is lost', assigned(null)],
  [false, 'the comment is another one of this run', assigned(commentAt('2026-01-02T00:00:00Z'))],
  [false, 'the comment is the former one', assigned('call back'), assigned('call back')],
  [false, 'the assigner is another one', assigned(ours, 'you')],
])(
  'that another writer changed a task after an update is %s where %s',
  (expected, _, shown, former) => {
    expect(isDisturbed(stepShowing(shown, former ?? null))).toBe(expected)
  },
)

describe('when another writer came after the only update, or after both', () => {
  const theirs = stepShowing(assigned('please call back', 'you'))
  const history = createHistory()

  test('a single mismatch is not a breach', () => {
    expect(() => needOwn(history, theirs, [theirs])).toThrow('another writer changed the task')
  })

  test('they are undecided', () => {
    expect(() => needOwnSteps(history, [theirs, theirs])).toThrow(ForeignChange)
    expect(needOwnSteps(history, [theirs, stepShowing(assigned(ours))])).toHaveLength(1)
  })
})
