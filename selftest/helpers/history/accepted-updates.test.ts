import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changesOf, foundWith, ledgerOf } from '../../../helpers/history/accepted-updates.ts'
import {
  accepted,
  answerOf,
  anySteps,
  isApart,
  one,
  play,
  read,
  type State,
  type Step,
  sameSpelling,
  tasks,
} from './model.ts'

/** How often the assignment of a task changed in truth. */
const changesAmong = (states: readonly State[] = []) =>
  states.filter((state, at) => at > 0 && !sameSpelling(state, states[at - 1])).length

test('the accepted updates are those that were answered so, in their order', () => {
  fc.assert(
    fc.property(anySteps, (all) => {
      const { history, told } = play(all)
      expect(ledgerOf(history).updates).toMatchObject(
        told.flatMap(({ op, shows, comes }) =>
          comes === 'accepted' ? [{ task: op.task, assignment: shows?.assignment ?? null }] : [],
        ),
      )
    }),
  )
})

test('the comment of an update is known, unless its body has both objects', () => {
  const update = { assignment_comment: 'of one of them' }
  for (const [body, known] of [
    [{ update }, [update.assignment_comment]],
    [{ update, unassign: {} }, [undefined]],
  ]) {
    const { history, states } = play([read(one)])
    history.begin({ kind: 'update', task: one, body })(answerOf(states.get(one)?.[0]))
    expect(ledgerOf(history).updates.map(({ comment }) => comment)).toEqual(known)
  }
})

// Known gap: a read during the first update may show its result.
test('a task was found as its last read before the first accepted update shows it', () => {
  fc.assert(
    fc.property(anySteps, (all) => {
      const { history, told } = play(all)
      for (const task of tasks) {
        const about = told.filter(({ op }) => op.task === task)
        const first = about.findIndex(({ comes }) => comes === 'accepted')
        const before = about.slice(0, first === -1 ? undefined : first)
        expect(foundWith(history, task)).toEqual(before.findLast(isApart)?.shows?.assignment)
      }
    }),
    { examples: [[[read(one), accepted({ isReadMeanwhile: true })]]] },
  )
})

test('a read that is refused does not undo what a task was found with', () => {
  const { history } = play([read(one)])
  const found = foundWith(history, one)
  history.begin({ kind: 'read', task: one })(answerOf(undefined, 404))
  expect(found).toBeDefined()
  expect(foundWith(history, one)).toEqual(found)
})

describe('the changes that have to be recorded', () => {
  test('never exceed the real changes of any writer', () => {
    fc.assert(
      fc.property(anySteps, (all) => {
        const { history, states } = play(all)
        for (const [task, count] of changesOf(ledgerOf(history)))
          expect(count).toBeLessThanOrEqual(changesAmong(states.get(task)))
      }),
    )
  })

  test('are all there were where a task was read first, and everything was accepted', () => {
    const acceptedIn = (step: Step) =>
      step.does === 'update' && step.comes === 'accepted'
        ? [{ ...step, isReadMeanwhile: false }]
        : []
    fc.assert(
      fc.property(anySteps, (all) => {
        const { history, states } = play([
          ...tasks.map((id) => read(id)),
          ...all.flatMap(acceptedIn),
        ])
        const changes = changesOf(ledgerOf(history))
        expect(tasks.map((task) => changes.get(task) ?? 0)).toEqual(
          tasks.map((task) => changesAmong(states.get(task))),
        )
      }),
    )
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
