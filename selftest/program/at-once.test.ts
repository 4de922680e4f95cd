import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { lendService, start } from '../helpers/loans/lent-service.ts'

// AT_ONCE=all npx vitest run selftest/program/at-once checks every clause in each of the runs.
const clauses =
  process.env.AT_ONCE === 'all' ? [] : ['--clauses', 'version.*,assign.new-version*,audit.*']

test.for<[string, (ids: readonly string[], n: number) => string[], RegExp]>([
  ['each with tasks of its own', (ids, n) => ids.filter((_, at) => at % 4 === n), /^0$/],
  ['all with the same tasks', (ids) => ids.slice(0, 3), /^[03]$/],
])(
  'four runs at the same time on one service, %s: each is decided or says who has its tasks, and every task is back',
  { timeout: 600_000 },
  async ([, tasksOf, codes]) => {
    const lent = await lendService()
    const places = [0, 1, 2, 3].map((n) => join(lent.place, `reports-${n}`))
    const runs = places.map((REPORTS_DIR, n) => {
      const own = { TASK_IDS: tasksOf(lent.taskIds, n).join(), REPORTS_DIR, SEED: `${n + 1}` }
      return start('directly', 'check', { ...lent.env, ...own }, clauses)
    })
    const ended = await Promise.all(runs.map((run) => run.ended))
    for (const [n, { code, output }] of ended.entries()) {
      const text = readFileSync(join(places[n] ?? '', 'report.json'), 'utf8')
      const { clauses }: Report = JSON.parse(text)
      expect(clauses.filter(({ verdict }) => verdict === 'fail')).toEqual([])
      expect(`${code}`, output).toMatch(codes)
      if (code === 3) expect(output).toMatch(/in use by another run|another run of this suite/)
    }
    expect(await lent.changed()).toEqual([])
    expect(lent.journal()).toEqual([])
  },
)
