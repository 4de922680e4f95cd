import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { Evidence } from '../../engine/run/report.ts'
import { listClauses } from '../../program/clauses.ts'
import { makeWorld } from '../../reference/world/world.ts'
import report from '../../schemas/report.schema.json' with { type: 'json' }
import shapes from '../../schemas/shapes.schema.json' with { type: 'json' }
import { isLong } from '../long.ts'
import { runAgainst } from '../proofs/prove.ts'
import { ofLong } from '../test-end.ts'

const schemas = { 'shapes.schema.json': shapes }
const validate = new Ajv2020({ allowUnionTypes: true, schemas }).compile(report)

// Which task an update borrows depends on which is returned first.
const reads = /^(task|assessment)\.read\./

// `npm run long` checks every clause.
const few = 'auth.missing-key.*,task.read.*,notify.all,export.csv.status,export.pdf.readable'
const chosen = isLong ? [] : ['--clauses', few]

describe('a run', () => {
  test('is conformant, says what was tested, writes a valid report, and holds the key nowhere', async () => {
    const { exitCode, report, output } = await runAgainst({}, ['--verbose', ...chosen])
    expect(exitCode, output).toBe(0)
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
    expect(report?.target.embedded).toBe(true)
    const [first] = output.split('\n').filter((line) => line.startsWith('CONFORMANT'))
    expect(first).toMatch(/^CONFORMANT( with \d+ warnings?)?: \d+ of \d+ musts .*pass/)
    expect(JSON.stringify(report) + output).not.toContain(makeWorld(1).apiKey)
    expect(output).toMatch(/ {2}tested: the EMBEDDED REFERENCE SERVICE .*\n\nCONFORMANT/)
  })

  test('holds the key nowhere, though the service echoes it in values and errors', async () => {
    const { apiKey } = makeWorld(1)
    const { report, output } = await runAgainst(
      {
        events: 200,
        open: { errorBody: () => ({ type: 'text/plain', text: `bad ${apiKey}` }) },
        stated: { fieldValue: ({ field, value }) => (field === 'name' ? { is: apiKey } : value) },
      },
      ['--verbose', '--clauses', 'auth.missing-key.*,task.*,assign.unassigned-*,version.stale.*'],
    )
    expect(output).toContain('(configured)')
    for (const text of [output, JSON.stringify(report)]) expect(text.includes(apiKey)).toBe(false)
  })

  ofLong('is the same for the same seed', async () => {
    const some = ['--clauses', 'task.read.*,assign.unassigned-*,export.csv.status']
    const [one, other] = [await runAgainst({}, some), await runAgainst({}, some)]
    const pathsOf = ({ report }: typeof one, evidence: Evidence[]) =>
      evidence
        .map(({ exchange }) => report?.exchanges.find(({ number }) => number === exchange)?.path)
        .sort()
    const asked = (checked: typeof one) =>
      checked.report?.clauses.map(({ id, verdict, observed, varies, evidence }) => ({
        id,
        verdict,
        // Durations differ in each run.
        observed: varies === 'the moment' ? undefined : observed,
        paths: reads.test(id) ? pathsOf(checked, evidence) : [],
      }))
    expect(asked(one)).toEqual(asked(other))
  })
})

describe('flags', () => {
  test('--clauses also runs the owners that the chosen clauses refer to, and says so', async () => {
    const bent = { stated: { fieldIsShown: (at: { field: string }) => at.field !== 'status' } }
    const { exitCode, report } = await runAgainst(bent, ['--clauses', 'task.read.identity'])
    expect(report?.clauses.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['task.read.identity', 'pass'],
      ['task.read.fields', 'fail'],
    ])
    expect(report?.details).toContain(
      'not selected, but checked too, because other clauses refer to them: task.read.fields',
    )
    expect(exitCode).toBe(1)
  })

  test('npm run clauses -- --clauses lists these alone', async () => {
    const output: string[] = []
    const out = { write: (text: string) => output.push(text) }
    const argv = ['--clauses', 'task.read.identity, task.read.f*']
    await listClauses({ argv, env: {}, cwd: '', out })
    expect(output.map((line) => line.trim().split(/ +/).slice(0, 2).join(' '))).toEqual([
      'must task.read.identity',
      'must task.read.fields',
      '2 clauses',
    ])
  })

  test('--require fails a run that skips the clause', async () => {
    const argv = ['--clauses', 'auth.wrong-region,task.read.success', '--require', 'auth.wrong-r*']
    const { exitCode, report } = await runAgainst({}, argv)
    expect([exitCode, report?.verdict]).toEqual([1, 'incomplete'])
    expect(report?.reasons[0]).toContain('auth.wrong-region is required and was skipped: set WRONG')
  })

  test('--strict fails a run that breaks a should', async () => {
    const bent = { open: { malformedIdStatus: () => 400 } }
    const argv = ['--clauses', 'task.read.malformed-id.status']
    expect((await runAgainst(bent, argv)).exitCode).toBe(0)
    expect((await runAgainst(bent, [...argv, '--strict'])).exitCode).toBe(1)
  })

  test('--seed wins over SEED; observations alone are not green', async () => {
    const argv = ['--seed', '77', '--clauses', 'task.read.nulls']
    const { exitCode, report } = await runAgainst({}, argv)
    expect([exitCode, report?.seed]).toEqual([3, 77])
    expect(report?.reasons).toEqual([
      'there is nothing to judge: every clause of this run only observes',
    ])
  })
})

test('what came from the service is not obeyed by the terminal', async () => {
  const bent = { stated: { fieldValue: () => '\u001b[31mred\u0007' } }
  const { output } = await runAgainst(bent, ['--verbose', '--clauses', 'task.*'])
  expect(output).toContain('\\u001b[31mred')
  expect(output.includes('\u001b[31m')).toBe(false)
})
