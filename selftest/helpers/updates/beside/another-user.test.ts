import { describe, expect, test } from 'vitest'
import { isOwed } from '../../../../engine/run/report.ts'
import { check } from '../../../../program/check.ts'
import { createInterruption } from '../../../../program/run/interruption.ts'
import { atTestEnd } from '../../../test-end.ts'
import { lendService } from '../../loans/lent-service.ts'
import { workBeside } from './another-user.ts'

/** RUNS=60 makes so many, and prints a row for each. */
const { RUNS } = process.env
const seeds = Array.from({ length: Number(RUNS ?? '1') }, (_, n) => n + 1)

describe.concurrent('beside somebody who changes each of six tasks every two to five seconds', {
  timeout: 1_200_000,
}, () => {
  test.for(seeds)('nothing is held against the service (seed %i)', async (seed) => {
    const lent = await lendService()
    const taskIds = lent.taskIds.slice(0, 6)
    atTestEnd(workBeside(lent, taskIds, seed))
    let output = ''
    const { report, exitCode } = await check({
      argv: ['--seed', `${seed}`],
      env: { ...lent.env, SETTLE_MS: '2000', TASK_IDS: taskIds.join(), AUDIT_WAIT_S: '5' },
      cwd: lent.place,
      out: { write: (text: string) => (output += text) },
      interruption: createInterruption(),
    })
    const held = report?.clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    expect(held?.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([])
    const lost = report?.clauses.filter(({ verdict }) => verdict === 'inconclusive') ?? []
    const names = lost.map(({ id }) => id).join(', ')
    if (RUNS) process.stdout.write(`| ${seed} | ${exitCode} | ${names} |\n`)
    for (const { reason } of lost) expect(reason).toMatch(/somebody else/)
    expect(report?.residue.filter(isOwed)).toEqual([])
    expect(exitCode, output).toBe(lost.some(({ level }) => level === 'must') ? 3 : 0)
  })
})
