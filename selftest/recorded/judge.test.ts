import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { createAjv } from '../../engine/ajv.ts'
import type { Recorded } from '../../helpers/service/seen.ts'
import { type Judge, judge } from '../../program/judge.ts'
import { listenTo } from '../../reference/listen.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import schema from '../../schemas/statement.schema.json' with { type: 'json' }
import { allClauses } from '../all-clauses.ts'
import { openWorkerFolder } from '../test-end.ts'
import { entryOf, keyed, recordOf, writeHar } from './har.ts'

const dir = openWorkerFolder()

const world = makeWorld(1, { events: 40 })
const service = createService({ world })
const [task, other] = world.tasks.map(({ id }) => id) as [string, string]
let second = 0

/** What a recorder writes of a read, a second after the one before. */
async function ask(path: string): Promise<Recorded> {
  second += 1
  const start = Date.UTC(2026, 0, 1) + second * 1000
  const requestHeaders = { ...keyed, apikey: world.apiKey }
  const request = new Request(`http://api.example.com/v5${path}`, { headers: requestHeaders })
  const response = await service.fetch(request)
  const [{ status }, body] = [response, await response.text()]
  const headers = Object.fromEntries(response.headers)
  return recordOf({ number: second, start, path, requestHeaders, status, headers, body })
}

/** Judges files; all reports are written where a test reads them. */
async function run(
  files: readonly string[],
  flags: readonly string[] = [],
  more: Partial<Judge> = { makers: {} },
) {
  const cwd = mkdtempSync(join(dir, 'run-'))
  const output: string[] = []
  const checked = await judge({
    argv: [...files, ...flags],
    env: {},
    cwd,
    out: { write: (text: string) => output.push(text) },
    collect: allClauses,
    ...more,
  })
  return { ...checked, output: output.join(''), folder: join(cwd, 'reports/judged') }
}

/** Judges a recording of these exchanges, or entries of a HAR. */
const judging = (recorded: readonly (Recorded | object)[], ...more: [string[]?, Partial<Judge>?]) =>
  run([writeHar(join(dir, 'recorded.har'), recorded)], ...more)

const verdictOn = (id: string, { report }: Awaited<ReturnType<typeof run>>) =>
  report?.clauses.find((clause) => clause.id === id)?.verdict

let reads: Recorded[] = []
beforeAll(async () => {
  reads = [
    await ask(`/tasks/${task}`),
    await ask(`/tasks/${other}`),
    await ask('/tasks/5b0c5a8e-4c1b-4b57-9d43-0d6d0c0f4f11'),
  ]
})

test('judges what the traffic shows, and names the rest as not shown', async () => {
  const judged = await judging(reads)
  expect(judged.exitCode).toBe(0)
  expect(judged.output).toMatch(
    /CONFORMANT: \d+ of \d+ musts pass, judged from 3 recorded exchanges; \d+ not decided by this traffic/,
  )
  expect(verdictOn('task.read.identity', judged)).toBe('pass')
  expect(verdictOn('task.read.not-found', judged)).toBe('pass')
  expect(verdictOn('version.stale.assign', judged)).toBe('skip')
})

test('condemns a task of another id, and ends with 1', async () => {
  const swapped = { ...(reads[0] as Recorded), body: (reads[1] as Recorded).body as Buffer }
  const judged = await judging([swapped])
  expect(judged.exitCode).toBe(1)
  expect(verdictOn('task.read.identity', judged)).toBe('fail')
})

test('entries out of order are judged in the order of their times', async () => {
  const judged = await judging(reads.toReversed())
  expect(judged.report?.exchanges.map(({ start }) => start)).toEqual(
    [...(judged.report?.exchanges ?? [])].map(({ start }) => start).sort(),
  )
  expect(judged.exitCode).toBe(0)
})

describe('what the traffic cannot prove is not a breach', () => {
  const wrong = () => ({ ...(reads[0] as Recorded), body: Buffer.from('{"id":"x"}') })
  // biome-ignore format: one recording a line
  const cases: Record<string, () => object> = {
    'an answer from the cache of a browser': () => ({ ...entryOf(wrong()), _fromCache: 'disk' }),
    'an answer from a cache on the way': () => ({ ...wrong(), headers: { age: '30' } }),
    'a body that was left out': () => ({ ...entryOf(wrong()), response: { status: 200, headers: [], content: { size: 900 } } }),
    'a body that was cut': () => ({ ...entryOf(wrong()), response: { status: 200, headers: [], content: { size: 900, text: '{"id":' } } }),
    'a body that is still compressed': () => ({ ...wrong(), headers: { 'content-encoding': 'br' }, body: Buffer.from([0x1b, 0xff, 0xfe, 0x80]) }),
    'a request without a key, where no other of the recording has one': () => ({ ...(reads[0] as Recorded), requestHeaders: { host: 'a' } }),
    'an answer that never came': () => ({ ...wrong(), status: 0 }),
    'an answer of a gateway': () => ({ ...wrong(), status: 502 }),
  }
  test.each(Object.keys(cases))('%s', async (name) => {
    const judged = await judging([cases[name]?.() ?? {}])
    expect(
      judged.report?.clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn'),
    ).toEqual([])
  })
})

test('a missing key is condemned beside requests that carry one', async () => {
  const [read] = reads as [Recorded]
  const start = read.start + 60_000
  const bare = { ...read, requestHeaders: { host: 'api.example.com' }, start, end: start + 10 }
  const judged = await judging([...reads, bare])
  expect(verdictOn('auth.missing-key.task.read', judged)).toBe('fail')
})

test('no output holds secrets of others, wherever the recording has them', async () => {
  const secrets = {
    apikey: 'their-api-key-1234567',
    authorization: 'Bearer their.token.abcdefgh',
    cookie: 'sid=their-session-9876543',
  }
  const planted = {
    ...(reads[0] as Recorded),
    path: `/tasks/${task}?access_token=their-query-token-55`,
    requestHeaders: { host: 'a', ...secrets },
    headers: {
      'set-cookie': 'next=their-next-cookie-77; Path=/; HttpOnly',
      'x-echo': 'their-session-9876543',
    },
  }
  const echo = `${Object.values(secrets).join(' ')} their-next-cookie-77 their-query-token-55`
  const body = Buffer.from(JSON.stringify({ id: task, echo }))
  const judged = await judging([{ ...planted, body }], ['--verbose'], {})
  const written = readdirSync(judged.folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => readFileSync(join(each.parentPath, each.name), 'utf8'))
  for (const text of [judged.output, ...written])
    expect(text).not.toMatch(
      /their-(api-key-1234567|session-9876543|next-cookie-77|query-token-55)|their\.token\.abcdefgh/,
    )
})

describe('notes', () => {
  const noteFile = (content: unknown) => {
    writeFileSync(join(dir, 'notes.json'), JSON.stringify(content))
    return ['--notes', join(dir, 'notes.json')]
  }
  const shown = { text: 'accepted for 2.1', who: 'Ada', when: '2026-12-01' }
  const note = { clause: 'task.read.identity', ...shown }
  test('stand beside the verdicts in the reports, and change none', async () => {
    const lost = { ...note, clause: 'no.such' }
    const noted = await judging(reads, noteFile([note, lost]), {})
    const plain = await judging(reads)
    const verdicts = ({ report }: typeof plain) =>
      report?.clauses.map(({ id, verdict }) => `${id} ${verdict}`)
    expect(verdicts(noted)).toEqual(verdicts(plain))
    expect(noted.exitCode).toBe(plain.exitCode)
    expect(noted.report?.clauses.find(({ id }) => id === note.clause)?.notes).toEqual([shown])
    expect(noted.report?.notices).toContain('a note is about no.such, which is not in this run')
    for (const name of ['report.json', 'index.html', 'summary.md']) {
      const text = readFileSync(join(noted.folder, name), 'utf8')
      for (const part of Object.values(shown)) expect(text, name).toContain(part)
    }
  })

  test.each([
    ['no list', {}, /notes\.json does not hold a list; write \[/],
    ['an entry without a name', [{ ...note, who: ' ' }], /entry 1: who is missing or not a text/],
    ['no day', [{ ...note, when: 'soon' }], /entry 1: when is 'soon'; give a day/],
    ['an unknown member', [{ ...note, mood: 'x' }], /entry 1: unknown member 'mood'/],
  ])('%s ends with one sentence', async (_, content, sentence) => {
    await expect(judging(reads, noteFile(content))).rejects.toThrow(sentence)
  })
})

test('the statement fits its schema, and names the written files', async () => {
  const { folder } = await judging(reads, [], {})
  const statement = JSON.parse(readFileSync(join(folder, 'report.statement.json'), 'utf8'))
  const isStatement = createAjv({}).compile(schema)
  expect(isStatement(statement), JSON.stringify(isStatement.errors)).toBe(true)
  const [target, ...files] = statement.subject
  expect(target.name).toBe('https://api.example.com/v5')
  expect(files.map(({ name }: { name: string }) => name)).toContain('report.json')
  for (const { name, digest } of files) {
    const bytes = readFileSync(join(folder, name))
    expect(digest.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  }
})

describe('bad input ends with one sentence', () => {
  const file = (text: string) => {
    writeFileSync(join(dir, 'bad.har'), text)
    return [join(dir, 'bad.har')]
  }
  const entries = (...urls: string[]) => {
    const all = urls.map((url) => entryOf({ ...(reads[0] as Recorded), path: '' }, url))
    return [writeHar(join(dir, 'bad.har'), all)]
  }
  // biome-ignore format: one mistake a line
  const cases: [string, () => string[], RegExp][] = [
    ['nothing', () => [], /^judge needs a HAR file, or --proxy PORT and --target URL\.$/],
    ['a file that is not there', () => [join(dir, 'none.har')], /none\.har cannot be read: .*; give a HAR file/],
    ['not a HAR', () => file('{"some": "JSON"}'), /bad\.har has no log\.entries; give a HAR file/],
    ['not JSON', () => file('hello'), /bad\.har has no log\.entries/],
    ['a HAR that is cut', () => file('{"log":{"entries":[{"a":1}'), /bad\.har is cut short/],
    ['a HAR without our operations', () => entries('https://example.com/index.html'), /contains no exchange with one of the four operations/],
    ['two bases', () => entries('https://a.example.com/v5/tasks/1', 'https://b.example.com/v5/tasks/1'), /contains two bases, https:\/\/a\.example\.com\/v5 and https:\/\/b\.example\.com\/v5; name one with --base\.$/],
    ['a base that is not there', () => [...entries('https://a.example.com/v5/tasks/1'), '--base', 'https://c.example.com/v5'], /below https:\/\/c\.example\.com\/v5; record some/],
    ['a proxy without a target', () => ['--proxy', '0'], /^--proxy and --target belong together; give both\.$/],
    ['a target that is not an address', () => ['--proxy', '0', '--target', 'nowhere'], /^--target is 'nowhere', which is not an http or https address/],
    ['a proxy and a file', () => [...file('{}'), '--proxy', '0', '--target', 'http://localhost'], /^--proxy records by itself; leave the HAR file out\.$/],
  ]
  test.each(cases)('%s', async (_, argv, sentence) => {
    const message = await run(argv()).then(
      () => '',
      ({ message }: Error) => message,
    )
    expect(message).toMatch(sentence)
    expect(message.split('\n')).toHaveLength(1)
  })
})

test('names the version of the contract before other addresses that look like tasks', async () => {
  const page = {
    ...entryOf(reads[0] as Recorded),
    request: { method: 'GET', url: 'https://app.example.com/tasks/7', headers: [] },
  }
  const judged = await judging([page, ...reads])
  expect(judged.report?.target.baseUrl).toBe('https://api.example.com/v5')
})

describe('the proxy', () => {
  /** Runs requests through the proxy to a target, and gives what was judged of them. */
  async function through(target: string, use: (base: string) => Promise<void>) {
    const ending = new AbortController()
    let told = (_: string) => {}
    const address = new Promise<string>((resolve) => {
      told = (text) => resolve(/http:\S+/.exec(text)?.[0] ?? '')
    })
    const out = { write: (text: string) => told(text) }
    const more = { out, signal: ending.signal, makers: {} }
    const judged = run([], ['--proxy', '0', '--target', target], more)
    await use(await address)
    ending.abort()
    return judged
  }

  test('passes requests and answers on as they are, and judges them', async () => {
    const { origin, close } = await listenTo(service.fetch, {})
    const headers = { apikey: world.apiKey }
    const judged = await through(origin, async (base) => {
      for (const path of [
        `/v5/tasks/${task}`,
        '/v5/tasks/5b0c5a8e-4c1b-4b57-9d43-0d6d0c0f4f11',
        '/v5/audit-sentinel/events/export',
      ]) {
        const [own, passed] = [origin, base].map(async (place) => {
          const answer = await fetch(`${place}${path}`, { headers })
          return [answer.status, answer.headers.get('content-type'), await answer.text()]
        })
        expect(await passed).toEqual(await own)
      }
    })
    await close()
    expect(judged.report).toMatchObject({ recorded: 3, target: { baseUrl: `${origin}/v5` } })
    expect(verdictOn('task.read.identity', judged)).toBe('pass')
  })

  test('a target that is down is named, and nothing is judged', async () => {
    const judged = through('http://127.0.0.1:9', async (base) => {
      const answer = await fetch(`${base}/v5/tasks/${task}`)
      expect(answer.status).toBe(502)
      expect(await answer.text()).toMatch(
        /^the proxy got no response from http:\/\/127\.0\.0\.1:9: ECONNREFUSED/,
      )
    })
    expect((await judged).report?.verdict).toBe('inconclusive')
  })
})
