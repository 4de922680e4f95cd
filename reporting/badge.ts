import type { Report } from '../engine/run/report.ts'
import { summaryOf } from './parts/summary.ts'

const colors: Record<Report['verdict'], string> = {
  conformant: 'brightgreen',
  nonconformant: 'red',
  incomplete: 'orange',
  inconclusive: 'lightgrey',
}

export function badgeOf(report: Report): string {
  const { verdict, target, selection } = report
  const of = target.embedded ? 'the embedded service: ' : ''
  const { short, figures } = summaryOf(report)
  const message = of + short.replace(/^[A-Z]+/, (word) => word.toLowerCase())
  const hasBreaches = figures.warned + figures.waived > 0
  // A partial run must not look like a whole one.
  const green = selection === undefined ? colors.conformant : 'blue'
  const color = verdict === 'conformant' ? (hasBreaches ? 'yellow' : green) : colors[verdict]
  return `${JSON.stringify({ schemaVersion: 1, label: 'contract', message, color })}\n`
}
