import type { Contract } from '../engine/run/contract.ts'
import type { Report } from '../engine/run/report.ts'
import { badgeOf } from './badge.ts'
import { codeQualityOf } from './code-quality.ts'
import { ctrfOf } from './ctrf.ts'
import { harOf } from './har.ts'
import { htmlOf } from './html/report.ts'
import { junitOf } from './junit.ts'
import { markdownOf } from './markdown.ts'
import { notChecked } from './parts/not-checked.ts'
import { slim } from './parts/slim.ts'

/** What is made of a report, by file name; report.json is the report itself and stands first. */
export const makersOf = (contract: Contract): Record<string, (report: Report) => string> => ({
  'report.json': jsonOf,
  'index.html': (report) => htmlOf(report, contract),
  'junit.xml': junitOf,
  'summary.md': markdownOf,
  'traffic.har': harOf,
  'ctrf.json': ctrfOf,
  'code-quality.json': codeQualityOf,
  'badge.json': badgeOf,
})

/** The report itself, with what was not checked by cause for who reads nothing else of it. */
const jsonOf = (report: Report) => `${JSON.stringify(toldIn(report), null, 1)}\n`

/** One clause to a line: a report to keep, and to look at with a tool of lines. */
export function slimJsonOf(report: Report): string {
  const { clauses, ...rest } = toldIn(slim(report))
  const head = JSON.stringify(rest).slice(0, -1)
  return `${head},"clauses":[\n${clauses.map((clause) => JSON.stringify(clause)).join(',\n')}\n]}\n`
}

const toldIn = ({ clauses, ...report }: Report) => ({
  ...report,
  notChecked: notChecked(clauses),
  clauses,
})
