import type { Report } from '../engine/run/report.ts'
import { figuresOf, verdictLine } from './parts/count.ts'

const colors: Record<Report['verdict'], string> = {
  conformant: 'brightgreen',
  nonconformant: 'red',
  incomplete: 'orange',
  inconclusive: 'lightgrey',
}

/** The short verdict's line, as an endpoint of shields.io. */
export function badgeOf(report: Report): string {
  const { verdict, target, selection } = report
  const of = target.embedded ? 'the embedded service: ' : ''
  const line = verdictLine(report, { short: true })
  const message = of + line.replace(/^[A-Z]+/, (word) => word.toLowerCase())
  const { warned, waived } = figuresOf(report)
  const hasBreaches = warned + waived > 0
  // A partial run must not look like a whole one.
  const green = selection === undefined ? colors.conformant : 'blue'
  const color = verdict === 'conformant' ? (hasBreaches ? 'yellow' : green) : colors[verdict]
  return `${JSON.stringify({ schemaVersion: 1, label: 'contract', message, color })}\n`
}
