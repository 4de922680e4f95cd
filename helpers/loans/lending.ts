import { hostname } from 'node:os'
import { NotDecidable } from '../../engine/outcome.ts'
import { clock } from '../../engine/time/timers.ts'
import type { AssigneeType } from '../contract/fields.ts'
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

/** The wanted state of a task; `any state` is for updates that should be rejected. */
type LoanKind = 'any state' | 'any' | 'unassigned' | AssigneeType | { id: string }

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

/** Long uses come first: the end of the run waits for them. */
type When = 'first' | 'at once'

export type Lending = ReturnType<typeof lendingBy>
type Borrow = (wanted: LoanKind, service: Service, when?: When) => Promise<Loan>

type Place = KnownTask & { free: boolean; debt?: Debt }
type Waiting = {
  wanted: LoanKind
  when: When
  take: (place: Place) => void
  refuse: (error: unknown) => void
}

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
  const { tasks, settings, journal, stop, tell, history, settleWindow, budget } = deps
  const { settleMs } = settings
  const places: Place[] = tasks
    .filter((task) => isLendable(task, settings))
    .map((task) => ({ ...task, free: true }))
  const queue: Waiting[] = []
  let lastError: unknown
  stop.addEventListener('abort', () => {
    for (const { refuse } of queue.splice(0)) refuse(stop.reason)
  })

  // Wait for a fitting task: one in the wanted state saves updates, and an unassigned one is put
  // back without a mail. Then the cost of a run does not depend on the order of clauses.
  const bestOf = (wanted: LoanKind) => {
    if (typeof wanted === 'object') return places.find(({ free, id }) => free && id === wanted.id)
    if (wanted === 'any state')
      return (
        places.find(({ free, assigned }) => free && assigned !== 'none') ??
        places.find(({ free }) => free)
      )
    for (const kind of worthWaitingFor(wanted, places)) {
      const place = places.find(({ free, assigned }) => free && assigned === kind)
      if (place) return place
    }
    return undefined
  }

  const serve = () => {
    const isFirst = ({ when }: Waiting) => when === 'first'
    for (const waiting of [...queue].sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)))) {
      const place = bestOf(waiting.wanted)
      if (!place) continue
      queue.splice(queue.indexOf(waiting), 1)
      place.free = false
      waiting.take(place)
    }
  }

  const strikeOut = (place: Place, error: unknown) => {
    lastError = error
    places.splice(places.indexOf(place), 1)
    const isLost = ({ wanted }: Waiting) =>
      places.length === 0 || (typeof wanted === 'object' && wanted.id === place.id)
    for (const waiting of queue.filter(isLost)) {
      queue.splice(queue.indexOf(waiting), 1)
      waiting.refuse(error)
    }
    serve()
  }

  const borrow: Borrow = async (wanted, sender, when = 'at once') => {
    const service = when === 'at once' ? sender : sender.ahead()
    needLendable(settings, tasks)
    const isHere = typeof wanted !== 'object' || places.some(({ id }) => id === wanted.id)
    if (places.length === 0 || !isHere) throw lastError
    const place = await new Promise<Place>((take, refuse) => {
      queue.push({ wanted, when, take, refuse })
      // Clauses that waited for the same finding ask at the same time: serve by rank, not by speed.
      clock.setImmediate(serve)
    })
    const since = clock.now()
    const release = () => {
      place.free = true
      serve()
    }
    const late = () => tell({ lagging: place.id })
    const isReplaced = (version: string) => replacedIn(history, place.id).has(version)
    const reading = { settleMs, windowMs: settleWindow.windowMs, stop, late }
    const current = createCurrentVersion(service, isReplaced, reading)
    try {
      const task = await current.read(place.id)
      const lacks = task.lacksAssignment && !mayTell(task, tasks)
      const before = lacks ? null : wholeOf(task.assignment, settings)
      // A task is always put back to the state that was found first.
      const why = `the assignment of task ${place.id} could not be put back as it is`
      premise(!!place.debt || mayBeOwed(before), 'clause', why, 'task.read.assignment')
      // Written once per run; the end of the run checks every debt again before it is settled.
      place.debt ??= journal.owe({
        task: place.id,
        target: settings.baseUrl,
        found: clock.iso(),
        before,
        ...(lacks ? { lacked: true } : {}),
        replaced: [],
        run: { pid: process.pid, host: hostname() },
      })
      const { debt } = place
      const giveBack = async () => {
        const { state } = await putBack(service.puttingBack(), debt, {
          actor: settings.actorId,
          people: settings.userIds,
          settleMs,
          stop,
          doubt: 'nothing',
        })
        const put = state === 'put back'
        // After an abort reads prove nothing, and the listeners may be gone.
        if (!stop.aborted)
          tell({ returned: { task: place.id, put, sure: put || state === 'as found' } })
        release()
      }
      const loan = { task, current, service, actor: needActor(settings), since, giveBack }
      return budget ? budget.keepRoomFor(loan) : loan
    } catch (error) {
      if (!(error instanceof NotDecidable)) {
        release()
        throw error
      }
      strikeOut(place, error)
      if (places.length === 0) throw error
      return borrow(wanted, service, when)
    }
  }
  // Note at once what clauses' updates make of the tasks that they borrowed.
  history.onEnded((op) => {
    if (op.kind === 'read') noteHidden(places, history, journal)
    const { debt } = places.find(({ id }) => isSameId(id, op.task)) ?? {}
    if (!debt || op.kind !== 'update' || !op.answer || !isAcceptedOp(op)) return
    noteUpdate(debt, op.ifMatch, versionsBefore(history, op), op.answer)
    journal.note(debt)
  })
  return lendingBy(borrow, history)
}

/** Whether what cannot be read may say to whom it is assigned: all tasks do not show the same. */
function mayTell(task: Task, tasks: readonly KnownTask[]): boolean {
  const unreadable = unreadableIn(task)
  return unreadable !== undefined && unreadable !== shownByAll(tasks)
}

/** Of a task whose assignment no read showed: then nobody knows what there is to put back. */
function noteHidden(places: readonly Place[], history: History, journal: Journal): void {
  const isShown = readsShowAssigned(history)
  const isHidden = isShown === false || (!isShown && places.some(({ debt }) => debt?.hidden))
  for (const { debt } of places) {
    if (!debt?.lacked || isHidden === (debt.hidden ?? false)) continue
    if (isHidden) debt.hidden = true
    else delete debt.hidden
    journal.note(debt)
  }
}

const maxTries = 3
const maxMeetings = 12

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
    for (let time = 1; ; time += 1) {
      const loan = returnedOnce(await borrow(wanted, service, when))
      const others = () => refusedShownSince(history, loan.task.id, loan.since)
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
  premise(!settings.readOnly, 'setting', 'READ_ONLY is set: no task is changed')
  if (settings.taskIds.length === 0)
    throw new NotDecidable('setting', 'set TASK_IDS: tasks that the run may change and puts back')
  if (!tasks.some(({ lendable }) => lendable)) {
    const inUse = tasks.find(({ heldBy }) => heldBy)
    const held = `every task of TASK_IDS is in use by another run (${inUse?.heldBy}): try again when it has ended`
    premise(!inUse, 'setting', held)
    const absent = `none of the ids of TASK_IDS is found (${statuses.unknownId}): correct TASK_IDS`
    throw new NotDecidable('refused', absent, null)
  }
  const noUpdate = 'NOT_PERMITTED declares assign.update, so a changed task could not be put back'
  premise(!settings.notPermitted.includes('assign.update'), 'setting', noUpdate)
  const unassigned =
    'NOT_PERMITTED declares assign.unassign: set TASK_IDS to assigned tasks; others could not be put back'
  premise(
    tasks.some((task) => isLendable(task, settings)),
    'setting',
    unassigned,
  )
  needActor(settings)
}

export function needActor({ actorId }: Settings): string {
  if (!actorId)
    throw new NotDecidable('setting', 'set ACTOR_ID: the user who makes the assignments')
  return actorId
}

type Kind = KnownTask['assigned']

const preferred = {
  any: ['none', 'USER', 'TEAM', 'unknown'],
  unassigned: ['none', 'USER', 'TEAM', 'unknown'],
  USER: ['USER', 'TEAM', 'none', 'unknown'],
  TEAM: ['TEAM', 'USER', 'none', 'unknown'],
} as const satisfies Record<string, readonly Kind[]>

/** Clauses that accept any task do long walks: with fewer tasks they would wait for each other. */
const leastOfAny = 4
const leastOfKind = 2

/**
 * The states of tasks worth waiting for, best first: enough to make up a quarter of the tasks and at least
 * a few. Otherwise every clause would wait for the one unassigned task.
 */
export function worthWaitingFor(
  wanted: keyof typeof preferred,
  tasks: readonly Pick<KnownTask, 'assigned'>[],
): Kind[] {
  const kinds: Kind[] = []
  const least = Math.max(tasks.length / 4, wanted === 'any' ? leastOfAny : leastOfKind)
  const isEnough = () => tasks.filter(({ assigned }) => kinds.includes(assigned)).length >= least
  for (const kind of preferred[wanted]) if (!isEnough()) kinds.push(kind)
  return kinds
}
