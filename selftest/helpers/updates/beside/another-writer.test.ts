import { describe, expect, test } from 'vitest'
import { createHistory } from '../../../../helpers/history/history.ts'
import { ForeignChange } from '../../../../helpers/loans/foreign-change.ts'
import { createToken } from '../../../../helpers/updates/controls.ts'
import { brokenIn, runClauses, runProgram } from '../../../proofs/prove.ts'
import { anotherUser } from '../../../steady/targets.ts'
import { accepted, meeting, play } from '../../history/model.ts'
import { lendService } from '../../loans/lent-service.ts'

const unnamed = /^the task changed meanwhile, although no accepted update of this run changed it$/

test.each([1, 2, 3])('beside another user the service is not condemned (seed %i)', async (seed) => {
  const front = anotherUser(seed, { min: 50, max: 800 })
  const bent = { front, env: { SEED: String(seed), SETTLE_MS: '100' } }
  const checked = await runClauses(bent, ['assign.*', 'version.*'])
  expect(brokenIn(checked), checked.output).toEqual([])
  expect([0, 3], checked.output).toContain(checked.exitCode)
  const passed = checked.report?.clauses.filter(({ verdict }) => verdict === 'pass') ?? []
  expect(passed.length, checked.output).toBeGreaterThan(20)
})

describe('the writer of a foreign change is', () => {
  const told = (assignment_comment?: string, history = createHistory()) =>
    new ForeignChange(history, { assignment_comment } as never).message

  test('another run of this suite, if a comment names another run, and none if its name is cut off', () => {
    const comment = createToken(createHistory())
    const { history } = play([accepted()])
    expect(told(comment, history)).toContain('another run of this suite')
    expect(told(comment.toUpperCase(), history)).toContain('another run of this suite')
    expect(told(comment.slice(0, 32), history)).toMatch(unnamed)
    expect(told(createToken(history), history)).toMatch(unnamed)
  })

  test('another writer made a change if its comment is foreign, or missing in a run that saw another writer', () => {
    expect(told('please call back')).toContain('another writer')
    expect(told(undefined)).toMatch(unnamed)
    const { history } = play(meeting)
    expect(told(undefined, history)).toContain('another writer')
  })
})

test('reads that lag for longer than SETTLE_MS are named with what to set', async () => {
  const lent = await lendService({ bent: { readLag: () => 900 } })
  const env = { ...lent.env, SETTLE_MS: '200' }
  const { report, output } = await runProgram(env, ['--clauses', 'assign.persisted'])
  expect(report?.notices.join('\n'), output).toMatch(
    /SETTLE_MS=200 may be too short.*set SETTLE_MS=1000/,
  )
})
