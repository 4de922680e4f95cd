import { describe, expect, test } from 'vitest'
import { clauses } from '../../../engine/clause/clause.ts'
import type { Law } from '../../../engine/clause/law.ts'
import type { Answer } from '../../../engine/http/client.ts'
import type { Exchange } from '../../../engine/http/exchange.ts'
import { FateUnknown } from '../../../engine/http/fate-unknown.ts'
import { from } from '../../../engine/origin.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import { createHistory } from '../../../helpers/history/history.ts'
import type { Loan } from '../../../helpers/loans/lending.ts'
import type { Task } from '../../../helpers/service/answers.ts'
import { commentIn } from '../../../helpers/service/comments.ts'
import type { Service } from '../../../helpers/service/service.ts'
import { toIn, unassignBody } from '../../../helpers/service/update-request.ts'
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
import { ofFate, raceOnce } from '../../../helpers/updates/race.ts'
import { overlapOf } from '../../../suites/concurrency.ts'
import { faults } from '../../proofs/areas.ts'
import { disagreeingIn, unborneIn } from '../../proofs/borne-out.ts'
import { runClauses } from '../../proofs/prove.ts'

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
  const loan = { task, current } as unknown as Loan
  const service = { putTogether } as unknown as Service
  const racing = { service, history: { endedOf: () => ops }, people, actor: 'A', taken: [] }
  const round = await raceOnce({ ...racing, writers: 4 } as never, loan, kind, {
    known: task as never,
  })
  return {
    to: round.sent.map(({ body }) => toIn(body)),
    refused: round.refused.length,
    unknown: ofFate(round.sent, 'unknown').length,
    isSettled: round.isSettled,
  }
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
  const judging = clauses.get('version.history')?.judging as never as { law: Law<object> }
  const last = { assignment: { assignment_comment: 'comment 0' } }
  return judging.law({ sent, last }).map(({ sentence }) => sentence)
}

// biome-ignore format: one history a line
test.each<[string[], ...Parameters<typeof sentencesOf>]>([
  [['2 updates with the same If-Match, v1, were all accepted'], [200], [200, 'v1', 'v3']],
  [['#0 and #1 got the same version, v2'], [200], [200, 'v3', 'v2']],
  [['#1 was accepted, but the version is still v4'], [200], [200, 'v4', 'v4']],
  [['the task shows the assignment of #0, which #1 had replaced'], [200], [200, 'v2', 'v3']],
  [[], [200], [500], [200, 'v7', 'v8']],
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

const asked = ['assign.*-to-*', 'assign.unassign-*', 'assign.persisted', 'assign.new-version']

// Every proof of a fault asks the same of all its sentences.
test('where updates are answered and none is stored, each card says that the read shows the task as before', async () => {
  const fault = faults.find(({ name }) => name === 'updates are answered, and none is stored')
  const checked = await runClauses(fault ?? {}, asked)
  const cards = new Map(checked.report?.clauses.map(({ id, breaches = [] }) => [id, breaches]))
  expect(unborneIn(checked)).toEqual([])
  for (const id of ['assign.unassigned-to-team', 'assign.persisted']) {
    const said = cards.get(id)?.map(({ sentence }) => sentence)
    expect(said?.join()).toMatch(/the read after it still shows the assignment before it, null/)
  }
  expect(
    [...cards.values()]
      .flat()
      .map(({ sentence }) => sentence)
      .join(),
  ).not.toMatch(/somebody else|another writer|overw|with the same version|If-Match/)
}, 120_000)

test.each([
  ['PUT /tasks/1/update-assignment answered 409', 'PUT /tasks/1/update-assignment answered 409'],
  ['the assignment before it, null', 'what was there before'],
  ['2 updates with the same If-Match', 'another update with its If-Match'],
])(
  'a sentence that its exchanges do not bear out is found: %s',
  async (sentence, what) => {
    const { report } = await runClauses({}, ['assign.persisted'])
    const clauses = (report?.clauses ?? []).map((each) => {
      const judged = each.evidence.slice(-1).map(({ exchange }) => exchange)
      const breach = { sentence, expected: '', got: '', judged, control: [] }
      return { ...each, breaches: [breach] }
    })
    expect(unborneIn({ report: report && { ...report, clauses } })).toEqual([
      `assign.persisted does not show ${what}: ${sentence}`,
    ])
  },
  120_000,
)

test('two sentences that disagree on one task are found, in a card and in the verdict', () => {
  const of = (judged: number[], sentence: string) => ({ judged, sentence })
  const still = 'the read after it still shows the assignment before it, null'
  const changed = 'PUT /tasks/1/update-assignment answered 409, but the assignment changed'
  const found = (breaches: object[], more: object = {}) =>
    disagreeingIn({ clauses: [{ breaches }], reasons: [], residue: [], ...more } as never)
  expect(found([of([1], still), of([1, 2], changed)])).toEqual([
    `"${still}" and "${changed}" disagree`,
  ])
  expect(found([of([1], still), of([2], changed)])).toEqual([])
  const reason = 'not known to be put back: its response alone shows the task as found'
  const residue = [{ task: 'T1', reason }]
  expect(found([], { residue, reasons: ['task T1 could not be put back'] })).toHaveLength(1)
  expect(found([], { residue, reasons: ['task T2 could not be put back'] })).toEqual([])
})
