import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Impossible } from '../../engine/impossible.ts'
import { summaryOf } from '../../reporting/parts/summary.ts'
import { runAgainst, runProgram } from '../proofs/prove.ts'
import { openTestFolder } from '../test-end.ts'

const ids = ['--clauses', 'auth.missing-key.task.read,task.read.types']

describe('--times', () => {
  test('shows what flipped, with the requests of both sides, and ends with 3', async () => {
    let asked = 0
    const isOpen = ({ op }: { op: string }) => op === 'task.read' && asked++ % 2 === 0
    const bent = { stated: { keyIsRequired: (call: { op: string }) => !isOpen(call) } }
    const { exitCode, report } = await runAgainst(bent, [...ids, '--times', '4'])
    if (!report) throw new Error('there is no report')
    expect(exitCode).toBe(3)
    expect(report.times).toBe(4)
    const [flip] = report.flips ?? []
    expect(flip).toMatchObject({ id: 'auth.missing-key.task.read', of: 'verdict' })
    expect(flip?.sides.map(({ value }) => value).sort()).toEqual(['fail', 'pass'])
    expect(flip?.sides.reduce((sum, { share }) => sum + share, 0)).toBe(1)
    const known = new Set(report.exchanges.map(({ number }) => number))
    for (const { requests } of flip?.sides ?? []) {
      expect(requests.length).toBeGreaterThan(0)
      expect(requests.every((number) => known.has(number))).toBe(true)
    }
    expect(summaryOf(report).line).toMatch(/^INCONCLUSIVE: .*; 1 changed between 4 runs$/)

    const reports = join(openTestFolder(), 'reports')
    mkdirSync(reports)
    writeFileSync(join(reports, 'report.json'), JSON.stringify(report))
    const compared = await runProgram({}, ['--baseline', reports]).catch((error) => error)
    expect(compared).toBeInstanceOf(Impossible)
    expect(compared.message).toMatch(
      /: 1 clause flipped in it; give the report of a run in which none did\.$/,
    )
  })

  test('says that nothing flipped', async () => {
    const { exitCode, report } = await runAgainst({}, [...ids, '--times', '2'], { makers: {} })
    expect([exitCode, report?.flips]).toEqual([0, []])
    expect(report && summaryOf(report).line).toMatch(/; nothing changed between 2 runs$/)
  })

  test('bounds all runs by one MAX_WRITES', async () => {
    const argv = ['--clauses', 'assign.comment.plain', '--times', '3']
    const bound = { env: { MAX_WRITES: '3' } }
    const { report } = await runAgainst(bound, argv, { makers: {} })
    expect(report?.clauses[0]).toMatchObject({ verdict: 'inconclusive' })
    expect(report?.clauses[0]?.reason).toContain('MAX_WRITES=')
  })
})
