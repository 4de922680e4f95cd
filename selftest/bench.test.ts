import { expect, test } from 'vitest'
import { interleaved, missingIn, type Row, spreadOf, tableOf, timedNode } from '../bench/measure.ts'

const ways = {
  quick: () => timedNode(['-e', 'console.log(JSON.stringify({ result: 7 }))']),
  broken: () => timedNode(['-e', 'console.error("no peer here"); process.exit(4)']),
}

test('a way that fails gets no figure and no ratio; the median is that of two in the middle', async () => {
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
  expect(quick).toMatch(/^\| quick \| \d\.\d\d s \| \d\.\d\d to \d\.\d\d \| {2}\| {2}\|$/)
  expect(broken).toMatch(/^\| broken \| none \| {2}\| none \| 2 \|$/)
  expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4 })
})
