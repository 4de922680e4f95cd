// What refused updates leave some time later: one export of the run's span, and one listing of the mailbox.

import type { TaskWatch } from '../aftermath/task-watch.ts'
import type { Exports } from '../export/ask/exports.ts'
import type { Arrivals } from './mail-watch.ts'
import { shows } from './mails.ts'

const slackMs = 10_000

type Refusals = Pick<TaskWatch, 'refused'>

const tokensOf = ({ refused }: Refusals): string[] => refused.flatMap(({ token }) => token ?? [])

/** Whether an export of the whole run shows the comment of an update that was refused. */
export async function isExportedLate(exports: Exports, refusals: Refusals): Promise<boolean> {
  const tokens = tokensOf(refusals)
  if (tokens.length === 0) return false
  const [first = 0] = refusals.refused.map(({ at }) => at).sort((a, b) => a - b)
  const [earliest = Date.now()] = exports.times()
  const start = new Date(earliest - (performance.now() - first) - slackMs).toISOString()
  let found = false
  const each = (cells: string[]) => {
    found ||= cells.some((cell) => tokens.some((token) => cell.includes(token)))
  }
  await exports.csvAnew({ start }, { keep: 0, each })
  return found
}

/** Whether a mail since the first updates of the run shows the comment of an update that was refused. */
export async function isMailedLate({ later }: Arrivals, refusals: Refusals): Promise<boolean> {
  const tokens = tokensOf(refusals)
  const mails = tokens.length > 0 ? await later() : []
  return mails.some((mail) => tokens.some((token) => shows(mail, token)))
}
