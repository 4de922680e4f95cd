import { expect, test } from 'vitest'
import type { Judging } from '../../../engine/clause/law.ts'
import type { Answer } from '../../../engine/http/client.ts'
import type { Exchange } from '../../../engine/http/exchange.ts'
import { FateUnknown } from '../../../engine/http/fate-unknown.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import { clauses } from '../../../helpers/clause.ts'
import { sentenceOf } from '../../../helpers/findings/kinds.ts'
import type { Loan } from '../../../helpers/loans/lending.ts'
import { commentIn, createNames } from '../../../helpers/service/comments.ts'
import { toIn, unassignBody } from '../../../helpers/service/update-request.ts'
import { insisted } from '../../../helpers/updates/attempt.ts'
import { ofFate, raceOnce } from '../../../helpers/updates/race.ts'
import '../../../suites/all.ts'
import { overlapOf } from '../../../suites/concurrency.ts'

test('an update that is to be rejected is sent until it is answered, three times in all, and not where it was not sent', async () => {
  /** Each of these is thrown, and then there is an answer. */
  async function insistedAfter(...failures: Error[]) {
    let sent = 0
    const send = async () => {
      const failure = failures[sent++]
      if (failure) throw failure
      return { status: 409 } as Answer
    }
    const came = await insisted(send, 'whose If-Match is stale').catch(({ message }) => message)
    return [typeof came === 'string' ? came : came.status, sent]
  }
  const lost = new FateUnknown('no response within 10 s')
  expect(await insistedAfter(lost, lost)).toEqual([409, 3])
  expect(await insistedAfter(lost, lost, lost)).toEqual([
    '3 of 3 updates whose If-Match is stale failed: no response within 10 s',
    3,
  ])
  expect(await insistedAfter(new Trouble('no connection'))).toEqual(['no connection', 1])
})

const comment = 'Contract test, please ignore 0123456789ab'
test.each<[string, unknown, string | undefined]>([
  ['stands in its object', { update: { assignment_comment: 'any' } }, 'any'],
  ['stands in a text', `{"update": {"assignment_comment": "${comment}", `, comment],
  ['does not stand in a text', '{"update": ', undefined],
  ['does not stand in it', { update: { assigned_by_id: 'a' } }, undefined],
  ['goes with an unassign, after which none is shown', unassignBody('a', comment), undefined],
])('the comment by which an update that was refused is found: %s', (_, body, expected) => {
  expect(commentIn(body)).toBe(expected)
})

const people = ['Anna', 'Ben', 'Cleo'].map((id) => ({ id, type: 'USER' as const }))
const by = { assigned_by_id: 'A', assigned_to_type: 'USER' }
const heldBy = (assigned_to_id: string) => ({ ...by, assigned_to_id })

/** A race for a task of nobody or Ben, with these answers to its four updates, and the task after it. */
async function raced(statuses: number[], shown: object, kind: 'assign' | 'the other' = 'assign') {
  const assignment = kind === 'assign' ? null : heldBy('Ben')
  const task = { id: 't', updated_at: 'v1', assignment }
  const won = { ...task, updated_at: 'v2', assignment: heldBy('Anna') }
  const answers = statuses.map((status) => {
    const text = JSON.stringify(status === 200 ? won : {})
    return { method: 'PUT', path: '/t', status, text }
  })
  let ops: { body: unknown; answer: unknown }[] = []
  const putTogether = async (_id: string, _version: string, bodies: unknown[]) => {
    ops = bodies.map((body, at) => ({ body, answer: answers[at] }))
    return answers.map((value) => ({ status: 'fulfilled', value }))
  }
  const after = async () => ({ ...won, ...shown })
  const current = { newest: async () => task, read: after, watch: after, isReplaced: () => false }
  const loan = { task, current, service: { putTogether }, actor: 'A' } as unknown as Loan
  const racing = { history: { endedOf: () => ops, names: createNames() }, people, taken: [] }
  const known = task as never
  const round = await raceOnce({ ...racing, writers: 4 } as never, loan, kind, { known })
  const { sent, refused, isSettled } = round
  const to = sent.map(({ body }) => toIn(body))
  return { to, refused: refused.length, unknown: ofFate(sent, 'unknown').length, isSettled }
}

// The second update to Anna may be refused for what it asks for.
// biome-ignore format: one race a line
test.each([
  ['is settled if its winner is shown', [200, 409, 422, 409], {}, { refused: 2, unknown: 0, isSettled: true }],
  ['is not if another writer has assigned the task since', [200, 409, 409, 409], { updated_at: 'v3', assignment: heldBy('Ben') }, { refused: 2, unknown: 0, isSettled: false }],
  ['is not where an update may have been carried out unanswered', [200, 409, 500, 409], {}, { refused: 1, unknown: 1, isSettled: false }],
])('a race %s', async (_, statuses, shown, expected) => {
  expect(await raced(statuses, shown)).toMatchObject(expected)
})

test('after a round of both kinds, the next asks for the other', async () => {
  const statuses = [200, 409, 409, 409]
  expect(await raced(statuses, {})).toMatchObject({ to: ['Anna', 'Ben', 'Cleo', 'Anna'] })
  expect(await raced(statuses, {}, 'the other')).toMatchObject({ to: [null, 'Anna', null, 'Cleo'] })
})

test('requests overlap if one began while another was under way', () => {
  const at = (start: number, milliseconds: number) =>
    ({ start: new Date(start).toISOString(), milliseconds }) as Exchange
  expect(overlapOf([])).toBe(0)
  expect(overlapOf([at(0, 10), at(20, 10), at(40, 10)])).toBe(1)
  expect(overlapOf([at(0, 30), at(20, 30), at(40, 10)])).toBe(2)
  expect(overlapOf([at(0, 30), at(20, 30), at(25, 30)])).toBe(3)
})

/** What the law says of updates with these statuses, versions used and made, and of the task of the first after them. */
function sentencesOf(...updates: [status?: number, used?: string, made?: string][]): string[] {
  const sent = updates.map(([status, used = 'v1', version = 'v2'], at) => ({
    body: { update: { assignment_comment: `comment ${at}` } },
    ifMatch: used,
    ...(status && { answer: { method: 'PUT', path: '/t', status, exchange: at } }),
    shown: { version },
  }))
  const { judging } = clauses.get('version.history') ?? {}
  const { law } = judging as Judging<object>
  const last = { updated_at: 'v2', assignment: { assignment_comment: 'comment 0' } }
  return law({ sent, last }).map(({ finding }) => sentenceOf(finding))
}

// biome-ignore format: one history a line
test.each<[string[], ...Parameters<typeof sentencesOf>]>([
  [['2 updates with the same If-Match, v1, were all accepted'], [200], [200, 'v1', 'v3']],
  [['the versions of #0 and of #1 are the same: "v2"'], [200], [200, 'v3', 'v2']],
  [['PUT /t responded 200: updated_at is "v4", as before'], [200], [200, 'v4', 'v4']],
  [['the task shows the assignment of #0, which #1 had replaced'], [200], [200, 'v2', 'v3']],
  [[], [200], [500], [200, 'v7', 'v8']],
  // A version that none of them got is another writer's.
  [[], [200, 'v1', 'v5'], [200, 'v5', 'v6']],
])('%j of updates side by side', (sentences, ...updates) => {
  expect(sentencesOf(...updates)).toEqual(sentences)
})

test.each([
  [Trouble, [500, 500]],
  [Trouble, [undefined, 503]],
  [NotDecidable, [200, 409, undefined]],
])('too few accepted updates are %o where they were answered %j', (kind, statuses) => {
  expect(() => sentencesOf(...statuses.map((one): [number?] => [one]))).toThrow(kind)
})
