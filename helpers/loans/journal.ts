import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Assignment } from '../answers.ts'

/** What a task was assigned to when it was found, written down before the first change. */
export type Debt = { task: string; target: string; found: string; before: Assignment | null }

type Line = Debt | { task: string; settled: true }

export type Journal = {
  /** writes down what will have to be put back, and gives what stands: the first finding of a task */
  owe(debt: Debt): Debt
  /** strikes out what has been put back */
  settle(task: string): void
  /** what is still to be put back */
  open(): Debt[]
  /** removes the file once nothing is left to be put back */
  close(): void
  readonly file: string
}

/** One journal for each target, so that a run never restores what belongs to another service. */
export const journalFile = (journalDir: string, target: string) =>
  join(journalDir, `${createHash('sha256').update(target).digest('hex').slice(0, 12)}.jsonl`)

/** Opens the journal of a target; every line is flushed to the disk before it counts. */
export function openJournal(journalDir: string, target: string): Journal {
  const file = journalFile(journalDir, target)
  const append = (line: Line) => {
    mkdirSync(journalDir, { recursive: true })
    const handle = openSync(file, 'a', 0o600)
    try {
      writeSync(handle, `${JSON.stringify(line)}\n`)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  }
  return {
    file,
    owe: (debt) => {
      const standing = debtsIn(file).find(({ task }) => task === debt.task)
      if (!standing) append(debt)
      return standing ?? debt
    },
    settle: (task) => append({ task, settled: true }),
    open: () => debtsIn(file),
    close: () => {
      if (debtsIn(file).length === 0) rmSync(file, { force: true })
    },
  }
}

function debtsIn(file: string): Debt[] {
  if (!existsSync(file)) return []
  const debts = new Map<string, Debt>()
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    const line = lineIn(text)
    if (!line) continue
    if ('settled' in line) debts.delete(line.task)
    else if (!debts.has(line.task)) debts.set(line.task, line)
  }
  return [...debts.values()]
}

/** A line that was cut short while a run was killed was not flushed, so nothing rests on it. */
function lineIn(text: string): Line | undefined {
  try {
    const line = JSON.parse(text)
    return typeof line?.task === 'string' ? line : undefined
  } catch {
    return undefined
  }
}
