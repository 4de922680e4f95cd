import { expect, test } from 'vitest'
import { waive } from '../../../engine/run/waive.ts'
import { clause } from '../../reporting/sample-reports.ts'

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
  expect(stale).toEqual([
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
