import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withLast } from '../../program/report/last.ts'
import { removeEarlier } from '../../program/report/reports-dir.ts'
import { jsonOf } from '../../reporting/all.ts'
import { consoleOf } from '../../reporting/console.ts'
import { clause, htmlOf, reportWith } from '../reporting/sample-reports.ts'
import { openTestFolder } from '../test-end.ts'

const fail = { verdict: 'fail', reason: 'r' } as const
const at = (minute: number) => `2026-11-29T08:0${minute}:00.000Z`

test('a report says what is new, still broken and fixed since the last one in its folder', () => {
  const dir = openTestFolder()
  const startedAt = at(0)
  const first = reportWith([clause('a', fail), clause('b', fail), clause('c')], { startedAt })
  expect(withLast(first, dir).last).toBeUndefined()
  writeFileSync(join(dir, 'report.json'), jsonOf(first))
  const later = reportWith([clause('a', fail), clause('b'), clause('c', fail)], {
    startedAt: at(1),
  })
  const second = withLast(later, dir)
  expect(second.last).toEqual({
    startedAt,
    new: ['c'],
    since: { a: startedAt },
    fixed: ['b'],
    flipped: [],
  })
  expect(consoleOf(second, { verbose: false })).toContain(
    'since the run of 2026-11-29 08:00: 1 new, 1 still broken, 1 fixed',
  )
  expect(htmlOf(second)).toContain('data-since="new"')
  writeFileSync(join(dir, 'report.json'), jsonOf(second))
  const third = withLast(
    { ...first, startedAt: at(2), target: { ...first.target, revision: '1' } },
    dir,
  )
  expect(third.last).toMatchObject({ since: { a: startedAt }, new: ['b'], flipped: [] })
  const part = reportWith([clause('a', fail)], { startedAt: at(2), selection: '--clauses a' })
  removeEarlier(dir)
  writeFileSync(join(dir, 'report.json'), jsonOf(part))
  const whole = withLast({ ...first, startedAt: at(3) }, dir)
  expect(whole.last).toMatchObject({ startedAt: at(1), since: { a: startedAt }, new: ['b'] })
  removeEarlier(dir)
  expect(readFileSync(join(dir, 'last.json'), 'utf8')).toContain('"c"')
  writeFileSync(join(dir, 'report.json'), jsonOf(second))
  const elsewhere = { baseUrl: 'https://other.example.com/v5', embedded: false }
  expect(withLast({ ...first, startedAt: at(2), target: elsewhere }, dir).last).toBeUndefined()
  rmSync(join(dir, 'last.json'))
  writeFileSync(join(dir, 'report.json'), '{')
  expect(withLast(first, dir).last).toBeUndefined()
})
