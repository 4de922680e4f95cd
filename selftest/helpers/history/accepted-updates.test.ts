import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as account from '../../../helpers/history/accepted-updates.ts'
import { lagIn } from '../../../helpers/history/questions.ts'
import { describeWindow } from '../../../helpers/history/settle-window.ts'
import { commentIn } from '../../../helpers/service/comments.ts'
import {
  accepted,
  always,
  answerOf,
  anySteps,
  before,
  calmSteps,
  isApart,
  measured,
  one,
  type Played,
  play,
  read,
  type State,
  type Step,
  sameSpelling,
  settleMs,
  steps,
  tasks,
} from './model.ts'

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
  for (const [exchange, answer] of [
    answerOf(history.ended[0] as never),
    answerOf(undefined, 404),
  ].entries())
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
