import { describe, expect, test } from 'vitest'
import { consoleOf } from '../../reporting/console.ts'
import { harOf } from '../../reporting/har.ts'
import { markdownOf } from '../../reporting/markdown.ts'
import { judgedIn, toldEvidence } from '../../reporting/parts/evidence.ts'
import { renumbered } from '../../reporting/parts/renumbered.ts'
import { planOf } from '../../reporting/repeat/plan.ts'
import { breach, clause, exchange, htmlOf, inRole, reportWith } from './sample-reports.ts'
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

describe('every report has the line of a clause', () => {
  test('console and summary.md', () => {
    const text = consoleOf(report, { verbose: true })
    expect(text).toContain(`task.read.fields states (40 tasks) (${lines[passed.id]})`)
    expect(text).toContain(`"ETag" (${lines[observed.id]})`)
    expect(text).toMatch(/auth\.old states\n/)
    expect(markdownOf(report)).toContain(lines[broken.id])
  })

  test('junit.xml', () => {
    const { caseOf } = casesOf(report)
    for (const { id } of [broken, passed, observed])
      expect(named(caseOf(id), 'system-out')[0]?.text).toContain(lines[id])
    expect(caseOf(bare.id).inside).toEqual([])
  })

  test('traffic.har, at each exchange', () => {
    const { entries } = JSON.parse(harOf(report)).log
    const comments = entries.map(({ comment }: { comment: string }) => comment)
    expect(comments.slice(0, 6)).toEqual([
      'version.stale (before)',
      'version.stale (beside)',
      'version.stale (judged)',
      'version.stale (put-back)',
      'task.read.fields, auth.old',
      'task.read.fields (judged)',
    ])
  })

  test('the page, with the exchanges by role', () => {
    const page = htmlOf(report)
    const [, text = ''] = /id="data">([\s\S]*?)<\/script>/.exec(page) ?? []
    const { clauses } = JSON.parse(text)
    expect(clauses[0][1]).toBe('1b 2c 3j 4p')
    for (const [at, { id }] of [broken, passed, observed].entries())
      expect(clauses[at][0]).toContainEqual(['Evidence', lines[id]])
    expect(JSON.stringify(clauses[3])).not.toContain('Evidence')
    expect(page).toMatch(/after: <a href="#exchange=1">#1<\/a>/)
  })
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

describe('a script first sends what its breach depends on', () => {
  const task = '/tasks/1d88d0e0'
  const shown = (at: number, version: string, given: object = {}) =>
    exchange(at, {
      path: task,
      body: JSON.stringify({ updated_at: version, assignment: null }),
      ...given,
    })
  const put = (at: number, ifMatch: string, made: string, path = task) =>
    shown(at, made, {
      method: 'PUT',
      path: `${path}/update-assignment`,
      requestHeaders: { apikey: '(configured)', 'if-match': ifMatch },
      requestBody: '{"update":{"assigned_to_id":"7","assigned_by_id":"9"}}',
    })
  const [v1, v2, v3] = ['2026-01-01T00:00:01Z', '2026-01-01T00:00:02Z', '2026-01-01T00:00:03Z']
  const planFor = (given: object, ...all: ReturnType<typeof exchange>[]) =>
    planOf({ ...breach('s', 9), ...given }, reportWith([clause('a', { evidence: all })]))

  test('a read with the key before one without it', () => {
    const keyed = exchange(0, { path: '/tasks/1?a', requestHeaders: { apikey: '(configured)' } })
    const without = exchange(8, { path: '/tasks/1?a', requestHeaders: {} })
    expect(planFor({ expected: '401', before: [1] }, keyed, without)).toMatchObject({
      before: [{ path: '/tasks/1?a', headers: { apikey: '(configured)' } }],
      judged: { path: '/tasks/1?a', headers: {} },
    })
  })

  test('the update that made a version stale, in place of one made for it', () => {
    const all = [shown(0, v1), put(1, v1, v2), put(8, v1, v3)]
    const plan = planFor({ expected: '409', before: [2] }, ...all)
    expect(plan).toMatchObject({
      before: [{ version: '$(version read)' }],
      judged: { version: '$stale' },
      task: { path: task, state: '{"unassign":{"assigned_by_id":"9"}}' },
    })
    expect(plan).not.toHaveProperty('task.other')
  })

  test('the update whose effect a read lacks, which is then the request to repeat', () => {
    const all = [shown(0, v1), put(1, v1, v2), put(2, v2, v3), shown(8, v2)]
    const again = { signs: [{ member: 'assignment', of: 'read', is: null }] }
    expect(planFor({ expected: 'its assignment', again, before: [2, 3] }, ...all)).toMatchObject({
      before: [{ version: '$(version read)' }],
      judged: { method: 'PUT', version: '$(version read)' },
      isRead: true,
    })
  })

  test('none changes a task that is not put back', () => {
    const other = put(1, v1, v2, '/tasks/2')
    expect(planFor({ expected: '401', before: [2] }, other, shown(8, v1))).toEqual({
      why: 'it depends on a change of another task, which a script does not put back',
    })
  })
})
