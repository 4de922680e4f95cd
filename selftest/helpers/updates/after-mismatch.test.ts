import { describe, expect, test } from 'vitest'
import {
  movedByMismatch,
  problemsAfterMismatch,
  problemsOfNoWinner,
} from '../../../helpers/updates/after-mismatch.ts'
import type { Round } from '../../../helpers/updates/race.ts'
import type { Stories } from '../../../helpers/updates/stale-update.ts'
import { anna, heldBy, id } from './small-task.ts'

const refusal = { method: 'PUT', path: '/update', status: 409 }

/** What a refused update left: a new version, and whether another assignment. */
type Left = { version?: string; isAnother?: boolean; isUnasked?: boolean }

const storyOf = ({ version = 'a', isAnother = false, isUnasked = false }: Left) => {
  const before = { updated_at: 'a', assignment: null }
  const after = { updated_at: version, assignment: isAnother ? heldBy(anna) : null }
  const stale = { answer: refusal, before, after, to: isUnasked ? null : anna, restless: false }
  return { reassign: stale, unassign: stale, assign: stale }
}

const movedIn = (first: Left, again: Left, isAnybodyElseHere = false) => {
  const stories = { ...storyOf(first), again: async () => storyOf(again) } as unknown as Stories
  return movedByMismatch(stories, { mayBeAnothers: () => isAnybodyElseHere })
}

describe('refused updates that leave the assignment as it was', () => {
  test('move updated_at where they do it each time', async () => {
    const { refused, moved } = await movedIn({ version: 'b' }, { version: 'c' })
    expect([refused.length, moved.length]).toEqual([3, 3])
  })

  test('do not where updated_at is as before', async () => {
    expect((await movedIn({}, {})).moved).toEqual([])
  })

  test('say nothing where they did it once', async () => {
    await expect(movedIn({ version: 'b' }, {})).rejects.toThrow('somebody else changed the task')
  })
})

test('where the assignment is another one after each, it may be somebody else', async () => {
  const unasked = { version: 'b', isAnother: true, isUnasked: true }
  await expect(movedIn(unasked, unasked)).rejects.toThrow('somebody else changed the task')
  const another = { version: 'b', isAnother: true }
  await expect(movedIn(another, another, true)).rejects.toThrow('somebody else changed the task')
  await expect(movedIn(another, another)).rejects.toThrow('the assignment changed after every 409')
})

/** What is told of a story in which Anna is refused: whether she has the task afterwards, each time. */
async function toldWhere({
  has,
  hasLater = [],
  isOfAnother = false,
  isUnassigned = false,
}: {
  has: boolean[]
  /** what changed late is the task of another clause */
  isOfAnother?: boolean
  /** somebody had unassigned the task before it was to be unassigned */
  isUnassigned?: boolean
  /** in stories that are watched for as long as it took until the task changed late */
  hasLater?: boolean[]
}) {
  const watched: [time: number, ms: number][] = []
  const tell = (isCarriedOut: boolean | undefined) => {
    const before = { updated_at: 'a', assignment: null }
    const kept = { answer: refusal, before, after: before, to: anna, refused: { task: id, at: 5 } }
    const after = { updated_at: 'b', assignment: heldBy(isCarriedOut ? anna : null) }
    const unassign = { ...kept, to: null, before: { ...before, assignment: heldBy(anna) } }
    return {
      reassign: { ...kept, after },
      unassign: isUnassigned ? { ...unassign, before } : { ...unassign, after: unassign.before },
      assign: kept,
    }
  }
  const stories = {
    ...tell(has[0]),
    briefly: async (time: number) => tell(has[time - 1]),
    again: async () => tell(has[4]),
    patiently: async (time: number, ms: number) => {
      watched.push([time, ms])
      return tell(ms > 100 ? hasLater[time - 1] : has[time + 2])
    },
  }
  const taskWatch = {
    refused: [],
    mayBeAnothers: () => false,
    isExplained: () => false,
    wasChangedSince: () => hasLater.length > 0 && !isOfAnother,
    lateMismatches: isOfAnother ? [{ task: 'other', at: 5 }] : [],
    windowAfter: () => 700,
  }
  const given = { taskWatch, over: async () => {}, settleMs: 100 }
  const problems = await problemsAfterMismatch(
    stories as unknown as Stories,
    given as unknown as Parameters<typeof problemsAfterMismatch>[1],
  )
  return { sentences: problems.map(({ sentence }) => sentence), watched }
}

describe('a refused update', () => {
  const told = `PUT /update answered 409, then the assignment is USER ${anna.id}`

  test('leaves the task as it was', async () => {
    expect((await toldWhere({ has: [false] })).sentences).toEqual([])
  })

  test('is condemned where the task is assigned as it asked, twice', async () => {
    const { sentences } = await toldWhere({ has: [true, true] })
    expect(sentences).toEqual([expect.stringContaining(told)])
    for (const time of [2, 3, 4, 5, 6]) {
      const has = [true, ...Array(time - 1).fill(false), true]
      expect((await toldWhere({ has })).sentences).toHaveLength(1)
    }
  })

  test('is not where it was so once: that may be somebody else', async () => {
    await expect(toldWhere({ has: [true] })).rejects.toThrow('somebody else changed the task')
  })

  test('after which the task changed late is sent again, and watched for as long', async () => {
    const { sentences, watched } = await toldWhere({ has: [false], hasLater: [true, true] })
    expect(sentences).toEqual([expect.stringContaining(told)])
    expect(watched).toEqual([
      [1, 700],
      [2, 700],
    ])
    expect((await toldWhere({ has: [false], hasLater: [false] })).sentences).toEqual([])
    const once = toldWhere({ has: [false], hasLater: [true, false, false] })
    await expect(once).rejects.toThrow('somebody else changed the task')
  })

  test('is sent again too where the task of another clause changed as its refused update asked', async () => {
    const late = { has: [false], hasLater: [true, true], isOfAnother: true }
    expect((await toldWhere(late)).sentences).toEqual([expect.stringContaining(told)])
  })

  test('shows nothing of unassigning where the task was unassigned before', async () => {
    const unseen = toldWhere({ has: [false], isUnassigned: true })
    await expect(unseen).rejects.toThrow('somebody else changed the task')
  })
})

describe('simultaneous updates that are all refused', () => {
  const lost = {
    winners: [],
    refused: [refusal, refusal],
    alone: { ...refusal, status: 200 },
  } as unknown as Round

  test('are condemned where the first is accepted alone, in three rounds', () => {
    expect(problemsOfNoWinner([lost, lost, lost])).toMatchObject([
      {
        sentence:
          '2 simultaneous updates with the current version were answered 409 in each of 3 rounds, and one of them, sent again alone, 200',
        expected: 'one accepted, 409 to the others',
        got: 'none accepted',
      },
    ])
  })

  test('are not where that was so in fewer rounds, or not in each', () => {
    const alike = { ...lost, alone: refusal } as unknown as Round
    expect(problemsOfNoWinner([lost, lost])).toEqual([])
    expect(problemsOfNoWinner([lost, lost, lost, alike])).toEqual([])
  })
})
