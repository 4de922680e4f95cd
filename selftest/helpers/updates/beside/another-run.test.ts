import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ClauseReport, Report } from '../../../../engine/run/report.ts'
import { updateBody } from '../../../../helpers/service/update-request.ts'
import { brokenIn, runClauses, runProgram } from '../../../proofs/prove.ts'
import { anotherRun } from '../../../steady/targets.ts'
import { lendService, start } from '../../loans/lent-service.ts'

test.each([1, 2, 3])(
  'beside another run of this suite the service is not condemned (seed %i)',
  async (seed) => {
    const front = anotherRun(seed, { min: 50, max: 800 })
    const bent = { front, env: { SEED: String(seed), SETTLE_MS: '100' } }
    const checked = await runClauses(bent, ['assign.*', 'version.*', 'audit.*'])
    expect(brokenIn(checked), checked.output).toEqual([])
    expect([0, 3], checked.output).toContain(checked.exitCode)
  },
)

test('two runs on the same tasks at once blame neither the service nor each other', async () => {
  const lent = await lendService()
  const apart = (name: string) => ({
    ...lent.env,
    REPORTS_DIR: join(lent.place, name, 'reports'),
    JOURNAL_DIR: join(lent.place, name, 'journal'),
  })
  const names = ['one', 'other']
  const runs = names.map((name) =>
    start('directly', 'check', apart(name), ['--profile', 'updates']),
  )
  const ended = await Promise.all(runs.map((run) => run.ended))
  for (const [at, { code, output }] of ended.entries()) {
    expect([0, 3], output).toContain(code)
    const file = join(lent.place, names[at] ?? '', 'reports/report.json')
    const { clauses } = JSON.parse(readFileSync(file, 'utf8')) as Report
    const isBroken = ({ verdict }: ClauseReport) => verdict === 'fail' || verdict === 'warn'
    expect(clauses.filter(isBroken).map(({ id, reason }) => `${id}: ${reason}`)).toEqual([])
  }
})

test('a task that shows the comment of another run is named before the run begins', async () => {
  const lent = await lendService()
  const [[id = ''], [userId = '']] = [lent.taskIds, lent.userIds]
  const comment = 'Contract test, please ignore 0123456789ab (1)'
  const to = { id: userId, type: 'USER' } as const
  await lent.update(id, () => updateBody(lent.actorId ?? '', to, comment))
  const { report, output } = await runProgram(lent.env, ['--clauses', 'task.read.not-found'])
  expect(report?.notices.join('\n'), output).toContain(
    `task ${id} shows a comment of another run of this suite`,
  )
})
