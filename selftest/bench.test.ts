import { expect, test } from 'vitest'
import { longestChain } from '../bench/chain.ts'
import { missingIn, type Row, spreadOf, tableOf } from '../bench/figures.ts'
import { interleaved } from '../bench/interleaved.ts'
import { plotOf } from '../bench/plot.ts'
import { timedNode } from '../bench/processes.ts'
import type { Report } from '../engine/run/report.ts'

const ways = {
  quick: () => timedNode(['-e', 'console.log(JSON.stringify({ result: 7 }))']),
  broken: () => timedNode(['-e', 'console.error("no peer here"); process.exit(4)']),
}

test('a way that fails has no figure and no ratio, and the others have theirs', async () => {
  const found = await interleaved(ways, 2)
  const rows: Row[] = [
    { what: 'quick', unit: 's', values: found.seconds(['quick']) },
    {
      what: 'broken',
      unit: 's',
      values: found.seconds(['broken']),
      ratio: found.seconds(['broken', 'quick'], (broken = 0, quick = 0) => broken / quick),
      most: 2,
    },
  ]
  expect(found.told('quick', ({ result = 0 }) => result)).toEqual([7, 7])
  expect(missingIn(rows)).toEqual(['none: broken ended with 4: no peer here'])
  const [, , quick, broken] = tableOf(rows).split('\n')
  expect(quick).toMatch(/^\| quick +\| +\d\.\d\d s \| +\d\.\d\d to \d\.\d\d \| +\| +\|$/)
  expect(broken).toMatch(/^\| broken +\| +none \| +\| +none \| +2 \|$/)
})

test('the median lies between the two in the middle', () => {
  expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4 })
})

test('the longest chain goes back from the end to where all places were taken', () => {
  const zero = Date.parse('2026-01-01T00:00:00.000Z')
  const asked = (...times: [number, number][]) =>
    times.map(([from, to]) => ({
      number: 1000 * from + to,
      start: new Date(zero + from).toISOString(),
      milliseconds: to - from,
    }))
  const of = {
    a: asked([0, 105], [500, 600]),
    b: asked([0, 101], [101, 200], [201, 300], [310, 480]),
  }
  const exchanges = Object.values(of).flat()
  const clauses = Object.entries(of).map(([id, own]) => ({
    id,
    evidence: own.map(({ number }) => ({ exchange: number })),
  }))
  const startedAt = new Date(zero).toISOString()
  const report = { startedAt, clauses, exchanges } as unknown as Report
  expect(longestChain(report, 2)).toEqual([
    { clause: 'b', requests: 2, from: 201, to: 480 },
    { clause: 'a', requests: 1, from: 500, to: 600 },
  ])
})

test('the plot leaves out what could not be measured', () => {
  const plot = plotOf('seconds', [
    {
      title: 'tasks',
      points: [
        { at: '1', values: [1, 2, 3] },
        { at: '4', values: { missing: 'it failed' } },
      ],
    },
  ])
  expect(plot.match(/<circle/g)).toHaveLength(1)
  expect(plot).toContain('>2.0</text>')
})
