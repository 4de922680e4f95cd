import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHistory } from '../../../helpers/history/history.ts'
import { problemsOfOp } from '../../../helpers/history/laws.ts'
import { commentIn, mayBeOwn } from '../../../helpers/service/comments.ts'
import { cases } from '../../long.ts'
import {
  anySteps,
  before,
  commentOf,
  type MadeOp,
  type Played,
  play,
  type Step,
  steps,
  stepsAlone,
} from './model.ts'

function judged(all: readonly Step[]) {
  const history = createHistory()
  const broken: string[][] = []
  history.onEnded((op) => {
    broken.push(problemsOfOp(history, op).map(({ owned }) => owned.owner))
  })
  return { ...play(all, { history }), broken }
}

/** Compares the expected breaches of each request with those of this clause. */
const always = (
  drawn: fc.Arbitrary<Step[]>,
  name: string,
  expected: (one: MadeOp, played: Played) => string | undefined,
) =>
  fc.assert(
    fc.property(drawn, (all) => {
      const { broken, ...played } = judged(all)
      for (const [at, one] of played.told.entries())
        expect(broken[at]?.filter((owner) => owner.includes(name))).toEqual(
          [expected(one, played)].flatMap((owner) => owner ?? []),
        )
    }),
    { numRuns: cases(400) },
  )

test('no lawful service breaks a law, despite lag, lost answers and other writers', () => {
  always(steps, '', () => undefined)
})

test('an If-Match that is accepted, though an accepted update had used it, is a breach', () => {
  always(stepsAlone, 'version.stale', (one, played) => {
    const { op, shows, comes } = one
    const states = played.states.get(op.task) ?? []
    const current = states[states.indexOf(shows as never) - 1]?.version
    if (comes !== 'accepted' || op.ifMatch === current) return undefined
    const last = before(played, one).findLast((each) => each.shows)?.shows
    // Unassigning an unassigned task is open.
    if (shows?.assignment === null) return last?.assignment ? 'version.stale.unassign' : undefined
    return last?.assignment ? 'version.stale.reassign' : 'version.stale.assign'
  })
})

test('a 409 whose comment is shown later is a breach, as is a 401', () => {
  const owners: Record<string, string> = {
    401: 'auth.refused-changes-nothing',
    409: 'version.refused-changes-nothing',
  }
  always(anySteps, 'refused-changes-nothing', ({ op, shows }, { history, told }) => {
    const comment = commentOf(shows) ?? ''
    const sending = history.begun.filter(
      (each) => each.begun < op.done && comment !== '' && commentIn(each.body) === comment,
    )
    const [refused] = told.filter((each) => each.op === sending[0])
    const isToken = sending.length === 1 && mayBeOwn(comment) && refused?.op.answer?.attempts === 1
    return isToken ? owners[String(refused.comes)] : undefined
  })
})
