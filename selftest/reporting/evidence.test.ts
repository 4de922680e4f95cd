import { describe, expect, test } from 'vitest'
import { memberFinding } from '../../engine/findings/member.ts'
import { revealsFinding } from '../../engine/findings/reveals.ts'
import type { Breach, ClauseReport, Report } from '../../engine/run/report.ts'
import type { Cause } from '../../engine/verdict.ts'
import { makers } from '../../program/run/contract.ts'
import { renumbered } from '../../reporting/carried-over.ts'
import { consoleOf } from '../../reporting/console.ts'
import { harOf } from '../../reporting/har.ts'
import { markdownOf } from '../../reporting/markdown.ts'
import { judgedIn, toldEvidence } from '../../reporting/parts/evidence.ts'
import { groupsOf } from '../../reporting/parts/groups.ts'
import { notChecked } from '../../reporting/parts/not-checked.ts'
import { summaryOf } from '../../reporting/parts/summary.ts'
import { planOf } from '../../reporting/repeat/plan.ts'
import {
  asVersion1,
  breach,
  clause,
  exchange,
  type Given,
  htmlOf,
  inRole,
  reportWith,
  statusBreach,
} from './sample-reports.ts'
import { casesOf, named } from './xml.ts'

const many = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => exchange(from + at))

/** #1 is sent first, #2 is the control of #3, which is judged; #5 belongs to another clause. */
const broken = clause('version.stale', {
  verdict: 'fail',
  reason: 'responded 200, not 409',
  breaches: [
    { ...breach('responded 200, not 409', 3), control: [2], before: [1], differs: ['header a'] },
  ],
  evidence: [
    ...inRole('before', exchange(0)),
    ...inRole('control', exchange(1)),
    ...inRole('judged', exchange(2)),
    ...inRole('put-back', exchange(3)),
  ],
})
const passed = clause('task.read.fields', {
  note: '40 tasks',
  judgedBy: 40,
  evidence: [...inRole('set-up', exchange(4)), ...inRole('judged', ...many(10, 12))],
})
const observed = clause('task.read.headers', {
  level: 'observe',
  verdict: 'observed',
  observed: 'ETag',
  evidence: [...inRole('judged', exchange(20), exchange(21)), ...inRole('control', ...many(30, 5))],
})
const bare = clause('auth.old', { evidence: [exchange(4)] })
const report = reportWith([broken, passed, observed, bare])
const lines = {
  [broken.id]: 'judged by #3, beside #2, after #1',
  [passed.id]: 'judged by #11, #12, #13 and 37 more',
  [observed.id]: 'judged by #21, #22, beside #31, #32, #33 and 2 more',
  [bare.id]: '',
}

test('a line says what a verdict was judged by, and how many there were', () => {
  for (const each of report.clauses) expect(toldEvidence(each)).toBe(lines[each.id])
  expect(judgedIn(broken)).toEqual([3])
  expect(judgedIn(bare)).toEqual([])
})

test('every report has the line of a clause, and the page its exchanges by role', () => {
  const { caseOf } = casesOf(report)
  for (const { id } of [broken, passed, observed]) {
    expect(named(caseOf(id), 'system-out')[0]?.text).toContain(lines[id])
    expect(consoleOf(report, { verbose: true })).toContain(`(${lines[id]})`)
  }
  expect(caseOf(bare.id).inside).toEqual([])
  expect(markdownOf(report)).toContain(lines[broken.id])
  const { entries } = JSON.parse(harOf(report)).log
  expect(entries.slice(2, 5).map(({ comment }: { comment: string }) => comment)).toEqual([
    'version.stale (judged)',
    'version.stale (put-back)',
    'task.read.fields, auth.old',
  ])
  const page = htmlOf(report)
  const { clauses } = JSON.parse(/id="data">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '')
  expect(clauses[0][1]).toBe('1.before 2.beside 3.judged 4.put-back')
  expect(clauses[0][0]).toContainEqual(['Evidence', lines[broken.id]])
  expect(page).toMatch(/after: <a href="#exchange=1">#1<\/a>/)
})

test('reports that become one keep what came before apart', () => {
  const [, other] = renumbered([report, report])
  expect(other?.clauses[0]).toMatchObject({
    breaches: [{ judged: [38], control: [37], before: [36] }],
    evidence: [{ exchange: 36, role: 'before' }, {}, {}, {}],
  })
  const beyond = { ...broken, breaches: [{ ...breach('s', 1), before: [99] }] }
  const [, next] = renumbered([reportWith([beyond]), report])
  expect(next?.exchanges[0]?.number).toBe(100)
})

test('a script changes no task that it does not put back', () => {
  const put = { method: 'PUT', path: '/tasks/2/update-assignment', requestBody: '{"unassign":{}}' }
  const evidence = [exchange(1, { ...put, body: '{"updated_at":"v2"}' }), exchange(8)]
  const report = reportWith([clause('a', { evidence })])
  expect(planOf({ ...statusBreach(401, 200, 9), before: [2] }, report)).toEqual({
    why: 'it depends on a change of another task, which a script does not put back',
  })
})

const skip = (id: string, cause: Cause, reason: string, given: Partial<ClauseReport> = {}) =>
  clause(id, { verdict: 'skip', cause, reason, ...given })

const clauses = [
  clause('fine'),
  clause('failed', { verdict: 'fail', reason: 'r' }),
  skip('mail', 'setting', 'set MAILBOX_URL: where mails can be read', {
    settings: { set: ['MAILBOX_URL'] },
  }),
  skip('users', 'setting', 'set USER_IDS or TEAM_IDS: assignees', {
    settings: { set: ['USER_IDS', 'TEAM_IDS'] },
  }),
  skip('declared', 'setting', 'NOT_PERMITTED declares declared', {
    settings: { change: ['NOT_PERMITTED'] },
  }),
  skip('page', 'data', 'the export holds no event; it has to hold one\nmore'),
  skip('limit', 'freedom', 'rate limits are not shown; 429 was seen'),
  skip('team', 'refused', 'every update to a team of TEAM_IDS was answered 404'),
  skip('team-too', 'refused', 'every update to a team of TEAM_IDS was answered 404'),
  skip('waits', 'clause', 'no update was accepted', { owners: ['failed', 'elsewhere'] }),
  skip('dangles', 'clause', 'no version was read', { owners: ['fine'], dangling: 'fine, passed' }),
  clause('lost', { verdict: 'inconclusive', reason: 'no answer' }),
]

describe('what was not checked', () => {
  test('is grouped by cause, dangling references first, with its reasons and what to do', () => {
    const groups = notChecked(clauses)
    expect(groups.map(({ count }) => count)).toEqual([1, 1, 2, 3, 1, 1, 1])
    const remedy = 'set MAILBOX_URL, TEAM_IDS, USER_IDS; unset or change NOT_PERMITTED'
    expect(groups[3]?.remedy).toBe(remedy)
    const reasons = groups.flatMap((group) => group.reasons)
    expect(reasons.map(({ why, clauses: ids }) => `${ids.join()}: ${why}`)).toEqual([
      'dangles: fine, passed; no version was read',
      'lost: no answer',
      'team,team-too: every update to a team of TEAM_IDS was answered 404; if this key may not do it, set NOT_PERMITTED=team,team-too',
      'mail: set MAILBOX_URL: where mails can be read',
      'users: set USER_IDS or TEAM_IDS: assignees',
      'declared: NOT_PERMITTED declares declared',
      'page: the export holds no event; it has to hold one',
      'limit: rate limits are not shown; 429 was seen',
      'waits: failed (fail): no update was accepted',
    ])
  })

  test('is named with its cause in every report', () => {
    const report = reportWith(clauses)
    const texts: Record<string, string> = { console: consoleOf(report, { verbose: false }) }
    for (const name of ['index.html', 'junit.xml', 'summary.md', 'report.json'])
      texts[name] = makers[name]?.(report) ?? ''
    const plain = (text: string) => text.replaceAll('&#39;', "'")
    for (const { heading, remedy, reasons } of notChecked(clauses))
      for (const words of [heading, remedy, ...reasons.map(({ why }) => why)])
        for (const [name, text] of Object.entries(texts)) expect(plain(text), name).toContain(words)
  })

  test('begins with what the service never gave, between files of the other type', () => {
    const path = '/audit-sentinel/events/export?file_type='
    const files = (type: string, status: number, from: number) =>
      [0, 1, 2, 3].map((n) => exchange(from + 500 * n, { path: path + type, status }))
    const lost = { verdict: 'inconclusive', reason: 'GET export: responded 500' } as const
    const reportOf = (pdf: number, csv: number) =>
      reportWith(
        [
          clause('other', { ...lost, reason: 'no answer' }),
          clause('csv', { evidence: files('csv', csv, 7) }),
          ...files('pdf', pdf, 0).map((one, n) => clause(`pdf.${n}`, { ...lost, evidence: [one] })),
        ],
        { verdict: 'inconclusive' },
      )
    const sentence = 'every PDF export failed (500, 4 of 4)'
    const { line, notChecked: groups } = summaryOf(reportOf(500, 200))
    expect(line).toContain(`INCONCLUSIVE: ${sentence}; 1 of 6 musts passes`)
    expect(groups[0]?.reasons).toEqual([
      { why: sentence, clauses: ['pdf.0', 'pdf.1', 'pdf.2', 'pdf.3'] },
      { why: 'no answer', clauses: ['other'] },
    ])
    for (const other of [reportOf(500, 500), reportOf(200, 200), reportOf(400, 200)])
      expect(summaryOf(other).line).not.toContain('every PDF')
  })

  test('of a report of version 1 has no causes, and says so', () => {
    const old = asVersion1(reportWith(clauses))
    expect(notChecked(old.clauses).map(({ cause, count }) => [cause, count])).toEqual([
      ['inconclusive', 1],
      ['unknown', 9],
    ])
    const output = consoleOf(old as Report, { verbose: false })
    expect(output).toContain('9 musts skipped: the report is of version 1, which has no causes')
  })
})

const titlesOf = (clauses: ClauseReport[]) =>
  groupsOf(reportWith(clauses) as Report).map(({ title }) => title)

const otherAssignee = (id: string) =>
  memberFinding(
    { method: 'PUT', path: '/tasks/1/update-assignment', status: 200 },
    {
      member: 'assignment',
      wanted: { kind: 'members', values: { assigned_to_type: 'TEAM', assigned_to_id: id } },
      got: { assigned_to_type: 'USER', assigned_to_id: id },
    },
  )

const failed = (id: string, status: number, found: Partial<Breach>, given: Given = {}) => {
  const at = given.durationMs ?? 0
  const path = '/tasks/1d88d0e0-b9a5-448e-a9a7-fb5a8e4136d4/update-assignment'
  const judged = exchange(at, { method: 'PUT', path, status })
  const breaches = [{ ...breach('it was wrong', at + 1), got: String(status), ...found }]
  return clause(id, { verdict: 'fail', breaches, evidence: [judged], ...given })
}

test('a breach of an older report, which is in words alone, has the statement as its title', () => {
  const statement = 'leave it unchanged after all'
  expect(titlesOf([failed('a', 200, { got: 'changed' }, { statement })])).toEqual([statement])
})

test('clauses are grouped by what their breaches share, the gravest and largest first', () => {
  const at = (durationMs: number) => ({ durationMs })
  const stale = [1, 2, 3].map((n) =>
    failed(`version.${n}`, 412, statusBreach(409, 412, n + 1), at(n)),
  )
  const keys = [4, 5].map((n) => failed(`auth.${n}`, 200, statusBreach(401, 200, n + 1), at(n)))
  const id = (n: number) => `84d6eb72-f236-462b-83ac-39ba94bf6c0${n}`
  const teams = [6, 7].map((n) =>
    failed(`assign.${n}`, 200, { finding: otherAssignee(id(n)) }, at(n)),
  )
  expect(titlesOf([...teams, ...stale, ...keys])).toEqual([
    'Responds 200, not 401, to a request without a valid key',
    'Responds 412, not 409, to a wrong or stale If-Match',
    'Returns another assignment than was sent',
  ])
})

test('what a 401 reveals stands above a failed must', () => {
  const of = { method: 'GET', path: '/tasks/1', status: 401 }
  const finding = revealsFinding({ of, resource: 'task', members: ['status', 'assignment'] })
  const revealed = failed('auth.refused-reveals-nothing', 401, { finding })
  const leak = { ...revealed, verdict: 'warn', level: 'should' } as const
  const stale = failed('version.1', 412, statusBreach(409, 412, 2), { durationMs: 1 })
  const [first] = groupsOf(reportWith([stale, leak]) as Report)
  expect(first).toMatchObject({ verdict: 'warn', clauses: ['auth.refused-reveals-nothing'] })
})

test('updates whose responses show the version before them have one cause', () => {
  const old = [1, 2].map((n) => {
    const requestHeaders = { 'if-match': `v${n}` }
    const body = JSON.stringify({ updated_at: `v${n}` })
    const judged = exchange(n, { method: 'PUT', requestHeaders, body })
    const breaches = [{ ...breach('x', n + 1), finding: otherAssignee(`${n}`) }]
    return clause(`assign.${n}`, { verdict: 'fail', breaches, evidence: [judged] })
  })
  expect(titlesOf(old)).toEqual(['Responds to an update with the version before it'])
})
