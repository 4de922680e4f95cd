import { join } from 'node:path'
import { expect, test } from 'vitest'
import { differencesOf, recordsIn, replay, reportIn, writtenOf } from './recording.ts'

const kept = join(import.meta.dirname, 'kept')

const advice = (places: readonly string[], why: string | undefined) =>
  `A run of this commit is not what its record holds${why ? `: ${why}` : ''}. If the suite asks for other things, or
judges otherwise, on purpose, record anew: npm run prove -- records write selftest/records/kept
If code was only moved, this change is a mistake. It differs at:
${places.slice(0, 5).join('\n')}`

test.each(recordsIn(kept))('the record of %s is replayed exactly', async (name) => {
  const place = join(kept, name)
  const { report, output } = await replay(join(place, 'record'))
  if (!report) throw new Error(output)
  const { places } = differencesOf(reportIn(place), writtenOf(report))
  expect(places, advice(places, report.replayed?.departed?.why)).toEqual([])
  expect(report.replayed?.departed, advice([], report.replayed?.departed?.why)).toBeUndefined()
  expect(output).toMatch(/replayed from the record of .*, nothing was sent/)
})
