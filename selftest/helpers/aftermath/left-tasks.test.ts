import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import { watchLeftTasks } from '../../../helpers/aftermath/left-tasks.ts'

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
  const left = watchLeftTasks()
  left.reading('t')(answer('v1', null))
  left.updating('t', sent('first'))(answer('v2', 'first'))
  left.reading('T')(answer('v2', 'first'))
  left.updating('t', sent('second'))(answer('v3', 'second'))
  return left
}

const told = ({ undone }: ReturnType<typeof watchLeftTasks>) =>
  undone.map(({ by, shown }) => `${by} ${shown.version}`)

describe('a task at the end of a run', () => {
  test('is undone where it shows a version again that was replaced', () => {
    const left = twiceUpdated()
    left.reading('t')(answer('v3', 'second'))
    expect(told(left)).toEqual([])
    left.reading('t')(answer('v2', 'first'))
    expect(told(left)).toEqual(['version v2'])
  })

  test('is undone where it shows the comment of an earlier update, with a new version', () => {
    const left = twiceUpdated()
    left.reading('t')(answer('v4', 'first'))
    expect(told(left)).toEqual(['comment v4'])
  })

  test('is not undone where it was shown late, or by what another writer made of it', () => {
    const left = twiceUpdated()
    // Nothing has shown yet that v2 was replaced.
    left.reading('t')(answer('v2', 'second'))
    expect(told(left)).toEqual([])
    left.reading('t')(answer('v4', 'somebody else'))
    left.reading('t')(answer('v5', null))
    expect(told(left)).toEqual([])
    expect(left.seen).toBe(1)
  })

  test('is not judged by reads that were asked for before its last update was answered', () => {
    const left = twiceUpdated()
    left.reading('t')(answer('v3', 'second'))
    const early = left.reading('t')
    const ended = left.updating('t', sent('third'))
    early(answer('v2', 'first'))
    ended(answer('v4', 'third'))
    expect(told(left)).toEqual([])
    expect(left.seen).toBe(0)
  })

  test('is not judged where nobody knows what became of its last update', () => {
    const left = twiceUpdated()
    left.reading('t')(answer('v3', 'second'))
    left.updating('t', sent('third'))()
    left.reading('t')(answer('v2', 'first'))
    expect(left.seen).toBe(0)
  })

  test('is left as it was by an update that is refused', () => {
    const left = twiceUpdated()
    left.updating('t', sent('third'))(answer('v3', 'second', 409))
    left.reading('t')(answer('v3', 'second'))
    expect(left.seen).toBe(1)
    expect(told(left)).toEqual([])
  })
})
