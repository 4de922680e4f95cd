import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { worded } from '../../../engine/run/in-words.ts'
import { kinds, sentenceOf } from '../../../helpers/findings/kinds.ts'
import * as account from '../../../helpers/history/accepted-updates.ts'
import { createHistory, type Op } from '../../../helpers/history/history.ts'
import { problemsOfOp } from '../../../helpers/history/laws.ts'
import { leftTasksOf, problemsOfLeft } from '../../../helpers/history/left-changed.ts'
import { hasOtherWriter, lagIn } from '../../../helpers/history/questions.ts'
import { describeWindow } from '../../../helpers/history/settle-window.ts'
import { commentIn, mayBeOwn } from '../../../helpers/service/comments.ts'
import {
  accepted,
  always,
  answerOf,
  anySteps,
  before,
  calmSteps,
  commentOf,
  isApart,
  type MadeOp,
  measured,
  meeting,
  one,
  type Played,
  people,
  play,
  read,
  readAgain,
  type State,
  type Step,
  sameSpelling,
  settleMs,
  steps,
  stepsAlone,
  tasks,
} from './model.ts'

const stale = {
  sentence: expect.stringMatching(
    / responded 200, not 409, to the If-Match v\d+, which an accepted/,
  ),
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
      const breach = worded(owned, kinds)
      const isStale = op.kind === 'update' && breach.expected === '409'
      expect(breach).toMatchObject(isStale ? stale : late)
    }
  })
  return { ...play(all, { history }), broken }
}

/** Compares the expected breaches of each request with those of this clause. */
const breaksOnly = (
  drawn: fc.Arbitrary<Step[]>,
  name: string,
  expected: (one: MadeOp, played: Played) => string | undefined,
  ...examples: Step[][]
) =>
  always(
    drawn,
    (_, all) => {
      const { broken, ...played } = judged(all)
      for (const [at, one] of played.told.entries())
        expect(broken[at]?.filter((owner) => owner.includes(name))).toEqual(
          [expected(one, played)].flatMap((owner) => owner ?? []),
        )
    },
    examples,
  )

test('no lawful service breaks a law, despite lag, lost answers and other writers', () => {
  const unassigned: Step = { does: 'another writer', task: one, to: null, comment: undefined }
  const again: Step = { does: 'stale', task: one, to: null }
  breaksOnly(steps, '', () => undefined, [...meeting, accepted(), read(one), unassigned, again])
})

test('an If-Match that is accepted, though an accepted update had used it, is a breach', () => {
  breaksOnly(
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
  breaksOnly(
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

/** The last read of the model is made at any time. */
const anySoon = Number.NEGATIVE_INFINITY

const undoneIn = ({ history }: Played) =>
  leftTasksOf(history, anySoon).seen.filter(({ undone }) => undone !== undefined)

describe('a task at the end of a run', () => {
  test('is judged by the last read after its last update, if that was accepted', () => {
    forEach((all) => {
      const { history, told } = play(all)
      const isSeen = (task: string) => {
        const about = told.filter(({ op }) => op.task === task)
        const last = about.findLastIndex(({ comes }) => typeof comes === 'string')
        return about[last]?.comes === 'accepted' && about.slice(last + 1).some(isApart)
      }
      expect(leftTasksOf(history, anySoon).seen).toHaveLength(tasks.filter(isSeen).length)
      expect(leftTasksOf(history, anySoon).unanswered).toBe(
        told.filter(({ comes }) => comes?.toString().startsWith('lost')).length,
      )
    })
  })

  test('shows no replaced version if reads only lag, and nothing undone if they do not', () => {
    forEach((all) => {
      const { history } = play(all)
      expect(leftTasksOf(history, anySoon).seen.flatMap(problemsOfLeft('version'))).toEqual([])
      const quick = all.map((step) => (step.does === 'read' ? { ...step, lag: 0 } : step))
      expect(undoneIn(play(quick))).toEqual([])
    })
  })

  test('is not known after an update that was answered 500: it may have been accepted', () => {
    const played = play([read(one), accepted(), read(one)])
    played.history.begin({ kind: 'update', task: one })(answerOf(undefined, 500))
    played.history.begin({ kind: 'read', task: one })()
    readAgain(played, one, played.states.get(one)?.[0] as State)
    expect(leftTasksOf(played.history, anySoon)).toMatchObject({ seen: [], unanswered: 0 })
  })

  test('may show the comment of an update without an answer, which may be carried out late', () => {
    const played = play([read(one), accepted({ comes: 'lost and not carried out' }), accepted()])
    const state = played.states.get(one)?.at(-1) as State
    const assignment_comment = commentIn(played.history.begun[1]?.body)
    const assignment = { ...state.assignment, assignment_comment } as State['assignment']
    readAgain(played, one, { ...state, version: 'late', assignment })
    expect(leftTasksOf(played.history, anySoon)).toMatchObject({ seen: [{ undone: undefined }] })
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
      const [problem] = undone ? problemsOfLeft('version')(undone) : []
      expect(problem && sentenceOf(problem.finding)).toMatch(
        / responded 200 with updated_at v\d+, but at the end of the run a read returned the replaced updated_at v\d+ again$/,
      )
    })
  })

  test('is not undone if its last update brought an earlier version back', () => {
    const played = play([read(one), accepted(), read(one)])
    const found = played.states.get(one)?.[0] as State
    played.history.begin({ kind: 'update', task: one })(answerOf(found))
    readAgain(played, one, found)
    expect(leftTasksOf(played.history, anySoon)).toMatchObject({ seen: [{ undone: undefined }] })
  })

  test('tells nothing by a read that began less than SETTLE_MS after the update ended', () => {
    const { history } = play([read(one), accepted(), read(one)])
    const [update] = history.ended.filter(({ kind }) => kind === 'update')
    const later = (history.ended.at(-1)?.sent ?? 0) - (update?.ended ?? 0)
    expect(leftTasksOf(history, later)).toMatchObject({ seen: [{ task: one }], unread: [] })
    expect(leftTasksOf(history, later + 1)).toMatchObject({ seen: [], unread: [one] })
  })

  test('is undone if a read shows the comment of an earlier update with a new version, unless another writer was there', () => {
    forEach((all) => {
      const played = ending(all)
      const state = played.states.get(one)?.at(-2) as State
      readAgain(played, one, { ...state, version: 'a new one' })
      const [undone] = undoneIn(played)
      if (hasOtherWriter(played.history)) return void expect(undone).toBeUndefined()
      expect(undone).toMatchObject({ undone: 'comment', task: one })
      expect(undone && problemsOfLeft('version')(undone)).toEqual([])
      const [problem] = undone ? problemsOfLeft('comment')(undone) : []
      expect(problem && worded(problem, kinds)).toMatchObject({
        sentence: expect.stringMatching(/ a read returned the earlier comment "[^"]+" again$/),
        expected: expect.stringMatching(/^the comment "|^no comment$/),
        got: expect.stringMatching(/^the comment "/),
        again: { why: expect.stringContaining('some time after') },
      })
    })
  })
})

const { changesOf, foundWith, ledgerOf } = account

/** How often the assignment of a task changed in truth. */
const changesAmong = (states: readonly State[] = []) =>
  states.filter((state, at) => at > 0 && !sameSpelling(state, states[at - 1])).length

test('the accepted updates are those that were answered so, in their order', () =>
  always(anySteps, ({ history, told }) =>
    expect(ledgerOf(history).updates).toMatchObject(
      told.flatMap(({ op, shows, comes }) =>
        comes === 'accepted' ? [{ task: op.task, assignment: shows?.assignment ?? null }] : [],
      ),
    ),
  ))

test('the comment of an update is known, unless its body has both objects', () => {
  const update = { assignment_comment: 'word' }
  for (const [body, known] of [
    [{ update }, ['word']],
    [{ update: { assignment_comment: 'by' } }, [undefined]],
    [{ update, unassign: {} }, [undefined]],
    ['{}', [undefined]],
  ]) {
    const { history, states } = play([read(one)])
    history.begin({ kind: 'update', task: one, body })(answerOf(states.get(one)?.[0]))
    expect(ledgerOf(history).updates.map(({ comment }) => comment)).toEqual(known)
  }
})

// Known gap: a read during the first update may show its result.
test('a task was found as its last read before the first accepted update shows it', () =>
  always(
    anySteps,
    ({ history, told }) => {
      for (const task of tasks) {
        const about = told.filter(({ op }) => op.task === task)
        const first = about.findIndex(({ comes }) => comes === 'accepted')
        const before = about.slice(0, first === -1 ? undefined : first)
        expect(foundWith(history, task)).toEqual(before.findLast(isApart)?.shows?.assignment)
      }
    },
    [[read(one), accepted({ isReadMeanwhile: true })]],
  ))

test('a read that is refused is not the last, and does not undo what a task was found with', () => {
  const { history } = play([read(one)])
  const found = foundWith(history, one)
  const answers = [answerOf(history.ended[0] as never), answerOf(undefined, 404)]
  for (const [exchange, answer] of answers.entries())
    history.begin({ kind: 'read', task: one })(answer, { number: exchange } as never)
  history.begin({ kind: 'update', task: one })(answerOf(), { number: 2 } as never)
  expect(found).toBeDefined()
  expect(foundWith(history, one)).toEqual(found)
  expect(account.lastRead(history, one)).toEqual({ number: 0 })
})

test('an accepted update stands between its neighbours on the same task', () =>
  always(anySteps, ({ history, told }) => {
    const { before, updates } = ledgerOf(history)
    for (const [at, step] of account.stepsOf({ before, updates }).entries()) {
      const own = updates.filter(({ task }) => task === step.update.task)
      const n = own.indexOf(step.update)
      const found = n > 0 ? own[n - 1]?.assignment : before.get(step.update.task)
      expect([step.update, step.former, step.next]).toEqual([updates[at], found, own[n + 1]])
    }
    for (const { op } of told) {
      const comment = commentIn(op.body) ?? 'none'
      const sent = told.filter((each) => commentIn(each.op.body) === comment)
      expect(account.sentTo(history, comment).toSorted()).toEqual(
        sent.map((each) => each.op.task).toSorted(),
      )
    }
  }))

describe('the changes that have to be recorded', () => {
  test('never exceed the real changes of any writer', () =>
    always(anySteps, ({ history, states }) => {
      for (const [task, count] of changesOf(ledgerOf(history)))
        expect(count).toBeLessThanOrEqual(changesAmong(states.get(task)))
    }))

  test('are all there were where a task was read first, and everything was accepted', () => {
    const acceptedIn = (step: Step) =>
      step.does === 'update' && step.comes === 'accepted'
        ? [{ ...step, isReadMeanwhile: false }]
        : []
    const known = anySteps.map((all) => [
      ...tasks.map((id) => read(id)),
      ...all.flatMap(acceptedIn),
    ])
    always(known, ({ history, states }) => {
      const changes = changesOf(ledgerOf(history))
      for (const task of tasks) expect(changes.get(task) ?? 0).toBe(changesAmong(states.get(task)))
    })
  })

  test('do not include an assignment that is only spelt differently', () => {
    const spelt = (assigned_to_id: string, assignment_comment?: null) => ({
      task: 't',
      assignment: { assigned_to_id, assignment_comment } as never,
      ...{ at: 0, exchange: 1 },
    })
    const before = new Map([['t', spelt('a').assignment]])
    expect(changesOf({ before, updates: [spelt('A'), spelt('a', null)] })).toEqual(new Map())
  })
})

/** For each accepted update that a read showed before the next one: the delay of that read after the answer. */
const shownAfter = (played: Played): { isLate: boolean; ms: number }[] =>
  played.told.flatMap((update, at) => {
    const { states, told } = played
    const { task, ended } = update.op
    const all = states.get(task) ?? []
    const made = all.indexOf(update.shows as State)
    const after = told.slice(at + 1).filter(({ op }) => op.task === task)
    const next = after.findIndex(({ comes }) => typeof comes === 'string')
    const reads = after.slice(0, next === -1 ? undefined : next).filter(isApart)
    const first = reads.findIndex(({ shows }) => all.indexOf(shows as State) >= made)
    const shown = reads[first]
    if (!shown || update.comes !== 'accepted' || shown.shows !== update.shows) return []
    const known = before(played, update).map(({ shows }) => shows)
    const isLate = reads.slice(0, first).some(({ shows }) => known.includes(shows))
    return [{ isLate, ms: shown.op.sent - ended }]
  })

describe('how late an accepted update shows', () => {
  test('is measured once per update that a read shows, and is 0 without lag', () =>
    always(calmSteps, (played) =>
      expect(lagIn(played.history)).toEqual({ updates: shownAfter(played).length, ms: 0 }),
    ))

  test('is at least as long as it took where reads lagged', () =>
    always(
      steps,
      (played) => {
        const late = shownAfter(played).flatMap(({ isLate, ms }) => (isLate ? ms : 0))
        expect(lagIn(played.history).ms).toBeGreaterThanOrEqual(Math.max(0, ...late))
      },
      [
        [read(one), accepted(), read(one, 1), read(one)],
        // Begins with a read of a version that is older than all known ones.
        [...[2, 1].map(() => accepted({ to: null })), read(one, 2), read(one, 1), read(one)],
      ],
    ))

  test('decides after 5 updates how long is waited: ten times the longest, or as short as it may be', () => {
    const ms = fc.option(fc.nat({ max: settleMs }), { nil: undefined })
    fc.assert(
      fc.property(fc.nat({ max: 40 }), ms, (updates, touchedMs) => {
        const touch: Step[] =
          touchedMs === undefined
            ? []
            : [{ does: 'touch', task: one }, { does: 'pause', ms: touchedMs }, read(one)]
        const { settleWindow } = play([...measured(updates), ...touch])
        const { lagMs, windowMs } = settleWindow.learned
        if (updates > 0) expect(lagMs).toBeGreaterThanOrEqual(touchedMs ?? 0)
        const learned = Math.min(settleMs, Math.max(100, 10 * lagMs))
        expect(windowMs).toBe(updates >= 5 ? learned : settleMs)
        expect(settleWindow.windowMs()).toBe(windowMs)
      }),
    )
  })
})

test('a window is described where it was shortened', () => {
  const told = (lagMs: number, windowMs: number) =>
    describeWindow({ updates: 30, lagMs, windowMs }, settleMs).join()
  expect(told(60, settleMs)).toBe('')
  expect(told(0, 100)).toMatch(/^the first read after each of 30 updates .* watched for 100 ms /)
  expect(told(20, 200)).toMatch(/^reads showed each of 30 updates within 20 ms, .* for 200 ms /)
})
