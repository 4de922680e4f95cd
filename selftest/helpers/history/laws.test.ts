import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHistory, type Op } from '../../../helpers/history/history.ts'
import { problemsOfOp } from '../../../helpers/history/laws.ts'
import { commentIn, mayBeOwn } from '../../../helpers/service/comments.ts'
import { cases } from '../../long.ts'
import {
  accepted,
  answerOf,
  anySteps,
  before,
  commentOf,
  type MadeOp,
  one,
  type Played,
  people,
  play,
  read,
  type Step,
  steps,
  stepsAlone,
} from './model.ts'

const stale = {
  sentence: expect.stringMatching(/ responded 200 to the If-Match v\d+, which an accepted/),
  got: '200',
  again: { why: expect.stringContaining('use the version first') },
}
const late = {
  sentence: expect.stringMatching(
    / responded 4\d\d to an update, but the assignment changed later$/,
  ),
  expected: 'no task with its comment',
  got: expect.stringContaining('Contract test'),
  again: { why: expect.stringContaining('some time after the response') },
}

function judged(all: readonly Step[]) {
  const history = createHistory()
  const broken: string[][] = []
  history.onEnded((op) => {
    const found = problemsOfOp(history, op)
    broken.push(found.map(({ owned }) => owned.owner))
    for (const { owned, ops } of found) {
      expect(ops.length > 1 && ops.at(-1) === op).toBe(true)
      expect(owned).toMatchObject(op.kind === 'update' && owned.expected === '409' ? stale : late)
    }
  })
  return { ...play(all, { history }), broken }
}

/** Compares the expected breaches of each request with those of this clause. */
const always = (
  drawn: fc.Arbitrary<Step[]>,
  name: string,
  expected: (one: MadeOp, played: Played) => string | undefined,
  ...examples: Step[][]
) =>
  fc.assert(
    fc.property(drawn, (all) => {
      const { broken, ...played } = judged(all)
      for (const [at, one] of played.told.entries())
        expect(broken[at]?.filter((owner) => owner.includes(name))).toEqual(
          [expected(one, played)].flatMap((owner) => owner ?? []),
        )
    }),
    { numRuns: cases(400), examples: examples.map((all): [Step[]] => [all]) },
  )

test('no lawful service breaks a law, despite lag, lost answers and other writers', () => {
  always(steps, '', () => undefined)
})

test('an If-Match that is accepted, though an accepted update had used it, is a breach', () => {
  always(
    stepsAlone,
    'version.stale',
    (one, played) => {
      const { op, shows, comes } = one
      const states = played.states.get(op.task) ?? []
      const current = states[states.indexOf(shows as never) - 1]?.version
      if (comes !== 'accepted' || op.ifMatch === current) return undefined
      const earlier = before(played, one).filter((each) => each.shows)
      const last = earlier.at(-1)?.shows
      const used = earlier.findLast((each) => each.comes && each.op.ifMatch === op.ifMatch)?.op
      const read = earlier.findLast((each) => !each.comes && used && each.op.begun > used.done)
      // A read may lag, or show that it was not stored.
      if (read?.shows?.version === op.ifMatch) return undefined
      // Unassigning an unassigned task is open.
      if (shows?.assignment === null) return last?.assignment ? 'version.stale.unassign' : undefined
      return last?.assignment ? 'version.stale.reassign' : 'version.stale.assign'
    },
    ...[accepted(), accepted({ to: null })].flatMap((last) =>
      [null, people[0] ?? null].map((to): Step[] => [
        accepted(),
        last,
        { does: 'stale', task: one, to },
      ]),
    ),
  )
})

test('an update that differs otherwise from a usual one may be answered in any way', () => {
  const found = [{ isPlain: false }, { body: { update: { assigned_by_id: one } } }, {}].map(
    (how) => {
      const { history, states } = play([accepted(), accepted()])
      const { kind, task, body, ifMatch, isPlain } = history.begun[0] as Op
      history.begin({ kind, task, body, ifMatch, isPlain, ...how })(
        answerOf(states.get(one)?.at(-1)),
      )
      return problemsOfOp(history, history.ended.at(-1) as Op).length
    },
  )
  expect(found).toEqual([0, 0, 1])
})

test('a 409 whose comment is shown later is a breach, as is a 401', () => {
  const owners: Record<string, string> = {
    401: 'auth.refused-changes-nothing',
    409: 'version.refused-changes-nothing',
  }
  always(
    anySteps,
    'refused-changes-nothing',
    ({ op, shows }, { history, told }) => {
      const comment = commentOf(shows) ?? ''
      const sending = history.begun.filter(
        (each) => each.begun < op.done && comment !== '' && commentIn(each.body) === comment,
      )
      const [refused] = told.filter((each) => each.op === sending[0])
      const isToken =
        sending.length === 1 && mayBeOwn(comment) && refused?.op.answer?.attempts === 1
      return isToken ? owners[String(refused.comes)] : undefined
    },
    ...([409, 401, 422] as const).map((comes): Step[] => [
      accepted({ comes }),
      { does: 'late effect', task: one },
      read(one),
    ]),
  )
})
