import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import { createTaskWatch } from '../../../helpers/aftermath/task-watch.ts'

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
  shown,
}: Record<'sent' | 'shown', string> & { answer?: Answer }) {
  const watch = createTaskWatch(100)
  watch.reading('other')(showing(null))
  watch.updating('one', sending(sent))(answer)
  watch.reading('other')(showing(shown))
  return watch
}

describe('a task that shows a comment which it was not given', () => {
  test('of the accepted update of another task: what shows no comment may be another’s too', () => {
    const watch = watched({ sent: 'for one', shown: 'for one' })
    expect([watch.spills, watch.mayBeAnothers(null)]).toEqual([true, true])
    expect(watch.mayBeAnothers({ assignment_comment: 'for one' } as never)).toBe(false)
  })

  test('of a refused update of another task: it is that update which was carried out', () => {
    const watch = watched({ sent: 'for one', answer: showing(null, 409), shown: 'for one' })
    expect([watch.spills, watch.mayBeAnothers(null)]).toEqual([false, false])
  })

  test('of somebody else: the run is not alone', () => {
    const watch = watched({ sent: 'for one', shown: 'by the house' })
    expect([watch.spills, watch.mayBeAnothers(null)]).toEqual([false, true])
  })

  test('that was given to both is no other’s', () => {
    const watch = createTaskWatch(100)
    watch.updating('one', sending('for both'))(showing('for both'))
    watch.updating('other', sending('for both'))(showing('for both'))
    watch.reading('other')(showing(null))
    watch.reading('other')(showing('for both'))
    expect(watch.spills).toBe(false)
  })
})
