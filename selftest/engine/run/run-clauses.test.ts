import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { NoSuchClause } from '../../../engine/clause/selection.ts'
import { openMainEnd, openWorkerEnd } from '../../../engine/run/channel.ts'
import type { MetHere } from '../../../engine/run/report.ts'
import { runClauses } from '../../../engine/run/run-clauses.ts'
import type { Declared, Job, Said, UnderWay } from '../../../engine/run/runner.ts'
import { breach } from '../../reporting/sample-reports.ts'
import { inSimulatedTime, keepChannelsHere } from '../../simulated/time.ts'

/** In simulated time, with both ends of each channel in this thread. */
async function simulated<T>(act: () => Promise<T>): Promise<T> {
  const { BroadcastChannel } = globalThis
  keepChannelsHere()
  try {
    return await inSimulatedTime(act)
  } finally {
    Object.assign(globalThis, { BroadcastChannel })
  }
}

const met: MetHere = { owner: 'b', ...breach('s'), exchanges: [] }
const note = { text: 'n' }

test('a worker sends at once what it met, and its requests together, also when it closes', () =>
  simulated(async () => {
    const heard: unknown[] = []
    const reasons: string[] = []
    const main = openMainEnd('c', (message) => heard.push(message))
    const worker = openWorkerEnd('c', ({ reason }) => reasons.push(reason))
    const requests = (count: number, answers: object) => [{ says: 'requests', count, answers }]
    worker.requested()
    worker.requested()
    for (const kind of ['2xx', '409', '2xx']) worker.answered(kind)
    await sleep(40)
    expect(heard.splice(0)).toEqual([])
    await sleep(40)
    expect(heard.splice(0)).toEqual(requests(2, { '2xx': 2, 409: 1 }))
    worker.answered('503')
    await sleep(80)
    expect(heard.splice(0)).toEqual(requests(0, { 503: 1 }))
    worker.met(met)
    worker.note(note)
    main.say({ says: 'end', reason: 'over' })
    await sleep(1)
    expect([heard.splice(0), reasons]).toEqual([
      [
        { says: 'met', met },
        { says: 'note', note },
      ],
      ['over'],
    ])
    worker.requested()
    await sleep(30)
    worker.close()
    expect(heard.splice(0)).toEqual([])
    await sleep(1)
    expect(heard.splice(0)).toEqual(requests(1, {}))
    worker.requested()
    main.say({ says: 'end', reason: 'again' })
    await sleep(100)
    main.close()
    openWorkerEnd('c', () => {}).met(met)
    await sleep(1)
    expect([heard, reasons]).toEqual([[], ['over']])
  }))

type Act = (
  hear: (said: Said) => void,
  job: Job,
) => Promise<unknown> | (Partial<UnderWay> & { done: Promise<void> })

const declare = (...ids: string[]): Declared[] => ids.map((id) => ({ id, meta: {} }))
const collect = (clauses: Declared[], given = {}): Said => ({
  ...{ says: 'collected', clauses, declared: ['all'], errors: [] },
  ...given,
})

/** Runs with a runner that acts like this; returns also what its watcher saw. */
async function runWith(act: Act, stop = new AbortController().signal) {
  const seen: unknown[] = []
  const selection = { clauses: ['x'], required: [] }
  const found = await runClauses(
    {
      ...{ id: 'r', entry: 'e', selection, provide: {} },
      runner: (job, hear) => {
        const done = act(hear, job)
        const underWay = done instanceof Promise ? { done: done.then(() => {}) } : done
        return { cancel: () => seen.push('cancel'), terminate() {}, ...underWay }
      },
    },
    {
      collected: (...given) => seen.push(given),
      started: (id) => seen.push(id),
      judged: ({ facts, outcome }) => seen.push(`${facts.id} ${outcome.kind}`),
      requested: (...given) => seen.push(given),
      noted: (given) => seen.push(given),
    },
    stop,
  )
  return { ...found, seen }
}

test('clauses are judged as they end, and returned in the order of the suites', () =>
  simulated(async () => {
    const facts = { id: 'a', level: 'should', statement: 's', section: 't' } as const
    const { seen, ...found } = await runWith(async (hear, job) => {
      expect(job).toEqual({ entry: 'e', provide: { selection: { clauses: ['x'], required: [] } } })
      const worker = openWorkerEnd('r', () => {})
      const b = { id: 'b', tookMs: 5, meta: { clause: facts, outcome: { kind: 'held' } } } as const
      const [name, message] = ['Trouble', 'lost\n\n  the   way\nhere']
      hear(collect(declare('a', 'b', 'c'), { errors: [{ message }] }))
      hear({ says: 'began', id: 'b' })
      hear({ says: 'ended', clause: b })
      hear({ says: 'ended', clause: { ...b, error: { name, message } } })
      hear({ says: 'ended', clause: { id: 'c', meta: {}, error: { name, message } } })
      hear({ says: 'uncaught', error: { message: 'crash' } })
      worker.requested()
      worker.met(met)
      worker.note(note)
      worker.close()
    })
    const unnamed = { level: 'must', section: '' }
    const reason = 'the runner ended before this clause did'
    expect(found).toEqual({
      judged: [
        {
          facts: { ...unnamed, id: 'a', statement: 'a' },
          outcome: { kind: 'trouble', reason },
          evidence: [],
        },
        { facts, outcome: { kind: 'held' }, evidence: [], tookMs: 5 },
        {
          facts: { ...unnamed, id: 'c', statement: 'c' },
          outcome: { kind: 'trouble', reason: 'lost\n\n  the   way\nhere' },
          evidence: [],
        },
      ],
      errors: ['lost the way', 'crash'],
      declared: ['all'],
      met: [met],
    })
    expect(seen).toEqual([
      [3, ['a', 'b', 'c']],
      ...['b', 'a held', 'c trouble'],
      ...[note, [1, {}], 'a trouble'],
    ])
  }))

test('why a clause is undecided arrives from its thread', () =>
  simulated(async () => {
    const why = { cause: 'clause', owners: ['b'] }
    const { judged } = await runWith(async (hear) => {
      hear(collect(declare('a')))
      const error = { name: 'NotDecidable', message: 'r', why }
      hear({ says: 'ended', clause: { id: 'a', meta: {}, error } })
    })
    expect(judged[0]?.outcome).toEqual({ kind: 'undecided', reason: 'r', ...why })
  }))

test('a run without a clause of the selection throws, one that collects nothing returns nothing', () =>
  simulated(async () => {
    const errors = [{ message: 'other' }, { name: NoSuchClause.kind, message: 'x matches none' }]
    const lost = runWith(async (hear) => hear(collect([], { errors })))
    await expect(lost).rejects.toThrow(new NoSuchClause('x matches none'))
    const nothing = { judged: [], errors: [], declared: [], met: [], seen: [] }
    expect(await runWith(async () => {})).toEqual(nothing)
  }))

test('an abort ends the clauses, repeatedly while they load, and gives them up after 5 s', () =>
  simulated(async () => {
    for (const [endsAfter, given] of [
      [3_000, []],
      [Number.POSITIVE_INFINITY, ['given up']],
    ] as const) {
      const controller = new AbortController()
      const reasons: string[] = []
      const { seen, judged, errors } = await runWith((hear) => {
        hear(collect(declare('a')))
        const heard = new BroadcastChannel('r')
        heard.onmessage = ({ data }) => reasons.push(data.reason)
        let resolve = () => {}
        const done = new Promise<void>((end) => {
          resolve = end
        })
        const over = (said: string) => () => {
          if (said !== 'ended') reasons.push(said)
          hear({ says: 'uncaught', error: { message: said } })
          heard.close()
          resolve()
        }
        setTimeout(() => controller.abort('over'), 1_000)
        if (endsAfter < 1e9) setTimeout(over('ended'), endsAfter)
        return { done, terminate: over('given up') }
      }, controller.signal)
      expect(reasons.filter((each) => each !== 'over')).toEqual(given)
      expect(reasons.length).toBeGreaterThan(15)
      expect(seen).toEqual([[1, ['a']], 'cancel', 'a trouble'])
      expect(judged[0]?.outcome).toEqual({ kind: 'trouble', reason: 'over' })
      expect(errors).toEqual(given.length > 0 ? [] : ['ended'])
    }
    const { seen } = await runWith(() => sleep(1_000), AbortSignal.abort('over'))
    expect(seen).toEqual(['cancel'])
    const later = new AbortController()
    const ended = await runWith(async () => {}, later.signal)
    later.abort()
    expect(ended.seen).toEqual([])
  }))
