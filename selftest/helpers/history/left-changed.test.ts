import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import { createHistory, type History } from '../../../helpers/history/history.ts'
import { leftTasksOf } from '../../../helpers/history/left-changed.ts'

const ids = { assigned_by_id: 'a', assigned_to_id: 'b', assigned_to_type: 'USER' }

const answer = (version: string, comment: string | null, status = 200): Answer => {
  const assignment = comment === null ? null : { ...ids, assignment_comment: comment }
  const body = { updated_at: version, assignment }
  const text = JSON.stringify(body)
  return { method: 'PUT', path: '/tasks/t', status, exchange: 1, text } as unknown as Answer
}

const sent = (comment: string) => ({ update: { ...ids, assignment_comment: comment } })

/** A task that was read at v1, and updated twice with answers v2 and v3. */
function twiceUpdated() {
  const history = createHistory()
  read(history)(answer('v1', null))
  update(history, 'first')(answer('v2', 'first'))
  read(history, 'T')(answer('v2', 'first'))
  update(history, 'second')(answer('v3', 'second'))
  return history
}

const read = (history: History, task = 't') => history.begin({ kind: 'read', task })
const update = (history: History, comment: string) =>
  history.begin({ kind: 'update', task: 't', body: sent(comment) })

const undoneIn = (history: History) =>
  leftTasksOf(history).undone.map(({ by, shown }) => `${by} ${shown.version}`)

describe('a task at the end of a run', () => {
  test('is undone where it shows a version again that was replaced', () => {
    const history = twiceUpdated()
    read(history)(answer('v3', 'second'))
    expect(undoneIn(history)).toEqual([])
    read(history)(answer('v2', 'first'))
    expect(undoneIn(history)).toEqual(['version v2'])
  })

  test('is undone where it shows the comment of an earlier update, with a new version', () => {
    const history = twiceUpdated()
    read(history)(answer('v4', 'first'))
    expect(undoneIn(history)).toEqual(['comment v4'])
  })

  test('is not undone where it was shown late, or by what another writer made of it', () => {
    const history = twiceUpdated()
    // Nothing has shown yet that v2 was replaced.
    read(history)(answer('v2', 'second'))
    expect(undoneIn(history)).toEqual([])
    read(history)(answer('v4', 'somebody else'))
    read(history)(answer('v5', null))
    expect(undoneIn(history)).toEqual([])
    expect(leftTasksOf(history).seen).toBe(1)
  })

  test('is not judged by reads that were asked for before its last update was answered', () => {
    const history = twiceUpdated()
    read(history)(answer('v3', 'second'))
    const early = read(history)
    const ended = update(history, 'third')
    early(answer('v2', 'first'))
    ended(answer('v4', 'third'))
    expect(undoneIn(history)).toEqual([])
    expect(leftTasksOf(history).seen).toBe(0)
  })

  test('is not judged where nobody knows what became of its last update', () => {
    const history = twiceUpdated()
    read(history)(answer('v3', 'second'))
    update(history, 'third')()
    read(history)(answer('v2', 'first'))
    expect(leftTasksOf(history).seen).toBe(0)
  })

  test('is left as it was by an update that is refused', () => {
    const history = twiceUpdated()
    update(history, 'third')(answer('v3', 'second', 409))
    read(history)(answer('v3', 'second'))
    expect(leftTasksOf(history).seen).toBe(1)
    expect(undoneIn(history)).toEqual([])
  })
})
