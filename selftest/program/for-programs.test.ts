import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createAjv } from '../../engine/ajv.ts'
import { check } from '../../program/check.ts'
import { createInterruption } from '../../program/run/interruption.ts'
import schema from '../../schemas/events.schema.json' with { type: 'json' }
import { lendService } from '../helpers/loans/lent-service.ts'
import { warm } from '../proofs/threads/warm-threads.ts'
import { openTestFolder } from '../test-end.ts'

type Env = Record<string, string | undefined>

/** Begins a run; what it prints is collected, also while it is under way. */
function begun(argv: string[], env: Env = {}, more: object = {}) {
  const [out, err, told] = [[], [], []] as [string[], string[], string[]]
  const write = (to: string[]) => ({
    write: (text: string) => [to, told].map((one) => one.push(text)),
  })
  const interruption = createInterruption()
  const call = { argv, env: { SEED: '1', ...env }, cwd: openTestFolder(), runner: warm, ...more }
  const ended = check({ interruption, ...call, out: write(out), err: write(err) })
  return { ended, interruption, out, err, told }
}

async function ran(...given: Parameters<typeof begun>) {
  const { ended, out, err } = begun(...given)
  const { exitCode } = await ended
  return { exitCode, out: out.join(''), err: err.join('') }
}

/** A service whose tasks can be read without a key, until it is repaired. */
async function lend() {
  let isMended = false
  const lent = await lendService({
    wrong: { keyIsRequired: ({ op }) => isMended || op !== 'task.read' },
    between: async (request, next) => {
      const answer = await next(request)
      answer.headers.set('x-revision', isMended ? '2' : '1')
      return answer
    },
  })
  const env: Env = { ...lent.env, REVISION_HEADER: 'x-revision' }
  return { env, mend: () => (isMended = true) }
}

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

test('--watch runs what is not green on Enter and on another revision, then everything', async () => {
  const { env, mend } = await lend()
  const input = new PassThrough()
  const watched = begun([...open, '--watch', '--format', 'brief'], env, { input })
  const said = (text: RegExp) => expect.poll(() => watched.told.join('')).toMatch(text)
  await said(/watching: Enter runs what is not green again, and so does another x-revision than 1/)
  input.write('\n')
  await said(/Enter\nchecking 1 clause\n(.|\n)*watching: Enter runs what is not green/)
  mend()
  await said(/x-revision is 2 now\nchecking 1 clause\n(.|\n)*watching: Enter runs everything again/)
  watched.interruption.end('enough')
  expect((await watched.ended).exitCode).toBe(0)
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
