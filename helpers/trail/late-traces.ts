// What refused updates leave some time later: one export of the run's span, and one listing of the mailbox.

import type { Observation } from '../../engine/observation.ts'
import type { TaskWatch } from '../aftermath/task-watch.ts'
import type { Exports } from '../export/ask/exports.ts'
import type { Arrivals } from './mail-watch.ts'
import { shows } from './mails.ts'

const slackMs = 10_000

type Refusals = Pick<TaskWatch, 'refused'>

const tokensOf = ({ refused }: Refusals): string[] => refused.flatMap(({ token }) => token ?? [])

/** Whether an export of the whole run shows, at its end, the comment of an update that was refused. */
export async function exportedLate(
  exports: Exports,
  refusals: Refusals,
  over: () => Promise<void>,
): Promise<Observation> {
  await over()
  const tokens = tokensOf(refusals)
  const [first = 0] = refusals.refused.map(({ at }) => at).sort((a, b) => a - b)
  const [earliest = Date.now()] = exports.times()
  const start = new Date(earliest - (performance.now() - first) - slackMs).toISOString()
  let found = false
  const each = (cells: string[]) => {
    found ||= cells.some((cell) => tokens.some((token) => cell.includes(token)))
  }
  if (tokens.length > 0) await exports.csvAnew({ start }, { keep: 0, each })
  return found ? 'some time later' : 'none'
}

/** Whether a mail since the first updates of the run shows, at its end, such a comment. */
export async function mailedLate(
  { later }: Arrivals,
  refusals: Refusals,
  over: () => Promise<void>,
): Promise<Observation> {
  await over()
  const tokens = tokensOf(refusals)
  const mails = tokens.length > 0 ? await later() : []
  const isShown = mails.some((mail) => tokens.some((token) => shows(mail, token)))
  return isShown ? 'somebody, some time later' : 'nobody'
}
