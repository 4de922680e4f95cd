import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import { FateUnknown } from '../../../engine/http/fate-unknown.ts'
import { Trouble } from '../../../engine/outcome.ts'
import { type Owed, putBack } from '../../../helpers/loans/put-back.ts'
import type { Assignment } from '../../../helpers/service/answers.ts'
import { isSameButAssigner } from '../../../helpers/service/assignments.ts'
import type { Service } from '../../../helpers/service/service.ts'
import { cases } from '../../long.ts'

const idOf = (n: number) => `${n}0000000-0000-4000-8000-000000000000`
const [id, actor, stranger, somebody] = [idOf(1), idOf(2), idOf(3), idOf(4)]
const settleMs = 40

const heldBy = (by: string, comment: string | null): Assignment => ({
  assigned_by_id: by,
  assigned_to_id: somebody,
  assigned_to_type: 'USER',
  assignment_comment: comment,
})
const [ours, theirs] = [heldBy(actor, 'ours'), heldBy(stranger, 'theirs')]

/** What a killed run left, and what happens while the task is put back. */
type Scenario = {
  before: Assignment | null
  /** who has written since: this run once, and once more to put it back, or another writer after it */
  since: 'ours' | 'put back' | 'theirs' | 'nobody'
  /** whether the answers to these updates were noted; if not, everything is doubted */
  isNoted: boolean
  lagMs: number
  reads: readonly ('404' | 'no connection' | 'fine')[]
  puts: readonly ('lost' | 'in vain' | 'raced' | '422' | '204' | 'fine')[]
}

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  before: fc.constantFrom(null, heldBy(somebody, 'as it was'), heldBy(somebody, null)),
  since: fc.constantFrom('ours', 'ours', 'put back', 'theirs', 'nobody'),
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

const answerOf = (method: string, status: number, body: unknown = { error: 'no' }) =>
  ({ method, path: `/tasks/${id}`, status, text: JSON.stringify(body) }) as Answer

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
  const debt: Owed = { task: id, before }
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
    const shown = states.findLast(({ at }) => at <= performance.now() - lagMs) ?? now()
    return answerOf('GET', 200, { id, updated_at: shown.version, assignment: shown.assignment })
  }
  const put = async (_: string, ifMatch: string, body: { update?: Assignment }) => {
    sent += 1
    const how = puts.shift()
    if (how === '422') return answerOf('PUT', 422)
    if (how === 'in vain') throw new FateUnknown('no answer')
    if (how === 'raced') become(theirs, 'theirs')
    if (ifMatch !== now().version) return answerOf('PUT', 409)
    if (how === '204') {
      accepted += 1
      return answerOf('PUT', 204, '')
    }
    become(body.update ?? null, 'ours')
    if (how === 'lost') throw new FateUnknown('no answer')
    accepted += 1
    return answerOf('PUT', 200, { id, updated_at: now().version, assignment: now().assignment })
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

type Came = Awaited<ReturnType<typeof played>>

describe('a task that is put back', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const always = (holds: (came: Came, scenario: Scenario) => void) =>
    fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => holds(await played(scenario), scenario)),
      { numRuns: cases(300) },
    )

  test('is as found if that is reported, or another writer has changed it since', async () => {
    await always(({ ending: { state }, before, now }) => {
      if (state === 'as found' || state === 'put back')
        expect(now.by === 'theirs' || isSameButAssigner(now.assignment, before)).toBe(true)
    })
  })

  test('is theirs only if they wrote last, after a noted update', async () => {
    await always(({ ending: { state }, now, accepted }, { isNoted }) => {
      if (state === 'theirs') expect([now.by, isNoted || accepted > 0]).toEqual(['theirs', true])
    })
  })

  test('is gone only after two reads with 404', async () => {
    await always(({ ending: { state } }, { reads }) => {
      if (state === 'gone') expect(reads.filter((one) => one === '404').length).toBeGreaterThan(1)
    })
  })

  test('costs at most two accepted updates, and none where it is as it was found', async () => {
    await always(({ sent, accepted }, { since, isNoted }) => {
      expect(accepted).toBeLessThanOrEqual(2)
      expect(sent).toBeLessThanOrEqual(4)
      if (isNoted && (since === 'put back' || since === 'nobody')) expect(sent).toBe(0)
    })
  })

  test('is put back by one update if nothing interferes, despite lagging reads', async () => {
    for (const isNoted of [true, false])
      for (const lagMs of [0, 20]) {
        const scenario = {
          before: heldBy(somebody, 'as it was'),
          isNoted,
          lagMs,
          reads: [],
          puts: [],
        }
        const of = async (since: Scenario['since']) => {
          const { ending, sent } = await played({ ...scenario, since })
          return [ending.state, sent]
        }
        expect(await of('ours')).toEqual(['put back', 1])
        expect(await of('put back')).toEqual(['as found', 0])
        expect(await of('nobody')).toEqual(['as found', 0])
        expect(await of('theirs')).toEqual(isNoted ? ['theirs', 0] : ['put back', 1])
      }
  })

  test('stays owed after a refusal, whose words are the reason', async () => {
    const scenario = { before: null, since: 'ours', isNoted: true, lagMs: 0, reads: [] } as const
    const { ending } = await played({ ...scenario, puts: ['422'] })
    expect(ending).toMatchObject({
      state: 'owed',
      reason: expect.stringMatching(/responded 422: .*no/),
    })
  })
})
