import { basename, join } from 'node:path'
import { commandLine } from '../../engine/called.ts'
import { Impossible } from '../../engine/impossible.ts'
import {
  type Holder,
  holderFor,
  holderOf,
  releaseLock,
  takeLock,
  toldHolder,
} from '../../engine/journal/lock.ts'
import { fact } from '../../engine/time/entering.ts'
import { type Debt, type Journal, JournalError, openJournal } from '../../helpers/loans/journal.ts'
import { describeAssignment } from '../../helpers/service/assignments.ts'
import type { KnownIds } from '../../helpers/service/known.ts'
import type { Settings } from '../../helpers/settings/table.ts'
import { orImpossible } from '../input/read-json.ts'

export type Loans = {
  /** the known ids, with tasks of other runs marked */
  known: KnownIds
  notices: string[]
  held: string[]
  release(): void
}

/** A lock counts as abandoned only after the time to put everything back, and some more. */
const graceMs = 10 * 60_000

/**
 * Locks the tasks that the run may change, and checks that the journal is writable. A run that could not
 * put tasks back ends here.
 */
export function openLoans(settings: Settings, known: KnownIds): Loans {
  const journal = openJournal(settings.journalDir, settings.baseUrl)
  const { taskIds, readOnly, actorId } = settings
  if (taskIds.length === 0 || readOnly || actorId === undefined)
    return { known, notices: unread(journal), held: [], release() {} }
  return asImpossible(() => {
    journal.needWritable()
    journal.open()
    const holder = holderFor(settings.runTimeoutS * 1000 + graceMs)
    const others = new Map<string, string>()
    const held: string[] = []
    for (const { id, lendable } of known.tasks) {
      if (!lendable) continue
      const other = fact(() => lock(journal, id, holder))
      if (other) others.set(id, toldHolder(other))
      else held.push(id)
    }
    const marked = (task: KnownIds['tasks'][number]) => {
      const heldBy = others.get(task.id)
      return heldBy ? { ...task, lendable: false, heldBy } : task
    }
    const inUse = [...others].map(
      ([id, by]) => `TASK_IDS: task ${id} is in use by another run (${by}): it is left out`,
    )
    return {
      known: { ...known, tasks: known.tasks.map(marked) },
      notices: [...inUse, ...owedFromBefore(journal.open(), held, journal)],
      held,
      release: () => {
        for (const id of held) releaseLock(lockFile(journal, id))
      },
    }
  })
}

export function lock(journal: Journal, task: string, holder: Holder): Holder | undefined {
  const file = lockFile(journal, task)
  return orImpossible(
    () => takeLock(file, holder),
    (reason) =>
      `JOURNAL_DIR: ${file} cannot be used (${reason}): make it readable, or remove it if no run is in progress.`,
  )
}

export const lockFile = ({ dir }: Journal, task: string) =>
  join(dir, `${basename(task.toLowerCase())}.lock`)

export function describeLeftover(settings: Settings, held: readonly string[]): string {
  const journal = openJournal(settings.journalDir, settings.baseUrl)
  const owed = journal.open().filter(isOf(held))
  if (owed.length === 0) return 'Stopped. No task is left changed.\n'
  if (settings.embedded) return 'Stopped. The embedded service and its tasks are gone.\n'
  return [
    `Stopped. These tasks may still be changed; run ${commandLine('restore')}:`,
    ...owed.map(({ task, before }) => `  task ${task}: it was ${describeAssignment(before)}`),
    '',
  ].join('\n')
}

function owedFromBefore(debts: Debt[], held: string[], journal: Journal): string[] {
  const isOurs = isOf(held)
  const ours = debts
    .filter(isOurs)
    .map(
      ({ task, before, found }) =>
        `task ${task} was left changed by an earlier run; this run puts it back to its state of ${found}, ${describeAssignment(before)}`,
    )
  const idle = debts.filter((debt) => !isOurs(debt) && !holderOf(lockFile(journal, debt.task)))
  if (idle.length === 0) return ours
  const ids = idle.map(({ task }) => task).join(', ')
  return [
    ...ours,
    `the journal contains tasks that an earlier run did not put back (${ids}): ${commandLine('restore')} puts them back`,
  ]
}

const isOf = (held: readonly string[]) => {
  const ids = new Set(held.map((id) => id.toLowerCase()))
  return ({ task }: Debt) => ids.has(task.toLowerCase())
}

/** A run that changes nothing needs no journal, but its report mentions one that is unreadable. */
function unread(journal: Journal): string[] {
  try {
    return owedFromBefore(journal.open(), [], journal)
  } catch {
    return []
  }
}

export function asImpossible<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof JournalError) throw new Impossible(error.message)
    throw error
  }
}
