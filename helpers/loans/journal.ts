import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  reasonOf,
  removeFlushed,
  tryWriting,
  writeFlushed,
  writeWhole,
} from '../../engine/journal/disk.ts'
import { Trouble } from '../../engine/outcome.ts'
import { parsed } from '../../engine/parsed.ts'
import type { Assignment } from '../service/answers.ts'
import { problemsOf } from '../service/schema.ts'

type LastUpdate = { version?: string; assignment?: Assignment | null }

export type Debt = {
  task: string
  target: string
  found: string
  before: Assignment | null
  /** the read that `before` is taken from did not show it */
  lacked?: true
  /** reads do not show it of tasks either that the run has assigned */
  hidden?: true
  last?: LastUpdate
  /** replaced versions: a read that shows one comes from a cache; left out: not noted */
  replaced?: string[]
  run: { pid: number; host: string }
}

export class JournalError extends Trouble {}

/** One small file per owed task, so that runs on different tasks do not conflict. */
export type Journal = ReturnType<typeof openJournal>

/** A folder per target, so that a run never restores a task of another service. */
const folderOf = (journalDir: string, target: string) =>
  join(journalDir, createHash('sha256').update(target).digest('hex').slice(0, 12))

/** A debt is on the disk before the task is changed. */
export function openJournal(journalDir: string, target: string) {
  const dir = folderOf(journalDir, target)
  const fileOf = (task: string) => join(dir, `${basename(task.toLowerCase())}.json`)
  const writing = (act: () => void) => {
    try {
      act()
    } catch (error) {
      throw new JournalError(
        `JOURNAL_DIR ${journalDir} cannot be written to (${reasonOf(error)}): ` +
          'give a writable directory; the state of a task is noted before it is changed.',
      )
    }
  }
  return {
    dir,
    /** if the task is owed already, its earlier debt stays and is returned */
    owe: (debt: Debt) => {
      const file = fileOf(debt.task)
      const standing = debtIn(file, target)
      if (standing) return standing
      writing(() => writeFlushed(file, textOf(debt)))
      return debt
    },
    /** writes what an owed task has become, not flushed: it must only survive the process */
    note: (debt: Debt) => writing(() => writeWhole(fileOf(debt.task), textOf(debt))),
    settle: (task: string) => writing(() => removeFlushed(fileOf(task))),
    open: () => debtsIn(dir, target),
    needWritable: () => writing(() => tryWriting(dir)),
  }
}

const textOf = (debt: Debt) => `${JSON.stringify(debt, null, 1)}\n`

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

function readAt<T>(path: string, read: (path: string) => T, advice: string): T | undefined {
  try {
    return read(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new JournalError(`JOURNAL_DIR: ${path} cannot be read (${reasonOf(error)})${advice}`)
  }
}

const namesIn = (dir: string): string[] =>
  readAt(dir, (path) => readdirSync(path).sort(), '; give a readable directory.') ?? []

function debtIn(file: string, target?: string): Debt | undefined {
  const text = readAt(file, (path) => readFileSync(path, 'utf8'), ': make it readable.')
  // Another run put it back after the folder was listed.
  if (text === undefined) return undefined
  const debt = parsed(text)
  if (!isDebt(debt) || !file.endsWith(`${debt.task.toLowerCase()}.json`))
    throw new JournalError(
      `JOURNAL_DIR: ${file} is cut short or was not written by this suite; look at the task, put it ` +
        'back by hand if needed, and remove the file.',
    )
  if (target !== undefined && debt.target !== target)
    throw new JournalError(
      `JOURNAL_DIR: ${file} belongs to another target (${debt.target}) and was moved here: ` +
        'remove it, or set BASE_URL to that address and move it back.',
    )
  return debt
}

function isDebt(value: unknown): value is Debt {
  const debt = value as Partial<Debt> | null | undefined
  if (typeof debt?.task !== 'string' || typeof debt.target !== 'string') return false
  if (typeof debt.found !== 'string' || typeof debt.run?.pid !== 'number') return false
  if (debt.replaced !== undefined && !Array.isArray(debt.replaced)) return false
  if (debt.last !== undefined && (typeof debt.last !== 'object' || debt.last === null)) return false
  return debt.before !== undefined && mayBeOwed(debt.before)
}

/** Only such an assignment can be put back; ACTOR_ID becomes its assigner. */
export const mayBeOwed = (before: Debt['before']): boolean =>
  before === null || problemsOf('assignment', before).every(({ path }) => path === 'assigned_by_id')
