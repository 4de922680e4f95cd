import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createAjv } from '../../engine/ajv.ts'
import { check } from '../../program/check.ts'
import { createInterruption } from '../../program/run/interruption.ts'
import schema from '../../schemas/events.schema.json' with { type: 'json' }
import { lendService } from '../helpers/loans/lent-service.ts'
import { warm } from '../proofs/threads/warm-threads.ts'
import { openTestFolder } from '../test-end.ts'

type Env = Record<string, string | undefined>

async function ran(argv: string[], env: Env = {}, more: object = {}) {
  const out: string[] = []
  const err: string[] = []
  const call = { argv, env: { SEED: '1', ...env }, cwd: openTestFolder(), runner: warm, ...more }
  const { exitCode } = await check({
    interruption: createInterruption(),
    ...call,
    out: { write: (text) => void out.push(text) },
    err: { write: (text) => void err.push(text) },
  })
  return { exitCode, out: out.join(''), err: err.join('') }
}

/** A service whose tasks can be read without a key. */
const lend = () => lendService({ wrong: { keyIsRequired: ({ op }) => op !== 'task.read' } })

const open = ['--clauses', 'auth.missing-key.task.read,task.read.types']

describe('--format', () => {
  test('brief has a line for each breach, then the verdict, and nothing else', async () => {
    const { env } = await lend()
    const { exitCode, out, err } = await ran([...open, '--format', 'brief'], env)
    const [breach = '', ...rest] = out.trimEnd().split('\n')
    expect(breach).toMatch(
      /^FAIL auth\.missing-key\.task\.read \(must\): GET .* responded 200, not 401 \| GET \/tasks\/\S+ \| expected 401 \| got 200$/,
    )
    expect(rest).toEqual([`NONCONFORMANT: 1 of 2 musts of ${open.join(' ')} broken; 1 passes`])
    expect(exitCode).toBe(1)
    expect(err).toContain('checking 2 clauses')
  })

  test('ndjson has an event a line, as its schema says, and the last one is the verdict', async () => {
    const { env } = await lend()
    const { exitCode, out } = await ran([...open, '--format', 'ndjson'], env)
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const isEvent = createAjv({}).compile(schema)
    for (const event of events) expect(isEvent(event), JSON.stringify(isEvent.errors)).toBe(true)
    expect(events.map(({ event }) => event)).toEqual(['started', 'judged', 'judged', 'verdict'])
    expect(events.find(({ id }) => id === 'auth.missing-key.task.read')).toMatchObject({
      verdict: 'fail',
      breaches: [{ expected: '401', got: '200', traces: [expect.stringMatching(/^[\da-f]{32}$/)] }],
    })
    expect(events.at(-1)).toMatchObject({ verdict: 'nonconformant', exitCode })
  })
})

test('--env-file is read in place of .env, and the later one wins', async () => {
  const { env } = await lend()
  const cwd = openTestFolder()
  const lines = (of: Env) => Object.entries(of).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(cwd, '.env'), 'BASE_URL=nonsense\n')
  writeFileSync(join(cwd, 'one.env'), lines({ ...env, BASE_URL: 'nonsense' }).join(''))
  writeFileSync(join(cwd, 'two.env'), lines({ BASE_URL: env.BASE_URL }).join(''))
  const files = ['--env-file', 'one.env', '--env-file', 'two.env']
  const { out } = await ran(['--plan', ...files], {}, { cwd })
  expect(out).toContain(`${join(cwd, 'one.env')} and ${join(cwd, 'two.env')} were read`)
  expect(out).toContain(`would test: ${env.BASE_URL}\n`)
})
