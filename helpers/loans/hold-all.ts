import { NotDecidable } from '../../engine/outcome.ts'
import type { KnownIds } from '../service/known.ts'
import type { Service } from '../service/service.ts'
import type { Settings } from '../settings/table.ts'
import type { Lending, Loan } from './lending.ts'

type Held = { lending: Lending; known: KnownIds; settings: Pick<Settings, 'notPermitted'> }

/**
 * Does something with tasks of which all that may be changed are held, so that no other clause updates
 * any. One clause at most may do so at a time: two would wait for each other for ever.
 */
export const aloneWith = <T>(
  { lending, known, settings }: Held,
  service: Service,
  act: (loans: [Loan, ...Loan[]]) => Promise<T>,
): Promise<T> =>
  lending.lend('any', service, async (own) => {
    const mayUnassign = !settings.notPermitted.includes('assign.unassign')
    const others = known.tasks.filter(
      ({ id, lendable, assigned }) =>
        lendable && id !== own.task.id && (mayUnassign || assigned !== 'none'),
    )
    // Each by its id: of those that were lent at first, some may be lent to nobody any more.
    const loans = others.map(({ id }) => lending.borrow({ id }, service).catch(unlessLentToNobody))
    try {
      const held = (await Promise.all(loans)).filter((loan) => loan !== undefined)
      return await act([own, ...held])
    } finally {
      for (const loan of await Promise.allSettled(loans))
        if (loan.status === 'fulfilled') await loan.value?.giveBack()
    }
  })

/** One that has gone, or could not be put back as it is, is held from everybody. */
function unlessLentToNobody(error: unknown): undefined {
  if (!(error instanceof NotDecidable)) throw error
}
