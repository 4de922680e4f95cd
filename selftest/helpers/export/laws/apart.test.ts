import { describe, expect, test } from 'vitest'
import { hour, instantAt, isoOf, millisecond, second } from '../../../../engine/files/dates.ts'
import { problemsOfRangesApart } from '../../../../helpers/export/laws/bounds.ts'
import { lookAt } from '../small-look.ts'
import { events, wantedBy } from '../small-trail.ts'

const later = (iso: string, by: bigint) => isoOf(instantAt(iso) + by)

describe('two ranges that do not meet', () => {
  test('hold no event in common', async () => {
    expect(await problemsOfRangesApart(await lookAt(wantedBy))).toEqual([])
  })

  test.each([
    [
      'range_start',
      -millisecond,
      0n,
      /^events shown at .* are in with range_end = .*, out a step further, and in with range_start beyond that too$/,
    ],
    [
      'range_end',
      0n,
      millisecond,
      /^events shown at .* are in with range_start = .*, out a step further, and in with range_end beyond that too$/,
    ],
  ])('are told where %s lets in an event from beyond it', async (_, atStart, atEnd, sentence) => {
    const look = await lookAt(
      ({ start = '', end = '' }) =>
        wantedBy({ start: later(start, atStart), end: later(end, atEnd) }),
      wantedBy,
    )
    const problems = await problemsOfRangesApart(look)
    expect(problems.map((each) => each.sentence)).toEqual([expect.stringMatching(sentence)])
  })
})

describe('times that are shown to the second and kept more finely', () => {
  const first = instantAt('2026-03-01T00:07:13.000Z')
  const kept = events.map((row, n) => {
    const shown = first + BigInt(n) * hour
    const time = shown + BigInt(50 + ((37 * n) % 900)) * millisecond
    return { time, row: row.with(1, isoOf(shown)) }
  })
  const within = (start: bigint, end: bigint) =>
    kept.filter(({ time }) => time >= start && time <= end).map(({ row }) => row)

  test('tell nothing where both bounds are as fine', async () => {
    const look = await lookAt(({ start = '', end = '' }) =>
      within(instantAt(start), instantAt(end)),
    )
    expect(await problemsOfRangesApart(look)).toEqual([])
  })

  test('tell of range_start that is cut to the second beside range_end that is not', async () => {
    const look = await lookAt(({ start = '', end = '' }) =>
      within((instantAt(start) / second) * second, instantAt(end)),
    )
    const [found, ...more] = await problemsOfRangesApart(look)
    expect(more).toEqual([])
    expect(found?.sentence).toMatch(
      /^events shown at 2026-03-0\S+, .* are in with range_end = 2026-03-0\S+, .*, out a step further, and in with range_start beyond that too$/,
    )
    expect(found?.judged).not.toEqual([])
  })
})
