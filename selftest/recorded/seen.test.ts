import { describe, expect, test } from 'vitest'
import { keyTrials, lookupTrials, refusedReadsOfKnown } from '../../helpers/access/seen-keys.ts'
import { problemsOfPresent } from '../../helpers/reads/presence.ts'
import { problemsOfApart } from '../../helpers/reads/readings.ts'
import {
  errorBodies,
  malformedReads,
  pairsOf,
  presentReads,
  unknownReads,
} from '../../helpers/reads/seen-reads.ts'
import { problemsOfUnknown } from '../../helpers/reads/unknown-ids.ts'
import { momentsIn } from '../../helpers/recorded/moments.ts'
import { isKeyed, type Moment, type Recorded, seenAs } from '../../helpers/service/seen.ts'
import { judgementOf } from './client.ts'
import { recordOf } from './har.ts'

const one = '5b0c5a8e-4c1b-4b57-9d43-0d6d0c0f4f11'
const two = '6b0c5a8e-4c1b-4b57-9d43-0d6d0c0f4f12'
const assessment = '7b0c5a8e-4c1b-4b57-9d43-0d6d0c0f4f13'
const nobodys = 'a-key-of-nobody'
const bare = { host: 'api.example.com' }

type Sent = Parameters<typeof recordOf>[0]

/** What recorders write of these requests, a minute after one another. */
function recordingOf(...all: Sent[]): Recorded[] {
  const recorded = all.map((sent, at) => recordOf({ number: at + 1, start: at * 60_000, ...sent }))
  const keeping = recorded.filter(({ requestHeaders }) => requestHeaders.apikey)
  const isKeeping = (one: Recorded) => keeping.some(({ recorder }) => recorder === one.recorder)
  return recorded.map((each) => ({ ...each, leavesKeysOut: !isKeeping(each) }))
}

function momentsOf(...all: Sent[]): Moment[] {
  const found = recordingOf(...all).flatMap((each) => seenAs(each, [nobodys]) ?? [])
  return [...momentsIn(found, (number) => found.find((each) => each.number === number))]
}

const task = (id = one, more: Partial<Sent> = {}): Sent => ({
  path: `/tasks/${id}`,
  body: { id, updated_at: '2026-01-01T00:00:00Z', assessment_id: assessment, name: 'a long name' },
  ...more,
})
const refused = (id: string, status: number, more: Partial<Sent> = {}): Sent =>
  task(id, {
    status,
    body: { error: 'no' },
    headers: { 'content-type': 'application/json' },
    ...more,
  })

/** What a clause sees in requests: the numbers of the exchanges that it judges, with its findings. */
const seenBy = <Case extends object>(
  seen: (moment: Moment) => Case | undefined,
  law: (one: Case) => { judged: number[] }[],
  ...all: Sent[]
) => {
  const cases = momentsOf(...all).flatMap((moment) => seen(moment) ?? [])
  return { cases: cases.length, broken: cases.flatMap(law).map(({ judged }) => judged) }
}

describe('a task is there', () => {
  const seenIn = (...all: Sent[]) => seenBy(presentReads('task'), problemsOfPresent, ...all)
  test('if it is read, or refused for a reason of its own', () => {
    expect(seenIn(task(), task(two))).toEqual({ cases: 2, broken: [] })
    expect(seenIn(task(), refused(one, 400))).toEqual({ cases: 2, broken: [[2]] })
    expect(seenIn(task(), task(one, { body: '[]' }))).toEqual({ cases: 2, broken: [[2]] })
  })
  test('a 404 is judged between two reads with one key alone', () => {
    const other = { requestHeaders: { ...bare, apikey: 'another-key' } }
    expect(seenIn(task(), refused(one, 404), task()).broken).toEqual([[2]])
    expect(seenIn(task(), refused(one, 404)).broken).toEqual([])
    expect(seenIn(refused(one, 404), task()).broken).toEqual([])
    expect(seenIn(task(), refused(one, 404, other), task()).broken).toEqual([])
    expect(seenIn(task(), refused(one, 404, { recorder: 1 }), task()).broken).toEqual([])
  })
  test('a 500 is judged where it persists and others are answered', () => {
    expect(seenIn(task(), refused(one, 500), refused(one, 500)).broken).toEqual([])
    expect(seenIn(task(), refused(one, 500), task(two), refused(one, 500)).broken).toEqual([[4]])
  })
  test('what a gateway may answer to any request is not', () => {
    for (const status of [401, 403, 429, 502])
      expect(seenIn(task(), refused(one, status)).broken).toEqual([])
  })
})

test('an unknown id is one that no read shows, also later', () => {
  const seenIn = (...all: Sent[]) => seenBy(unknownReads('task'), problemsOfUnknown, ...all)
  expect(seenIn(task(), refused(two, 404))).toEqual({ cases: 1, broken: [] })
  expect(seenIn(refused(two, 400), task())).toEqual({ cases: 1, broken: [[1]] })
  expect(seenIn(task(), refused(two, 400), task(two))).toEqual({ cases: 0, broken: [] })
  expect(seenIn(refused(two, 400))).toEqual({ cases: 0, broken: [] })
})

test('malformed ids and bodies of errors', () => {
  const moments = momentsOf(task(), refused('0', 404), refused('x', 403), task('y'))
  expect(moments.flatMap((each) => malformedReads('task')(each)?.status ?? [])).toEqual([404, 200])
  expect(moments.flatMap((each) => errorBodies('task')(each)?.status ?? [])).toEqual([404, 403])
})

describe('two reads', () => {
  const later = (more: object, sent: Partial<Sent> = {}) =>
    task(one, { ...sent, body: { ...(task().body as object), ...more } })
  test('of one version of a task are alike', () => {
    const seenIn = (...all: Sent[]) => seenBy(pairsOf('task'), problemsOfApart, ...all)
    expect(seenIn(task(), task(), later({ name: 'b' }))).toEqual({ cases: 2, broken: [[3]] })
    expect(seenIn(task(), later({ name: 'b', updated_at: 'later' })).cases).toBe(0)
    expect(seenIn(task(), later({ assignment: {} }))).toEqual({ cases: 1, broken: [] })
  })
  test('of assessments differ for a reason, unless they never are alike', () => {
    let at = 0
    const read = (id: string, name: string, apartMs = 100): Sent => {
      at += apartMs
      return { path: `/assessments/${id}`, start: at, body: { id, entity_id: name } }
    }
    const restless = [one, two].flatMap((id) => ['a', 'b', 'c'].map((name) => read(id, name)))
    const seenIn = (...all: Sent[]) => seenBy(pairsOf('assessment'), problemsOfApart, ...all)
    expect(seenIn(...restless).broken).toEqual([[6]])
    expect(seenIn(read(one, 'c'), read(one, 'c'), ...restless).broken).toEqual([])
    expect(seenIn(...restless, read(two, 'c')).broken).toEqual([])
    expect(seenIn(...restless.slice(0, 3)).broken).toEqual([])
    const slow = [one, two].flatMap((id) => ['a', 'b', 'c'].map((name) => read(id, name, 2000)))
    expect(seenIn(...slow).cases).toBe(0)
  })
})

test('a task resolves to its assessment, in either order', async () => {
  const read = (entity: string): Sent => ({
    path: `/assessments/${assessment}`,
    body: { id: assessment, entity_id: entity },
  })
  const first = task(one, { body: { ...(task().body as object), entity_id: one } })
  const seenIn = async (...all: Sent[]) => {
    const { count, problems = [] } =
      (await judgementOf(recordingOf(...all))).get('task.read.assessment-resolves') ?? {}
    return { count, broken: problems.map(({ judged }) => judged) }
  }
  expect(await seenIn(first, read(one))).toEqual({ count: 1, broken: [] })
  expect(await seenIn(first, read(two))).toEqual({ count: 1, broken: [[2]] })
  expect(await seenIn(read(two), first)).toEqual({ count: 1, broken: [[1]] })
})

describe('keys', () => {
  const without = task(one, { requestHeaders: bare })
  const wrong = (status: number, more: Partial<Sent> = {}) =>
    refused(one, status, { requestHeaders: { ...bare, apikey: nobodys }, ...more })
  const tried = (key: 'none' | 'wrong', ...all: Sent[]) =>
    momentsOf(...all).flatMap((each) => keyTrials('task.read', key)(each)?.answer.status ?? [])
  test('a missing one counts where the recorder keeps keys and headers', () => {
    expect(tried('none', task(), without)).toEqual([200])
    expect(tried('none', without, task())).toEqual([200])
    expect(tried('none', without, without)).toEqual([])
    expect(tried('none', task(), { ...without, recorder: 1 })).toEqual([])
    expect(tried('none', task(), { ...without, requestHeaders: {} })).toEqual([])
    const cookie = { ...bare, cookie: 'sid=1' }
    expect(tried('none', task(), { ...without, requestHeaders: cookie })).toEqual([])
  })
  test('reads without one count as reads where no request shows a key', () => {
    const reads = (...all: Sent[]) => momentsOf(...all).filter(({ seen }) => isKeyed(seen))
    expect(reads(without, without)).toHaveLength(2)
    expect(reads(without, task())).toHaveLength(1)
  })
  test('a refusal counts that has no other reason than the key', () => {
    expect(tried('wrong', wrong(401), task())).toEqual([401])
    expect(tried('wrong', wrong(401))).toEqual([])
    expect(tried('wrong', task(), wrong(400), wrong(404), wrong(429))).toEqual([])
    expect(tried('wrong', task(), wrong(403), task())).toEqual([403])
    expect(tried('wrong', task(), wrong(403), refused(one, 403))).toEqual([])
  })
  test('an unknown id is not looked up first', () => {
    const seenIn = (...all: Sent[]) =>
      momentsOf(...all).flatMap((each) => lookupTrials('task.read')(each)?.answer.status ?? [])
    expect(seenIn(task(two), wrong(404), wrong(401), wrong(400))).toEqual([404, 401])
    expect(seenIn(task(), wrong(404))).toEqual([])
  })
  test('a 401 is compared with what the resource showed', () => {
    const [only] = momentsOf(task(), wrong(401)).flatMap((each) => refusedReadsOfKnown(each) ?? [])
    expect(JSON.parse(only?.control.text ?? '')).toMatchObject({ name: 'a long name' })
  })
})
