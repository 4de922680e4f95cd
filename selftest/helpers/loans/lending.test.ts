import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import { createHistory } from '../../../helpers/history/history.ts'
import { settleWindowOf } from '../../../helpers/history/settle-window.ts'
import { ForeignChange } from '../../../helpers/loans/foreign-change.ts'
import type { Journal } from '../../../helpers/loans/journal.ts'
import {
  aloneWith,
  createLending,
  type Loan,
  lendingBy,
  needLendable,
} from '../../../helpers/loans/lending.ts'
import { worthWaitingFor } from '../../../helpers/loans/task-queue.ts'
import type { KnownIds } from '../../../helpers/service/known.ts'
import type { Service } from '../../../helpers/service/service.ts'
import { answerOf } from '../history/model.ts'

const gone = 'gone'
const here = 'here'

/** Lends two tasks; the one named is missing when it is read. */
function lendTwo({
  ids = [gone, here],
  notPermitted = [] as string[],
  assigned = 'none' as 'none' | 'USER',
}) {
  const shown: { assignment: unknown } = { assignment: null }
  const service = {
    readTask: async (id: string) => {
      await sleep(20)
      if (id === gone) throw new NotDecidable('clause', 'it has gone', 'task.read.success')
      const text = JSON.stringify({ id, updated_at: '2026-01-01T00:00:00Z', ...shown })
      return { exchange: 1, method: 'GET', path: `/tasks/${id}`, status: 200, text }
    },
    puttingBack: () => service,
    ahead: () => service,
  } as unknown as Service
  const tasks = ids.map((id, at) => {
    return { id, lendable: true, assigned: at === 0 ? assigned : 'none' }
  })
  const people = { actorId: 'a', userIds: [], teamIds: [] }
  const settings = { taskIds: ids, settleMs: 30, notPermitted, ...people } as never
  const owed: unknown[] = []
  const owe = (debt: { before: unknown }) => {
    owed.push(debt.before)
    return debt
  }
  const journal = { owe, note: () => {} } as unknown as Journal
  const history = createHistory()
  const given = { history, settleWindow: settleWindowOf(history, 30), tell: () => {} }
  const { signal: stop } = new AbortController()
  const lending = createLending({ tasks, settings, journal, stop, ...given })
  return { lending, service, shown, owed, tasks }
}

test.each([2, 0])(
  'a missing task is refused, any other is lent: %i wait for it before',
  async (most) => {
    const { lending, service } = lendTwo({})
    const ofGone = () =>
      expect(lending.borrow({ id: gone }, service)).rejects.toThrow('it has gone')
    await Promise.all(Array.from({ length: most }, ofGone))
    const loan = await Promise.race([lending.borrow('any', service), sleep(2_000)])
    expect(loan?.task.id).toBe(here)
    await ofGone()
  },
)

describe('a task whose assignment could not be put back as it is', () => {
  const halfAnAssignment = { assigned_by_id: 'a' }
  const reason = `the assignment of task ${here} could not be put back as it is`

  test('is not lent if it was found so', async () => {
    const { lending, service, shown } = lendTwo({ ids: [here] })
    shown.assignment = halfAnAssignment
    await expect(lending.borrow('any', service)).rejects.toThrow(reason)
  })

  test('is lent on if it was found otherwise: that is what it is put back to', async () => {
    const { lending, service, shown, owed } = lendTwo({ ids: [here] })
    const first = await lending.borrow('any', service)
    await first.giveBack()
    shown.assignment = halfAnAssignment
    const second = await lending.borrow('any', service)
    expect([second.task.assignment, owed]).toEqual([halfAnAssignment, [null]])
  })
})

/** The tasks that are held for one clause. */
const heldOf = ({ lending, service, tasks }: ReturnType<typeof lendTwo>, notPermitted: string[]) =>
  aloneWith(
    { lending, known: { tasks } as unknown as KnownIds, settings: { notPermitted } },
    service,
    async (loans) => loans.map(({ task }) => task.id),
  )

test('all tasks are held for one clause even if one went missing', async () => {
  const lent = lendTwo({ ids: [here, gone, 'another'] })
  expect(await heldOf(lent, [])).toEqual([here, 'another'])
  const loan = await lent.lending.borrow({ id: 'another' }, lent.service)
  expect(loan.task.id).toBe('another')
})

test('tasks that need a forbidden unassign to be put back are not lent', async () => {
  const notPermitted = ['assign.unassign']
  const lent = lendTwo({ ids: [here, 'another'], notPermitted, assigned: 'USER' })
  expect(await heldOf(lent, notPermitted)).toHaveLength(1)
})

test('of simultaneous requests, the highest rank is served first', async () => {
  const { lending, service } = lendTwo({ ids: [here] })
  const order: string[] = []
  const asks = (['at once', 'first'] as const).map(async (when) => {
    const loan = await lending.borrow('any', service, when)
    order.push(when)
    await loan.giveBack()
  })
  await Promise.all(asks)
  expect(order).toEqual(['first', 'at once'])
})

test('tasks that another run has are waited for', () => {
  const held = { id: here, lendable: false, assigned: 'none', heldBy: 'process 7 on here' } as const
  const settings = { taskIds: [here], notPermitted: [] } as never
  expect(() => needLendable(settings, [held])).toThrow(
    'every task of TASK_IDS is in use by another run (process 7 on here): try again when it has ended',
  )
})

const assignment_comment = 'Contract test, please ignore 1'
const shown = { version: 'v1', by: 'late effect', assignment: { assignment_comment } } as never

/** Lends tasks 1, 2, …; those named show the refused update of another clause. */
function lendingWhere(showing: string[]) {
  const history = createHistory()
  history.begin({ kind: 'update', task: '0', body: { update: { assignment_comment } } })(
    answerOf(undefined, 409),
  )
  const given: string[] = []
  const returned: string[] = []
  const borrow = async () => {
    const id = String(given.length + 1)
    given.push(id)
    const loan = { task: { id }, since: performance.now(), giveBack: async () => returned.push(id) }
    if (showing.includes(id)) history.begin({ kind: 'read', task: id })(answerOf(shown))
    return loan as unknown as Loan
  }
  const lending = lendingBy(borrow, history)
  const use = (act: (id: string) => string) =>
    lending.lend('any', {} as never, async ({ task }) => act(task.id))
  return { use, given, returned }
}

const failing = (text: string) => () => {
  throw new Error(text)
}

test("a clause that meets another clause's refused update starts again on another task", async () => {
  const { use, given, returned } = lendingWhere(['1'])
  expect(await use((id) => (id === '1' ? failing('as the other update left it')() : id))).toBe('2')
  expect(given).toEqual(['1', '2'])
  expect(returned).toEqual(['1', '2'])
})

test('a pass on a task that shows a refused update does not count', async () => {
  expect(await lendingWhere(['1', '2']).use((id) => id)).toBe('3')
})

test('a clause that keeps meeting refused updates is undecided', async () => {
  const { use, returned } = lendingWhere(['1', '2', '3'])
  const found = await use(failing('as the other update left it')).catch((error) => error)
  expect(found).toBeInstanceOf(Trouble)
  expect(found.message).toContain('responded 409, but the assignment changed meanwhile')
  expect(returned).toEqual(['1', '2', '3'])
  const skipped = new NotDecidable('freedom', 'no comment is accepted')
  const undecided = lendingWhere(['1', '2', '3']).use(() => {
    throw skipped
  })
  await expect(undecided).rejects.toBe(skipped)
})

test('without such an update, an error is thrown at once and unchanged', async () => {
  const { use, given } = lendingWhere([])
  await expect(use(failing('a breach'))).rejects.toThrow('a breach')
  expect(given).toEqual(['1'])
})

test('a clause that meets another writer starts again on another task, twelve times in all', async () => {
  const meeting = () => {
    throw new ForeignChange(createHistory())
  }
  const { use, given, returned } = lendingWhere([])
  expect(await use((id) => (Number(id) < 6 ? meeting() : id))).toBe('6')
  expect(returned).toEqual(given)
  const always = lendingWhere([])
  await expect(always.use(meeting)).rejects.toThrow(ForeignChange)
  expect(always.returned).toHaveLength(12)
})

type Kind = Parameters<typeof worthWaitingFor>[1][number]['assigned']
type Wanted = Parameters<typeof worthWaitingFor>[0]

const twelve: Kind[] = [1, 2, 3].flatMap(() => ['none', 'USER', 'TEAM'])
twelve.push('none', 'USER', 'USER')

// biome-ignore format: one wish a line
test.each<[string, Wanted, Kind[], Kind[]]>([
  ['the best kind alone, if a quarter of the tasks are of it', 'unassigned', twelve, ['none']],
  ['it, where any will do', 'any', twelve, ['none']],
  ['a kind that is asked for', 'TEAM', twelve, ['TEAM']],
  ['the next kind too, if the best is rare', 'unassigned', ['none', 'USER', 'TEAM', 'TEAM'], ['none', 'USER']],
  ['all kinds, if the next is rare too', 'unassigned', ['none', 'TEAM', 'TEAM', 'TEAM'], ['none', 'USER', 'TEAM']],
  ['kinds that leave room for four walks', 'any', ['none', 'none', 'USER', 'USER', 'TEAM'], ['none', 'USER']],
  ['the one kind there is', 'any', ['none', 'none', 'none', 'none', 'none'], ['none']],
  ['all kinds without a task of the best', 'USER', ['none'], ['USER', 'TEAM', 'none', 'unknown']],
  ['any kind, if none is known', 'any', ['unknown'], ['none', 'USER', 'TEAM', 'unknown']],
])('a clause waits for %s', (_, wanted, kinds, expected) => {
  expect(worthWaitingFor(wanted, kinds.map((assigned) => ({ assigned })))).toEqual(expected)
})
