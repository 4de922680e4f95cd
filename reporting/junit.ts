import {
  type ClauseReport,
  type Report,
  targetOf,
  toldVerdict,
  toldWaiver,
} from '../engine/run/report.ts'
import { blocksOf } from './parts/blocks.ts'
import type { ShownVerdict } from './parts/count.ts'
import { toldEvidence } from './parts/evidence.ts'
import { issueOf } from './parts/issue.ts'
import { notCheckedLines } from './parts/not-checked.ts'
import { summaryOf } from './parts/summary.ts'
import { cut, firstLine, groupedBy, present } from './parts/texts.ts'

/**
 * The report as JUnit XML, for GitLab, Jenkins and GitHub: a suite for each operation and a case for each
 * clause, named by its id so that histories survive a change of wording. What no clause says is a property
 * of the first suite.
 */
export function junitOf(report: Report): string {
  const byOperation = groupedBy(report.clauses, ({ operation }) => operation)
  // A run without clauses has something to say too.
  const suites = byOperation.size > 0 ? [...byOperation] : [['The run', []] as const]
  const properties = propertiesOf(report)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    open('testsuites', {
      name: `Contract tests${report.selection === undefined ? '' : ` (${report.selection} alone)`}`,
      ...countsOf(report.clauses),
      time: seconds(report.durationMs),
    }),
    ...suites.flatMap(([name, clauses], at) => [
      open('testsuite', {
        name,
        ...countsOf(clauses),
        skipped: clauses.filter((each) => endedOf(each)?.kind === 'skipped').length,
        time: seconds(clauses.reduce((sum, { durationMs }) => sum + durationMs, 0)),
        timestamp: report.startedAt,
      }),
      '<properties>',
      ...propertyLines(properties),
      ...(at === 0 ? propertyLines(besidesOf(report)) : []),
      '</properties>',
      ...clauses.map((clause) => caseOf(clause, report)),
      '</testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function countsOf(clauses: readonly ClauseReport[]) {
  const count = (wanted: Ended['kind']) =>
    clauses.filter((each) => endedOf(each)?.kind === wanted).length
  return { tests: clauses.length, failures: count('failure'), errors: count('error') }
}

type Ended = { kind: 'failure' | 'error' | 'skipped'; message: string }

/** undefined: the clause passed */
function endedOf(clause: ClauseReport): Ended | undefined {
  const { level, waiver, cause, newerThan, verdict } = clause
  const reason = cut(clause.reason ?? '', 4000)
  const lost = level === 'must' ? 'error' : 'skipped'
  const ends: Partial<Record<ShownVerdict, Ended>> = {
    waived: { kind: 'skipped', message: `${waiver && toldWaiver(waiver)}; ${reason}` },
    'not counted': { kind: 'skipped', message: `not counted: newer than ${newerThan}; ${verdict}` },
    fail: { kind: 'failure', message: reason },
    inconclusive: { kind: lost, message: `not decided: ${reason}` },
    skip: { kind: 'skipped', message: cause ? `${cause}: ${reason}` : reason },
  }
  return ends[toldVerdict(clause)]
}

const propertyLines = (values: Record<string, unknown>): string[] =>
  Object.entries(values).flatMap(([name, value = '']) =>
    value === '' ? [] : open('property', { name, value: String(value) }, '/>'),
  )

function propertiesOf(report: Report) {
  const { target, seed, suiteVersion, suiteCommit, node, platform, interrupted, selection } = report
  const { line, verdict, figures } = summaryOf(report)
  return {
    ...{ target: targetOf(report), seed, version: suiteVersion, commit: suiteCommit },
    ...{ node, platform, revision: target.revision, verdict, line },
    ...{ ...figures, interrupted, selection },
  }
}

/** What no clause says, such as a stale waiver, and the skipped cases together, by what they need. */
const besidesOf = (report: Report) => ({
  reason: lines(report.reasons ?? []),
  ...Object.fromEntries(blocksOf(report).map(({ about, items }) => [about, lines(items.flat())])),
  'not checked': lines(notCheckedLines(summaryOf(report).notChecked)),
})

function caseOf(clause: ClauseReport, report: Report): string {
  const { id, operation, level, durationMs, note, observed, reason = '' } = clause
  const ended = endedOf(clause)
  const told = present([
    toldVerdict(clause) === 'warn' &&
      `a broken should, which fails only under --strict: ${cut(reason, 4000)}`,
    'observed' in clause && `observed: ${JSON.stringify(observed)}`,
    note,
    toldEvidence(clause) || undefined,
  ])
  const head = { classname: operation, name: id, time: seconds(durationMs) }
  if (!ended && told.length === 0) return open('testcase', head, '/>')
  const { kind = '', message = '' } = ended ?? {}
  const facts = { message: firstLine(message), type: level }
  const text = kind === 'skipped' ? message : issueOf(clause, report)
  return present([
    open('testcase', head),
    ended && `${open(kind, facts)}${xml(text)}</${kind}>`,
    told.length > 0 && `<system-out>${xml(lines(told))}</system-out>`,
    '</testcase>',
  ]).join('\n')
}

const lines = (texts: readonly string[]) => texts.join('\n')

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3)

const open = (name: string, attributes: Record<string, string | number | boolean>, end = '>') =>
  `<${[name, ...Object.entries(attributes).map(([key, value]) => `${key}="${xml(String(value), /[\r\n\t]/g)}"`)].join(' ')}${end}`

// Also lone surrogates, which no encoding can write.
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/**
 * `also` matches what an attribute would lose. Jenkins copies the file named in ATTACHMENT brackets: a
 * service must not write such a name.
 */
function xml(text: string, also = /\r/g): string {
  const code = (char: string) => `&#${char.charCodeAt(0)};`
  return text
    .replace(forbidden, '')
    .replaceAll('[[ATTACHMENT|', '[[ATTACHMENT |')
    .replace(/[&<>"]/g, code)
    .replace(also, code)
}
