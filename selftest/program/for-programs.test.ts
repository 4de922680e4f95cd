import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createAjv } from '../../engine/ajv.ts'
import { check } from '../../program/check.ts'
import { createInterruption } from '../../program/run/interruption.ts'
import { environmentFor } from '../../program/stand-in/settings-for.ts'
import { listen } from '../../reference/listen.ts'
import { stated } from '../../reference/rules/stated.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import schema from '../../schemas/events.schema.json' with { type: 'json' }
import { warm } from '../proofs/threads/warm-threads.ts'
import { openTestFolder, untilTestEnd } from '../test-end.ts'

type Env = Record<string, string | undefined>

async function ran(argv: string[], { env = {} as Env, ...more } = {}) {
  const [out, err] = [[] as string[], [] as string[]]
  const write = (to: string[]) => ({ write: (text: string) => to.push(text) })
  const call = { argv, env: { SEED: '1', ...env }, cwd: openTestFolder(), runner: warm(), ...more }
  const { exitCode } = await check({
    interruption: createInterruption(),
    ...call,
    out: write(out),
    err: write(err),
  })
  return { exitCode, out: out.join(''), err: err.join('') }
}

/** A service whose tasks can be read without a key, until it is repaired. */
async function lend() {
  let isMended = false
  const keyIsRequired = ({ op }: { op: string }) => isMended || op !== 'task.read'
  const service = createService({ world: makeWorld(1), stated: { ...stated, keyIsRequired } })
  const fetch = async (request: Request) => {
    const answer = await service.fetch(request)
    answer.headers.set('x-revision', isMended ? '2' : '1')
    return answer
  }
  const { baseUrl } = untilTestEnd(await listen({ ...service, fetch }))
  const env = { BASE_URL: baseUrl, ...environmentFor(service), REVISION_HEADER: 'x-revision' }
  const mend = () => {
    isMended = true
  }
  return { env, mend }
}

const open = ['--clauses', 'auth.missing-key.task.read,task.read.types']

describe('--format', () => {
  test('brief has a line for each breach, then the verdict, and nothing else', async () => {
    const { env } = await lend()
    const { exitCode, out, err } = await ran([...open, '--format', 'brief'], { env })
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
    const { exitCode, out } = await ran([...open, '--format', 'ndjson'], { env })
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
  const interruption = createInterruption()
  const told: string[] = []
  const running = check({
    argv: [...open, '--watch', '--format', 'brief'],
    env: { SEED: '1', ...env },
    cwd: openTestFolder(),
    runner: warm(),
    interruption,
    input,
    out: { write: (text) => told.push(text) },
    err: { write: (text) => told.push(text) },
  })
  const said = (text: RegExp) => expect.poll(() => told.join('')).toMatch(text)
  await said(/watching: Enter runs what is not green again, and so does another x-revision than 1/)
  input.write('\n')
  await said(/Enter\nchecking 1 clause\n(.|\n)*watching: Enter runs what is not green/)
  mend()
  await said(/x-revision is 2 now\nchecking 1 clause\n(.|\n)*watching: Enter runs everything again/)
  interruption.end('enough')
  expect((await running).exitCode).toBe(0)
})

describe('--env-file', () => {
  test('is read in place of .env, and the later one wins', async () => {
    const { env } = await lend()
    const cwd = openTestFolder()
    const lines = (of: Env) => Object.entries(of).map(([name, value]) => `${name}=${value}\n`)
    writeFileSync(join(cwd, '.env'), 'BASE_URL=nonsense\n')
    writeFileSync(join(cwd, 'one.env'), lines({ ...env, BASE_URL: 'nonsense' }).join(''))
    writeFileSync(join(cwd, 'two.env'), lines({ BASE_URL: env.BASE_URL }).join(''))
    const files = ['--env-file', 'one.env', '--env-file', 'two.env']
    const { out } = await ran([...open, ...files], { cwd } as never)
    expect(out).toContain(`${join(cwd, 'one.env')} and ${join(cwd, 'two.env')} were read`)
    expect(out).toContain(`tested: ${env.BASE_URL}`)
  })
})
