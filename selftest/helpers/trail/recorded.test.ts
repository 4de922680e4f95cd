import { describe, expect, test } from 'vitest'
import { readCsvText } from '../../../engine/files/csv.ts'
import { type Exports, filesOf } from '../../../helpers/export/ask/exports.ts'
import type { Query } from '../../../helpers/export/ask/query.ts'
import type { Accepted, Ledger } from '../../../helpers/history/accepted-updates.ts'
import { compareTasks, compareTasksInTime } from '../../../helpers/trail/alike.ts'
import { fetchCommented } from '../../../helpers/trail/comments.ts'
import {
  fetchRecorded,
  linesInCommon,
  problemsOfCount,
  problemsOfTimes,
} from '../../../helpers/trail/recorded.ts'

const began = Date.now() - 60_000
const comment = (n: number) => `Contract test, please ignore run 7 (${n})`

/** Of one task three updates with a comment each, of another one: the second of the first unassigns. */
const updates = [
  ['one', 'anna'],
  ['one', null],
  ['one', 'ben'],
  ['two', 'anna'],
].map(([task, to], n): Accepted => {
  const assignment = to && { assigned_to_id: to, assigned_to_type: 'USER', assigned_by_id: 'a' }
  const shown = assignment && { ...assignment, assignment_comment: comment(n) }
  const accepted = { task, assignment: shown, comment: comment(n), at: began + n * 1000 }
  return { ...accepted, exchange: n + 1 } as Accepted
})
const ledger: Ledger = {
  before: new Map([
    ['one', null],
    ['two', null],
  ]),
  updates,
}

type Event = { task: string; at: number; comment: string }
const events: Event[] = updates.map(({ task, at }, n) => ({ task, at, comment: comment(n) }))

/** Exports of these events, by task or by entity: all tasks are of one entity. */
function exportsOf(
  all: Event[],
  {
    shownAt = (at: number) => new Date(at).toISOString(),
    ofEntity = all,
  }: { shownAt?: (at: number) => string; ofEntity?: Event[] } = {},
) {
  const csv = async ({ start = '', end = '9', metadata = {} }: Query) => {
    const isByEntity = metadata.entity_id === 'entity'
    const rows = (isByEntity ? ofEntity : all).filter(({ task, at }) => {
      const time = new Date(at).toISOString()
      const isAsked = metadata.task_id === undefined || metadata.task_id === task
      return time >= start && time <= end && isAsked
    })
    const lines = rows.map(({ task, at, comment }) => `${shownAt(at)},${task},"${comment}"`)
    const text = `${['time,task,comment', ...lines].join('\n')}\n`
    const answer = { status: 200, method: 'GET', path: '/export' }
    return { answer, csv: await readCsvText(text, { keep: 100 }) }
  }
  const port = { csv, ...filesOf(() => ({ csv }) as unknown as Exports) }
  return { ...port, fresh: port, times: () => [Date.now()] } as unknown as Exports
}

const patience = { lateMs: 30, limitMs: 30, stop: new AbortController().signal }
const recordOf = (all: Event[]) =>
  fetchRecorded({ exports: exportsOf(all), ledger, control: 'two', ...patience })
const sentences = (problems: { sentence: string }[]) => problems.map(({ sentence }) => sentence)
/** The problems of all cases. */
const ofAll = <T>(cases: readonly T[], problemsOf: (one: T) => { sentence: string }[]) =>
  sentences(cases.flatMap(problemsOf))

describe('the audit trail', () => {
  test('shows an event of each change', async () => {
    const recorded = await recordOf(events)
    expect([...recorded.changes]).toEqual([
      ['one', 3],
      ['two', 1],
    ])
    expect(ofAll(['one', 'two'], (task) => problemsOfCount(recorded, ledger, task))).toEqual([])
  })

  test('is condemned for a task of which it shows fewer', async () => {
    const recorded = await recordOf(events.toSpliced(1, 1))
    expect(ofAll(['one', 'two'], (task) => problemsOfCount(recorded, ledger, task))).toEqual([
      expect.stringMatching(/^task one: 3 changes, and 2 events since /),
    ])
  })
})

describe('the lines that a file of events shares with one without any', () => {
  const nobody = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
  const header = ['id', 'time', 'comment']
  const events = [
    ['1', '10:00', 'a'],
    ['2', '10:01', 'b'],
  ]
  test.each([
    ['a header', [header], [header, ...events], 1],
    ['no line, and a header that only events have', [], [header, ...events], 0],
    ['a line in place of events', [header, ['none', '', '']], [header, ...events], 1],
    ['a sum', [header, ['sum', '0', '']], [header, ...events, ['sum', '2', '']], 2],
    ['a title with the task', [[`of ${nobody}`], header], [['of t'], header, ...events], 2],
    ['all, where neither has events', [header, ['none']], [header, ['none']], 2],
  ])('%s', (_, empty, found, count) => {
    expect(linesInCommon(empty, found, 't')).toBe(count)
  })
})

describe('the events of every task', () => {
  const how = { control: 'one', assigners: ['a'] }

  test('show a time of the run, though updates follow that nobody counted', async () => {
    const recorded = await recordOf(events)
    const later = { ...updates[0], at: began + 9000 } as Accepted
    const more = { ...ledger, updates: [...updates, later] }
    const { what, others, problemsOf } = compareTasks(more, recorded, how)
    expect([what, others]).toEqual([['a time of this run'], ['two']])
    expect(ofAll(others, problemsOf)).toEqual([])
  })

  /** As they were counted when the last event of a task was none of this run. */
  const withStranger = async (task = 'two') => {
    const recorded = await recordOf(events)
    const { count = 0, records = [] } = recorded.files.get(task) ?? {}
    const longAgo = new Date(began - 86_400_000).toISOString()
    const strange = {
      count,
      records: records.with(-1, [longAgo, ...(records.at(-1) ?? []).slice(1)]),
    }
    return { ...recorded, files: new Map(recorded.files).set(task, strange) }
  }
  const none = '1 changes, and 0 events that show a time of this run where those of task one do'

  test('are condemned for a task that shows none', async () => {
    const { others, problemsOf } = compareTasks(ledger, await withStranger(), how)
    expect(ofAll(others, problemsOf)).toEqual([`task two: ${none}`])
  })

  test('may come while they are looked for', async () => {
    const asked = { exports: exportsOf(events), ledger, control: 'one', ...patience }
    const { others, problemsOf } = await compareTasksInTime(asked, await withStranger(), how)
    expect([others, ofAll(others, problemsOf)]).toEqual([['two'], []])
  })

  test('may come of the task that the others are compared with', async () => {
    const recorded = await withStranger('one')
    expect(compareTasks(ledger, recorded, how).what).toEqual([])
    const asked = { exports: exportsOf(events), ledger, control: 'one', ...patience }
    const { what, others } = await compareTasksInTime(asked, recorded, how)
    expect([what, others]).toEqual([['a time of this run'], ['two']])
  })

  test('show a time of the run to the minute', async () => {
    const shownAt = (at: number) => `${new Date(at).toISOString().slice(0, 16)}Z`
    const exports = exportsOf(events, { shownAt })
    const recorded = await fetchRecorded({ exports, ledger, control: 'two', ...patience })
    expect(compareTasks(ledger, recorded, how).what).toEqual(['a time of this run'])
  })

  test('that show nothing at all are not looked for again', async () => {
    const shownAt = (at: number) => new Date(at - 31_536_000_000).toISOString()
    const silent = exportsOf(events, { shownAt })
    const recorded = await fetchRecorded({
      exports: silent,
      ledger,
      control: 'two',
      ...patience,
    })
    const csv = () => Promise.reject(new Error('asked again'))
    const asked = {
      exports: { ...silent, fresh: { ...silent.fresh, csv } },
      ledger,
      control: 'one',
      ...patience,
    }
    expect(await compareTasksInTime(asked, recorded, how)).toMatchObject({ what: [] })
  })

  test('are condemned once their time is over', async () => {
    const year = 31_536_000_000
    const shownAt = (at: number) => new Date(at === updates[3]?.at ? at - year : at).toISOString()
    const asked = { exports: exportsOf(events, { shownAt }), ledger, control: 'one', ...patience }
    const { others, problemsOf } = await compareTasksInTime(asked, await withStranger(), how)
    expect(ofAll(others, problemsOf)).toEqual([`task two: ${none}`])
  })
})

describe('the comments of updates', () => {
  const entity = async (): Promise<unknown> => 'entity'
  const commentsOf = async (all: Event[], ofEntity = all, entityOf = entity) => {
    const recorded = await recordOf(all)
    const exports = exportsOf(all, { ofEntity })
    const asked = { exports, ledger, control: 'two', ...patience }
    const { commented, problemsOf } = await fetchCommented(asked, recorded, entityOf)
    const found = ofAll(commented, problemsOf)
    return { sentences: found, shown: commented.length - found.length }
  }
  const without = (n: number) =>
    events.map((event, at) => (at === n ? { ...event, comment: '' } : event))

  test('are shown whole, that of an unassign as well', async () => {
    expect(await commentsOf(events)).toEqual({ sentences: [], shown: 4 })
  })

  test.each([0, 1, 2])('are condemned where one is in no event (%i)', async (n) => {
    const found = await commentsOf(without(n))
    expect(found.sentences).toEqual([
      expect.stringContaining(
        `no event of task one, or of its entity, shows the comment "${comment(n)}" whole`,
      ),
    ])
    expect(found.shown).toBe(3)
  })

  test('are looked for again: other events may make up the number before the last one comes', async () => {
    const some = without(2)
    const [, , last] = events as [Event, Event, Event]
    // Asked once the events of the tasks are counted.
    const comesNow = async () => {
      if (!some.includes(last)) some.push(last)
      return undefined
    }
    expect(await commentsOf(some, some, comesNow)).toEqual({ sentences: [], shown: 4 })
  })

  test('need not stand anywhere of an unassign of what is unassigned', async () => {
    const [first] = updates
    const idle = { ...first, assignment: null, comment: comment(9) } as Accepted
    const exports = exportsOf(events)
    const all = { ...ledger, updates: [idle, ...updates] }
    const asked = { exports, ledger: all, control: 'one', ...patience }
    const recorded = await recordOf(events)
    const { commented, problemsOf } = await fetchCommented(asked, recorded, entity)
    expect(ofAll(commented, problemsOf)).toEqual([])
  })

  test('may stand in an event of the entity alone', async () => {
    expect(await commentsOf(without(1), events)).toEqual({ sentences: [], shown: 4 })
  })

  test('are condemned where the events of the entity show the others, and not one', async () => {
    expect(await commentsOf(events, without(2))).toEqual({
      sentences: [
        `no event of the entity of task one shows the comment "${comment(2)}", as they do other comments of this run`,
      ],
      shown: 3,
    })
  })

  test('need not stand in events of an entity that show none, or of one that is not known', async () => {
    const none = events.map((event) => ({ ...event, comment: '' }))
    expect((await commentsOf(events, none)).sentences).toEqual([])
    const nobody = async () => undefined
    expect((await commentsOf(events, events, nobody)).sentences).toEqual([])
    expect((await commentsOf(without(1), events, nobody)).sentences).toHaveLength(1)
  })
})

describe('the times of events', () => {
  const timesOf = (all: Event[], shownAt?: (at: number) => string) =>
    problemsOfTimes({
      exports: exportsOf(all, shownAt && { shownAt }),
      ledger,
      control: 'one',
      ...patience,
    })
  const hourMs = 3_600_000
  const late = events.map((event, n) => ({ ...event, at: event.at + (5 + n / 60) * hourMs }))

  test('lie where the updates were made', async () => {
    const { problems, seen } = await timesOf(events)
    expect([problems, seen]).toEqual([[], expect.stringMatching(/^3 events in the range from /)])
  })

  test('are condemned where they lie hours later', async () => {
    const { problems } = await timesOf(late)
    expect(sentences(problems)).toEqual([
      expect.stringMatching(
        /^0 of its events lie in the range from .*, when task one was changed 3/,
      ),
    ])
  })

  test('say nothing where they are stored to the hour', async () => {
    const coarse = late.map(({ at, ...rest }, n) => ({
      ...rest,
      at: at - (at % hourMs) + n * hourMs,
    }))
    await expect(timesOf(coarse)).rejects.toThrow(
      /^3 events of one task are at one time, or whole hours apart/,
    )
  })

  test('say nothing where files show none, and all lie at one instant', async () => {
    const atOnce = late.map((event) => ({ ...event, at: late[0]?.at ?? 0 }))
    await expect(timesOf(atOnce, () => 'some time')).rejects.toThrow(/are at one time/)
    expect((await timesOf(late, () => 'some time')).problems).toHaveLength(1)
  })
})
