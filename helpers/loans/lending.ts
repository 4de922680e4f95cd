import { hostname } from 'node:os'
import { NotDecidable, toChange, toSet } from '../../engine/outcome.ts'
import { clock } from '../../engine/time/timers.ts'
import { statuses } from '../contract/statuses.ts'
import { type History, isAcceptedOp, versionsBefore } from '../history/history.ts'
import {
  carriedOutMeanwhile,
  readsShowAssigned,
  refusedShownSince,
  replacedIn,
} from '../history/questions.ts'
import type { SettleWindow } from '../history/settle-window.ts'
import { premise, type Task } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import { type KnownIds, type KnownTask, shownByAll } from '../service/known.ts'
import type { Service } from '../service/service.ts'
import { unreadableIn, wholeOf } from '../service/task-members.ts'
import type { WriteBudget } from '../service/write-budget.ts'
import type { Settings } from '../settings/table.ts'
import { type CurrentVersion, createCurrentVersion } from './current-version.ts'
import { ForeignChange } from './foreign-change.ts'
import { type Debt, type Journal, mayBeOwed } from './journal.ts'
import { noteUpdate, putBack } from './put-back.ts'
import { type LendableTask, type LoanKind, TaskQueue, type When } from './task-queue.ts'

/** A loan: no other clause of this run changes the task until it is returned. */
export type Loan = {
  task: Task
  current: CurrentVersion
  /** of who borrowed it */
  service: Service
  actor: string
  since: number
  /** a second call waits for the first */
  giveBack(): Promise<void>
}

export type Lending = ReturnType<typeof lendingBy>
type Borrow = (wanted: LoanKind, service: Service, when?: When) => Promise<Loan>

/** `lagging`: reads of the task showed a replaced version for longer than SETTLE_MS */
export type LoanNews =
  | { returned: { task: string; put: boolean; sure: boolean } }
  | { lagging: string }

type Deps = {
  tasks: readonly KnownTask[]
  settings: Settings
  journal: Journal
  stop: AbortSignal
  tell: (told: LoanNews) => void
  history: History
  settleWindow: SettleWindow
  /** lends only tasks for which it has room to put them back */
  budget?: WriteBudget | undefined
}

export function createLending(deps: Deps): Lending {
  const { tasks, settings, journal, stop, tell, history, budget } = deps
  const queue = new TaskQueue(
    tasks.filter((task) => isLendable(task, settings)),
    stop,
  )

  const borrow: Borrow = async (wanted, sender, when = 'at once') => {
    const service = when === 'at once' ? sender : sender.ahead()
    needLendable(settings, tasks)
    const lent = await queue.take(wanted, when)
    try {
      const loan = await openLoan(lent, service)
      return budget ? budget.keepRoomFor(loan) : loan
    } catch (error) {
      if (!(error instanceof NotDecidable)) {
        queue.release(lent)
        throw error
      }
      queue.strikeOut(lent, error)
      if (queue.tasks.length === 0) throw error
      return borrow(wanted, service, when)
    }
  }

  const openLoan = async (lent: LendableTask, service: Service): Promise<Loan> => {
    const since = clock.now()
    const current = currentVersionOf(lent.id, service, deps)
    const task = await current.read(lent.id)
    // Written once per run; the end of the run checks every debt again before it is settled.
    lent.debt ??= journal.owe(debtOf(lent.id, task, deps))
    const { debt } = lent
    const giveBack = async () => {
      const { state } = await putBack(service.puttingBack(), debt, {
        actor: settings.actorId,
        people: settings.userIds,
        settleMs: settings.settleMs,
        stop,
        doubt: 'nothing',
      })
      const put = state === 'put back'
      // After an abort reads prove nothing, and the listeners may be gone.
      if (!stop.aborted)
        tell({ returned: { task: lent.id, put, sure: put || state === 'as found' } })
      queue.release(lent)
    }
    return { task, current, service, actor: needActor(settings), since, giveBack }
  }

  // Note at once what clauses' updates make of the tasks that they borrowed.
  history.onEnded((op) => {
    if (op.kind === 'read') noteHidden(queue.tasks, history, journal)
    const { debt } = queue.tasks.find(({ id }) => isSameId(id, op.task)) ?? {}
    if (!debt || op.kind !== 'update' || !op.answer || !isAcceptedOp(op)) return
    noteUpdate(debt, op.answer, { ifMatch: op.ifMatch, earlier: versionsBefore(history, op) })
    journal.note(debt)
  })
  return lendingBy(borrow, history)
}

function currentVersionOf(task: string, service: Service, deps: Deps): CurrentVersion {
  const { settings, history, settleWindow, stop, tell } = deps
  const isReplaced = (version: string) => replacedIn(history, task).has(version)
  return createCurrentVersion(service, isReplaced, {
    settleMs: settings.settleMs,
    windowMs: settleWindow.windowMs,
    stop,
    late: () => tell({ lagging: task }),
  })
}

/** A task is always put back to the state that was found first. */
function debtOf(id: string, task: Task, { tasks, settings }: Deps): Debt {
  const lacks = task.lacksAssignment && !mayTell(task, tasks)
  const before = lacks ? null : wholeOf(task.assignment, settings)
  const why = `the assignment of task ${id} could not be put back as it is`
  premise(mayBeOwed(before), 'clause', why, 'task.read.assignment')
  return {
    task: id,
    target: settings.baseUrl,
    found: clock.iso(),
    before,
    ...(lacks ? { lacked: true } : {}),
    replaced: [],
    run: { pid: process.pid, host: hostname() },
  }
}

/** Whether what cannot be read may say to whom it is assigned: all tasks do not show the same. */
function mayTell(task: Task, tasks: readonly KnownTask[]): boolean {
  const unreadable = unreadableIn(task)
  return unreadable !== undefined && unreadable !== shownByAll(tasks)
}

/** Of a task whose assignment no read showed: then nobody knows what there is to put back. */
function noteHidden(tasks: readonly LendableTask[], history: History, journal: Journal): void {
  const isShown = readsShowAssigned(history)
  const isHidden = isShown === false || (!isShown && tasks.some(({ debt }) => debt?.hidden))
  for (const { debt } of tasks) {
    if (!debt?.lacked || isHidden === (debt.hidden ?? false)) continue
    if (isHidden) debt.hidden = true
    else delete debt.hidden
    journal.note(debt)
  }
}

const maxTries = 3
const maxForeignChanges = 12

export const lendingBy = (borrow: Borrow, history: History) => ({
  /** for givens, which return it in onCleanup; everything else uses `lend` */
  borrow: async (...wanted: Parameters<Borrow>) => returnedOnce(await borrow(...wanted)),
  /** starts again on any free task if another writer, or the rejected update of another clause, changed it */
  async lend<T>(
    wanted: LoanKind,
    service: Service,
    use: (loan: Loan) => Promise<T>,
    when?: When,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const loan = returnedOnce(await borrow(wanted, service, when))
      const isLast = attempt >= maxTries
      const rejectedUpdate = () => refusedShownSince(history, loan.task.id, loan.since)
      try {
        const result = await use(loan)
        if (isLast || !rejectedUpdate()) return result
      } catch (error) {
        if (error instanceof ForeignChange && attempt < maxForeignChanges) continue
        const rejected = rejectedUpdate()
        if (!rejected) throw error
        if (isLast) throw error instanceof NotDecidable ? error : carriedOutMeanwhile(rejected)
      } finally {
        await loan.giveBack()
      }
    }
  },
})

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

/**
 * Acts while holding all lendable tasks, so that no other clause updates any. Only one clause at a time may
 * do so: two would wait for each other forever.
 */
export const aloneWith = <T>(
  {
    lending,
    known,
    settings,
  }: {
    lending: Lending
    known: KnownIds
    settings: Pick<Settings, 'notPermitted'>
  },
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

function unlessLentToNobody(error: unknown): undefined {
  if (!(error instanceof NotDecidable)) throw error
}

/** Whether the run may change a task: without the right to unassign, an unassigned task could not be put back. */
const isLendable = (
  { lendable, assigned }: KnownTask,
  { notPermitted }: Pick<Settings, 'notPermitted'>,
): boolean => lendable && (assigned !== 'none' || !notPermitted.includes('assign.unassign'))

export function needLendable(settings: Settings, tasks: readonly KnownTask[]): void {
  premise(!settings.readOnly, ...toChange('READ_ONLY', 'READ_ONLY is set: no task is changed'))
  if (settings.taskIds.length === 0)
    throw new NotDecidable(...toSet(['TASK_IDS'], ': tasks that the run may change and puts back'))
  if (!tasks.some(({ lendable }) => lendable)) {
    const inUse = tasks.find(({ heldBy }) => heldBy)
    const held = `every task of TASK_IDS is in use by another run (${inUse?.heldBy}): try again when it has ended`
    premise(!inUse, ...toChange('TASK_IDS', held))
    const absent = `none of the ids of TASK_IDS is found (${statuses.unknownId}): correct TASK_IDS`
    throw new NotDecidable('refused', absent, null)
  }
  const noUpdate = 'NOT_PERMITTED declares assign.update, so a changed task could not be put back'
  premise(!settings.notPermitted.includes('assign.update'), ...toChange('NOT_PERMITTED', noUpdate))
  const unassigned =
    'NOT_PERMITTED declares assign.unassign: set TASK_IDS to assigned tasks; others could not be put back'
  premise(
    tasks.some((task) => isLendable(task, settings)),
    'setting',
    unassigned,
    { set: ['TASK_IDS'] },
  )
  needActor(settings)
}

export function needActor({ actorId }: Settings): string {
  if (!actorId)
    throw new NotDecidable(...toSet(['ACTOR_ID'], ': the user who makes the assignments'))
  return actorId
}
