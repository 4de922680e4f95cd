import { hostname } from 'node:os'
import { NotDecidable } from '../../engine/outcome.ts'
import { clock } from '../../engine/time/timers.ts'
import { type History, isAcceptedOp, versionsBefore } from '../history/history.ts'
import { replacedIn } from '../history/questions.ts'
import type { SettleWindow } from '../history/settle-window.ts'
import { premise } from '../service/answers.ts'
import { putBackTo } from '../service/assignments.ts'
import { isSameId } from '../service/ids.ts'
import type { KnownTask } from '../service/known.ts'
import type { Settings } from '../settings/table.ts'
import { createCurrentVersion } from './current-version.ts'
import { type Debt, type Journal, mayBeOwed } from './journal.ts'
import { noteUpdate } from './last-update.ts'
import { type Borrow, type Lending, type LoanKind, lendingBy, type When } from './lending.ts'
import { isLendable, needLendable, worthWaitingFor } from './need-lendable.ts'
import { putBack } from './put-back.ts'

type Place = KnownTask & { free: boolean; debt?: Debt }
type Waiting = {
  wanted: LoanKind
  when: When
  take: (place: Place) => void
  refuse: (error: unknown) => void
}

/** Clauses that wait for the same finding borrow a task one after another. */
const gapMs = 200

type ReturnedTask = {
  task: string
  put: boolean
  sure: boolean
}

/** `lagging`: reads of the task showed a replaced version for longer than SETTLE_MS */
export type LoanNews = { returned: ReturnedTask } | { lagging: string }

export function createLending(
  tasks: readonly KnownTask[],
  settings: Settings,
  journal: Journal,
  stop: AbortSignal,
  tell: (told: LoanNews) => void,
  { history, settleWindow }: { history: History; settleWindow: SettleWindow },
): Lending {
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

  const isAtOnce = ({ when }: Pick<Waiting, 'when'>) => when !== 'when windows are known'
  /** when a clause that watches no window last held a task or asked for a task */
  let lastAtOnce = Number.NEGATIVE_INFINITY
  let atOnce = 0
  const mayWatch = () => {
    if (settleWindow.isLearned()) return true
    const isBusy = atOnce > 0 || queue.some(isAtOnce)
    const stillMs = lastAtOnce + gapMs - clock.now()
    if (!isBusy && stillMs > 0) clock.setTimeout(serve, stillMs).unref()
    return !isBusy && stillMs <= 0
  }

  const serve = () => {
    // Clauses that look for late effects ask early; the run keeps looking until its end.
    const isLearned = settleWindow.isLearned()
    const ranks: When[] = isLearned
      ? ['first', 'when windows are known', 'at once']
      : ['first', 'at once', 'when windows are known']
    for (const waiting of ranks.flatMap((rank) => queue.filter(({ when }) => when === rank))) {
      if (!queue.includes(waiting) || (!isAtOnce(waiting) && !mayWatch())) continue
      const place = bestOf(waiting.wanted)
      if (!place) continue
      queue.splice(queue.indexOf(waiting), 1)
      place.free = false
      waiting.take(place)
    }
  }

  settleWindow.onceLearned(serve)

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
    // The end of the run waits for long walks and for watched windows: start these first.
    const service = when === 'at once' ? sender : sender.ahead()
    needLendable(settings, tasks)
    const isHere = typeof wanted !== 'object' || places.some(({ id }) => id === wanted.id)
    if (places.length === 0 || !isHere) throw lastError
    const place = await new Promise<Place>((take, refuse) => {
      queue.push({ wanted, when, take, refuse })
      // Clauses that waited for the same finding ask at the same time: serve by rank, not by speed.
      clock.setImmediate(serve)
    })
    const noteAtOnce = (by: 1 | -1) => {
      if (!isAtOnce({ when })) return
      atOnce += by
      lastAtOnce = clock.now()
    }
    noteAtOnce(1)
    const since = clock.now()
    const release = () => {
      place.free = true
      noteAtOnce(-1)
      serve()
    }
    const late = () => tell({ lagging: place.id })
    const isReplaced = (version: string) => replacedIn(history, place.id).has(version)
    const reading = { settleMs, windowMs: settleWindow.windowMs, stop, late }
    const current = createCurrentVersion(service, isReplaced, reading)
    try {
      const task = await current.read(place.id)
      const before = putBackTo(task.assignment)
      // A task is always put back to the state that was found first.
      const why = `the assignment of task ${place.id} could not be put back as it is`
      premise(!!place.debt || mayBeOwed(before), 'clause', why, 'task.read.assignment')
      // Written once per run; the end of the run checks every debt again before it is settled.
      place.debt ??= journal.owe({
        task: place.id,
        target: settings.baseUrl,
        found: clock.iso(),
        before,
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
      return { task, current, since, giveBack }
    } catch (error) {
      if (!(error instanceof NotDecidable)) {
        release()
        throw error
      }
      noteAtOnce(-1)
      strikeOut(place, error)
      if (places.length === 0) throw error
      return borrow(wanted, service, when)
    }
  }
  // Note at once what clauses' updates make of the tasks that they borrowed.
  history.onEnded((op) => {
    const { debt } = places.find(({ id }) => isSameId(id, op.task)) ?? {}
    if (!debt || op.kind !== 'update' || !op.answer || !isAcceptedOp(op)) return
    noteUpdate(debt, op.ifMatch, versionsBefore(history, op), op.answer)
    journal.note(debt)
  })
  return lendingBy(borrow, history)
}
