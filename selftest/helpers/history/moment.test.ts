import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createHistory, type Op } from '../../../helpers/history/history.ts'
import { momentOf } from '../../../helpers/history/moment.ts'
import type { Assignment } from '../../../helpers/service/answers.ts'
import { unassignBody, updateBody } from '../../../helpers/service/update-request.ts'
import { cases } from '../../long.ts'
import {
  accepted,
  answerOf,
  before,
  meeting,
  one,
  other,
  ourSteps,
  people,
  play,
  read,
  type Step,
} from './model.ts'

const updatesIn = (told: readonly { op: Op }[]) => told.filter(({ op }) => op.kind === 'update')

test('before an update its task had the newest version that was shown, unless one was lost since', () => {
  fc.assert(
    fc.property(ourSteps, (steps) => {
      const played = play(steps)
      for (const made of updatesIn(played.told) as typeof played.told) {
        const earlier = before(played, made).filter(({ op }) => op.done < made.op.begun)
        const lost = earlier.findLast(({ comes }) => String(comes).startsWith('lost'))
        const since = earlier.filter(({ op }) => op.begun > (lost?.op.done ?? 0))
        const shown = since.flatMap(({ shows }) => shows?.version ?? [])
        const newest = played.states
          .get(made.op.task)
          ?.findLast((each) => shown.includes(each.version))
        const { before: now } = momentOf(played.history, made.op)
        // After a lost one, reads may show replaced versions alone.
        if (now || !lost) expect(now?.version).toBe(newest?.version)
      }
    }),
    { numRuns: cases(300) },
  )
})

test('a read that comes later adds to an update, and takes nothing away', () => {
  fc.assert(
    fc.property(ourSteps, (steps) => {
      const { history, told } = play(steps)
      const [made] = updatesIn(told)
      if (!made) return
      const then = momentOf(history, made.op)
      history.begin({ kind: 'read', task: made.op.task })(answerOf(told.at(-1)?.shows))
      const now = momentOf(history, made.op)
      expect(now.after.slice(0, then.after.length)).toEqual(then.after)
      expect(now).toMatchObject({ sent: then.sent, earlier: then.earlier, before: then.before })
    }),
    { numRuns: cases(100) },
  )
})

/** The first update of these steps, at their end. */
function momentIn(...steps: Step[]) {
  const { history, told } = play(steps)
  return momentOf(history, (updatesIn(told)[0] as { op: Op }).op)
}
const versions = (sights: readonly { version: string }[]) => sights.map(({ version }) => version)

describe('the reads after an update', () => {
  test('go on until the next update that may be carried out', () => {
    const refused = accepted({ comes: 422 })
    const now = momentIn(read(one), refused, read(one), refused, read(one), accepted(), read(one))
    expect(versions(now.after)).toEqual(['v0', 'v0'])
    expect(now.next).toMatchObject({ fate: 'accepted', made: 'v1' })
    expect(now.stored).toBe(undefined)
    expect(momentIn(accepted({ comes: 'lost' }), read(one)).fate).toBe('unknown')
  })

  test('store it in the first that shows its answer, or in the last in time', () => {
    expect(momentIn(accepted(), read(one, 1), read(one), read(one)).stored?.whose).toBe(
      'this update',
    )
    expect(momentIn(read(one), accepted(), read(one, 1), read(one, 1)).stored).toMatchObject({
      version: 'v0',
      whose: 'as before',
    })
  })
})

describe('a change after an update is by', () => {
  const by = 'a0000000-0000-4000-8000-000000000000'
  const held = (to = people[0], more: Partial<Assignment> = {}): Assignment => ({
    assigned_by_id: by,
    assigned_to_id: to?.id ?? '',
    assigned_to_type: 'USER',
    ...more,
  })
  const own = 'Contract test, please ignore 0123456789ab'
  const earlier = 'Contract test, please ignore ba9876543210'
  const [first, second] = people as [(typeof people)[0], (typeof people)[0]]
  /** Whose the sight of this is after an update of a task that was held by the second. */
  function whose(
    shows: Assignment | null,
    {
      body = updateBody(by, first, own) as unknown,
      status = 422,
      version = 'v2',
      otherWriter = false,
    } = {},
  ) {
    const { history } = otherWriter ? play(meeting) : { history: createHistory() }
    const sees = (assignment: Assignment | null, version: string) =>
      history.begin({ kind: 'read', task: other })(answerOf({ version, assignment, by: 'found' }))
    const sends = (sent: unknown, status: number) => {
      const end = history.begin({
        kind: 'update',
        task: other,
        body: sent,
        ifMatch: 'v1',
        isPlain: true,
      })
      end(
        answerOf(
          status < 300 ? { version: 'v9', assignment: held(), by: 'found' } : undefined,
          status,
        ),
      )
    }
    sees(held(second), 'v1')
    sends(updateBody(by, second, earlier), 422)
    sends(body, status)
    sees(shows, version)
    const op = history.begun.findLast(({ kind }) => kind === 'update') as Op
    return momentOf(history, op).after[0]?.whose
  }

  // biome-ignore format: one sight a line
  test.each<[string, ReturnType<typeof whose>, Parameters<typeof whose>]>([
    ['nobody: the version it had', 'as before', [held(first), { version: 'v1' }]],
    ['nobody: a touch', 'as before', [held(second)]],
    ['this update, by its comment', 'this update', [held(second, { assignment_comment: own })]],
    ['this update, as it was asked for', 'this update', [held(first)]],
    ['this update, by the version of its answer', 'this update', [held(second), { status: 200, version: 'v9' }]],
    ['this update, by the assignment in its answer', 'this update', [held(), { status: 200 }]],
    ['this update: an unassign', 'this update', [null, { body: unassignBody(by) }]],
    ['this update: a text that names the assignee', 'this update', [held(first), { body: `{"to": "${first.id}"` }]],
    ['another of ours, by its comment', 'another of ours', [held(first, { assignment_comment: earlier })]],
    ['another writer, by the comment', 'another writer', [held(first, { assignment_comment: 'call back' })]],
    ['another writer, as one was seen', 'another writer', [held(first), { otherWriter: true }]],
    ['nobody knows whom', 'open', [held({ id: by, type: 'USER' })]],
    ['nobody knows whom: the same assignee in another name', 'open', [{ ...held(first), assigned_by_id: other }, { status: 200 }]],
  ])('%s', (_, expected, given) => {
    expect(whose(...given)).toBe(expected)
  })
})
