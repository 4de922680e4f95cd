import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  reasonOf,
  removeFlushed,
  tryWriting,
  writeFlushed,
  writeWhole,
} from '../../engine/journal/disk.ts'
import { Trouble } from '../../engine/outcome.ts'
import type { Assignment } from '../service/answers.ts'
import { problemsOf } from '../service/schema.ts'

/** What the answer to an accepted update showed; without a member that it did not show. */
export type LastUpdate = { version?: string; assignment?: Assignment | null }

/** What a task was assigned to when it was found, written down before the first change. */
export type Debt = {
  task: string
  target: string
  found: string
  before: Assignment | null
  /** the last update since then that was accepted; left out: none was */
  last?: LastUpdate
  /** versions that were replaced since then, which only a cache still shows; left out: not noted */
  replaced?: string[]
  /** the run that found it */
  run: { pid: number; host: string }
}

/** A journal that cannot be read or written, in one sentence: no task may be changed. */
export class JournalError extends Trouble {}

/** One small file for each task that is owed: runs on different tasks never meet in one. */
export type Journal = {
  /** where it is, with the locks beside it */
  readonly dir: string
  /** writes down what will have to be put back, and gives what stands: the first finding of a task */
  owe(debt: Debt): Debt
  /** writes down what has become since of a task that is owed */
  note(debt: Debt): void
  /** strikes out what has been put back, or never can be */
  settle(task: string): void
  /** what is still to be put back */
  open(): Debt[]
  /** throws where it cannot be written */
  needWritable(): void
}

/** A folder for each target, so that a run never restores what belongs to another service. */
const folderOf = (journalDir: string, target: string) =>
  join(journalDir, createHash('sha256').update(target).digest('hex').slice(0, 12))

/** Opens the journal of a target; what it says is on the disk before anything rests on it. */
export function openJournal(journalDir: string, target: string): Journal {
  const dir = folderOf(journalDir, target)
  const fileOf = (task: string) => join(dir, `${task.toLowerCase()}.json`)
  const writing = (act: () => void) => {
    try {
      act()
    } catch (error) {
      throw new JournalError(
        `JOURNAL_DIR ${journalDir} cannot be written to (${reasonOf(error)}): ` +
          'give a writable one; the state of a task is written down before it is changed.',
      )
    }
  }
  return {
    dir,
    owe: (debt) => {
      const file = fileOf(debt.task)
      const standing = debtIn(file, target)
      if (standing) return standing
      writing(() => writeFlushed(file, textOf(debt)))
      return debt
    },
    // Each update is noted: what outlives this process is enough, a loss of power is rare.
    note: (debt) => writing(() => writeWhole(fileOf(debt.task), textOf(debt))),
    settle: (task) => writing(() => removeFlushed(fileOf(task))),
    open: () => debtsIn(dir, target),
    needWritable: () => writing(() => tryWriting(dir)),
  }
}

const textOf = (debt: Debt) => `${JSON.stringify(debt, null, 1)}\n`

/** What is owed to other targets than this one, by target. */
export function owedElsewhere(journalDir: string, target: string): Map<string, Debt[]> {
  const ours = folderOf(journalDir, target)
  const debts = namesIn(journalDir)
    .filter((name) => /^[\da-f]{12}$/.test(name))
    .map((name) => join(journalDir, name))
    .filter((dir) => dir !== ours)
    .flatMap((dir) => debtsIn(dir))
  const byTarget = new Map<string, Debt[]>()
  for (const debt of debts) byTarget.set(debt.target, [...(byTarget.get(debt.target) ?? []), debt])
  return byTarget
}

function debtsIn(dir: string, target?: string): Debt[] {
  return namesIn(dir)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => debtIn(join(dir, name), target) ?? [])
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new JournalError(
      `JOURNAL_DIR: ${dir} cannot be read (${reasonOf(error)}); give a readable directory.`,
    )
  }
}

function debtIn(file: string, target?: string): Debt | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    // Put back by another run since the folder was listed.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new JournalError(
      `JOURNAL_DIR: ${file} cannot be read (${reasonOf(error)}): make it readable.`,
    )
  }
  const debt = parsed(text)
  if (!isDebt(debt) || !file.endsWith(`${debt.task.toLowerCase()}.json`))
    throw new JournalError(
      `JOURNAL_DIR: ${file} is cut short or was not written by this suite; look at the task, put it ` +
        'back by hand if needed, and remove the file.',
    )
  if (target !== undefined && debt.target !== target)
    throw new JournalError(
      `JOURNAL_DIR: ${file} belongs to another target (${debt.target}) and was moved here: ` +
        'remove it, or set BASE_URL to that address and put it where it was.',
    )
  return debt
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isDebt(value: unknown): value is Debt {
  const debt = value as Partial<Debt> | null | undefined
  if (typeof debt?.task !== 'string' || typeof debt.target !== 'string') return false
  if (typeof debt.found !== 'string' || typeof debt.run?.pid !== 'number') return false
  if (debt.replaced !== undefined && !Array.isArray(debt.replaced)) return false
  if (debt.last !== undefined && (typeof debt.last !== 'object' || debt.last === null)) return false
  return debt.before !== undefined && mayBeOwed(debt.before)
}

/** Nothing else can be read from the journal again. */
export const mayBeOwed = (before: Debt['before']): boolean =>
  before === null || problemsOf('assignment', before).length === 0
