import type { Contract } from '../engine/run/contract.ts'
import type { Report } from '../engine/run/report.ts'
import { ctrfOf } from './ctrf.ts'
import { harOf } from './har.ts'
import { htmlOf } from './html/report.ts'
import { junitOf } from './junit.ts'
import { markdownOf } from './markdown.ts'

/** What is made of a report, by file name; report.json is the report itself and stands first. */
export const makersOf = (contract: Contract): Record<string, (report: Report) => string> => ({
  'report.json': (report) => `${JSON.stringify(report, null, 1)}\n`,
  'index.html': (report) => htmlOf(report, contract),
  'junit.xml': junitOf,
  'summary.md': markdownOf,
  'traffic.har': harOf,
  'ctrf.json': ctrfOf,
})
