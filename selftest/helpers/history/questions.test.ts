import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foundWith, ledgerOf } from '../../../helpers/history/accepted-updates.ts'
import { leftTasksOf } from '../../../helpers/history/left-changed.ts'
import { play, readAgain, steps } from './model.ts'

/** Comments of accepted updates, which another writer never repeats. */
const commentsOf = (updates: readonly { assignment: { assignment_comment?: unknown } | null }[]) =>
  updates.map(({ assignment }) => assignment?.assignment_comment)

describe('whatever lags, is lost, is refused or is written by others', () => {
  test('the accepted updates are those that were answered so, in their order', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { history, accepted } = play(all)
        expect(commentsOf(ledgerOf(history).updates)).toEqual(accepted)
      }),
    )
  })

  test('a task was found as its last read before the first accepted update shows it', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const isUpdate = ({ does, ...step }: (typeof all)[number]) =>
          does === 'update' && 'comes' in step && step.comes === 'accepted'
        const first = all.findIndex(isUpdate)
        const before = play(first === -1 ? all : all.slice(0, first))
        const [read] = before.history.ended.filter(({ kind }) => kind === 'read').slice(-1)
        expect(foundWith(play(all).history, 't')).toEqual(read?.shown?.assignment)
      }),
    )
  })

  test('no task is called undone that only lags, or that others change', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { undone, unanswered } = leftTasksOf(play(all).history)
        expect(undone.filter(({ by }) => by === 'version')).toEqual([])
        expect(unanswered).toBe(play(all).lost)
      }),
    )
  })

  test('a replaced version that a read shows again is undone', () => {
    fc.assert(
      fc.property(steps, fc.nat(), (all, pick) => {
        const last = { does: 'update', comment: 'last', comes: 'accepted' } as const
        const played = play([
          { does: 'read', lag: 0 },
          ...all,
          { does: 'read', lag: 0 },
          last,
          { does: 'read', lag: 0 },
        ])
        const { history, states } = played
        const shown = history.ended.slice(0, -2).flatMap((op) => op.shown?.version ?? [])
        const replaced = states.filter(({ version }) => shown.includes(version))
        const state = replaced[pick % replaced.length]
        if (!state) return
        readAgain(played, state)
        expect(leftTasksOf(history).undone).toMatchObject([{ by: 'version', task: 't' }])
      }),
    )
  })
})
