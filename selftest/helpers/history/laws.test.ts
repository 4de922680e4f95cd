import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createHistory, type Op } from '../../../helpers/history/history.ts'
import { problemsOfOp } from '../../../helpers/history/laws.ts'
import { leftTasksOf, problemsOfLeft } from '../../../helpers/history/left-changed.ts'
import { commentIn, mayBeOwn } from '../../../helpers/service/comments.ts'
import { cases } from '../../long.ts'
import {
  accepted,
  answerOf,
  anySteps,
  before,
  commentOf,
  isApart,
  type MadeOp,
  one,
  type Played,
  people,
  play,
  read,
  readAgain,
  type State,
  type Step,
  steps,
  stepsAlone,
  tasks,
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

const forEach = (holds: (all: Step[], pick: number) => void) =>
  fc.assert(fc.property(steps, fc.nat(), holds))

/** A task that is finally read and updated twice. */
const ending = (all: readonly Step[]) =>
  play([read(one), ...all, read(one), accepted(), read(one), accepted(), read(one)])

const undoneIn = ({ history }: Played) =>
  leftTasksOf(history).seen.filter(({ undone }) => undone !== undefined)

describe('a task at the end of a run', () => {
  test('is judged by the last read after its last update, if that was accepted', () => {
    forEach((all) => {
      const { history, told } = play(all)
      const isSeen = (task: string) => {
        const about = told.filter(({ op }) => op.task === task)
        const last = about.findLastIndex(({ comes }) => typeof comes === 'string')
        return about[last]?.comes === 'accepted' && about.slice(last + 1).some(isApart)
      }
      expect(leftTasksOf(history).seen).toHaveLength(tasks.filter(isSeen).length)
      expect(leftTasksOf(history).unanswered).toBe(
        told.filter(({ comes }) => comes?.toString().startsWith('lost')).length,
      )
    })
  })

  test('shows no replaced version if reads only lag, and nothing undone if they do not', () => {
    forEach((all) => {
      const { history } = play(all)
      expect(leftTasksOf(history).seen.flatMap(problemsOfLeft('version'))).toEqual([])
      const quick = all.map((step) => (step.does === 'read' ? { ...step, lag: 0 } : step))
      expect(undoneIn(play(quick))).toEqual([])
    })
  })

  test('is not known after an update that was answered 500: it may have been accepted', () => {
    const played = play([read(one), accepted(), read(one)])
    const { history, states } = played
    history.begin({ kind: 'update', task: one })(answerOf(undefined, 500))
    history.begin({ kind: 'read', task: one })()
    readAgain(played, one, states.get(one)?.[0] as State)
    expect(leftTasksOf(history)).toMatchObject({ seen: [], unanswered: 0 })
  })

  test('may show the comment of an update without an answer, which may be carried out late', () => {
    const played = play([read(one), accepted({ comes: 'lost and not carried out' }), accepted()])
    const state = played.states.get(one)?.at(-1) as State
    const assignment_comment = commentIn(played.history.begun[1]?.body)
    const assignment = { ...state.assignment, assignment_comment } as State['assignment']
    readAgain(played, one, { ...state, version: 'late', assignment })
    expect(leftTasksOf(played.history)).toMatchObject({ seen: [{ undone: undefined }] })
  })

  test('is undone if a read shows a replaced version again', () => {
    forEach((all, pick) => {
      const played = ending(all)
      const { states, told } = played
      const isShown = (state: State) => told.slice(0, -2).some(({ shows }) => shows === state)
      const replaced = states.get(one)?.filter(isShown) ?? []
      readAgain(played, one, replaced[pick % replaced.length] as State)
      const [undone] = undoneIn(played)
      expect(undone).toMatchObject({ undone: 'version', task: one })
      expect(undone && problemsOfLeft('version')(undone)[0]?.sentence).toMatch(
        / responded 200 with .*, but at the end of the run a read returned the replaced updated_at v\d+ again, with /,
      )
    })
  })

  test('is not undone if its last update brought an earlier version back', () => {
    const played = play([read(one), accepted(), read(one)])
    const found = played.states.get(one)?.[0] as State
    played.history.begin({ kind: 'update', task: one })(answerOf(found))
    readAgain(played, one, found)
    expect(leftTasksOf(played.history)).toMatchObject({ seen: [{ undone: undefined }] })
  })

  test('is undone if a read shows the comment of an earlier update with a new version', () => {
    forEach((all) => {
      const played = ending(all)
      const state = played.states.get(one)?.at(-2) as State
      readAgain(played, one, { ...state, version: 'a new one' })
      const [undone] = undoneIn(played)
      expect(undone).toMatchObject({ undone: 'comment', task: one })
      expect(undone && problemsOfLeft('version')(undone)).toEqual([])
      expect(undone && problemsOfLeft('comment')(undone)[0]).toMatchObject({
        sentence: expect.stringContaining('a read returned an earlier comment, with USER'),
        expected: expect.stringMatching(/^USER .*, updated_at v\d+ or a new one$/),
        got: expect.stringMatching(/^USER .*, updated_at a new one$/),
        again: { why: expect.stringContaining('some time after') },
      })
    })
  })
})
