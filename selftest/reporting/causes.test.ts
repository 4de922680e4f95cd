import { expect, test } from 'vitest'
import { cellFinding } from '../../engine/findings/cell.ts'
import type { Finding } from '../../engine/findings/finding.ts'
import { malformedFinding } from '../../engine/findings/malformed.ts'
import { revealsFinding } from '../../engine/findings/reveals.ts'
import { twinsFinding } from '../../engine/findings/twins.ts'
import { unservedFinding } from '../../engine/findings/unserved.ts'
import { problem } from '../../engine/problem.ts'
import { worded } from '../../engine/run/in-words.ts'
import type { Report } from '../../engine/run/report.ts'
import { effectFinding } from '../../helpers/findings/effect.ts'
import { emailFinding } from '../../helpers/findings/email.ts'
import { textFinding } from '../../helpers/findings/text.ts'
import { contract } from '../../program/run/contract.ts'
import { groupsOf } from '../../reporting/parts/groups.ts'
import { clause, exchange, reportWith } from './sample-reports.ts'

function titlesOf(findings: readonly Finding[]): string[] {
  const clauses = findings.map((finding, at) => {
    const judged = exchange(at, { path: `/audit/export?page=${at}` })
    const breach = worded(problem(finding, { judged: judged.number }), contract.findings)
    return clause(`export.${at}`, { verdict: 'fail', breaches: [breach], evidence: [judged] })
  })
  return groupsOf(reportWith(clauses) as Report).map(({ title }) => title)
}

const csv = { in: 'csv' } as const
const at = { row: 1 }
const names = { one: { name: 'one' }, other: { name: 'other' } }
const of = { method: 'GET', path: '/', status: 200 }
const rejected = { method: 'PUT', path: '/', status: 400 }
const changed = { effect: 'changed', member: 'assignment', before: null, after: {} } as const
const state = { updated_at: '1', assignment: null }
const otherTask = (task: string) =>
  ({ effect: 'changed another task', task, before: state, after: state }) as const
const namedBy = (address: string) =>
  unservedFinding({ lacks: 'file', of, named: { by: 'a link in JSON', address, status: 404 } })

// biome-ignore format: one cause a line
const causes: [title: string, Finding, Finding][] = [
  ['Returns a file of 0 bytes', malformedFinding({ is: 'empty' }), malformedFinding({ is: 'empty' }, { of })],
  ['Returns JSON in place of a CSV', malformedFinding({ is: 'not delimited text', got: 'JSON' }), malformedFinding({ is: 'not delimited text', got: 'JSON' }, { of })],
  ['Mixes two encodings in one CSV', malformedFinding({ is: 'two encodings' }), malformedFinding({ is: 'two encodings' }, { of })],
  ['Repeats the header row in a CSV', malformedFinding({ is: 'two header rows', rows: 2 }), malformedFinding({ is: 'two header rows', rows: 3 })],
  ['Writes CSV rows with different numbers of cells', malformedFinding({ is: 'another width', record: 1, cells: 2, usual: 3 }), malformedFinding({ is: 'another width', record: 9, cells: 4, usual: 3 })],
  ['Writes a failure marker as a value: NaN', cellFinding({ place: csv, column: 'Due' }, { wrong: 'mark', mark: 'NaN', got: 'NaN', at }), cellFinding({ place: { in: 'pdf' } }, { wrong: 'mark', mark: 'NaN', got: 'NaN', at: { page: 2 } })],
  ['Writes wrong values in a CSV with timezone', cellFinding({ place: { ...csv, others: { timezone: 'a' } } }, { wrong: 'offset', zone: 'a', got: '1' }), cellFinding({ place: { ...csv, others: { timezone: 'b' } } }, { wrong: 'zone', zone: 'b', got: 'UTC' })],
  ['Writes the same dates in different time zones', twinsFinding({ things: 'dates', wanted: 'unlike', ...names }), twinsFinding({ things: 'dates', wanted: 'unlike', ...names, although: 'x' })],
  ['Responds 400 to an update that takes effect', effectFinding(rejected, changed), effectFinding(rejected, { effect: 'changed later', comment: 'a', shownBy: of })],
  ['Changes other tasks than the one that is updated', effectFinding(of, otherTask('1')), effectFinding(of, otherTask('2'))],
  ['Sends no email for an accepted update', emailFinding({ type: 'USER', id: '1' }, { recognised: 'by comment', task: '1', comment: 'a' }), emailFinding({ type: 'TEAM', id: '2' }, { recognised: 'by time', of, update: 'a', waitS: 1 })],
  ['Returns text in a wrong encoding', textFinding(csv, 'é', { got: 'Ã©' }), textFinding({ in: 'pdf' }, 'ü', { got: 'Ã¼' })],
  ['Loses a text that was sent', textFinding(csv, 'a'), textFinding(csv, 'b')],
  ['Names an address that has no file', namedBy('https://a.test/1'), namedBy('https://a.test/2')],
]

test.each(causes)('one cause: %s', (title, one, other) => {
  expect(titlesOf([one, other])).toEqual([title])
})

test('each of these is a cause of its own', () => {
  const others = [
    cellFinding({ place: csv, column: 'Due' }, { wrong: 'value', wanted: 'a', got: 'b' }),
    cellFinding({ place: csv, column: 'Id' }, { wrong: 'value', wanted: 'c', got: 'd' }),
    cellFinding({ place: csv }, { wrong: 'unreal', got: ['24:61'] }),
    twinsFinding({ things: 'words', wanted: 'alike', ...names }),
    twinsFinding({ things: 'header rows', wanted: 'alike', ...names }),
    effectFinding(
      { ...rejected, status: 422 },
      { effect: 'left a trace', trace: 'event', text: 'a' },
    ),
    effectFinding(of, changed),
    revealsFinding({ of, resource: 'task', members: ['name'] }),
    revealsFinding({ of, resource: 'task' }),
    textFinding(csv, 'c', { got: 'd' }),
    malformedFinding({ is: 'NUL', byte: 1 }),
    malformedFinding({ is: 'no page' }),
    unservedFinding({ lacks: 'response', tries: 2, last: 'closed' }),
  ]
  expect(titlesOf([...causes.map(([, one]) => one), ...others])).toHaveLength(
    causes.length + others.length,
  )
})
