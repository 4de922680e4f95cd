import type { Contract } from '../engine/run/contract.ts'
import type { Report } from '../engine/run/report.ts'
import { harOf } from './har.ts'
import { htmlOf } from './html/report.ts'
import { junitOf } from './junit.ts'
import { markdownOf } from './markdown.ts'
import { summaryOf } from './parts/summary.ts'
import { sealOf } from './seal.ts'

export const makersOf = (contract: Contract): Record<string, (report: Report) => string> => ({
  'report.json': jsonOf,
  'index.html': (report) => htmlOf(report, contract),
  'junit.xml': junitOf,
  'summary.md': markdownOf,
  'traffic.har': harOf,
})

export const jsonOf = (report: Report) => {
  const { clauses, ...rest } = report
  const summary = summaryOf(report)
  const written = JSON.parse(JSON.stringify({ line: summary.line, ...rest, summary, clauses }))
  return `${JSON.stringify({ ...written, seal: sealOf(written) }, null, 1)}\n`
}
