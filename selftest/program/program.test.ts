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
const few = 'auth.missing-key.task.*,task.read.*,notify.all,export.csv.status,export.pdf.readable'
const chosen = isLong ? [] : ['--clauses', few]

describe('a run', () => {
  test('is conformant, says what was tested, and writes a valid report', async () => {
    const { exitCode, report, output } = await runAgainst({ events: 200 }, chosen)
    expect(exitCode, output).toBe(0)
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
    expect(report?.target.embedded).toBe(true)
    expect(output).toMatch(
      / {2}tested: the EMBEDDED REFERENCE SERVICE .*\n\nCONFORMANT( with \d+ warnings?)?: \d+ of \d+ musts .*pass/,
    )
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
      'auth.missing-key.task.*,task.read.*',
    ])
    for (const said of ['(configured)', '\\u001b[31mred']) expect(output).toContain(said)
    for (const text of [output, JSON.stringify(report)]) expect(text.includes(apiKey)).toBe(false)
    expect(output.includes('\u001b[31m')).toBe(false)
  })
})

describe('flags', () => {
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

  test('--require fails a run that skips the clause, --strict one that breaks a should; --seed wins over SEED', async () => {
    const bent = { open: { malformedIdStatus: () => 400 } }
    const ids = 'auth.wrong-region,task.read.malformed-id.status'
    const argv = ['--clauses', ids, '--seed', '77', '--strict', '--require', 'auth.wrong-r*']
    const { exitCode, report } = await runAgainst(bent, argv)
    expect([exitCode, report?.verdict, report?.seed]).toEqual([1, 'nonconformant', 77])
    expect(report?.reasons.join()).toContain(
      'auth.wrong-region is required and was skipped: set WRONG',
    )
    expect((await runAgainst(bent, argv.slice(0, 2))).exitCode).toBe(0)
  })
})
