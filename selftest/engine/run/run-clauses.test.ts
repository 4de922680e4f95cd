import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { NoSuchClause } from '../../../engine/clause/selection.ts'
import { openWorkerEnd } from '../../../engine/run/channel.ts'
import type { MetHere } from '../../../engine/run/report.ts'
import { runClauses } from '../../../engine/run/run-clauses.ts'
import type { Failure, Job, Said } from '../../../engine/run/runner.ts'
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

type Act = (hear: (said: Said) => void, job: Job) => Promise<void>

const collect = (ids: string[], errors: Failure[] = []): Said => {
  const clauses = ids.map((id) => ({ id, meta: {} }))
  return { says: 'collected', clauses, declared: ['all'], errors }
}

/** Runs with a runner that acts like this; returns also what its watcher saw. */
async function runWith(act: Act, stop = new AbortController().signal, terminate = () => {}) {
  const seen: unknown[] = []
  const selection = { clauses: ['x'], required: [] }
  const note = (...given: unknown[]) => seen.push(...given)
  const found = await runClauses(
    {
      ...{ id: 'r', entry: 'e', selection, provide: {} },
      runner: (job, hear) => ({ done: act(hear, job), cancel: () => note('cancel'), terminate }),
    },
    {
      ...{ collected: note, started: note, requested: note, noted: note, waits: note },
      judged: ({ facts, outcome }) => note(`${facts.id} ${outcome.kind}`),
    },
    stop,
  )
  return { ...found, seen }
}

test('clauses are judged as they end, and returned in the order of the suites', () =>
  simulated(async () => {
    const facts = { id: 'a', level: 'should', statement: 's', section: 't' } as const
    const why = { cause: 'clause', owners: ['b'] }
    const error = { name: 'NotDecidable', message: 'lost\n\nthe   way\nhere', why }
    const { seen, ...found } = await runWith(async (hear, job) => {
      expect(job).toEqual({ entry: 'e', provide: { selection: { clauses: ['x'], required: [] } } })
      const worker = openWorkerEnd('r', () => {})
      const b = { id: 'b', tookMs: 5, meta: { clause: facts, outcome: { kind: 'held' } } } as const
      hear(collect(['a', 'b', 'c'], [error]))
      hear({ says: 'began', id: 'b' })
      hear({ says: 'ended', clause: b })
      hear({ says: 'ended', clause: { ...b, error } })
      hear({ says: 'ended', clause: { id: 'c', meta: {}, error } })
      hear({ says: 'uncaught', error: { message: 'crash' } })
      worker.requested()
      worker.met(met)
      worker.note(note)
      worker.close()
    })
    const of = (id: string, outcome: object) => ({
      facts: { id, level: 'must', statement: id, section: '' },
      ...{ outcome, evidence: [] },
    })
    expect(found).toEqual({
      judged: [
        of('a', { kind: 'trouble', reason: 'the runner ended before this clause did' }),
        { facts, outcome: { kind: 'held' }, evidence: [], tookMs: 5 },
        of('c', { kind: 'undecided', reason: error.message, ...why }),
      ],
      errors: ['lost the way', 'crash'],
      ...{ declared: ['all'], met: [met] },
    })
    expect(seen).toEqual([3, 'b', 'a held', 'c undecided', note, 1, {}, 'a trouble'])
  }))

test('a run without a clause of the selection throws, one that collects nothing returns nothing', () =>
  simulated(async () => {
    const errors = [{ message: 'other' }, { name: NoSuchClause.kind, message: 'x matches none' }]
    const lost = runWith(async (hear) => hear(collect([], errors)))
    await expect(lost).rejects.toThrow(new NoSuchClause('x matches none'))
    const nothing = { judged: [], errors: [], declared: [], met: [], seen: [] }
    expect(await runWith(async () => {})).toEqual(nothing)
  }))

test('an abort is said repeatedly to clauses, which are given up after 5 s', () =>
  simulated(async () => {
    const controller = new AbortController()
    const heard: string[] = []
    let giveUp = () => {}
    const act: Act = async (hear) => {
      hear(collect(['a']))
      const end = new BroadcastChannel('r')
      end.onmessage = ({ data }) => heard.push(data[0])
      setTimeout(() => controller.abort('over'), 1_000)
      const givenUp = new Promise<void>((resolve) => {
        giveUp = () => resolve(void heard.push('given up'))
      })
      await Promise.race([sleep(60_000), givenUp])
      hear({ says: 'uncaught', error: { message: 'crash' } })
      end.close()
    }
    const { seen, judged, errors } = await runWith(act, controller.signal, () => giveUp())
    expect([[...new Set(heard)], heard.length > 15]).toEqual([['over', 'given up'], true])
    expect(seen).toEqual([1, 'cancel', 'a trouble'])
    expect(judged[0]?.outcome).toEqual({ kind: 'trouble', reason: 'over' })
    expect(errors).toEqual([])
  }))

test('an abort before the clauses ends them at once, one after them does nothing', () =>
  simulated(async () => {
    const { seen } = await runWith(() => sleep(1_000), AbortSignal.abort('over'))
    expect(seen).toEqual(['cancel'])
    const later = new AbortController()
    const ended = await runWith(async () => {}, later.signal)
    later.abort()
    expect(ended.seen).toEqual([])
  }))
