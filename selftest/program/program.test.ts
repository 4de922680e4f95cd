import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { Evidence } from '../../engine/run/report.ts'
import { listClauses } from '../../program/clauses.ts'
import { compareReports } from '../../program/compare.ts'
import type { Call } from '../../program/input/read-flags.ts'
import { restore } from '../../program/restore.ts'
import { serve } from '../../program/serve.ts'
import { makeWorld } from '../../reference/world/world.ts'
import report from '../../schemas/report.schema.json' with { type: 'json' }
import shapes from '../../schemas/shapes.schema.json' with { type: 'json' }
import { runAgainst } from '../proofs/prove.ts'

const schemas = { 'shapes.schema.json': shapes }
const validate = new Ajv2020({ allowUnionTypes: true, schemas }).compile(report)

// Which task an update borrows depends on which is given back first.
const reads = /^(task|assessment)\.read\./

describe('the default run', () => {
  let made: ReturnType<typeof runAgainst> | undefined
  const defaultRun = () => {
    made ??= runAgainst({}, ['--verbose'])
    return made
  }

  test('is conformant, says what was tested, and writes a valid report', async () => {
    const { exitCode, report, output } = await defaultRun()
    expect(exitCode, output).toBe(0)
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
    expect(report?.target.embedded).toBe(true)
    const [first] = output.split('\n').filter((line) => line.startsWith('CONFORMANT'))
    expect(first).toMatch(/^CONFORMANT( with \d+ warnings?)?: \d+ of \d+ musts hold/)
    expect(output).toMatch(/ {2}tested: the EMBEDDED REFERENCE SERVICE .*\n\nCONFORMANT/)
  })

  test('holds the key nowhere', async () => {
    const { report, output } = await defaultRun()
    const { apiKey } = makeWorld(1)
    const texts = [output, JSON.stringify(report)]
    const forms = [apiKey, Buffer.from(apiKey).toString('base64'), encodeURIComponent(apiKey)]
    for (const text of texts) for (const form of forms) expect(text.includes(form)).toBe(false)
  })

  test('holds the key nowhere though the service echoes it in values and errors', async () => {
    const { apiKey } = makeWorld(1)
    const { report, output } = await runAgainst(
      {
        events: 200,
        open: { errorBody: () => ({ type: 'text/plain', text: `bad ${apiKey}` }) },
        stated: { fieldValue: ({ field, value }) => (field === 'name' ? { is: apiKey } : value) },
      },
      ['--verbose'],
    )
    expect(output).toContain('(configured)')
    for (const text of [output, JSON.stringify(report)]) expect(text.includes(apiKey)).toBe(false)
  })

  test('is the same for the same seed', async () => {
    const some = ['--clauses', 'task.*,assessment.*,assign.*,version.*,export.csv.*']
    const [one, other] = [await runAgainst({}, some), await runAgainst({}, some)]
    const pathsOf = ({ report }: typeof one, evidence: Evidence[]) =>
      evidence
        .map(({ exchange }) => report?.exchanges.find(({ number }) => number === exchange)?.path)
        .sort()
    const asked = (checked: typeof one) =>
      checked.report?.clauses.map(({ id, verdict, observed, varies, evidence }) => ({
        id,
        verdict,
        // How long something takes is another matter in each run.
        observed: varies === 'the moment' ? undefined : observed,
        paths: reads.test(id) ? pathsOf(checked, evidence) : [],
      }))
    expect(asked(one)).toEqual(asked(other))
  })
})

describe('flags', () => {
  test('--clauses runs these alone', async () => {
    const { report } = await runAgainst({}, ['--clauses', 'task.read.identity,task.read.f*'])
    expect(report?.clauses.map(({ id }) => id)).toEqual(['task.read.identity', 'task.read.fields'])
  })

  test('--clauses runs the owner of what these met too, and says so', async () => {
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
    const listed = async (...argv: string[]) => {
      const output: string[] = []
      const out = { write: (text: string) => output.push(text) }
      await listClauses({ argv, env: {}, cwd: '', out })
      return output.map((line) => line.trim().split(/ +/).slice(0, 2).join(' '))
    }
    expect(await listed('--clauses', 'task.read.identity, task.read.f*')).toEqual([
      'must task.read.identity',
      'must task.read.fields',
      '2 clauses',
    ])
    await expect(listed('--clauses', 'tsak.*')).rejects.toThrow(
      'tsak.* matches no clause: npm run clauses lists the ids.',
    )
    await expect(listed('--strict')).rejects.toThrow(
      'unknown flag --strict; npm run clauses -- --help lists the flags.',
    )
  })

  test.each<[string, (call: Call) => Promise<number>]>([
    ['clauses', listClauses],
    ['compare', compareReports],
    ['restore', restore],
    ['serve', serve],
  ])('--help tells how %s is called, and does nothing', async (command, run) => {
    for (const flag of ['--help', '-h']) {
      const output: string[] = []
      const out = { write: (text: string) => output.push(text) }
      expect(await run({ argv: [flag], env: {}, cwd: '', out })).toBe(0)
      expect(output.join('')).toMatch(new RegExp(`^npm run ${command}\\b`))
    }
  })

  test.each([['--clauses'], ['--require']])('%s with a glob that matches nothing', async (flag) => {
    await expect(runAgainst({}, [flag, 'tsak.*'])).rejects.toThrow(
      'tsak.* matches no clause: npm run clauses lists the ids.',
    )
  })

  test.each([
    ['task.reed', /^NOT_PERMITTED holds 'task\.reed', which is neither an operation nor the id/],
    ['version.stale', /^NOT_PERMITTED holds .*; did you mean version\.stale\.\*\?/],
  ])('NOT_PERMITTED with what is nothing: %s', async (declared, message) => {
    const env = { NOT_PERMITTED: declared }
    await expect(runAgainst({ env }, ['--clauses', 'task.read.fields'])).rejects.toThrow(message)
  })

  test('--clauses with the beginning of ids says what may be meant', async () => {
    await expect(runAgainst({}, ['--clauses', 'auth'])).rejects.toThrow(
      'auth matches no clause; did you mean auth.*? npm run clauses lists the ids.',
    )
  })

  test('--require fails a run that skips the clause', async () => {
    const argv = ['--clauses', 'auth.wrong-region,task.read.success', '--require', 'auth.wrong-r*']
    const { exitCode, report } = await runAgainst({}, argv)
    expect([exitCode, report?.verdict]).toEqual([1, 'incomplete'])
    expect(report?.reasons[0]).toContain('auth.wrong-region is required and was skipped: set WRONG')
  })

  test('--require of a clause that --clauses leaves out', async () => {
    const argv = ['--clauses', 'task.read.fields', '--require', 'auth.wrong-region']
    await expect(runAgainst({}, argv)).rejects.toThrow(
      'auth.wrong-region is required, but --clauses leaves it out.',
    )
  })

  test('--strict fails a run that breaks a should', async () => {
    const bent = { open: { malformedIdStatus: () => 400 } }
    const argv = ['--clauses', 'task.read.malformed-id.status']
    expect((await runAgainst(bent, argv)).exitCode).toBe(0)
    expect((await runAgainst(bent, [...argv, '--strict'])).exitCode).toBe(1)
  })

  test('--seed wins over SEED and stands in the report', async () => {
    const { report } = await runAgainst({}, ['--seed', '77', '--clauses', 'task.read.fields'])
    expect(report?.seed).toBe(77)
  })

  test('observations alone are no green', async () => {
    const { exitCode, report } = await runAgainst({}, ['--clauses', 'task.read.nulls'])
    expect(exitCode).toBe(3)
    expect(report?.reasons).toEqual([
      'nothing was to be judged: every clause of this run only observes',
    ])
  })
})

describe('a member missing from an answer', () => {
  // Left to a TypeError it would end as trouble of ours, and nobody would hear of the breach.
  test.each(['updated_at', 'assignment'])('%s condemns', async (field) => {
    const stated = { fieldIsShown: (at: { field: string }) => at.field !== field }
    const { report, exitCode, output } = await runAgainst({ stated, events: 200 })
    expect(exitCode, output).toBe(1)
    const verdicts = report?.clauses.map(({ verdict }) => verdict)
    expect(verdicts, output).not.toContain('inconclusive')
  })
})

describe('what came from the service', () => {
  test('is not obeyed by the terminal', async () => {
    const bent = { stated: { fieldValue: () => '\u001b[31mred\u0007' } }
    const { output } = await runAgainst(bent, ['--verbose', '--clauses', 'task.*'])
    expect(output).toContain('\\u001b[31mred')
    expect(output.includes('\u001b[31m')).toBe(false)
  })
})
