// Where the renderings of one run disagree: each is counted anew, from what its reader sees.
import { type Report, toldVerdict } from '../../engine/run/report.ts'
import { outputsOf } from '../../program/report/in-ci.ts'
import { makers } from '../../program/run/contract.ts'
import { annotationsOf, githubLine } from '../../reporting/annotations.ts'
import { consoleOf } from '../../reporting/console.ts'
import { summaryOf } from '../../reporting/parts/summary.ts'

/** Sentences; none if all that is made from a report says the same. */
export function disagreementsIn(report: Report): string[] {
  const { clauses } = report
  const { line, groups } = summaryOf(report)
  const among = (all: typeof clauses, verdicts: string[]) =>
    all.filter((each) => verdicts.includes(toldVerdict(each))).length
  const told = (...verdicts: string[]) => among(clauses, verdicts)
  const ofMusts = clauses.filter(({ level }) => level === 'must')
  const musts = (...verdicts: string[]) => among(ofMusts, verdicts)
  const [broken, warned] = [told('fail'), told('warn')]
  const made = (name: string) => makers[name]?.(report) ?? ''
  const [page, junit, markdown] = [made('index.html'), made('junit.xml'), made('summary.md')]
  const printed = consoleOf(report, { verbose: false, files: ['/r/index.html'] })
  const { summary, ...json } = JSON.parse(made('report.json'))
  const grouped = groups.flatMap((each) => each.clauses)
  const times = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length
  const figure = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0)
  const outputs = outputsOf(report, 1, '/r')
  const output = (name: string) => figure(outputs, new RegExp(`^${name}=(\\d+)$`, 'm'))
  const [annotated = '', ...annotations] = annotationsOf(report, githubLine)
  const figures: [where: string, said: unknown, is: unknown][] = [
    ['clauses of groups', new Set(grouped).size, broken + warned],
    ['clauses in two groups', grouped.length, broken + warned],
    ['groups of report.json', summary.groups.length, groups.length],
    ['line of report.json', json.line, line],
    ['squares of the page', times(page, /href="#clause=[^"]+" aria-label=/g), clauses.length],
    ['broken squares', times(page, /class="fail" href="#clause=/g), broken],
    ['chip of broken', figure(page, /<b>([\d,]+)<\/b> broken/), broken],
    ['chip of warned', figure(page, /<b>([\d,]+)<\/b> warned of/), warned],
    ['rows of the page', times(page, /<tr data-ids=/g), groups.length],
    ['tests of junit.xml', times(junit, /<testcase /g), clauses.length],
    ['tests that junit.xml counts', figure(junit, /tests="(\d+)"/), clauses.length],
    ['failures of junit.xml', figure(junit, /failures="(\d+)"/), broken],
    ['errors of junit.xml', figure(junit, /errors="(\d+)"/), musts('inconclusive')],
    ['failed in summary.md', figure(markdown, /### Broken: (\d+) failed/), broken],
    ['warnings in summary.md', figure(markdown, /### Broken: \d+ failed, (\d+) warning/), warned],
    ['groups in summary.md', figure(markdown, /### Broken: .* in (\d+) group/), groups.length],
    ['line of the console', printed.includes(`\n${line}\n`), true],
    ['the output passed', output('passed'), musts('pass')],
    ['the output failed', output('failed'), musts('fail')],
    ['the output not-checked', output('not-checked'), musts('skip', 'inconclusive')],
    ['the output line', outputs.includes(`\nline=${line.replace(/\s+/g, ' ')}\n`), true],
    ['the annotation', annotated.endsWith(line.slice(-40)), true],
    [
      'warnings beside the run',
      times(annotations.join('\n'), /^::warning /gm),
      Math.min(10, groups.filter(({ verdict }) => verdict === 'warn').length),
    ],
  ]
  const unnamed = groups.filter(
    ({ title, clauses: [first] }) => !printed.includes(title) && !printed.includes(first),
  )
  return [
    ...figures
      .filter(([, said, is]) => said !== is)
      .map(([what, said, is]) => `${what}: ${said}, not ${is}`),
    ...(printed.includes('more groups: ')
      ? []
      : unnamed.map(({ title }) => `the console does not name: ${title}`)),
  ]
}
