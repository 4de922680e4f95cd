import { describe, expect, test } from 'vitest'
import { matchesAny } from '../../engine/glob.ts'
import { clausesIn, profileNames } from '../../helpers/settings/profiles.ts'
import costs from '../../program/costs.json' with { type: 'json' }
import { contract } from '../../program/run/contract.ts'
import { stated } from '../../reference/rules/stated.ts'
import { badgeOf } from '../../reporting/badge.ts'
import { htmlOf } from '../../reporting/html/report.ts'
import { junitOf } from '../../reporting/junit.ts'
import { markdownOf } from '../../reporting/markdown.ts'
import { summaryOf } from '../../reporting/parts/summary.ts'
import { allClauses } from '../all-clauses.ts'
import { runAgainst } from '../proofs/prove.ts'

describe('the profile smoke', () => {
  test('sends at most 60 requests, has no update accepted, and is named everywhere', async () => {
    const { exitCode, report } = await runAgainst({}, ['--profile', 'smoke'])
    if (!report) throw new Error('there is no report')
    expect(exitCode).toBe(0)
    expect(report.requests).toBeLessThanOrEqual(60)
    expect(costs.profiles.smoke[0]).toBeLessThanOrEqual(60)
    const updates = report.exchanges.filter(({ method }) => method === 'PUT')
    expect(updates.filter(({ status = 0 }) => status < 400)).toEqual([])
    expect(updates.length).toBeGreaterThan(0)
    const line = 'CONFORMANT: 24 of 24 musts of --profile smoke pass'
    expect(summaryOf(report).line).toBe(line)
    expect(JSON.parse(badgeOf(report))).toMatchObject({
      color: 'blue',
      message: expect.stringContaining('--profile smoke'),
    })
    expect(junitOf(report)).toContain('<testsuites name="Contract tests (--profile smoke alone)"')
    expect(markdownOf(report)).toContain('of --profile smoke pass')
    const page = htmlOf(report, contract)
    expect(page).toContain('<title>conformant (--profile smoke alone): ')
    expect(page).toContain('Only a part was checked: --profile smoke.')
  })

  test('finds operations that are open to everybody, and an assessment that is empty', async () => {
    const isOpen = ({ op }: { op: string }) => op === 'export' || op === 'assign.update'
    const keyIsRequired = (call: { op: string }) => !isOpen(call)
    const keyIsValid: typeof stated.keyIsValid = (given) =>
      isOpen(given) || stated.keyIsValid(given)
    const answerText: typeof stated.answerText = (call) =>
      call.op === 'assessment.read' ? '{}' : stated.answerText(call)
    const bent = { stated: { keyIsRequired, keyIsValid, answerText } }
    const { report, exitCode } = await runAgainst(bent, ['--profile', 'smoke'], { makers: {} })
    const verdictOf = (id: string) => report?.clauses.find((clause) => clause.id === id)?.verdict
    expect(verdictOf('auth.missing-key.export')).toBe('fail')
    expect(verdictOf('auth.before-lookup.assign.update')).toBe('warn')
    expect(verdictOf('assessment.read.fields')).toBe('fail')
    expect(exitCode).toBe(1)
  })
})

test('each profile has its cost, and clauses; reads sends no update, and updates asks for no export but the trail', async () => {
  for (const profile of profileNames) {
    const globs = clausesIn(profile) ?? ['*']
    const ids = (await allClauses()).map(({ id }) => id).filter((id) => matchesAny(id, globs))
    expect(ids.length).toBeGreaterThan(30)
    expect(costs.profiles[profile][0]).toBeGreaterThan(50)
    if (profile === 'updates') expect(ids.filter((id) => /export/.test(id))).toEqual([])
  }
  expect(costs.profiles.reads.slice(1)).toEqual([0, 0, 0, 0, 0])
})
