import { expect, test } from 'vitest'
import { cellFinding } from '../../engine/findings/cell.ts'
import { exactly, type RowsFacts, rowsFinding } from '../../engine/findings/file-rows.ts'
import type { Finding } from '../../engine/findings/finding.ts'
import { memberFinding } from '../../engine/findings/member.ts'
import { revealsFinding } from '../../engine/findings/reveals.ts'
import { statusFinding } from '../../engine/findings/status.ts'
import { unservedFinding } from '../../engine/findings/unserved.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { problem } from '../../engine/problem.ts'
import { worded } from '../../engine/run/in-words.ts'
import type { Breach, Report } from '../../engine/run/report.ts'
import { effectFinding } from '../../helpers/findings/effect.ts'
import { emailFinding } from '../../helpers/findings/email.ts'
import { textFinding } from '../../helpers/findings/text.ts'
import { undoneFinding } from '../../helpers/findings/undone.ts'
import { winnersFinding } from '../../helpers/findings/winners.ts'
import { contract } from '../../program/run/contract.ts'
import type { Fact } from '../../reporting/parts/causes/cause.ts'
import { explains, premises } from '../../reporting/parts/causes/premises.ts'
import { groupsOf } from '../../reporting/parts/groups.ts'
import { symptomsOf } from '../../reporting/parts/symptoms-of-breach.ts'
import { clause, exchange, inRole, reportWith } from './sample-reports.ts'

const update = { method: 'PUT', path: '/tasks/1/update-assignment', status: 200 }
const read = { method: 'GET', path: '/tasks/1', status: 200 }
const oldVersion = memberFinding(update, {
  member: 'updated_at',
  got: '2026-01-01T00:00:00Z',
  wanted: { kind: 'new value' },
})
const stale = statusFinding(update, 409)
const winners = winnersFinding({ sent: 6, accepted: 6 })
const invalid = statusFinding(update, '4xx')
const changed = { effect: 'changed', member: 'assignment', before: null, after: {} } as const
const csv = { in: 'csv', filters: { event_type: ['task'] } } as const
const rowsOf = (facts: Partial<RowsFacts>) =>
  rowsFinding({ place: csv, wrong: 'missing', wanted: exactly(3), got: 2, ...facts })
const missing = rowsOf({})
const several = { in: 'csv', filters: { event_type: ['task'], sub_type: ['created'] } } as const
const unsteady = rowsOf({ wrong: 'unsteady' })
const email = emailFinding(
  { type: 'USER', id: '1' },
  { recognised: 'by comment', task: '1', comment: 'a text' },
)
const notStored = memberFinding(update, {
  in: 'read',
  member: 'assignment',
  got: null,
  wanted: { kind: 'value', value: {} },
  isAsBefore: true,
})
const undone = undoneFinding({ shows: 'comment', of: update, wanted: null, got: 'a' })
const otherRows = rowsOf({ place: { in: 'csv', others: { timezone: 'a' } }, wrong: 'others' })
const cellIn = (others: Record<string, string>) =>
  cellFinding({ place: { in: 'csv', others } }, { wrong: 'value', wanted: 'a', got: 'b' })
const wrongCell = cellFinding({ place: csv }, { wrong: 'value', wanted: 'a', got: 'b' })

/** Of each premise a root, what it explains, and what is like that and is not explained. */
const examples: [Finding, Finding, Finding][] = [
  [oldVersion, stale, statusFinding({ ...update, status: 400 }, 409)],
  [stale, winners, winnersFinding({ sent: 6, accepted: 0, rounds: 3 })],
  [
    statusFinding(read, 401),
    revealsFinding({ of: read, resource: 'task' }),
    statusFinding(read, 404),
  ],
  [
    statusFinding(update, 401),
    statusFinding({ ...update, status: 400 }, 401),
    statusFinding({ ...update, status: 400 }, 409),
  ],
  [invalid, effectFinding(update, changed), effectFinding({ ...update, status: 422 }, changed)],
  [notStored, undone, oldVersion],
  [unsteady, wrongCell, rowsOf({ isUnsteady: true })],
  [otherRows, cellIn({ timezone: 'a' }), cellIn({ locale: 'a' })],
  [missing, textFinding({ in: 'csv' }, 'a text'), textFinding({ in: 'pdf' }, 'a text')],
  [email, textFinding({ in: 'email', to: 'a' }, 'a text'), textFinding({ in: 'csv' }, 'a text')],
  [
    rowsOf({ place: { in: 'csv', range: { start: 'a' } }, wrong: 'strange' }),
    statusFinding({ ...read, path: '/export?file_type=pdf', status: 400 }, '2xx'),
    statusFinding({ ...read, path: '/export', status: 400 }, '2xx'),
  ],
  [rowsOf({ place: { in: 'csv' } }), rowsOf({ wrong: 'unfiltered' }), rowsOf({ wrong: 'strange' })],
  [
    statusFinding({ ...update, status: 503 }, 409),
    unservedFinding({ lacks: 'response', tries: 3, last: 'reset' }),
    missing,
  ],
  [
    missing,
    rowsOf({ place: several }),
    rowsOf({ place: { in: 'csv', filters: { sub_type: ['created'] } } }),
  ],
]

const breachOf = (finding: Finding, ...judged: number[]): Breach =>
  worded(problem(finding, { judged }), contract.findings)

const report = { statuses: contract.statuses, exchanges: [] as Exchange[] } as Report

const factOf = (finding: Finding, judged: number): Fact => {
  const breach = breachOf(finding, judged)
  return { breach, symptoms: symptomsOf(breach, report), statuses: contract.statuses }
}

test.each(premises.map(({ because }, row) => [because, row] as const))('%s', (_, row) => {
  const [root, explained, other] = (examples[row] ?? []).map((finding) => factOf(finding, 1)) as [
    Fact,
    Fact,
    Fact,
  ]
  expect(explains(root, explained)).toBe(true)
  expect(explains(explained, root)).toBe(false)
  expect(explains(root, other)).toBe(false)
})

test('an update that is accepted does not explain the effect of another one', () => {
  expect(explains(factOf(invalid, 1), factOf(effectFinding(update, changed), 2))).toBe(false)
})

/** The titles and clauses of groups of clauses, each with its finding. */
const groupsBy = (findings: Record<string, Finding[]>) => {
  const clauses = Object.entries(findings).map(([id, all], at) => {
    const evidence = inRole('judged', exchange(at))
    const breaches = all.map((finding) => breachOf(finding, at + 1))
    return clause(id, { verdict: 'fail', statement: `do ${id}`, breaches, evidence })
  })
  return groupsOf(reportWith(clauses) as Report).map(({ title, clauses }) => [title, ...clauses])
}

test('the heading of a group is that of its root, which stands first', () => {
  expect(
    groupsBy({
      'version.one-winner': [winners],
      'version.stale.assign': [stale],
      'assign.new-version': [oldVersion],
      'version.required': [statusFinding({ ...update, status: 400 }, '2xx')],
    }).map(([title, first, ...others]) => [title, first, others.length]),
  ).toEqual([
    ['Does not change updated_at with an update', 'assign.new-version', 2],
    [expect.any(String), 'version.required', 0],
  ])
})

test('what two roots explain stands in the groups of both', () => {
  const groups = groupsBy({
    whole: [rowsOf({ place: { in: 'csv' } })],
    filtered: [missing],
    text: [textFinding({ in: 'csv' }, 'a text')],
  })
  expect(groups.map(([, ...clauses]) => clauses)).toEqual([
    ['whole', 'text'],
    ['filtered', 'text'],
  ])
})

test('a clause that finds two causes stands in both groups, if each has a clause of its own', () => {
  const malformed = statusFinding({ ...update, status: 500 }, 409)
  expect(groupsBy({ one: [malformed], other: [stale], both: [malformed, stale] })).toEqual([
    [expect.stringContaining('500, not 409'), 'one', 'both'],
    [expect.stringContaining('200, not 409'), 'other', 'both'],
  ])
  expect(groupsBy({ other: [stale], both: [malformed, stale] })).toHaveLength(1)
})
