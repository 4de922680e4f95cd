import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import { FateUnknown } from '../../../engine/http/fate-unknown.ts'
import { Trouble } from '../../../engine/outcome.ts'
import { insisted } from '../../../helpers/updates/attempt.ts'

describe('an update that is to be refused', () => {
  /** Each is left unanswered, and then the last one is answered. */
  function send(failures: Error[]) {
    let sent = 0
    const answer = { status: 409 } as Answer
    const insist = () =>
      insisted(async () => {
        const failure = failures[sent]
        sent += 1
        if (failure) throw failure
        return answer
      }, 'whose If-Match is stale')
    return { insist, answer, sent: () => sent }
  }
  const unanswered = () => new FateUnknown('no answer within 10 s')

  test('is sent again until it is answered', async () => {
    const { insist, answer, sent } = send([unanswered(), unanswered()])
    expect(await insist()).toBe(answer)
    expect(sent()).toBe(3)
  })

  test('is given up after three times, with the condition under which it came', async () => {
    const { insist, sent } = send([unanswered(), unanswered(), unanswered()])
    await expect(insist()).rejects.toThrow(
      '3 of 3 updates whose If-Match is stale failed: no answer within 10 s',
    )
    expect(sent()).toBe(3)
  })

  test('is not sent again where it was not sent', async () => {
    const { insist, sent } = send([new Trouble('no connection')])
    await expect(insist()).rejects.toThrow('no connection')
    expect(sent()).toBe(1)
  })
})
