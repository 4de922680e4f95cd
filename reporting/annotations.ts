import type { Report } from '../engine/run/report.ts'
import { brokenIn } from './parts/broken.ts'
import { cut } from './parts/cut.ts'
import { describeReachOf, describeVerdict } from './parts/verdict-line.ts'

/** GitHub shows ten of a kind for each step, and the page of the report has all. */
const most = 10
const longest = 1000

type Kind = 'error' | 'warning'
type Writer = (kind: Kind, title: string, text: string) => string

const oneLine = (text: string, percent: string) =>
  text.replaceAll('%', percent).replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** A line that GitHub shows at the run, and at the pull request that it belongs to. */
export const githubLine: Writer = (kind, title, text) => {
  const named = oneLine(title, '%25').replaceAll(':', '%3A').replaceAll(',', '%2C')
  return `::${kind} title=${named}::${oneLine(cut(text, longest), '%25')}`
}

/** A line that Azure Pipelines shows at the run. */
export const azureLine: Writer = (kind, title, text) =>
  `##vso[task.logissue type=${kind}]${oneLine(cut(`${title}: ${text}`, longest), '%AZP25')}`

/** The breaches and the reasons of a verdict as a CI system shows them beside the run. */
export function annotationsOf(report: Report, write: Writer): string[] {
  const broken = brokenIn(report)
  const lines = (kind: Kind, sentences: string[]) => [
    ...sentences.slice(0, most - 1).map((sentence) => write(kind, 'Contract', sentence)),
    ...(sentences.length >= most
      ? [write(kind, 'Contract', `and ${sentences.length - most + 1} more: see the report`)]
      : []),
  ]
  const isGreen = report.verdict === 'conformant'
  const verdict = `${describeVerdict(report)} ${describeReachOf(report)}`
  const failures = broken.filter(({ isFailure }) => isFailure || report.strict)
  return [
    ...(isGreen ? [] : lines('error', [verdict, ...report.reasons])),
    ...lines(
      'error',
      failures.map(({ sentence }) => sentence),
    ),
    ...lines(
      'warning',
      broken.flatMap((each) => (failures.includes(each) ? [] : each.sentence)),
    ),
  ]
}
