import { readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import { FateUnknown } from '../../../engine/http/fate-unknown.ts'
import { Trouble } from '../../../engine/outcome.ts'
import {
  type Debt,
  JournalError,
  openJournal,
  owedElsewhere,
} from '../../../helpers/loans/journal.ts'
import { type Owed, putBack } from '../../../helpers/loans/put-back.ts'
import { type Settling, settleDebts } from '../../../helpers/loans/settle-debts.ts'
import type { Assignment } from '../../../helpers/service/answers.ts'
import { isSameButAssigner } from '../../../helpers/service/assignments.ts'
import type { Service } from '../../../helpers/service/service.ts'
import { updateBody } from '../../../helpers/service/update-request.ts'
import type { Settings } from '../../../helpers/settings/table.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { httpServer, settingsFor } from '../../engine/http/servers.ts'
import { cases } from '../../long.ts'
import { openTestFolder } from '../../test-end.ts'
import { type Between, lendService, passOn } from './lent-service.ts'

const target = 'https://one.example/v5'
const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`

const debt = (n: number, more: Partial<Debt> = {}): Debt => ({
  task: id(n),
  target,
  found: '2025-01-01T00:00:00.000Z',
  before: null,
  run: { pid: 1, host: 'here' },
  ...more,
})

const assigned = { assigned_by_id: id(7), assigned_to_id: id(8), assigned_to_type: 'USER' as const }

test('what is owed is read by the next run, until it is settled', () => {
  const dir = openTestFolder()
  const journal = openJournal(dir, target)
  journal.owe(debt(1))
  journal.owe(debt(2, { before: assigned }))
  expect(openJournal(dir, target).open()).toEqual([debt(1), debt(2, { before: assigned })])
  journal.settle(id(1))
  journal.settle(id(1))
  expect(openJournal(dir, target).open()).toEqual([debt(2, { before: assigned })])
})

test('the first finding stands, under the id in either letter case', () => {
  const journal = openJournal(openTestFolder(), target)
  const upper = 'ABCDEF00-0000-4000-8000-000000000000'
  journal.owe(debt(1, { task: upper, before: assigned }))
  expect(journal.owe(debt(1, { task: upper.toLowerCase() })).before).toEqual(assigned)
  expect(journal.open()).toHaveLength(1)
  journal.settle(upper.toLowerCase())
  expect(journal.open()).toEqual([])
})

test('a draft that was never finished owes nothing', () => {
  const journal = openJournal(openTestFolder(), target)
  journal.owe(debt(1))
  writeFileSync(join(journal.dir, `${id(2)}.json.0000.draft`), '{"task":')
  expect(journal.open()).toEqual([debt(1)])
  expect(readdirSync(journal.dir)).toHaveLength(2)
})

test.each([
  ['cut short', '{"task":"0000'],
  ['empty', ''],
  ['of something else', '{"name":"x"}'],
  ['null', 'null'],
  ['without what was found', JSON.stringify({ ...debt(1), before: undefined })],
  ['with an assignment that names nobody', JSON.stringify({ ...debt(1), before: {} })],
  ['of another task', JSON.stringify(debt(2))],
])('an entry that is %s is reported, not skipped', (_, text) => {
  const journal = openJournal(openTestFolder(), target)
  journal.owe(debt(3))
  writeFileSync(join(journal.dir, `${id(1)}.json`), text)
  expect(() => journal.open()).toThrow(JournalError)
  expect(() => journal.owe(debt(1))).toThrow(
    `JOURNAL_DIR: ${join(journal.dir, `${id(1)}.json`)} is cut short or was not written by this suite`,
  )
})

test('an entry of another target is named, and found by its address', () => {
  const dir = openTestFolder()
  const [two, elsewhere] = ['https://two.example/v5', debt(1, { target: 'https://two.example/v5' })]
  const [other, ours] = [openJournal(dir, two), openJournal(dir, target)]
  other.owe(elsewhere)
  ours.owe(debt(2))
  expect([...owedElsewhere(dir, target)]).toEqual([[two, [elsewhere]]])
  expect([...owedElsewhere(join(dir, 'nothing'), target)]).toEqual([])
  renameSync(join(other.dir, `${id(1)}.json`), join(ours.dir, `${id(1)}.json`))
  expect(() => ours.open()).toThrow(`belongs to another target (${two})`)
})

test('a journal that is not writable says so', () => {
  const file = join(openTestFolder(), 'journal')
  writeFileSync(file, '')
  const journal = openJournal(file, target)
  for (const act of [() => journal.needWritable(), () => journal.owe(debt(1))])
    expect(act).toThrow(new RegExp(`^JOURNAL_DIR.*${file}`))
})

const left = makeWorld(1).tasks.find(({ assignment }) => assignment === null)?.id ?? ''

/** Lends a service with a task that a killed run has changed, and settles it. */
async function settledWhere(
  between = passOn,
  how: Settling & { settings?: Partial<Settings> } = {},
) {
  const lent = await lendService({ between })
  const journal = openJournal(lent.env.JOURNAL_DIR, lent.baseUrl)
  journal.owe(debt(1, { task: left, target: lent.baseUrl }))
  const to = { id: lent.userIds[2] ?? '', type: 'USER' as const }
  await lent.update(left, () => updateBody(lent.actorId ?? '', to))
  const { apiKey, actorId, taskIds } = lent
  const given = { apiKey, actorId, taskIds, journalDir: lent.env.JOURNAL_DIR, settleMs: 60 }
  const settings = settingsFor(lent.baseUrl, { ...given, ...how.settings })
  const settle = () => settleDebts(settings, { retryForMs: 200, ...how })
  return { ...(await settle()), settle, journal, changed: await lent.changed() }
}

const notFound = async () => Response.json({ error: 'Not Found' }, { status: 404 })

test('tasks of others stay as they are, and stay owed', async () => {
  const { endings, journal, changed } = await settledWhere(passOn, { tasks: ['another'] })
  expect(endings).toEqual([])
  expect([changed, journal.open().length]).toEqual([[left], 1])
})

test('a missing task is reported once, and removed', async () => {
  const { endings, residue, settle } = await settledWhere(async (request, next) =>
    request.method === 'GET' && request.url.includes(left) ? notFound() : next(request),
  )
  expect(endings).toMatchObject([{ state: 'gone' }])
  expect(residue[0]?.reason).toMatch(/no longer has it \(404\)/)
  expect((await settle()).residue).toEqual([])
})

/** Refuses to unassign, with words that hold the key. */
const refusing: Between = async (request, next) => {
  const isLater = request.method === 'PUT' && (await request.clone().text()).includes('unassign')
  if (!isLater) return next(request)
  return Response.json({ error: `who, ${request.headers.get('apikey')}?` }, { status: 422 })
}

// biome-ignore format: one trouble a line
test.each<[string, Between, Partial<Settings>, RegExp]>([
  ['everything is missing', notFound, {}, /404 .*shows nothing else either; if it was deleted, remove \//],
  ['the update is refused', refusing, {}, /update-assignment responded 422: .*who, \(configured\)/],
  ['there is no ACTOR_ID', passOn, { actorId: undefined }, /^set ACTOR_ID/],
])('what differs stays owed if %s', async (_, between, settings, reason) => {
  const { endings, residue, journal } = await settledWhere(between, { settings })
  expect(endings).toMatchObject([{ state: 'owed' }])
  expect(residue[0]?.reason).toMatch(reason)
  expect(journal.open()).toHaveLength(1)
})

test('a service that never answers is not waited for without end', async () => {
  const baseUrl = await httpServer(() => {})
  const given = { journalDir: openTestFolder(), settleMs: 20, timeoutMs: 300 }
  openJournal(given.journalDir, baseUrl).owe(debt(1, { target: baseUrl }))
  const { residue } = await settleDebts(settingsFor(baseUrl, given), { retryForMs: 100 })
  // On a busy machine the limit of one request may come before that of all.
  expect(residue[0]?.reason).toMatch(/did not respond within 420 ms|no full response within/)
})

const idOf = (n: number) => `${n}0000000-0000-4000-8000-000000000000`
const [taskId, actor, stranger, somebody] = [idOf(1), idOf(2), idOf(3), idOf(4)]
const settleMs = 40

const heldBy = (by: string, comment: string | null): Assignment => ({
  assigned_by_id: by,
  assigned_to_id: somebody,
  assigned_to_type: 'USER',
  assignment_comment: comment,
})
const [ours, theirs] = [heldBy(actor, 'ours'), heldBy(stranger, 'theirs')]

/** What a killed run left, and what happens while the task is put back. */
const scenarios = fc.record({
  before: fc.constantFrom(null, heldBy(somebody, 'as it was'), heldBy(somebody, null)),
  /** who has written since: this run once, and once more to put it back, or another writer after it */
  since: fc.constantFrom('ours', 'ours', 'put back', 'theirs', 'nobody'),
  /** whether the answers to these updates were noted; if not, everything is doubted */
  isNoted: fc.boolean(),
  /** longer than SETTLE_MS only if the replaced versions are known */
  lagMs: fc.constantFrom(0, 0, 20, 20_000),
  reads: fc.array(fc.constantFrom('404', 'no connection', 'fine', 'fine', 'fine'), {
    maxLength: 3,
  }),
  puts: fc.array(fc.constantFrom('lost', 'in vain', 'raced', '422', '204', 'fine'), {
    maxLength: 3,
  }),
})
type Scenario = typeof scenarios extends fc.Arbitrary<infer One> ? One : never

const answerOf = (method: string, status: number, body: unknown = { error: 'no' }) =>
  ({ method, path: `/tasks/${taskId}`, status, text: JSON.stringify(body) }) as Answer
const showing = (method: string, { version: updated_at, assignment }: NonNullable<Owed['last']>) =>
  answerOf(method, 200, { id: taskId, updated_at, assignment })

/** Puts the task of a scenario back, in a time that jumps. */
async function played({ before, since, isNoted, ...scenario }: Scenario) {
  const lagMs = isNoted ? scenario.lagMs : Math.min(scenario.lagMs, 20)
  const states = [{ version: 'v0', assignment: before, at: 0, by: 'found' }]
  const now = () => states.at(-1) as (typeof states)[number]
  const become = (assignment: Assignment | null, by: string) =>
    states.push({ version: `v${states.length}`, assignment, at: performance.now(), by })
  if (since !== 'nobody') become(ours, 'ours')
  if (since === 'put back')
    become(before && heldBy(actor, before.assignment_comment ?? null), 'ours')
  const { version, assignment } = now()
  const debt: Owed = { task: taskId, before }
  if (isNoted) debt.replaced = states.slice(0, -1).map((state) => state.version)
  if (isNoted && since !== 'nobody') debt.last = { version, assignment }
  if (since === 'theirs') become(theirs, 'theirs')
  await vi.advanceTimersByTimeAsync(settleMs)

  const [reads, puts] = [[...scenario.reads], [...scenario.puts]]
  let [sent, accepted] = [0, 0]
  const readTask = async () => {
    const how = reads.shift()
    if (how === 'no connection') throw new Trouble('no connection')
    if (how === '404') return answerOf('GET', 404)
    return showing('GET', states.findLast(({ at }) => at <= performance.now() - lagMs) ?? now())
  }
  const put = async (_: string, ifMatch: string, body: { update?: Assignment }) => {
    sent += 1
    const how = puts.shift()
    if (how === '422') return answerOf('PUT', 422)
    if (how === 'in vain') throw new FateUnknown('no answer')
    if (how === 'raced') become(theirs, 'theirs')
    if (ifMatch !== now().version) return answerOf('PUT', 409)
    if (how !== '204') become(body.update ?? null, 'ours')
    if (how === 'lost') throw new FateUnknown('no answer')
    accepted += 1
    return how === '204' ? answerOf('PUT', 204, '') : showing('PUT', now())
  }
  const ending = putBack({ readTask, put } as unknown as Service, debt, {
    ...{ actor, settleMs, stop: new AbortController().signal },
    doubt: isNoted ? 'a difference' : 'everything',
  })
  let isOver = false
  void ending.finally(() => {
    isOver = true
  })
  while (!isOver) await vi.advanceTimersByTimeAsync(10)
  return { ending: await ending, before, now: now(), sent, accepted }
}

describe('a task that is put back', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('ends as its state says, after at most two accepted updates', () =>
    fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const { since, isNoted, reads } = scenario
        const { ending, before, now, sent, accepted } = await played(scenario)
        const is = (...states: (typeof ending.state)[]) => states.includes(ending.state)
        if (is('as found', 'put back'))
          expect(now.by === 'theirs' || isSameButAssigner(now.assignment, before)).toBe(true)
        // They wrote last, after a noted update.
        if (is('theirs')) expect([now.by, isNoted || accepted > 0]).toEqual(['theirs', true])
        if (is('gone')) expect(reads.filter((one) => one === '404').length).toBeGreaterThan(1)
        expect(accepted).toBeLessThanOrEqual(2)
        expect(sent).toBeLessThanOrEqual(4)
        if (isNoted && (since === 'put back' || since === 'nobody')) expect(sent).toBe(0)
      }),
      { numRuns: cases(300) },
    ))

  test('is put back by one update if nothing interferes, despite lagging reads', async () => {
    for (const isNoted of [true, false])
      for (const lagMs of [0, 20] as const) {
        const before = heldBy(somebody, 'as it was')
        const of = async (since: Scenario['since']) => {
          const scenario = { before, since, isNoted, lagMs, reads: [], puts: [] }
          const { ending, sent } = await played(scenario)
          return [ending.state, sent]
        }
        expect(await of('ours')).toEqual(['put back', 1])
        expect(await of('put back')).toEqual(['as found', 0])
        expect(await of('nobody')).toEqual(['as found', 0])
        expect(await of('theirs')).toEqual(isNoted ? ['theirs', 0] : ['put back', 1])
      }
  })

  test('stays owed after a refusal, whose words are the reason', async () => {
    const scenario = { before: null, since: 'ours', isNoted: true, lagMs: 0 } as const
    const { ending } = await played({ ...scenario, reads: [], puts: ['422'] })
    expect(ending).toMatchObject({
      state: 'owed',
      reason: expect.stringMatching(/responded 422: .*no/),
    })
  })
})
