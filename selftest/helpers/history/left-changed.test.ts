import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { leftTasksOf } from '../../../helpers/history/left-changed.ts'
import { commentIn } from '../../../helpers/service/comments.ts'
import {
  accepted,
  answerOf,
  isApart,
  one,
  play,
  read,
  readAgain,
  type State,
  type Step,
  steps,
  tasks,
} from './model.ts'

const always = (holds: (all: Step[]) => void) => fc.assert(fc.property(steps, holds))

describe('a task at the end of a run', () => {
  test('is judged by the last read after its last update, if that was accepted', () => {
    always((all) => {
      const { history, told } = play(all)
      const isSeen = (task: string) => {
        const about = told.filter(({ op }) => op.task === task)
        const last = about.findLastIndex(({ comes }) => typeof comes === 'string')
        return about[last]?.comes === 'accepted' && about.slice(last + 1).some(isApart)
      }
      expect(leftTasksOf(history).seen).toBe(tasks.filter(isSeen).length)
      expect(leftTasksOf(history).unanswered).toBe(
        told.filter(({ comes }) => comes?.toString().startsWith('lost')).length,
      )
    })
  })

  test('shows no replaced version if reads only lag, and nothing undone if they do not', () => {
    always((all) => {
      const { undone } = leftTasksOf(play(all).history)
      expect(undone.filter(({ by }) => by === 'version')).toEqual([])
      const quick = all.map((step) => (step.does === 'read' ? { ...step, lag: 0 } : step))
      expect(leftTasksOf(play(quick).history).undone).toEqual([])
    })
  })

  test('is not known after an update that was answered 500: it may have been carried out', () => {
    const played = play([read(one), accepted(), read(one)])
    const { history, states } = played
    history.begin({ kind: 'update', task: one })(answerOf(undefined, 500))
    history.begin({ kind: 'read', task: one })()
    readAgain(played, one, states.get(one)?.[0] as State)
    expect(leftTasksOf(history)).toMatchObject({ seen: 0, unanswered: 0, undone: [] })
  })

  test('may show the comment of an update without an answer, which may be carried out late', () => {
    const played = play([read(one), accepted({ comes: 'lost and not carried out' }), accepted()])
    const state = played.states.get(one)?.at(-1) as State
    const assignment_comment = commentIn(played.history.begun[1]?.body)
    const assignment = { ...state.assignment, assignment_comment } as State['assignment']
    readAgain(played, one, { ...state, version: 'late', assignment })
    expect(leftTasksOf(played.history)).toMatchObject({ seen: 1, undone: [] })
  })

  test('is not undone if its last update brought an earlier version back', () => {
    const played = play([read(one), accepted(), read(one)])
    const found = played.states.get(one)?.[0] as State
    played.history.begin({ kind: 'update', task: one })(answerOf(found))
    readAgain(played, one, found)
    expect(leftTasksOf(played.history)).toMatchObject({ seen: 1, undone: [] })
  })
})
