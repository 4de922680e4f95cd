import { commandLine } from '../../engine/called.ts'
import { type Report, toldWaiver } from '../../engine/run/report.ts'
import { linesOfChanges } from './change-lines.ts'
import { listOf } from './not-checked.ts'
import { clausesOf, summaryOf } from './summary.ts'
import { present } from './texts.ts'

/** A heading with its items: of each a title, and the lines below it. Every rendering prints these. */
export type Block = { heading: string; items: string[][]; about?: Subject }

/** What a block of a run is about. */
export type Subject =
  | 'not as found'
  | 'put back'
  | 'since the baseline'
  | 'waiver'
  | 'not counted'
  | 'notice'

export const withItems = (blocks: readonly Block[]): Block[] =>
  blocks.filter(({ items }) => items.length > 0)

/** The lines below a heading, for a terminal. */
export const itemLines = (items: Block['items']): string[] =>
  items.flatMap(([title, ...lines]) => [`    ${title}`, ...lines.map((line) => `      ${line}`)])

const each = (lines: readonly string[]) => lines.map((line) => [line])

/** What is to be said of a run besides what is broken and what was not checked. */
export function blocksOf(report: Report, withDetails = true): Block[] {
  const { notices = [], details = [], interrupted } = report
  const { notAsFound, since, clauses } = summaryOf(report)
  const isPutBack = interrupted && notAsFound.length === 0
  const changes = present([
    linesOfChanges(report.baseline?.causes ?? [], report.baseline?.seed),
    since && since.flipped.length > 0 && `flipped: ${listOf(since.flipped)}`,
  ])
  const waived = clausesOf(clauses.waived, report).map(({ id, waiver, reason = '' }) => [
    `${id}  ${waiver ? toldWaiver(waiver) : ''}`,
    reason,
  ])
  const uncounted = clausesOf(clauses['not counted'], report).map(
    ({ id, verdict, newerThan, reason = '' }) =>
      `${id} is newer than ${newerThan}; ${verdict}${reason && `: ${reason}`}`,
  )
  const again = commandLine('restore')
  return withItems([
    {
      heading: `Not as found (${again} tries again where possible)`,
      items: each(notAsFound),
      about: 'not as found',
    },
    {
      heading: 'Put back',
      items: each(isPutBack ? ['every task that was changed was put back'] : []),
      about: 'put back',
    },
    {
      heading: 'Since the baseline',
      items: each(since ? [since.line, ...changes] : []),
      about: 'since the baseline',
    },
    { heading: 'Waivers', items: waived, about: 'waiver' },
    { heading: 'Not counted', items: each(uncounted), about: 'not counted' },
    {
      heading: 'Notices',
      items: each([...notices, ...(withDetails ? details : [])]),
      about: 'notice',
    },
  ])
}
