import { describe, expect, test, vi } from 'vitest'
import { isAccepted } from '../../../engine/http/answers.ts'
import type { Answer } from '../../../engine/http/client.ts'
import { FateUnknown } from '../../../engine/http/fate-unknown.ts'
import { createWriteBudget, spendOne } from '../../../helpers/service/write-budget.ts'
import { runProgram } from '../../proofs/prove.ts'
import { lendService } from '../loans/lent-service.ts'

/** Runs the program against a reference service, and counts at the service. */
async function runOnTheWire(argv: string[] = [], env: Record<string, string> = {}) {
  const wire = { methods: new Set<string>(), acceptedPuts: 0 }
  const lent = await lendService({
    between: async (request, next) => {
      const response = await next(request)
      wire.methods.add(request.method)
      if (request.method === 'PUT' && response.ok) wire.acceptedPuts += 1
      return response
    },
  })
  return { wire, ...(await runProgram({ ...lent.env, SEED: '1', SETTLE_MS: '60', ...env }, argv)) }
}

test('MAX_WRITES bounds the accepted updates, and clauses that it stops are inconclusive', async () => {
  const { wire, exitCode, output, report } = await runOnTheWire([], { MAX_WRITES: '3' })
  expect(wire.acceptedPuts).toBeLessThanOrEqual(3)
  expect(exitCode, output).toBe(3)
  expect(output).toContain('MAX_WRITES=3 is reached, so no further update is sent; raise it')
  expect(report?.residue).toEqual([])
  for (const { verdict, reason } of report?.clauses ?? [])
    if (verdict === 'inconclusive') expect(reason).toContain('MAX_WRITES')
})

test('READ_ONLY sends no update, by flag and by setting', async () => {
  const byFlag = await runOnTheWire(['--read-only'])
  const bySetting = await runOnTheWire([], { READ_ONLY: '1' })
  for (const { wire, exitCode, output } of [byFlag, bySetting]) {
    expect(exitCode, output).toBe(0)
    expect([...wire.methods]).toEqual(['GET'])
  }
})

describe('the budget', () => {
  const answered = (status: number) => async () => ({ status }) as Answer
  const reached = /^MAX_WRITES=\d+ is reached/

  /** A task on loan; returning it sends one update, or none. */
  const lentOut = async (bound: number, { differs = true } = {}) => {
    const budget = createWriteBudget(bound)
    const restoring = vi.fn(answered(200))
    const loan = {
      task: { id: 'a' },
      giveBack: async () => void (differs && (await put('a', restoring))),
    }
    const put = (id: string, send: () => Promise<Answer>) => spendOne(budget, id, send)
    return { put, restoring, loan: budget.keepRoomFor(loan) }
  }

  test('keeps room to put back what is on loan', async () => {
    const { put, loan } = await lentOut(3)
    await put('a', answered(200))
    await put('a', answered(200))
    await expect(put('a', answered(200))).rejects.toThrow(reached)
    await loan.giveBack()
    await expect(put('b', answered(200))).rejects.toThrow(reached)
  })

  test('counts no update that was refused', async () => {
    const { put } = await lentOut(1)
    for (let time = 0; time < 5; time += 1) await put('nobody', answered(404))
    expect(isAccepted(await put('nobody', answered(200)))).toBe(true)
    await expect(put('nobody', answered(404))).rejects.toThrow(reached)
  })

  test('counts one whose fate is unknown, and a 500', async () => {
    const { put } = await lentOut(2)
    const lost = async () => {
      throw new FateUnknown('no answer')
    }
    await expect(put('b', lost)).rejects.toThrow('no answer')
    await put('b', answered(500))
    await expect(put('b', answered(200))).rejects.toThrow(reached)
  })

  test('never holds back the putting back', async () => {
    const { put, loan, restoring } = await lentOut(2)
    await put('a', answered(200))
    const other = put('b', answered(200))
    await expect(other).rejects.toThrow(reached)
    await loan.giveBack()
    expect(restoring).toHaveBeenCalledTimes(1)
    await loan.giveBack()
    expect(restoring).toHaveBeenCalledTimes(2)
  })

  test.each([
    ['was put back', 4, true],
    ['was found as it had been', 3, false],
  ])('frees the room of a task that %s', async (_, bound, differs) => {
    const { put, loan, restoring } = await lentOut(bound, { differs })
    await put('a', answered(200))
    await put('a', answered(200))
    await loan.giveBack()
    expect(restoring).toHaveBeenCalledTimes(differs ? 1 : 0)
    await put('b', answered(200))
    await expect(put('b', answered(200))).rejects.toThrow(reached)
  })

  test('waits for updates under way, which may still be refused', async () => {
    const { put } = await lentOut(1)
    let refuse = (_: Answer) => {}
    const slow = put('b', () => new Promise((resolve) => (refuse = resolve)))
    const next = put('b', answered(200))
    await new Promise(setImmediate)
    refuse({ status: 409 } as Answer)
    expect((await slow).status).toBe(409)
    expect((await next).status).toBe(200)
  })

  test('counts each of several that are sent together', async () => {
    const budget = createWriteBudget(3)
    const together = (count: number) =>
      budget.spend(
        'b',
        () =>
          Promise.allSettled(Array.from({ length: count }, (_, n) => answered(n ? 409 : 200)())),
        count,
      )
    await expect(together(4)).rejects.toThrow(reached)
    await together(3)
    await together(2)
    await expect(together(2)).rejects.toThrow(reached)
    await together(1)
  })
})
