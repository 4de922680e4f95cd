import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { lendService, start } from '../helpers/loans/lent-service.ts'

// AT_ONCE=all npx vitest run selftest/program/at-once checks every clause in each of the runs.
const clauses =
  process.env.AT_ONCE === 'all' ? [] : ['--clauses', 'version.*,assign.new-version*,audit.*']
const four = [0, 1, 2, 3]

describe('four runs at the same time on one service', { timeout: 600_000 }, () => {
  test.for<[string, (ids: readonly string[], n: number) => string[]]>([
    ['each with tasks of its own', (ids, n) => ids.filter((_, at) => at % 4 === n)],
    ['all with the same tasks', (ids) => ids.slice(0, 3)],
  ])(
    '%s: each is decided or says who has its tasks, and every task is back',
    async ([name, tasksOf]) => {
      const lent = await lendService()
      const runs = four.map((n) =>
        start(
          'directly',
          'check',
          {
            ...lent.env,
            TASK_IDS: tasksOf(lent.taskIds, n).join(),
            REPORTS_DIR: join(lent.place, `reports-${n}`),
            SEED: `${n + 1}`,
          },
          clauses,
        ),
      )
      const ended = await Promise.all(runs.map((run) => run.ended))
      for (const [n, { code, output }] of ended.entries()) {
        const text = readFileSync(join(lent.place, `reports-${n}`, 'report.json'), 'utf8')
        const report = JSON.parse(text) as Report
        const failed = report.clauses.filter(({ verdict }) => verdict === 'fail')
        expect(failed.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([])
        if (name.startsWith('each')) expect(code, output).toBe(0)
        else expect([0, 3], output).toContain(code)
        if (code === 3) expect(output).toMatch(/in use by another run|another run of this suite/)
      }
      expect(await lent.changed()).toEqual([])
      expect(lent.journal()).toEqual([])
    },
  )
})
