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
  worthWaitingFor,
} from '../../../helpers/loans/lending.ts'
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
  const tasks = ids.map((id, at) => ({
    id,
    lendable: true,
    assigned: at === 0 ? assigned : 'none',
  }))
  const settings = { taskIds: ids, settleMs: 30, notPermitted, actorId: 'a' } as never
  const owed: unknown[] = []
  const owe = (debt: { before: unknown }) => {
    owed.push(debt.before)
    return debt
  }
  const journal = { owe, note: () => {} } as unknown as Journal
  const history = createHistory()
  const settleWindow = settleWindowOf(history, 30)
  const { signal: stop } = new AbortController()
  const tell = () => {}
  const lending = createLending({ tasks, settings, journal, stop, tell, history, settleWindow })
  return { lending, service, shown, owed, tasks }
}

test('a clause that waits for a missing task is refused, and others still get theirs', async () => {
  const { lending, service } = lendTwo({})
  const first = lending.borrow({ id: gone }, service)
  const second = lending.borrow({ id: gone }, service)
  await expect(first).rejects.toThrow('it has gone')
  await expect(second).rejects.toThrow('it has gone')
  const third = lending.borrow('any', service)
  const loan = await Promise.race([third, sleep(2_000)])
  expect(loan?.task.id).toBe(here)
})

test('a clause that accepts any task gets another one if the first is missing', async () => {
  const { lending, service } = lendTwo({})
  const loan = await lending.borrow('any', service)
  expect(loan.task.id).toBe(here)
  await expect(lending.borrow({ id: gone }, service)).rejects.toThrow('it has gone')
})

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

test('all tasks are held for one clause even if one went missing', async () => {
  const { lending, service, tasks } = lendTwo({ ids: [here, gone, 'another'] })
  const known = { tasks } as unknown as KnownIds
  const settings = { notPermitted: [] }
  const held = await aloneWith({ lending, known, settings }, service, async (loans) =>
    loans.map(({ task }) => task.id),
  )
  expect(held).toEqual([here, 'another'])
  const loan = await lending.borrow({ id: 'another' }, service)
  expect(loan.task.id).toBe('another')
})

test('tasks that need a forbidden unassign to be put back are not lent', async () => {
  const notPermitted = ['assign.unassign']
  const { lending, service, tasks } = lendTwo({
    ids: [here, 'another'],
    notPermitted,
    assigned: 'USER',
  })
  const known = { tasks } as unknown as KnownIds
  const held = aloneWith(
    { lending, known, settings: { notPermitted } },
    service,
    async (loans) => loans.length,
  )
  expect(await held).toBe(1)
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
    const since = performance.now()
    if (showing.includes(id)) history.begin({ kind: 'read', task: id })(answerOf(shown))
    return {
      task: { id },
      since,
      giveBack: async () => void returned.push(id),
    } as unknown as Loan
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
const tasks = (...kinds: Kind[]) => kinds.map((assigned) => ({ assigned }))

test('a clause waits for the best kind alone, if a quarter of the tasks are of it', () => {
  const twelve = tasks(
    ...(['none', 'USER', 'TEAM'] as const).flatMap((kind) => [kind, kind, kind]),
    ...(['none', 'USER', 'USER'] as const),
  )
  expect(worthWaitingFor('unassigned', twelve)).toEqual(['none'])
  expect(worthWaitingFor('any', twelve)).toEqual(['none'])
  expect(worthWaitingFor('TEAM', twelve)).toEqual(['TEAM'])
})

test('a clause waits for the next kinds too, if the best kind is rare', () => {
  const some = tasks('none', 'USER', 'TEAM', 'TEAM')
  expect(worthWaitingFor('unassigned', some)).toEqual(['none', 'USER'])
  expect(worthWaitingFor('unassigned', tasks('none', 'TEAM', 'TEAM', 'TEAM'))).toEqual([
    'none',
    'USER',
    'TEAM',
  ])
})

test('a clause that accepts any task waits for kinds that leave room for four walks', () => {
  const some = tasks('none', 'none', 'USER', 'USER', 'TEAM')
  expect(worthWaitingFor('any', some)).toEqual(['none', 'USER'])
  expect(worthWaitingFor('any', tasks(...some.map(() => 'none' as const)))).toEqual(['none'])
})

test('without a task of the best kind, a clause waits for the other kinds', () => {
  expect(worthWaitingFor('USER', tasks('none'))).toContain('none')
  expect(worthWaitingFor('any', tasks('unknown', 'unknown'))).toContain('unknown')
})
