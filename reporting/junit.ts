import {
  type ClauseReport,
  type Report,
  targetOf,
  toldNote,
  toldVerdict,
  toldWaiver,
} from '../engine/run/report.ts'
import { cut } from './parts/cut.ts'
import { toldEvidence } from './parts/evidence.ts'
import { groupedBy } from './parts/grouped-by.ts'
import { issueOf } from './parts/issue.ts'
import { notCheckedLines } from './parts/not-checked.ts'
import { summaryOf } from './parts/summary.ts'

/**
 * The report as JUnit XML, for GitLab, Jenkins and GitHub: a suite for each operation and a case for each
 * clause, named by its id so that histories survive a change of wording. What no clause says is a property
 * of the first suite.
 */
export function junitOf(report: Report): string {
  const byOperation = groupedBy(report.clauses, ({ operation }) => operation)
  const run = propertiesOf(report)
  const besides = besidesOf(report)
  // A run without clauses has something to say too.
  const suites = [...(byOperation.size > 0 ? byOperation : [['The run', []] as const])].map(
    ([operation, clauses], at) =>
      suiteOf(
        operation,
        clauses.map((clause) => caseOf(clause, report)),
        { timestamp: report.startedAt, properties: at === 0 ? [...run, ...besides] : run },
      ),
  )
  const total = (name: 'tests' | 'failures' | 'errors') =>
    suites.reduce((sum, suite) => sum + suite[name], 0)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    open('testsuites', {
      name: `Contract tests${report.selection === undefined ? '' : ` (${report.selection} alone)`}`,
      tests: total('tests'),
      failures: total('failures'),
      errors: total('errors'),
      time: seconds(report.durationMs),
    }),
    ...suites.map(({ text }) => text),
    '</testsuites>',
    '',
  ].join('\n')
}

type Kind = 'failure' | 'error' | 'skipped'
type Case = {
  name: string
  suite: string
  milliseconds: number
  /** default: it passed */
  ended?: { kind: Kind; message: string; type: string; text: string }
  /** what a reader of a pass should know */
  told: string[]
}

type Property = [name: string, value: string | number | boolean]

function suiteOf(
  name: string,
  cases: Case[],
  { timestamp, properties }: { timestamp: string; properties: readonly Property[] },
) {
  const count = (kind: Kind) => cases.filter(({ ended }) => ended?.kind === kind).length
  const counts = { tests: cases.length, failures: count('failure'), errors: count('error') }
  const time = cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  const text = [
    open('testsuite', {
      name,
      ...counts,
      skipped: count('skipped'),
      time: seconds(time),
      timestamp,
    }),
    '<properties>',
    ...properties.map(([property, value]) => open('property', { name: property, value }, '/>')),
    '</properties>',
    ...cases.map(caseText),
    '</testsuite>',
  ].join('\n')
  return { ...counts, text }
}

function propertiesOf(report: Report): Property[] {
  const { target, seed, suiteVersion, suiteCommit, node, platform, interrupted, selection } = report
  const { line, verdict, figures } = summaryOf(report)
  return Object.entries({
    target: targetOf(report),
    seed,
    version: suiteVersion,
    commit: suiteCommit,
    ...{ node, platform, revision: target.revision, verdict, line },
    ...figures,
    ...{ interrupted, selection },
  }).flatMap(([name, value]): Property[] => (value === undefined ? [] : [[name, value]]))
}

/** What no clause says, such as a stale waiver, and the skipped cases together, by what they need. */
function besidesOf(report: Report): Property[] {
  const { reasons = [], notices = [], details = [] } = report
  const { notAsFound, notChecked } = summaryOf(report)
  const besides = {
    reason: reasons,
    'not as found': notAsFound,
    notice: [...notices, ...details],
    'not checked': notCheckedLines(notChecked),
  }
  return Object.entries(besides).flatMap(([name, texts]): Property[] =>
    texts.length > 0 ? [[name, lines(texts)]] : [],
  )
}

function caseOf(clause: ClauseReport, report: Report): Case {
  const { id, operation, level, waiver } = clause
  const reason = cut(clause.reason ?? '', 4000)
  const verdict = toldVerdict(clause)
  const told = [
    ...(verdict === 'warn' ? [`a broken should, which fails only under --strict: ${reason}`] : []),
    ...('observed' in clause ? [`observed: ${JSON.stringify(clause.observed)}`] : []),
    ...[clause.note, toldEvidence(clause)].flatMap((each) => each || []),
    ...(clause.notes ?? []).map(toldNote),
  ]
  const base = { name: id, suite: operation, milliseconds: clause.durationMs, told }
  const ended = (kind: Kind, message: string, text = message): Case => ({
    ...base,
    ended: { kind, message: firstLine(message), type: level, text },
  })
  if (verdict === 'waived' && waiver) return ended('skipped', `${toldWaiver(waiver)}; ${reason}`)
  if (verdict === 'not counted')
    return ended('skipped', `not counted: newer than ${clause.newerThan}; ${clause.verdict}`)
  if (verdict === 'fail') return ended('failure', reason, issueOf(clause, report))
  if (verdict === 'inconclusive' && level === 'must')
    return ended('error', `not decided: ${reason}`, issueOf(clause, report))
  if (verdict === 'inconclusive') return ended('skipped', `not decided: ${reason}`)
  if (verdict !== 'skip') return base
  return ended('skipped', clause.cause ? `${clause.cause}: ${reason}` : reason)
}

function caseText({ name, suite, milliseconds, ended, told }: Case): string {
  const head = { classname: suite, name, time: seconds(milliseconds) }
  if (!ended && told.length === 0) return open('testcase', head, '/>')
  const { kind, text = '', ...facts } = ended ?? {}
  return [
    open('testcase', head),
    ...(kind ? [`${open(kind, facts)}${xml(text)}</${kind}>`] : []),
    ...(told.length > 0 ? [`<system-out>${xml(lines(told))}</system-out>`] : []),
    '</testcase>',
  ].join('\n')
}

const lines = (texts: readonly string[]) => texts.join('\n')

const firstLine = (text: string) => text.split('\n')[0] ?? ''

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3)

const open = (name: string, attributes: Record<string, string | number | boolean>, end = '>') =>
  `<${[name, ...Object.entries(attributes).map(([key, value]) => `${key}="${xml(String(value), /[\r\n\t]/g)}"`)].join(' ')}${end}`

// Also lone surrogates, which no encoding can write.
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/**
 * Escapes text for XML; `also` matches what an attribute would lose. Jenkins copies the file named in
 * ATTACHMENT brackets: a service must not write such a name.
 */
function xml(text: string, also = /\r/g): string {
  const code = (char: string) => `&#${char.charCodeAt(0)};`
  return text
    .replace(forbidden, '')
    .replaceAll('[[ATTACHMENT|', '[[ATTACHMENT |')
    .replace(/[&<>"]/g, code)
    .replace(also, code)
}
