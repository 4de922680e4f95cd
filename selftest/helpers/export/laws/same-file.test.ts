import { describe, expect, test } from 'vitest'
import {
  problemsOfDifference,
  problemsOfOtherEvents,
  problemsOfUnstableRows,
} from '../../../../helpers/export/laws/same-file.ts'
import { events, type Given, smallTrail, titles } from '../small-trail.ts'

describe('two files that are to be the same', () => {
  const zoned = { timezone: 'Asia/Tokyo' }
  const problemsWhere = async (inZone: Given, plain?: Given) => {
    const { exports, window, span } = smallTrail(({ timezone }) => (timezone ? inZone : plain))
    return problemsOfDifference(exports, window, { ...span, ...zoned }, span)
  }

  test('are asked for once each where they are', async () => {
    const { exports, window, span, asked } = smallTrail()
    expect(await problemsOfDifference(exports, window, { ...span, ...zoned }, span)).toEqual([])
    expect(asked).toEqual([{ ...span, ...zoned }, span])
  })

  test('are not told apart by the order of their rows', async () => {
    expect(await problemsWhere({ rows: events.toReversed() })).toEqual([])
  })

  test('are told by the cells that differ, and in which column', async () => {
    const rows = events.map((row) => row.with(4, 'deleted'))
    const [found, ...more] = await problemsWhere({ rows })
    expect(more).toEqual([])
    expect(found).toMatchObject({
      sentence:
        '48 rows, and 48 in the file beside it: 48 and 48 of them are in one file alone, and differ in sub_type',
      expected: 'created',
      got: 'deleted',
    })
  })

  test('are told where the same cells stand in other rows', async () => {
    const [one, other] = [events[0] ?? [], events[2] ?? []]
    const rows = [
      one.with(4, other[4] ?? ''),
      other.with(4, one[4] ?? ''),
      ...events.slice(3),
      events[1] ?? [],
    ]
    const [found] = await problemsWhere({ rows })
    expect(found?.sentence).toBe(
      '48 rows, and 48 in the file beside it: 2 and 2 of them are in one file alone, and differ in how cells go together',
    )
  })

  test('are told by the numbers of their rows where these differ', async () => {
    const [found] = await problemsWhere({ rows: events.slice(1) })
    expect(found).toMatchObject({ expected: '48 rows', got: '47 rows' })
  })

  test('are told by the first title that differs', async () => {
    const renamed = titles.with(2, 'user').with(5, 'label')
    const [found] = await problemsWhere({ rows: events, titles: renamed })
    expect(found).toMatchObject({
      sentence: 'column 3 is called "user", and "auditee_id"',
      expected: '"auditee_id"',
      got: '"user"',
    })
  })

  test('are not told apart by titles that are others in each file', async () => {
    let made = 0
    const { exports, window, span } = smallTrail(() => {
      made += 1
      return { rows: events, titles: titles.with(0, `made at ${made}`) }
    })
    const other = { ...span, ...zoned }
    expect(await problemsOfDifference(exports, window, other, span)).toEqual([])
  })
})

test('files that differ beside the columns that can be compared say nothing', async () => {
  const seen = (one: string) => ({ rows: events.map((row, n) => [...row, `${one} ${n % 7}`]) })
  const { exports, window, span } = smallTrail(({ timezone }) => seen(timezone ?? 'UTC'))
  const zoned = { ...span, timezone: 'Asia/Tokyo' }
  const shape = { ...window.shape, width: undefined }
  const wide = { ...window, shape, header: [...titles, 'shown'] }
  await expect(problemsOfDifference(exports, wide, zoned, span)).rejects.toThrow(
    /^the files agree but for shown, which differs between two equal requests too/,
  )
})

describe('the events of two files', () => {
  const { window } = smallTrail()
  const told = (other: string[][]) =>
    problemsOfOtherEvents('in the other', window, events, other).map(
      ({ sentence, got, again }) => ({
        sentence,
        got,
        isShownAgain: again !== undefined,
      }),
    )

  test('are the same whatever the other cells show, and in whichever column their ids stand', () => {
    expect(told(events.map((row) => row.toReversed()))).toEqual([])
    expect(told(events.map(([id = '', ...rest]) => [...rest, 'more', id]))).toEqual([])
  })

  test('are told by their number', () => {
    expect(told(events.slice(2))).toEqual([
      { sentence: '46 events in the other, not 48', got: '46 events', isShownAgain: true },
    ])
  })

  test('are told by their ids where there are as many', () => {
    expect(told([...events.slice(1), events[1] ?? []])).toEqual([
      {
        sentence: '48 events in the other, but others by their ids',
        got: 'events with other ids',
        isShownAgain: false,
      },
    ])
  })
})

describe('rows of answers to one request', () => {
  /** So many of the events, one number for each answer. */
  const sentencesOf = async (...counts: number[]) => {
    const { exports, window, asked } = smallTrail(() => ({
      rows: events.slice(0, counts[Math.min(asked.length, counts.length) - 1]),
    }))
    return (await problemsOfUnstableRows(exports, window)).map(({ sentence }) => sentence)
  }

  test('may come, and may go', async () => {
    expect(await sentencesOf(40, 44, 48)).toEqual([])
    expect(await sentencesOf(48, 44, 40)).toEqual([])
    expect(await sentencesOf(40, 48, 40)).toEqual([])
  })

  test('may not go and come again', async () => {
    expect(await sentencesOf(48, 45, 48)).toEqual([
      '3 of 48 different rows came and went in 5 answers to one request',
    ])
  })
})
