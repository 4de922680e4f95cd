import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { NotDecidable } from '../../../engine/outcome.ts'
import { createLending } from '../../../helpers/loans/create-lending.ts'
import type { Journal } from '../../../helpers/loans/journal.ts'
import type { Service } from '../../../helpers/service/service.ts'

const gone = 'gone'
const here = 'here'

/** Lends two tasks, of which one has gone when it is read. */
function lendTwo({ isLearned }: { isLearned: boolean }) {
  const service = {
    readTask: async (id: string) => {
      await sleep(20)
      if (id === gone) throw new NotDecidable('clause', 'it has gone', 'task.read.success')
      const text = JSON.stringify({ id, updated_at: '2026-01-01T00:00:00Z', assignment: null })
      return { exchange: 1, method: 'GET', path: `/tasks/${id}`, status: 200, text }
    },
    puttingBack: () => service,
  } as unknown as Service
  const tasks = [gone, here].map((id) => ({ id, lendable: true, assigned: 'none' as const }))
  const settings = { taskIds: [gone, here], settleMs: 30, notPermitted: [], actorId: 'a' } as never
  const journal = { owe: (debt: unknown) => debt, note: () => {} } as unknown as Journal
  const watch = {
    othersShownSince: () => undefined,
    patience: { windowMs: () => 30, isLearned: () => isLearned },
  }
  const { signal } = new AbortController()
  const lending = createLending(tasks, settings, journal, signal, () => {}, watch)
  return { lending, service }
}

test('who waits for a task that has gone is refused it, and who waits for another is not kept', async () => {
  const { lending, service } = lendTwo({ isLearned: false })
  const first = lending.borrow({ id: gone }, service)
  const second = lending.borrow({ id: gone }, service)
  await expect(first).rejects.toThrow('it has gone')
  await expect(second).rejects.toThrow('it has gone')
  const third = lending.borrow('any', service, 'when windows are known')
  const loan = await Promise.race([third, sleep(2_000)])
  expect(loan?.task.id).toBe(here)
})

test('whoever asked for any task has another one where the first has gone', async () => {
  const { lending, service } = lendTwo({ isLearned: true })
  const loan = await lending.borrow('any', service)
  expect(loan.task.id).toBe(here)
  await expect(lending.borrow({ id: gone }, service)).rejects.toThrow('it has gone')
})
