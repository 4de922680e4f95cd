import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lagIn } from '../../../helpers/history/questions.ts'
import { describeWindow } from '../../../helpers/history/settle-window.ts'
import { cases } from '../../long.ts'
import {
  accepted,
  before,
  calmSteps,
  isApart,
  type MadeOp,
  measured,
  one,
  type Played,
  play,
  read,
  type State,
  settleMs,
  steps,
} from './model.ts'

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
    const isOld = ({ shows }: MadeOp) => before(played, update).some((each) => each.shows === shows)
    return [{ isLate: reads.slice(0, first).some(isOld), ms: shown.op.sent - ended }]
  })

// The second begins with a read of a version that is older than all known ones.
const lagging: [ReturnType<typeof read>[]][] = [
  [[read(one), accepted(), read(one, 1), read(one)]],
  [[accepted({ to: null }), accepted({ to: null }), read(one, 2), read(one, 1), read(one)]],
]

describe('how late an accepted update shows', () => {
  test('is measured once per update that a read shows, and is 0 without lag', () => {
    fc.assert(
      fc.property(calmSteps, (all) => {
        const played = play(all)
        expect(lagIn(played.history)).toEqual({ updates: shownAfter(played).length, ms: 0 })
      }),
    )
  })

  test('is at least as long as it took where reads lagged', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const played = play(all)
        const late = shownAfter(played).flatMap(({ isLate, ms }) => (isLate ? ms : 0))
        expect(lagIn(played.history).ms).toBeGreaterThanOrEqual(Math.max(0, ...late))
      }),
      { examples: lagging, numRuns: cases(300) },
    )
  })
})

describe('a window', () => {
  test('is the time to settle until 5 updates were measured, and then as short as it may be', () => {
    fc.assert(
      fc.property(fc.nat({ max: 40 }), (updates) => {
        const { settleWindow } = play(measured(updates))
        expect(settleWindow.windowMs()).toBe(updates >= 5 ? 100 : settleMs)
      }),
    )
  })

  test('is ten times as long as the service took to touch the task by itself', () => {
    fc.assert(
      fc.property(fc.nat({ max: settleMs }), (ms) => {
        const { settleWindow } = play([
          ...measured(30),
          { does: 'touch', task: one },
          { does: 'pause', ms },
          read(one),
        ])
        const { lagMs, windowMs } = settleWindow.learned
        expect(lagMs).toBeGreaterThanOrEqual(ms)
        expect(windowMs).toBe(Math.min(settleMs, Math.max(100, 10 * lagMs)))
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
