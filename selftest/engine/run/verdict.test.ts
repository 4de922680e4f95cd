import { expect, test } from 'vitest'
import {
  NotDecidable,
  outcomeOf,
  Trouble,
  toChange,
  toSet,
  type Why,
} from '../../../engine/outcome.ts'
import { exitCodeOf } from '../../../engine/run/exit-code.ts'
import { reasonsOfClauses } from '../../../engine/run/reach.ts'
import type { ClauseReport } from '../../../engine/run/report.ts'
import { describeReason } from '../../../engine/run/report.ts'
import { waive } from '../../../engine/run/waive.ts'
import {
  type Cause,
  type Level,
  type Outcome,
  runVerdictOf,
  undecidedAreas,
  type Verdict,
  verdictOf,
  type Weighed,
} from '../../../engine/verdict.ts'
import { breach, clause, statusBreach } from '../../reporting/sample-reports.ts'

const outcomes: Outcome[] = [
  { kind: 'held' },
  { kind: 'broken', breaches: [] },
  { kind: 'undecided', reason: 'r', cause: 'setting' },
  { kind: 'trouble', reason: 'r' },
]

test.each<[Level, Verdict[], underStrict?: Verdict[]]>([
  ['must', ['pass', 'fail', 'skip', 'inconclusive']],
  ['should', ['pass', 'warn', 'skip', 'inconclusive'], ['pass', 'fail', 'skip', 'inconclusive']],
  ['observe', ['observed', 'skip', 'skip', 'inconclusive']],
])(
  'a %s that holds, breaks, is undecided or in trouble: %j',
  (level, verdicts, strict = verdicts) => {
    expect(outcomes.map((outcome) => verdictOf(level, outcome, false))).toEqual(verdicts)
    expect(outcomes.map((outcome) => verdictOf(level, outcome, true))).toEqual(strict)
  },
)

// biome-ignore format: one case a line
test.each<[string, [Level, Verdict][], string]>([
  ['observations alone', [['observe', 'observed']], 'inconclusive'],
  ['a should that passes while every must is skipped', [['should', 'pass'], ['must', 'skip']], 'inconclusive'],
  ['a should that passes', [['should', 'pass']], 'conformant'],
  ['a warning', [['should', 'warn']], 'conformant'],
  ['a must in trouble', [['must', 'pass'], ['must', 'inconclusive']], 'inconclusive'],
  ['a should in trouble', [['must', 'pass'], ['should', 'inconclusive']], 'conformant'],
  ['a failure beside trouble', [['must', 'fail'], ['must', 'inconclusive']], 'nonconformant'],
])('a run of %s is $2', (_, verdicts, expected) => {
  const weighed = verdicts.map(([level, verdict], at) => ({ id: `a.${at}`, level, verdict }))
  expect(runVerdictOf(weighed)).toBe(expected)
})

const passed = { id: 'task.a', level: 'must', verdict: 'pass' } as const
const skipped = { id: 'export.a', level: 'must', verdict: 'skip' } as const

test.each<[string, Partial<Weighed>, string]>([
  ['needs a setting', { cause: 'setting' }, 'conformant'],
  ['threw', { level: 'should', verdict: 'inconclusive', ownError: true }, 'inconclusive'],
  ['needs data', { cause: 'data' }, 'conformant'],
  ['is left open', { cause: 'freedom' }, 'conformant'],
  ['waits for a clause', { cause: 'clause' }, 'conformant'],
  ['was refused', { cause: 'refused' }, 'inconclusive'],
  ['was refused and is a should', { cause: 'refused', level: 'should' }, 'conformant'],
  ['dangles and is a should', { cause: 'clause', dangling: 'r', level: 'should' }, 'inconclusive'],
])('a run with a pass and a clause that %s is $2', (_, given, expected) => {
  expect(runVerdictOf([passed, { ...skipped, ...given }])).toBe(expected)
})

test('a run with an undecided area is inconclusive, but a failure makes it nonconformant', () => {
  const areas = [{ name: 'export', clauses: ['export.*'] }]
  const open = { ...skipped, cause: 'setting' } as const
  expect(runVerdictOf([passed, open], areas)).toBe('inconclusive')
  expect(runVerdictOf([passed, { ...open, cause: 'freedom' }], areas)).toBe('conformant')
  expect(runVerdictOf([{ ...passed, verdict: 'fail' }, open], areas)).toBe('nonconformant')
})

test.each([
  [{ verdict: 'conformant' }, 0],
  [{ verdict: 'nonconformant' }, 1],
  [{ verdict: 'inconclusive' }, 3],
  [{ verdict: 'nonconformant', signal: 'SIGINT' }, 130],
  [{ verdict: 'nonconformant', signal: 'SIGINT', leaked: true }, 2],
  [{ verdict: 'incomplete', signal: 'SIGTERM' }, 143],
  [{ verdict: 'incomplete', unwritten: true }, 1],
  [{ verdict: 'inconclusive', unwritten: true }, 2],
] as const)('%j ends with %i', (ending, code) => expect(exitCodeOf(ending)).toBe(code))

test.each([
  ['trouble', () => Promise.reject(new Trouble('x'))],
  ['error', async () => expect(1).toBe(2)],
])('a clause ends in %s', async (kind, act) => {
  expect(outcomeOf(await act().catch((error) => error)).kind).toBe(kind)
})

// biome-ignore format: one premise a line
test.each<[Why, object]>([
  [['clause', 'x', 'a', 'b'], { reason: 'x', cause: 'clause', owners: ['a', 'b'] }],
  [toSet(['A', 'B'], ': x', 'or'), { reason: 'set A or B: x', cause: 'setting', settings: { set: ['A', 'B'] } }],
  [toChange('A', 'A is set'), { reason: 'A is set', cause: 'setting', settings: { change: ['A'] } }],
  [['refused', 'x'], { reason: 'x', cause: 'refused' }],
  [['refused', 'x', null], { reason: 'x', cause: 'refused', declare: [] }],
  [['data', 'x', 'case'], { reason: 'x', cause: 'data', missing: 'case' }],
  [['freedom', 'x'], { reason: 'x', cause: 'freedom' }],
])('a premise keeps what it names, also from another thread: %j', (why, facts) => {
  const premise = new NotDecidable(...why)
  const expected = { kind: 'undecided', ...facts }
  expect(outcomeOf(premise)).toEqual(expected)
  const copy = Object.assign(new Error(premise.message), { name: 'NotDecidable', why: premise.why })
  expect(outcomeOf(copy)).toEqual(expected)
})

test('trouble by another writer says so, as data', () => {
  const trouble = Object.assign(new Trouble('x'), { otherWriter: true })
  expect(outcomeOf(trouble)).toEqual({ kind: 'trouble', reason: 'x', otherWriter: true })
})

test('a reason is the first lines of a message', () => {
  const long = Array.from({ length: 20 }, (_, n) => `line ${n}`)
  expect(outcomeOf(new Error(long.join('\n')))).toEqual({
    kind: 'error',
    reason: `internal error of the suite: Error: ${long.slice(0, 12).join('\n')}`,
  })
})

const skip = (id: string, cause: Cause, given: Partial<ClauseReport> = {}) =>
  clause(id, { verdict: 'skip', cause, reason: `why ${id}`, ...given })
const lost = (id: string) => clause(id, { verdict: 'inconclusive', reason: 'no answer' })

const area = { name: 'export', clauses: ['export.*'] }

// biome-ignore format: one case a line
test.each<[string, ClauseReport[], boolean]>([
  ['no must of it was selected', [skip('export.a', 'setting', { level: 'should' })], false],
  ['one must passed', [clause('export.a'), skip('export.b', 'refused')], false],
  ['one must failed', [clause('export.a', { verdict: 'fail' }), skip('export.b', 'setting')], false],
  ['every must needs a setting', [skip('export.a', 'setting')], true],
  ['every must was refused', [skip('export.a', 'refused')], true],
  ['every must waits for another', [skip('export.a', 'clause')], true],
  ['every must was lost', [lost('export.a')], true],
  ['every must is free', [skip('export.a', 'freedom'), skip('export.b', 'data')], false],
  ['all but one are free', [skip('export.a', 'freedom'), skip('export.b', 'setting')], true],
  ['a should alone was decided', [skip('export.a', 'setting'), clause('export.b', { level: 'should' })], true],
])('an area is undecided: if %s: $2', (_, clauses, expected) => {
  expect(undecidedAreas(clauses, [area])).toEqual(expected ? [area] : [])
})

const reasonsOf = (...[clauses, areas]: Parameters<typeof reasonsOfClauses>) =>
  reasonsOfClauses([...clauses, clause('decided')], areas).map(describeReason)

test('what keeps a run from being conformant: an area that decided nothing is named, unless trouble says why', () => {
  expect(reasonsOf([skip('export.a', 'setting')], [area])).toEqual([
    'no clause of the area export was decided, although its settings are given: the reasons of its clauses say why; set NOT_PERMITTED to what the key may not do',
  ])
  const [a, b] = [skip('export.a', 'setting'), lost('export.b')]
  expect(reasonsOf([a, b], [area])).toEqual([])
  expect(reasonsOf([a, { ...b, level: 'should' }], [area])).toHaveLength(1)
})

test('what keeps a run from being conformant: musts that were refused, by reason, with the declaration to make', () => {
  const reason = 'PUT responded 403: correct USER_IDS'
  const refused = [
    ...['a', 'b', 'c', 'd'].map((id) => skip(id, 'refused', { reason })),
    skip('e', 'refused', { level: 'should' }),
    ...['f', 'g', 'h'].map((id) => skip(id, 'refused', { declare: [], reason: 'r' })),
  ]
  expect(reasonsOf(refused, [])).toEqual([
    'a, b, c and 1 more could not be checked: PUT responded 403: correct USER_IDS; if this key may not do it, set NOT_PERMITTED=a,b,c,d',
    'f, g, h could not be checked: r',
  ])
})

test('what keeps a run from being conformant: a reference that dangles, of a should too', () => {
  const dangling = 'b, which owns the missing fact, passed'
  const clauses = [clause('b'), skip('a', 'clause', { level: 'should', owners: ['b'], dangling })]
  expect(reasonsOf(clauses, [])).toEqual([
    'a was not checked, and no other clause judged the fact: b, which owns the missing fact, passed',
  ])
})

const now = new Date('2026-11-21T12:00:00Z')
const waiver = (id: string, until = '2026-12-31') => ({ clause: id, reason: 'known', until })
const clauses = [
  clause('fails', { verdict: 'fail' }),
  clause('warns', { level: 'should', verdict: 'warn' }),
  clause('passes'),
  clause('skips', { verdict: 'skip' }),
]
const declared = ['fails', 'warns', 'passes', 'skips', 'elsewhere']
const laid = (waivers: ReturnType<typeof waiver>[]) => waive(clauses, waivers, { declared, now })

test('a waiver applies to a clause that fails or warns; one that passes or does not exist makes it stale', () => {
  const { clauses: found, stale, notices } = laid([...declared, 'gone'].map((id) => waiver(id)))
  expect(found.map((each) => each.waiver)).toEqual([
    ...[1, 2].map(() => ({ reason: 'known', until: '2026-12-31' })),
    ...[undefined, undefined],
  ])
  expect(stale.map(describeReason)).toEqual([
    'the waiver of passes is stale: the clause passes; delete it',
    'the waiver of gone is stale: no clause has this id; delete it',
  ])
  expect(notices).toEqual([])
})

test('a waiver counts on its last day, and no longer', () => {
  const { clauses: found, notices } = laid([
    waiver('fails', '2026-11-21'),
    waiver('warns', '2026-11-20'),
    waiver('skips', '2026-11-20'),
  ])
  expect(found.map((each) => each.waiver !== undefined)).toEqual([true, false, false, false])
  expect(notices).toEqual(['the waiver of warns expired after 2026-11-20: it counts again'])
})

test('a waiver with a finding applies to the findings with its members, and to no others', () => {
  const accepted = statusBreach(409, 200, 1)
  const broken = [
    clause('known', { verdict: 'fail', breaches: [accepted] }),
    clause('other', { verdict: 'fail', breaches: [statusBreach(409, 500, 1)] }),
    clause('more', { verdict: 'fail', breaches: [accepted, breach('another', 2)] }),
  ]
  const finding = { kind: 'status', wanted: 409, of: { status: 200 } }
  const waivers = broken.map(({ id }) => ({ ...waiver(id), finding }))
  const { clauses: found, stale, notices } = waive(broken, waivers, { now })
  expect(found.map((each) => each.waiver?.finding)).toEqual([finding, undefined, undefined])
  expect(stale).toEqual([])
  expect(notices).toEqual([
    'the waiver of other is for another finding than {"kind":"status","wanted":409,"of":{"method":"GET","path":"/tasks/1","status":500}}: the breach counts',
    expect.stringMatching(/^the waiver of more is for another finding than \{"kind":"effect",/),
  ])
})
