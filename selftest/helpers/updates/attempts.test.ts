import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import { FateUnknown } from '../../../engine/http/fate-unknown.ts'
import { from } from '../../../engine/origin.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import { createHistory } from '../../../helpers/history/history.ts'
import type { Task } from '../../../helpers/service/answers.ts'
import { commentIn } from '../../../helpers/service/comments.ts'
import { unassignBody } from '../../../helpers/service/update-request.ts'
import {
  type AttemptDeps,
  type AttemptResult,
  asUpdate,
  insisted,
  sendBatch,
} from '../../../helpers/updates/attempt.ts'
import {
  problemsOfEffect,
  problemsOfMoved,
  withoutEffect,
} from '../../../helpers/updates/attempts.ts'

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
  const current = { sendOn: (on: object, send: (on: object) => unknown) => send(on) }
  const loan = { task: { id: 't', updated_at: 'v1', assignment: null }, current }
  const lending = { lend: (_: unknown, __: unknown, use: (given: object) => unknown) => use(loan) }
  const people = [{ id: 'a', type: 'USER' }]
  const given = { lending, history: createHistory(), settings: {}, people }
  const same = {
    what: 'with the same digits',
    on: 'any',
    body: asUpdate,
    version: (now: string) => now,
  } as const
  const tried = sendBatch({ how: 'row', attempts: [same] }, given as unknown as AttemptDeps)
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
  const lost = new FateUnknown('no response within 10 s')

  test('is sent again until it is answered, three times in all, and not where it was not sent', async () => {
    expect(await insistedAfter(lost, lost)).toEqual([409, 3])
    expect(await insistedAfter(lost, lost, lost)).toEqual([
      '3 of 3 updates whose If-Match is stale failed: no response within 10 s',
      3,
    ])
    expect(await insistedAfter(new Trouble('no connection'))).toEqual(['no connection', 1])
  })
})

/** An attempt that was answered like this, on a task that showed v1 before and this version after. */
function attempted(status: number, now = 'v1', attempt: object = {}): AttemptResult {
  const answer = { method: 'PUT', path: '/tasks/t/update-assignment', status, exchange: 2 }
  const of = (version: string, exchange: number) =>
    from({ id: 't', updated_at: version, assignment: null }, exchange)
  const [before, stored] = [of('v1', 1), of(now, 3)]
  const given = { attempt: { what: 'to nobody', ...attempt }, answer, before, stored, decides: {} }
  return given as unknown as AttemptResult
}

test('an update was carried out if a read shows it, if none is readable, or if its comment shows', () => {
  const assigned = { ...attempted(400, 'v2').stored, assignment: { assigned_to_id: 'a' } } as Task
  const refused = { token: 'c', answer: attempted(400).answer, task: 't', at: 0 }
  const trace = { method: 'GET', path: '/tasks/u', status: 200, exchange: 9 } as Answer
  const sentences = (more: object) =>
    problemsOfEffect({ ...attempted(400), traces: [], ...more }).map(({ sentence }) => sentence)
  expect(sentences({ refused })).toEqual([])
  expect(sentences({ carriedOut: assigned })).toEqual([
    expect.stringMatching(/but the assignment changed$/),
  ])
  const unread = new NotDecidable('clause', 'GET /tasks/t responded 404', 'task.read.success')
  expect(sentences({ carriedOut: unread })).toEqual([expect.stringMatching(/responded 404$/)])
  expect(sentences({ refused, traces: [trace] })).toEqual([expect.stringMatching(/later$/)])
})

test('a new version counts after the same refusal as before, and after a 409 to another version', () => {
  const moves =
    (...[status, now, attempt]: Parameters<typeof attempted>) =>
    (like?: number) =>
      withoutEffect([attempted(status, now, attempt)]).map(
        (one) => problemsOfMoved({ ...one, status: like ?? status }).length,
      )
  expect(moves(400, 'v2')()).toEqual([1])
  expect(moves(400)()).toEqual([0])
  expect(moves(400, 'v2')(422)).toEqual([0])
  expect(moves(409, 'v2')()).toEqual([0])
  expect(moves(409, 'v2', { version: () => 'v0' })()).toEqual([1])
  expect(moves(500, 'v2')()).toEqual([0])
  expect(moves(200, 'v2')()).toEqual([])
})
