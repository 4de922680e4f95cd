import type { Report } from '../engine/run/report.ts'
import { describeReachOf, describeVerdict } from './parts/verdict-line.ts'

const colors: Record<Report['verdict'], string> = {
  conformant: 'brightgreen',
  nonconformant: 'red',
  incomplete: 'orange',
  inconclusive: 'lightgrey',
}

/** The verdict and how far it reaches, as an endpoint of shields.io reads it. */
export function badgeOf(report: Report): string {
  const { verdict, target } = report
  const of = target.embedded ? 'the embedded service: ' : ''
  const reach = describeReachOf(report).replace(/[;.].*/, '')
  const message = `${of}${describeVerdict(report).toLowerCase()} ${reach}`
  return `${JSON.stringify({ schemaVersion: 1, label: 'contract', message, color: colors[verdict] })}\n`
}
