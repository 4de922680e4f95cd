import { ctrfOf } from './ctrf.ts'
import { harOf } from './har.ts'
import { htmlOf } from './html.ts'
import { junitOf } from './junit.ts'
import { markdownOf } from './markdown.ts'
import type { Report } from './report.ts'

/** What is made of a report, by file name; report.json is the report itself and stands first. */
export const makers: Record<string, (report: Report) => string> = {
  'report.json': (report) => `${JSON.stringify(report, null, 1)}\n`,
  'index.html': htmlOf,
  'junit.xml': junitOf,
  'summary.md': markdownOf,
  'traffic.har': harOf,
  'ctrf.json': ctrfOf,
}
