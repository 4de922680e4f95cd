import { NotDecidable } from '../../engine/outcome.ts'
import type { Known, KnownTask } from '../service/known.ts'
import type { Service } from '../service/service.ts'
import type { Lending, Loan, Wanted } from './lending.ts'

const kinds: Partial<Record<KnownTask['assigned'], Wanted>> = {
  none: 'unassigned',
  USER: 'USER',
  TEAM: 'TEAM',
}

/**
 * Does something with tasks of which all that may be changed are held, so that no other clause updates
 * any. One clause at most may do so at a time: two would wait for each other for ever.
 */
export const aloneWith = <T>(
  { lending, known }: { lending: Lending; known: Known },
  service: Service,
  act: (loans: [Loan, ...Loan[]]) => Promise<T>,
): Promise<T> =>
  lending.lend('any', service, async (own) => {
    const loans: Promise<Loan>[] = []
    try {
      for (const { id, lendable, assigned } of known.tasks) {
        const wanted = kinds[assigned]
        if (!lendable || id === own.task.id) continue
        if (!wanted)
          throw new NotDecidable(
            'clause',
            'the assignment of one of TASK_IDS could not be read, so other clauses cannot be kept from it',
            'task.read.success',
            'task.read.assignment',
          )
        loans.push(lending.borrow(wanted, service))
      }
      return await act([own, ...(await Promise.all(loans))])
    } finally {
      for (const loan of await Promise.allSettled(loans))
        if (loan.status === 'fulfilled') await loan.value.giveBack()
    }
  })
