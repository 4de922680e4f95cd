import { createHash } from 'node:crypto'
import type { Report } from '../engine/run/report.ts'
import { brokenIn } from './parts/broken.ts'

/** The breaches in the form of GitLab's code quality reports, which shows what a merge request adds. */
export function codeQualityOf(report: Report): string {
  const issues = brokenIn(report).map(({ id, isFailure, sentence }) => ({
    check_name: id,
    description: sentence,
    // The same breach in another run is the same issue: what was met differs by ids and times.
    fingerprint: createHash('sha256').update(id).digest('hex'),
    severity: isFailure ? 'critical' : 'minor',
    location: { path: `contract/${id}`, lines: { begin: 1 } },
  }))
  return `${JSON.stringify(issues, null, 1)}\n`
}
