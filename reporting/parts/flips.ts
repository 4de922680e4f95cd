import { counted } from '../../engine/counted.ts'
import type { Flip, Report, Side } from '../../engine/run/report.ts'
import { exchangesBy } from './evidence.ts'

export const describeFlip = ({ sides }: Flip, seen: Pick<Report, 'exchanges'>): string =>
  `it flipped: ${sides.map((side) => describeSide(side, seen)).join('; ')}`

/** A side of a flip in words: in how many runs, and which requests show it. */
function describeSide({ value, runs, share, requests }: Side, report: Pick<Report, 'exchanges'>) {
  const seen = exchangesBy(requests, report).map(
    ({ number, method, path, status }) => `#${number} ${method} ${path} ${status}`,
  )
  const shown = typeof value === 'string' ? value : JSON.stringify(value)
  const times = `${counted(runs.length, 'time')} (${Math.round(share * 100)} %)`
  return `${shown} ${times}${seen.length > 0 ? `, as in ${seen.join(', ')}` : ''}`
}

/** The flips of a report, a line for each side. */
export function flipLines(report: Report): string[] {
  const { flips = [], times } = report
  return flips.flatMap(({ id, of, sides }) => [
    `${id}: ${of === 'verdict' ? 'its verdict' : 'what it observed'} flipped in ${times} runs`,
    ...sides.map((side) => `  ${describeSide(side, report)}`),
  ])
}
