import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { leftTasksOf, problemsOfLeft } from '../../../helpers/history/left-changed.ts'
import { commentIn } from '../../../helpers/service/comments.ts'
import {
  accepted,
  answerOf,
  isApart,
  one,
  type Played,
  play,
  read,
  readAgain,
  type State,
  type Step,
  steps,
  tasks,
} from './model.ts'

const always = (holds: (all: Step[], pick: number) => void) =>
  fc.assert(fc.property(steps, fc.nat(), holds))

/** A task that is finally read and updated twice. */
const ending = (all: readonly Step[]) =>
  play([read(one), ...all, read(one), accepted(), read(one), accepted(), read(one)])

const undoneIn = ({ history }: Played) =>
  leftTasksOf(history).seen.filter(({ undone }) => undone !== undefined)

describe('a task at the end of a run', () => {
  test('is judged by the last read after its last update, if that was accepted', () => {
    always((all) => {
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
    always((all) => {
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
    always((all, pick) => {
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
    always((all) => {
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
