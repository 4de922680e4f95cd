import { expect, test } from 'vitest'
import { repeatingOf } from '../../reporting/parts/repeating.ts'
import { breach, clause, reportWith } from './sample-reports.ts'

test('the command that repeats a breach names the clause that sent the requests, and its settings', () => {
  const own = clause('a', { verdict: 'fail', breaches: [breach('x', 1)] })
  const met = clause('b', { verdict: 'fail', breaches: [{ ...breach('x', 1), metBy: ['c', 'd'] }] })
  const settings = { API_KEY: null, TASK_IDS: 'a,b', METADATA_VALUES: "tag=it's" }
  const report = reportWith([own, met], { settings })
  expect(repeatingOf(own, report).run).toMatch(/--clauses a --seed 77$/)
  expect(repeatingOf(met, report).run).toMatch(/--clauses b,c --seed 77$/)
  const settingsFiles = { 'staging.env': ['BASE_URL', 'API_KEY', 'TASK_IDS', 'METADATA_VALUES'] }
  expect(repeatingOf(own, { ...report, settingsFiles }).run).toBe(
    'npm run contract -- --env-file staging.env --clauses a --seed 77',
  )
  const many = { ...report, settings: { TASK_IDS: Array(9).fill('1d88d0e0-b9a5').join() } }
  expect(repeatingOf(own, many).run).toContain(' TASK_IDS="$TASK_IDS" npm run')
  expect(repeatingOf(own, report).run).toBe(
    `BASE_URL=https://eu.example.com/v5 TASK_IDS=a,b METADATA_VALUES='tag=it'\\''s' API_KEY="$API_KEY" npm run contract -- --clauses a --seed 77`,
  )
  const lists = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => [name, '1d88d0e0-b9a5-448e'] as const)
  const exported = repeatingOf(own, { ...report, settings: Object.fromEntries(lists) })
  expect(exported.run).toBe(
    'BASE_URL=https://eu.example.com/v5 npm run contract -- --clauses a --seed 77',
  )
  expect(repeatingOf(own, { ...report, readOnly: true }).run).toContain('--clauses a --read-only')
})
