import { NotDecidable } from '../../engine/outcome.ts'
import type { History } from '../history/history.ts'
import { carriedOutMeanwhile, refusedShownSince } from '../history/questions.ts'
import type { Task } from '../service/answers.ts'
import type { Service } from '../service/service.ts'
import type { WriteBudget } from '../service/write-budget.ts'
import type { CurrentVersion } from './current-version.ts'
import { ForeignChange } from './foreign-change.ts'

/** The wanted state of a task; `any state` is for updates that should be rejected. */
export type LoanKind = 'any state' | 'any' | 'unassigned' | 'USER' | 'TEAM' | { id: string }

/** A loan: no other clause of this run changes the task until it is returned. */
export type Loan = {
  task: Task
  current: CurrentVersion
  /** when it began, by clock.now() */
  since: number
  /** puts the task back as found, and frees it; a second call waits for the first */
  giveBack(): Promise<void>
}

/**
 * Long uses come first. A clause that watches a settle window comes last until the window is learned, and
 * afterwards before those that watch none.
 */
export type When = 'first' | 'at once' | 'when windows are known'

export type Lending = {
  /**
   * lends a task while `use` runs, and always frees it afterwards; starts again on any free task if the task
   * shows the rejected update of another clause, or another writer changed it
   */
  lend<T>(
    wanted: LoanKind,
    service: Service,
    use: (loan: Loan) => Promise<T>,
    when?: When,
  ): Promise<T>
  /** for givens, which return it in onCleanup; everything else uses `lend` */
  borrow: Borrow
}

export type Borrow = (wanted: LoanKind, service: Service, when?: When) => Promise<Loan>

/** A second return would take the task from its next holder. */
function returnedOnce(loan: Loan): Loan {
  const { giveBack } = loan
  let returned: Promise<void> | undefined
  return Object.assign(loan, {
    giveBack: () => {
      returned ??= giveBack()
      return returned
    },
  })
}

const maxTries = 3
/** How often one use may start again, if other writers change its tasks. */
const maxMeetings = 12

/** Lends by borrowing, and starts again if the clause met the rejected update of another clause. */
export const lendingBy = (borrow: Borrow, history?: History): Lending => ({
  borrow: async (...wanted) => returnedOnce(await borrow(...wanted)),
  lend: async (wanted, service, use, when) => {
    for (let time = 1; ; time += 1) {
      const loan = returnedOnce(await borrow(wanted, service, when))
      const others = () => history && refusedShownSince(history, loan.task.id, loan.since)
      try {
        const result = await use(loan)
        if (time >= maxTries || !others()) return result
      } catch (error) {
        if (error instanceof ForeignChange && time < maxMeetings) continue
        const met = others()
        if (!met) throw error
        if (time >= maxTries) throw error instanceof NotDecidable ? error : carriedOutMeanwhile(met)
      } finally {
        await loan.giveBack()
      }
    }
  },
})

/** Lends only tasks for which the write budget has room to put them back. */
export const withinBudget = (lending: Lending, budget: WriteBudget, history?: History): Lending =>
  lendingBy(async (...wanted) => budget.keepRoomFor(await lending.borrow(...wanted)), history)
