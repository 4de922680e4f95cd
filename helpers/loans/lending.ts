import { NotDecidable } from '../../engine/outcome.ts'
import type { History } from '../history/history.ts'
import { carriedOutMeanwhile, refusedShownSince } from '../history/questions.ts'
import type { SettleWindow } from '../history/settle-window.ts'
import type { Task } from '../service/answers.ts'
import type { Service } from '../service/service.ts'
import type { WriteBudget } from '../service/write-budget.ts'
import type { CurrentVersion, UsedVersions } from './current-version.ts'
import { ForeignChange } from './foreign-change.ts'

/** The state a task should be in; `whichever` is for updates that are meant to be refused. */
export type LoanKind = 'whichever' | 'any' | 'unassigned' | 'USER' | 'TEAM' | { id: string }

/** A task on loan: nobody else in this run touches it until it is given back. */
export type Loan = {
  task: Task
  current: CurrentVersion
  /** versions that an update of this run has used up */
  used: UsedVersions
  /** when it began, by performance.now() */
  since: number
  /** puts the task back as it was found, and lends it on; whoever asks again waits for the same */
  giveBack(): Promise<void>
}

/**
 * Who goes the longest ways comes first. Who watches a task for a window comes last until the run has learned
 * how long a window is to be, and from then on before those who watch for none.
 */
export type When = 'first' | 'at once' | 'when windows are known'

/** What the run knows of its tasks, and how long a change of them may take to show. */
export type KnownOfTasks = { history: History; settleWindow: SettleWindow }

export type Lending = {
  /**
   * lends a task for as long as it is used, and takes it back however that ends; where the task was shown
   * with the refused update of another clause, or somebody else changed it, it is used once more from the
   * start, on whichever is free
   */
  lend<T>(
    wanted: LoanKind,
    service: Service,
    use: (loan: Loan) => Promise<T>,
    when?: When,
  ): Promise<T>
  /** for givens, which give it back by onCleanup; whatever else needs a task has it by `lend` */
  borrow: Borrow
}

export type Borrow = (wanted: LoanKind, service: Service, when?: When) => Promise<Loan>

/** Given back twice, a task would be taken from whoever has it by then. */
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
/** How many loans one use may take, where other writers change their tasks. */
const maxMeetings = 12

/** Lends by borrowing, and has whoever met the refused update of another start anew. */
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

/** Lends out tasks for whose putting back the budget keeps room. */
export const withinBudget = (lending: Lending, budget: WriteBudget, history?: History): Lending =>
  lendingBy(async (...wanted) => budget.keepRoomFor(await lending.borrow(...wanted)), history)
