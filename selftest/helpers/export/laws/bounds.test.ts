import { describe, expect, test } from 'vitest'
import { hour, instantAt, isoOf } from '../../../../engine/files/dates.ts'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import { problemsOfInclusive } from '../../../../helpers/export/laws/bounds.ts'
import { lookAt } from '../small-look.ts'
import { events, wantedBy } from '../small-trail.ts'

const unit = 1_000_000n
const moved = (iso: string | undefined, by: bigint) => iso && isoOf(instantAt(iso) + by)

type Moves = { start?: bigint; end?: bigint }

/** How a service looks that takes each bound for another time. */
const lookWhere = ({ start = 0n, end = 0n }: Moves) =>
  lookAt((query) => {
    const bounds = { start: moved(query.start, start), end: moved(query.end, end) }
    return wantedBy({ ...query, ...(bounds as Query) })
  }, wantedBy)

describe('a bound', () => {
  test('that lets the event at its time in is as it is to be', async () => {
    const look = await lookWhere({})
    expect(await problemsOfInclusive(look, 'start')).toEqual([])
    expect(await problemsOfInclusive(look, 'end')).toEqual([])
  })

  test('range_start that is exclusive is told', async () => {
    const [found] = await problemsOfInclusive(await lookWhere({ start: 1n }), 'start')
    expect(found?.sentence).toMatch(
      /^with range_start = T the event at T is missing, for 8 times T: /,
    )
  })

  test('range_start that some of the events are just before may leave out what was rounded up', async () => {
    const stored = new Map(
      events.map((row, n) => [
        row,
        instantAt(row[1] ?? '') - BigInt(1 + ((97 * n) % 998)) * 1_000n,
      ]),
    )
    const look = await lookAt(
      ({ start = '', end = '' }) =>
        events.filter((row) => {
          const time = stored.get(row) ?? 0n
          return time >= instantAt(start) && time <= instantAt(end)
        }),
      wantedBy,
    )
    await expect(problemsOfInclusive(look, 'start')).rejects.toThrow(
      'the service may store times finer than the file shows them; their precision is not shown',
    )
  })

  test('range_end that leaves out the event just before it is told', async () => {
    const [found] = await problemsOfInclusive(await lookWhere({ end: -2n * unit }), 'end')
    expect(found?.sentence).toMatch(
      /^with range_end just after T the event at T is missing, for 8 times T, and with range_start there too: /,
    )
  })

  test('range_end may go by another time than the one that is shown', async () => {
    const late = await lookWhere({ start: -2n * unit, end: -2n * unit })
    await expect(problemsOfInclusive(late, 'end')).rejects.toThrow(
      /^the file may show another time of events/,
    )
  })

  test.each([
    ['start', 3n * hour],
    ['end', -3n * hour],
  ] as const)('range_%s that is off by whole hours is told', async (bound, by) => {
    const [found] = await problemsOfInclusive(await lookWhere({ start: by, end: by }), bound)
    expect(found?.sentence).toMatch(/and it is there with 3 hours more: /)
  })
})
