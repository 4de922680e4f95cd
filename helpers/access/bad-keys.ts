// Updates with keys that are not valid, and what became of the task.

import { expectThat } from '../../engine/clause/matchers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { History } from '../history/history.ts'
import { isByOther, mayBeByOther, needNotRefused, wasChangedSince } from '../history/questions.ts'
import { atAnotherMoment, ForeignChange } from '../loans/foreign-change.ts'
import type { Lending } from '../loans/lending.ts'
import { afterNextUpdate } from '../loans/next-update.ts'
import { again } from '../service/again.ts'
import { premise, type Task } from '../service/answers.ts'
import { describeWhole, isSameButAssigner } from '../service/assignments.ts'
import { isSameId } from '../service/ids.ts'
import type { Service } from '../service/service.ts'
import type { Settings } from '../settings/table.ts'
import { assigneesIn, needChangers } from '../updates/controls.ts'
import type { KeyProbes } from './key-probes.ts'
import { needAcceptedAgain } from './unauthorized.ts'

type Deps = {
  keyProbes: KeyProbes
  service: Service
  settings: Settings
  lending: Lending
  history: History
}

/** What was tried. */
export type TriedKeys<O> = {
  operation: O
  task: string
  at: number
  /** whether reads have shown a change of the task since */
  isOpen(): boolean
  /** ends the clause where the task was changed, it did not come again, and nobody else was seen here */
  needExplained(): void
}

/**
 * Tries keys on an update of a task; where it is watched for the whole time to settle (`limitMs`), a
 * change condemns.
 */
export async function tryBadKeys<O extends 'assign.update' | 'assign.unassign'>(
  { keyProbes, service, settings, lending, history }: Deps,
  operation: O,
  keys: readonly (string | null)[],
  limitMs?: number,
): Promise<TriedKeys<O>> {
  const probe = await keyProbes.of(operation, { when: 'when windows are known' })
  const { actorId } = needChangers(settings)
  // Where none was borrowed, borrowing one says why.
  const { current, task, used } = probe.loan ?? (await lending.borrow('any', service))
  let timesByNobody = 0

  const needUnchanged = (before: Task['assignment'], seen: Task, refused: readonly Answer[]) => {
    const { assignment } = seen
    needNotRefused(history, assignment)
    const nobody = assignment === null || before === null
    const isOurs = nobody || isSameId(assignment.assigned_to_id, settings.userIds[0])
    // No name stands by an unassignment: the service does it each time, somebody else now and then.
    timesByNobody += Number(nobody)
    const isAnothers = !isOurs || (nobody && timesByNobody < 3)
    if (isAnothers || mayBeByOther(history, assignment))
      throw new ForeignChange(history, assignment)
    const got = describeWhole(assignment)
    expectThat(false, `after ${keys.length} updates refused with 401 it became ${got}`, {
      expected: describeWhole(before),
      got,
      judged: [...refused, seen],
      again: again.unchanged,
    })
  }

  const tryOnce = async () => {
    // What is unassigned already would hide that it was unassigned.
    const before = await probe.prepare()
    const at = performance.now()
    const refused: Answer[] = []
    for (const key of keys) refused.push(await probe.send({ key }))
    const isRefused = refused.every(({ status }) => status === 401)
    if (!isRefused) needAcceptedAgain(await probe.send({}))
    premise(
      isRefused,
      'clause',
      'not every bad key was answered 401',
      `auth.invalid-key.${operation}`,
      `auth.missing-key.${operation}`,
    )
    let changed: Task | undefined
    const look = (seen: Task) => {
      // A read that lags shows what the task was before it was prepared.
      if (used.has(seen.updated_at) || isSameButAssigner(seen.assignment, before)) return
      changed = seen
      // It may be what another clause has sent before: once more, when nobody else does anything.
      if (limitMs !== undefined) needUnchanged(before, seen, refused)
    }
    const last = await current.watch(task.id, look, { limitMs })
    if (probe.loan && operation === 'assign.unassign' && changed === undefined) {
      const { late } = await afterNextUpdate(probe.loan, last, {
        actor: actorId,
        people: assigneesIn(settings),
      })
      if (late) look(late)
    }
    const isOpen = () => changed !== undefined || wasChangedSince(history, task.id, at)
    const needExplained = () => {
      if (changed && !isByOther(history, changed.assignment))
        throw new ForeignChange(history, changed.assignment)
    }
    return { operation, isOpen, needExplained, task: task.id, at }
  }

  try {
    const tried = await atAnotherMoment(tryOnce)
    // Nobody else was seen here, so a change that came once or twice may be the service's.
    if (timesByNobody > 0 && !isByOther(history, null)) throw new ForeignChange(history)
    return tried
  } finally {
    await probe.giveBack()
  }
}
