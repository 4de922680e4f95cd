import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import { createTaskWatch } from '../../../helpers/aftermath/task-watch.ts'
import { unassignBody } from '../../../helpers/service/update-request.ts'

const forOne = 'Contract test, please ignore one'
const forBoth = 'Contract test, please ignore both'

let versions = 0

const showing = (comment: string | null, status = 200): Answer => {
  versions += 1
  const assignment = comment === null ? null : { assignment_comment: comment }
  return {
    status,
    headers: {},
    text: JSON.stringify({ updated_at: `version ${versions}`, assignment }),
  } as Answer
}

const sending = (comment: string) => ({ update: { assignment_comment: comment } })

/** A run that updates one task, and then reads another one. */
function watched({
  sent,
  answer = showing(sent),
  isRead = true,
  shown,
}: Record<'sent' | 'shown', string> & { answer?: Answer; isRead?: boolean }) {
  const watch = createTaskWatch(100)
  if (isRead) watch.reading('one')(showing(null))
  watch.reading('other')(showing(null))
  watch.updating('one', sending(sent))(answer)
  watch.reading('other')(showing(shown))
  return watch
}

describe('a task that shows a comment which it was not given', () => {
  test('of the accepted update of another task: what shows no comment may be another’s too', () => {
    const watch = watched({ sent: forOne, shown: forOne })
    expect([watch.spills, watch.mayBeAnothers(null)]).toEqual([true, true])
    expect(watch.isExplained(null)).toBe(false)
    expect(watch.mayBeAnothers({ assignment_comment: forOne } as never)).toBe(false)
  })

  test('of a refused update of another task: it is that update which was carried out', () => {
    const watch = watched({ sent: forOne, answer: showing(null, 409), shown: forOne })
    expect([watch.spills, watch.mayBeAnothers(null)]).toEqual([false, false])
  })

  test('of somebody else: the run is not alone', () => {
    const watch = watched({ sent: forOne, shown: 'by the house' })
    expect([watch.spills, watch.mayBeAnothers(null)]).toEqual([false, true])
  })

  test.each([
    ['in words that anybody writes', { sent: 'Please review', shown: 'Please review' }],
    ['by an id that no read knows', { sent: forOne, shown: forOne, isRead: false }],
  ])('which was sent to another %s: it may not be that update', (_, given) => {
    expect(watched(given).spills).toBe(false)
  })

  test('that was given to both tasks: it is its own', () => {
    const watch = createTaskWatch(100)
    for (const task of ['one', 'other']) watch.reading(task)(showing(null))
    watch.updating('one', sending(forBoth))(showing(forBoth))
    watch.updating('other', sending(forBoth))(showing(forBoth))
    watch.reading('other')(showing(null))
    watch.reading('other')(showing(forBoth))
    expect(watch.spills).toBe(false)
  })
})

describe('an update that was answered 409', () => {
  const unassigning = unassignBody('anna')
  const lateAfter = (status: number, shown: string | null) => {
    const watch = createTaskWatch(100)
    watch.reading('one')(showing('found'))
    watch.updating('one', unassigning)(showing(null, status))
    watch.reading('one')(showing(shown))
    return watch.lateMismatches.map(({ task }) => task)
  }

  test('is told where its task is shown as it asked, in a version that nobody wrote', () => {
    expect(lateAfter(409, null)).toEqual(['one'])
  })

  test('is not where the task is shown otherwise, and none that was accepted or refused for more', () => {
    const assigned = createTaskWatch(100)
    assigned.reading('one')(showing(null))
    assigned.updating('one', { update: { assigned_to_id: 'anna' } })(showing(null, 409))
    assigned.reading('one')(showing(null))
    expect(assigned.lateMismatches).toEqual([])
    expect(lateAfter(200, null)).toEqual([])
    expect(lateAfter(400, null)).toEqual([])
  })

  test('does not count where the body of the request is not that of an update', () => {
    const watch = createTaskWatch(100)
    watch.reading('one')(showing('found'))
    watch.updating('one', '{')(showing(null, 409))
    watch.reading('one')(showing(null))
    expect(watch.lateMismatches).toEqual([])
  })

  test('is not where the version that shows it is the one of an accepted update', () => {
    const watch = createTaskWatch(100)
    watch.reading('one')(showing('found'))
    watch.updating('one', unassigning)(showing(null, 409))
    const accepted = showing(null)
    watch.updating('one', unassigning)(accepted)
    watch.reading('one')(accepted)
    expect(watch.lateMismatches).toEqual([])
  })
})
