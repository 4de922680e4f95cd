import { describe, expect, test } from 'vitest'
import { hour, instantAt, isoOf } from '../../../../engine/files/dates.ts'
import type { Problem } from '../../../../engine/problem.ts'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import {
  problemsOfEnd,
  problemsOfLooseBounds,
  problemsOfStart,
} from '../../../../helpers/export/judge/ranges/bounds.ts'
import type { Look } from '../../../../helpers/export/judge/ranges/witnesses.ts'
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
    expect(await problemsOfStart(look)).toEqual([])
    expect(await problemsOfEnd(look)).toEqual([])
    expect(await problemsOfLooseBounds(look)).toEqual([])
  })

  test('range_start that is exclusive is told', async () => {
    const [found] = await problemsOfStart(await lookWhere({ start: 1n }))
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
    await expect(problemsOfStart(look)).rejects.toThrow(
      'the service may store times finer than the file shows them; their precision is not shown',
    )
  })

  test('range_end that leaves out the event just before it is told', async () => {
    const [found] = await problemsOfEnd(await lookWhere({ end: -2n * unit }))
    expect(found?.sentence).toMatch(
      /^with range_end just after T the event at T is missing, for 8 times T, and with range_start there too: /,
    )
  })

  test('range_end may go by another time than the one that is shown', async () => {
    const late = await lookWhere({ start: -2n * unit, end: -2n * unit })
    await expect(problemsOfEnd(late)).rejects.toThrow(/^the file may show another time of events/)
  })

  test.each<[string, (look: Look) => Promise<Problem[]>, bigint]>([
    ['range_start', problemsOfStart, 3n * hour],
    ['range_end', problemsOfEnd, -3n * hour],
  ])('%s that is off by whole hours is told', async (_, judge, by) => {
    const [found] = await judge(await lookWhere({ start: by, end: by }))
    expect(found?.sentence).toMatch(/and hardly one is there with an hour more: /)
  })

  test.each([
    ['range_start a unit after T', { start: -unit }],
    ['range_end a unit before T', { end: unit }],
  ])('that lets in an event one unit too far is told: %s', async (bound, moves) => {
    const problems = await problemsOfLooseBounds(await lookWhere(moves))
    expect(problems.map(({ sentence }) => sentence)).toEqual([
      `with ${bound} the event shown at T is there, each time`,
    ])
  })
})
