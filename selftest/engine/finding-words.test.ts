import { expect, test } from 'vitest'
import { type Finding, wordsOf } from '../../engine/findings/finding.ts'
import { statusFinding } from '../../engine/findings/status.ts'
import { brokenBy } from '../../engine/outcome.ts'
import { problem } from '../../engine/problem.ts'
import { reasonOf, worded } from '../../engine/run/in-words.ts'
import { contract } from '../../program/run/contract.ts'

const { findings: kinds } = contract
const answer = { method: 'GET', path: '/tasks/1', status: 200 }

// biome-ignore format: one finding a line
const ofStatus: [Finding, sentence: string, expected: string, got: string][] = [
  [statusFinding(answer, 404), 'GET /tasks/1 responded 200, not 404', '404', '200'],
  [statusFinding(answer, '4xx'), 'GET /tasks/1 responded 200, not 4xx', '4xx', '200'],
  [statusFinding({ ...answer, status: 500 }, '2xx'), 'GET /tasks/1 responded 500, not 2xx', '2xx', '500'],
  [statusFinding(answer, 401, { what: 'the key in another case' }), 'the key in another case: GET /tasks/1 responded 200, not 401', '401', '200'],
  [statusFinding(answer, 401, { to: 'to a request without a key' }), 'GET /tasks/1 responded 200, not 401, to a request without a key', '401', '200'],
  [statusFinding(answer, 400, { although: 'the CSV is rejected' }), 'GET /tasks/1 responded 200, not 400, although the CSV is rejected', '400', '200'],
  [statusFinding(answer, 400, { to: 'to a year', although: 'a day is accepted' }), 'GET /tasks/1 responded 200, not 400, to a year, although a day is accepted', '400', '200'],
  [statusFinding({ ...answer, status: 500 }, { not: 500 }, { to: 'twice to a year' }), 'GET /tasks/1 responded 500 twice to a year', 'any status but 500', '500'],
  [statusFinding(answer, '2xx', { to: 'to all 3 zones tried', all: [400, 404] }), 'the service responded 400, 404, not 2xx, to all 3 zones tried', '2xx', '400, 404'],
  [statusFinding(answer, 409, { more: '\nthe walk: a, b' }), 'GET /tasks/1 responded 200, not 409\nthe walk: a, b', '409', '200'],
]

test.each(ofStatus)('a status in words: %j', (finding, sentence, expected, got) => {
  expect(wordsOf(finding, kinds)).toEqual({ sentence, expected, got })
})

const wrong = (wanted: number, exchange: number) =>
  problem(statusFinding(answer, wanted), { judged: exchange })

test('a reason has five sentences, each once, and the number of the others', () => {
  const problems = [401, 401, 402, 403, 404, 405, 406, 407].map((wanted, at) => wrong(wanted, at))
  expect(reasonOf(brokenBy(problems), kinds).split('\n')).toEqual([
    'GET /tasks/1 responded 200, not 401 (same result 2 times)',
    ...[402, 403, 404, 405].map((wanted) => `GET /tasks/1 responded 200, not ${wanted}`),
    '… and 2 more',
  ])
})

test('twenty breaches are kept, and the number of the others', () => {
  const problems = Array.from({ length: 23 }, (_, at) => wrong(400 + at, at))
  const broken = brokenBy(problems)
  expect([broken.breaches.length, broken.more]).toEqual([20, 3])
  expect(reasonOf(broken, kinds)).toMatch(/\n… and 18 more$/)
  expect(brokenBy(problems.slice(0, 20))).not.toHaveProperty('more')
})

test('a finding twice is one problem of the exchanges of both', () => {
  const { breaches } = brokenBy([wrong(401, 3), wrong(401, 1), wrong(401, 2)])
  expect(breaches).toEqual([{ ...wrong(401, 1), judged: [1, 2, 3], times: 3 }])
})

test('a script checks what the law says beside what its finding says', () => {
  const again = { why: 'two updates have to come first' }
  const finding = statusFinding(answer, 401)
  expect(worded(problem(finding, { judged: 1, again }), kinds).again).toEqual({
    due: 401,
    ...again,
  })
  const inWords = problem('it is wrong', { expected: 'right', got: 'wrong', judged: 1 })
  expect(worded(inWords, kinds)).not.toHaveProperty('again')
})

test('a breach of a report has its words and its finding', () => {
  const breach = worded(wrong(401, 1), kinds)
  expect(breach).toEqual({
    sentence: 'GET /tasks/1 responded 200, not 401',
    expected: '401',
    got: '200',
    finding: { kind: 'status', wanted: 401, of: answer },
    again: { due: 401 },
    judged: [1],
    control: [],
  })
})
