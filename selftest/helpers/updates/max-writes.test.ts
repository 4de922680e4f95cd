import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import { FateUnknown } from '../../../engine/http/fate-unknown.ts'
import { createWriteBudget, spendOne } from '../../../helpers/service/write-budget.ts'
import { runProgram } from '../../proofs/prove.ts'
import { lendService } from '../loans/lent-service.ts'

test.each([
  ['flag', ['--read-only'], {}],
  ['setting', [], { READ_ONLY: '1' }],
])('READ_ONLY sends no update, by %s', async (_, argv, more) => {
  const methods = new Set<string>()
  const { env } = await lendService({
    between: (request, next) => {
      methods.add(request.method)
      return next(request)
    },
  })
  const { exitCode, output } = await runProgram({ ...env, ...more, SEED: '1' }, argv)
  expect(exitCode, output).toBe(0)
  expect([...methods]).toEqual(['GET'])
})

const answered = (status: number) => async () => ({ status }) as Answer
const reached = /^MAX_WRITES=\d+ is reached/

/** An update of a task, or the return of one on loan: its answer, or none. */
const moves = fc.array(
  fc.record({
    task: fc.constantFrom('a', 'b', 'of nobody'),
    comes: fc.constantFrom(200, 200, 404, 500, undefined),
    isReturn: fc.boolean(),
  }),
  { maxLength: 20 },
)

test('the budget counts what may have been accepted, and always has room to put back what is on loan', () =>
  fc.assert(
    fc.asyncProperty(fc.nat({ max: 6 }), moves, async (bound, all) => {
      const budget = createWriteBudget(bound)
      const changed = new Set<string>()
      let made = 0
      const send = (task: string, status?: number) =>
        spendOne(budget, task, async () => {
          if (status === undefined) throw new FateUnknown('no answer')
          return { status } as Answer
        }).then(
          () => 'sent',
          ({ message }) => (reached.test(message) ? 'held back' : 'sent'),
        )
      const giveBack = async (id: string) => {
        if (changed.delete(id)) made += 1
        else return
        expect(await send(id, 200)).toBe('sent')
      }
      const loans = new Map(
        ['a', 'b'].map((id) => {
          const loan = { task: { id }, giveBack: () => giveBack(id) }
          return [id, budget.keepRoomFor(loan)]
        }),
      )
      for (const { task, comes, isReturn } of all) {
        const loan = loans.get(task)
        if (isReturn) await loan?.giveBack()
        if (isReturn) continue
        const owed = new Set([...changed, ...(loan ? [task] : [])])
        const fits = made + 1 + owed.size <= bound
        expect(await send(task, comes)).toBe(fits ? 'sent' : 'held back')
        if (!fits || comes === 404) continue
        made += 1
        if (loan) changed.add(task)
      }
      for (const loan of loans.values()) await loan.giveBack()
      expect(made).toBeLessThanOrEqual(bound)
    }),
  ))

describe('the budget', () => {
  test('waits for updates under way, which may still be refused', async () => {
    const budget = createWriteBudget(1)
    let refuse = (_: Answer) => {}
    const slow = spendOne(budget, 'b', () => new Promise((resolve) => (refuse = resolve)))
    const next = spendOne(budget, 'b', answered(200))
    await new Promise(setImmediate)
    refuse({ status: 409 } as Answer)
    expect([(await slow).status, (await next).status]).toEqual([409, 200])
  })

  test('counts each of several that are sent together', async () => {
    const budget = createWriteBudget(3)
    const together = (count: number) => {
      const all = Array.from({ length: count }, (_, n) => answered(n ? 409 : 200))
      return budget.spend('b', () => Promise.allSettled(all.map((each) => each())), count)
    }
    await expect(together(4)).rejects.toThrow(reached)
    await together(3)
    await together(2)
    await expect(together(2)).rejects.toThrow(reached)
    await together(1)
  })
})
