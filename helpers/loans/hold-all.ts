import { NotDecidable } from '../../engine/outcome.ts'
import type { KnownIds } from '../service/known.ts'
import type { Service } from '../service/service.ts'
import type { Settings } from '../settings/table.ts'
import type { Lending, Loan } from './lending.ts'
import { isLendable } from './need-lendable.ts'

type Held = { lending: Lending; known: KnownIds; settings: Pick<Settings, 'notPermitted'> }

/**
 * Acts while holding all lendable tasks, so that no other clause updates any. Only one clause at a time may
 * do so: two would wait for each other forever.
 */
export const aloneWith = <T>(
  { lending, known, settings }: Held,
  service: Service,
  act: (loans: [Loan, ...Loan[]]) => Promise<T>,
): Promise<T> =>
  lending.lend('any', service, async (own) => {
    const lendable = known.tasks.filter((task) => isLendable(task, settings))
    const others = lendable.filter(({ id }) => id !== own.task.id)
    // By id: some tasks may no longer be lendable.
    const loans = others.map(({ id }) => lending.borrow({ id }, service).catch(unlessLentToNobody))
    try {
      const held = (await Promise.all(loans)).filter((loan) => loan !== undefined)
      return await act([own, ...held])
    } finally {
      for (const loan of await Promise.allSettled(loans))
        if (loan.status === 'fulfilled') await loan.value?.giveBack()
    }
  })

/** A task that no longer exists, or could not be put back, is held anyway. */
function unlessLentToNobody(error: unknown): undefined {
  if (!(error instanceof NotDecidable)) throw error
}
