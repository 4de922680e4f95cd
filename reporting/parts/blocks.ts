import { commandLine } from '../../engine/called.ts'
import { type Report, toldWaiver } from '../../engine/run/report.ts'
import { listOf } from './not-checked.ts'
import { clausesOf, summaryOf } from './summary.ts'

/** A heading with its items: of each a title, and the lines below it. Every rendering prints these. */
export type Block = [heading: string, items: string[][]]

export const blocksFrom = (items: Record<string, string[][]>): Block[] =>
  Object.entries(items).filter(([, { length }]) => length > 0)

const each = (lines: readonly string[]) => lines.map((line) => [line])

/** What is to be said of a run besides what is broken and what was not checked. */
export function blocksOf(report: Report, withDetails = true): Block[] {
  const { notices = [], details = [], interrupted } = report
  const { notAsFound, since, clauses } = summaryOf(report)
  const isPutBack = interrupted && notAsFound.length === 0
  const changes = (['new', 'fixed', 'flipped'] as const).flatMap((kind) =>
    since && since[kind].length > 0 ? [`${kind}: ${listOf(since[kind])}`] : [],
  )
  return blocksFrom({
    [`Not as found (${commandLine('restore')} tries again where possible)`]: each(notAsFound),
    'Put back': each(isPutBack ? ['every task that was changed was put back'] : []),
    'Since the baseline': each(since ? [since.line, ...changes] : []),
    Waivers: clausesOf(clauses.waived, report).map(({ id, waiver, reason = '' }) => [
      `${id}  ${waiver ? toldWaiver(waiver) : ''}`,
      reason,
    ]),
    'Not counted': clausesOf(clauses['not counted'], report).map(
      ({ id, verdict, newerThan, reason = '' }) => [
        `${id} is newer than ${newerThan}; ${verdict}${reason && `: ${reason}`}`,
      ],
    ),
    Notices: each([...notices, ...(withDetails ? details : [])]),
  })
}

/** For a terminal. */
export const textOf = (blocks: readonly Block[]): string[] =>
  blocks.flatMap(([heading, items]) => [
    '',
    `  ${heading}`,
    ...items.flatMap(([title, ...lines]) => [
      `    ${title}`,
      ...lines.map((line) => `      ${line}`),
    ]),
  ])
