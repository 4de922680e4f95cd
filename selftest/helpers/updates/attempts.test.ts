import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import { FateUnknown } from '../../../engine/http/fate-unknown.ts'
import { Trouble } from '../../../engine/outcome.ts'
import { createHistory } from '../../../helpers/history/history.ts'
import { commentIn } from '../../../helpers/service/comments.ts'
import { unassignBody } from '../../../helpers/service/update-request.ts'
import { type AttemptDeps, asUpdate, insisted, tryAlone } from '../../../helpers/updates/attempt.ts'

describe('the comment by which an update that was refused is found', () => {
  const comment = 'Contract test, please ignore 0123456789ab'
  test.each<[string, unknown, string | undefined]>([
    ['stands in its object', { update: { assignment_comment: 'any' } }, 'any'],
    ['stands in a text', `{"update": {"assignment_comment": "${comment}", `, comment],
    ['does not stand in a text', '{"update": ', undefined],
    ['does not stand in it', { update: { assigned_by_id: 'a' } }, undefined],
    ['goes with an unassign, after which none is shown', unassignBody('a', comment), undefined],
  ])('%s', (_, body, expected) => {
    expect(commentIn(body)).toBe(expected)
  })
})

test('an attempt whose version would be the current one is not decided', async () => {
  const loan = { task: { id: 't', updated_at: 'v1', assignment: null }, current: {} }
  const lending = { lend: (_: unknown, __: unknown, use: (given: object) => unknown) => use(loan) }
  const given = {
    lending,
    history: createHistory(),
    settings: {},
    people: [{ id: 'a', type: 'USER' }],
  }
  const same = {
    what: 'with the same digits',
    on: 'any',
    body: asUpdate,
    version: (now: string) => now,
  } as const
  const tried = tryAlone(same, given as unknown as AttemptDeps)
  await expect(tried).rejects.toMatchObject({ why: { cause: 'freedom' } })
})

describe('an update that is to be refused', () => {
  /** Each of these is thrown, and then there is an answer. */
  async function insistedAfter(...failures: Error[]) {
    let sent = 0
    const send = async () => {
      const failure = failures[sent]
      sent += 1
      if (failure) throw failure
      return { status: 409 } as Answer
    }
    const what = 'whose If-Match is stale'
    const came = await insisted(send, what).catch(({ message }: Error) => message)
    return [typeof came === 'string' ? came : came.status, sent]
  }
  const lost = new FateUnknown('no answer within 10 s')

  test('is sent again until it is answered, three times in all, and not where it was not sent', async () => {
    expect(await insistedAfter(lost, lost)).toEqual([409, 3])
    expect(await insistedAfter(lost, lost, lost)).toEqual([
      '3 of 3 updates whose If-Match is stale failed: no answer within 10 s',
      3,
    ])
    expect(await insistedAfter(new Trouble('no connection'))).toEqual(['no connection', 1])
  })
})
