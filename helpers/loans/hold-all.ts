import { NotDecidable } from '../../engine/outcome.ts'
import type { KnownTask } from '../service/known.ts'
import type { Service } from '../service/service.ts'
import type { Lending, Loan, Wanted } from './lending.ts'

const kinds: Partial<Record<KnownTask['assigned'], Wanted>> = {
  none: 'unassigned',
  USER: 'USER',
  TEAM: 'TEAM',
}

/**
 * Holds every task that may be changed, so that no other clause updates any. To be taken by one
 * clause at most at a time, beside a task of its own: two would wait for each other for ever.
 */
export function holdAll(lending: Lending, service: Service, others: readonly KnownTask[]) {
  const loans: Promise<Loan>[] = []
  return {
    async take(): Promise<void> {
      for (const { lendable, assigned } of others) {
        const wanted = kinds[assigned]
        if (lendable && !wanted)
          throw new NotDecidable(
            'clause',
            'the assignment of one of TASK_IDS could not be read, so other clauses cannot be kept from it',
            'task.read.success',
            'task.read.assignment',
          )
        if (lendable && wanted) loans.push(lending.borrow(wanted, service))
      }
      await Promise.all(loans)
    },
    async giveBack(): Promise<void> {
      for (const loan of await Promise.allSettled(loans))
        if (loan.status === 'fulfilled') await loan.value.giveBack()
    },
  }
}
