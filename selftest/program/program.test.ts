import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { listClauses } from '../../program/clauses.ts'
import { makeWorld } from '../../reference/world/world.ts'
import report from '../../schemas/report.schema.json' with { type: 'json' }
import shapes from '../../schemas/shapes.schema.json' with { type: 'json' }
import { isLong } from '../long.ts'
import { runAgainst } from '../proofs/prove.ts'

const schemas = { 'shapes.schema.json': shapes }
const validate = new Ajv2020({ allowUnionTypes: true, schemas }).compile(report)

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

  test('holds the key nowhere, though the service echoes it, and no sign that a terminal obeys', async () => {
    const { apiKey } = makeWorld(1)
    const stated = {
      fieldValue: ({ field, value }: { field: string; value: unknown }) =>
        field === 'name'
          ? { is: apiKey }
          : field === 'data_version'
            ? '\u001b[31mred\u0007'
            : value,
    }
    const open = { errorBody: () => ({ type: 'text/plain', text: `bad ${apiKey}` }) }
    const { report, output } = await runAgainst({ events: 200, open, stated }, [
      '--verbose',
      '--clauses',
      'auth.missing-key.*,task.*,assign.unassigned-*,version.stale.*',
    ])
    for (const said of ['(configured)', '\\u001b[31mred']) expect(output).toContain(said)
    for (const text of [output, JSON.stringify(report)]) expect(text.includes(apiKey)).toBe(false)
    expect(output.includes('\u001b[31m')).toBe(false)
  })
})

describe('flags', () => {
  test('--clauses also runs the owners that the chosen clauses refer to, and says so', async () => {
    const bent = { stated: { fieldIsShown: (at: { field: string }) => at.field !== 'status' } }
    const { exitCode, report } = await runAgainst(bent, ['--clauses', 'task.read.identity'])
    const verdicts = report?.clauses.map(({ id, verdict }) => `${id} ${verdict}`)
    expect(verdicts).toEqual(['task.read.identity pass', 'task.read.fields fail'])
    const more = 'not selected, but checked too, because other clauses refer to them: '
    expect(report?.details).toContain(`${more}task.read.fields`)
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

  test('--require fails a run that skips the clause, and --strict one that breaks a should', async () => {
    const bent = { open: { malformedIdStatus: () => 400 } }
    const ids = 'auth.wrong-region,task.read.malformed-id.status'
    const argv = ['--clauses', ids, '--strict', '--require', 'auth.wrong-r*']
    const { exitCode, report } = await runAgainst(bent, argv)
    expect([exitCode, report?.verdict]).toEqual([1, 'nonconformant'])
    expect(report?.reasons.join()).toContain(
      'auth.wrong-region is required and was skipped: set WRONG',
    )
    expect((await runAgainst(bent, argv.slice(0, 2))).exitCode).toBe(0)
  })

  test('--seed wins over SEED; observations alone are not green', async () => {
    const argv = ['--seed', '77', '--clauses', 'task.read.nulls']
    const { exitCode, report } = await runAgainst({}, argv)
    expect([exitCode, report?.seed]).toEqual([3, 77])
    const nothing = 'there is nothing to judge: every clause of this run only observes'
    expect(report?.reasons).toEqual([nothing])
  })
})
