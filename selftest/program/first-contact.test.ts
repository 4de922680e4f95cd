import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { readSettings } from '../../helpers/settings/read.ts'
import { firstContact } from '../../program/run/first-contact.ts'
import { harOf } from '../../reporting/har.ts'
import { junitOf } from '../../reporting/junit.ts'
import { markdownOf } from '../../reporting/markdown.ts'
import { httpServer } from '../engine/http/servers.ts'
import { type Lent, lendService } from '../helpers/loans/lent-service.ts'
import { runProgram } from '../proofs/prove.ts'
import { htmlOf } from '../reporting/sample-reports.ts'
import { openTestFolder } from '../test-end.ts'

const id = '123e4567-e89b-12d3-a456-426614174000'

const keyOnly = ({ baseUrl, apiKey }: Lent) => ({ BASE_URL: baseUrl, API_KEY: apiKey })

describe('a run that can be made', () => {
  const clauses = ['--clauses', 'task.read.fields,assessment.read.fields']
  const least = ['--clauses', 'task.read.not-found']

  test.each([
    ['with ids', '', 'task.read.fields', true],
    ['without any id', '/', 'task.read.not-found', false],
  ])(
    'an address without /v5 is repaired, and the report says so: %s',
    async (_, end, id, hasIds) => {
      const lent = await lendService()
      const BASE_URL = lent.baseUrl.replace('/v5', end)
      const env = { ...keyOnly(lent), BASE_URL, ...(hasIds && { READ_TASK_IDS: lent.taskIds[0] }) }
      const checked = await runProgram(env, ['--clauses', id])
      expect(checked.report?.target.baseUrl).toBe(lent.baseUrl)
      expect(checked.report?.notices.join()).toContain('does not end in /v5')
      expect(checked.exitCode, checked.output).toBe(0)
    },
  )

  test('says which revision of the service it met, and by which suite', async () => {
    const lent = await lendService({
      between: async (request, next) => {
        const answer = await next(request)
        answer.headers.set('X-Revision', '7.2.1 <b>')
        return answer
      },
    })
    const env = { ...keyOnly(lent), REVISION_HEADER: 'X-Revision' }
    const { report } = await runProgram(env, least)
    expect(report?.target.revision).toBe('7.2.1 <b>')
    expect(report?.node).toBe(process.versions.node)
    const made = [htmlOf, junitOf, markdownOf, harOf].map((make) => make(report as Report))
    for (const text of made) expect(text).toMatch(/7\.2\.1 (<b>|&lt;b|&#60;b)/)
    const without = await runProgram({ ...env, REVISION_HEADER: 'x-none' }, least)
    const none = 'no response has the header x-none of REVISION_HEADER'
    expect(without.report?.notices).toContain(none)
  })

  test('a gateway that refuses unknown headers leads to TRACE', async () => {
    const lent = await lendService({
      between: async (request, next) =>
        request.headers.has('traceparent')
          ? new Response('unknown header', { status: 400 })
          : next(request),
    })
    await expect(runProgram(keyOnly(lent), least)).rejects.toThrow(
      'responds 400 to a request with the header traceparent, and 404 without it; set TRACE=0.',
    )
    const borne = await runProgram({ ...keyOnly(lent), TRACE: '0' }, least)
    expect(borne.exitCode, borne.output).toBe(0)
  })

  test('unknown ids are left out and named', async () => {
    const lent = await lendService()
    const ids = { READ_TASK_IDS: `${id},${lent.taskIds[0]}`, ASSESSMENT_IDS: id }
    const { report } = await runProgram({ ...keyOnly(lent), ...ids }, clauses)
    expect(report?.notices).toContain(`the service has no task ${id} (404): the run skips this id`)
    const verdicts = new Map(report?.clauses.map((c) => [c.id, [c.verdict, c.reason]]))
    expect(verdicts.get('task.read.fields')).toEqual(['pass', undefined])
    const none = 'none of the ids of ASSESSMENT_IDS is found (404): correct ASSESSMENT_IDS'
    expect(verdicts.get('assessment.read.fields')).toEqual(['skip', none])
  })

  test.each([
    ['TASK_IDS', 'assessments', 'tasks'],
    ['READ_TASK_IDS', 'assessments', 'tasks'],
    ['ASSESSMENT_IDS', 'tasks', 'assessments'],
  ] as const)('ids of %s that are %s: it cannot be made', async (name, are, should) => {
    const lent = await lendService()
    const of = { tasks: lent.taskIds, assessments: lent.assessmentIds }
    const [first = '', second = ''] = of[are]
    const others = are === 'tasks' ? 'READ_TASK_IDS' : 'ASSESSMENT_IDS'
    // After an unknown id, and with various separators.
    const ids = { [others]: of[are][2], [name]: `${id}; ${first} ${second}` }
    await expect(runProgram({ ...keyOnly(lent), ...ids }, clauses)).rejects.toThrow(
      `${name} contains ids of ${are}, such as ${first}; give the ids of ${should}.`,
    )
  })

  test('with nothing but address and key the refusals are checked, and nothing else', async () => {
    const argv = ['--clauses', 'auth.missing-key.task.read,task.read.*,assign.unassigned-to-user']
    const checked = await runProgram(keyOnly(await lendService()), argv)
    const decided = checked.report?.clauses.filter(({ verdict }) => verdict === 'pass')
    expect(checked.exitCode, checked.output).toBe(0)
    for (const each of ['auth.missing-key.task.read', 'task.read.not-found'])
      expect(decided?.map(({ id }) => id)).toContain(each)
    expect(checked.output).toContain('set TASK_IDS or READ_TASK_IDS')
  })

  /** A service that answers each kind of request with a status, 404 if none is named; and what it was asked. */
  async function answering(statuses: Partial<Record<string, number>>) {
    const asked: string[] = []
    const origin = await httpServer(({ url = '', headers }, response) => {
      const kind = `${'apikey' in headers ? 'with' : 'without'} ${url.split(/[/?]/)[2]}`
      asked.push(kind)
      response.writeHead(statuses[kind] ?? 404).end()
    })
    return { asked, env: { BASE_URL: `${origin}/v5`, API_KEY: 'any', TRACE: '0' } }
  }
  const four = ['with tasks', 'without tasks', 'without audit-sentinel', 'with audit-sentinel']

  test('a base that answers 404 to every path is a mistake in BASE_URL', async () => {
    const { asked, env } = await answering({})
    await expect(runProgram(env)).rejects.toThrow(
      `BASE_URL ${env.BASE_URL} responds 404 to every path, with the key and without: the service is missing there; give its regional address, ending in /v5.`,
    )
    expect(asked).toEqual(four)
  })

  test.each<[string, Partial<Record<string, number>>, number]>([
    ['one that asks for the key', { 'without tasks': 401 }, 2],
    ['one that looks for the task first', { 'without audit-sentinel': 401 }, 3],
    ['one that asks for no key', { 'with audit-sentinel': 200 }, 4],
    ['one that answers anything else', { 'with tasks': 403 }, 1],
  ])('%s is there, which takes %j: %i requests', async (_, statuses, requests) => {
    const { asked, env } = await answering(statuses)
    const settings = readSettings(env, { cwd: openTestFolder() })
    const contact = await firstContact(settings, new AbortController().signal)
    expect(contact.requests).toBe(requests)
    expect(asked).toEqual(four.slice(0, requests))
  })
})

const answeringAll =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end()

/** A service that answers its first request with one status, and the others with another. */
function answeringFirst(first: number, others: number): RequestListener {
  let count = 0
  return (_, response) => {
    count += 1
    response.writeHead(count === 1 ? first : others).end()
  }
}

describe('a service that is down', () => {
  const some = ['--clauses', 'task.read.*,auth.missing-key.*,export.csv.status']

  // biome-ignore format: one service a line
  test.for<[string, RequestListener, RegExp]>([
    ['503', answeringAll(503), /^BASE_URL \S+ responds 503 to every request: the service is not up$/],
    ['500', answeringAll(500), /responds 500 to every request: the service is not up$/],
    ['429, asking to wait for an hour', answeringAll(429, { 'retry-after': '3600' }), /responds 429 to every request: it limits requests; try again later or set REQUESTS_PER_SECOND$/],
    ['503 or 429', answeringFirst(503, 429), /responds 429 or 503 to every request: the service is not up$/],
    ['nothing in time', () => {}, /^BASE_URL \S+ does not respond: GET \S+: no response within 500 ms$/],
    ['by closing the connection', (request) => request.socket.destroy(), /^BASE_URL \S+ does not respond: GET \S+: the connection was closed before a response$/],
  ])('and answers %s: the run ends with 3, and each clause has that reason', async ([, listener, why]) => {
    const dir = openTestFolder()
    const env = {
      ...{ BASE_URL: `${await httpServer(listener)}/v5`, API_KEY: 'any' },
      ...{ READ_TASK_IDS: `${id},${id.replace('1', '2')}`, TIMEOUT_MS: '500', REPORTS_DIR: dir },
    }
    const { exitCode, report, output } = await runProgram(env, some)
    const { clauses = [], reasons = [], verdict, requests } = report ?? {}
    expect([exitCode, verdict], output).toEqual([3, 'inconclusive'])
    expect(reasons[0]).toMatch(why)
    expect(output).toContain(`INCONCLUSIVE: ${reasons[0]?.split(': ')[0]}; `)
    expect(requests).toBeGreaterThan(0)
    const ends = new Set(clauses.map((clause) => `${clause.verdict}: ${clause.reason}`))
    expect([...ends]).toEqual([`inconclusive: ${reasons[0]}`])

    const junit = readFileSync(join(dir, 'junit.xml'), 'utf8')
    const countOf = (tag: string) => junit.split(`<${tag} `).length - 1
    const musts = clauses.filter(({ level }) => level === 'must').length
    expect([countOf('testcase'), countOf('error'), countOf('skipped')]).toEqual([
      clauses.length,
      musts,
      clauses.length - musts,
    ])
    expect(junit).toContain(`<error message="not decided: ${reasons[0]}" type="must">`)
  })

  test('does not drift from a baseline, and --failed continues its run', async () => {
    const lent = await lendService()
    const dir = openTestFolder()
    const good = { ...keyOnly(lent), READ_TASK_IDS: lent.taskIds[0], REPORTS_DIR: dir }
    const whole = await runProgram(good, some)
    const kept = join(dir, 'report.json')
    const down = { ...good, BASE_URL: `${await httpServer(answeringAll(503))}/v5` }
    const inOther = { ...down, REPORTS_DIR: openTestFolder() }
    const drift = await runProgram(inOther, [...some, '--strict', '--baseline', kept])
    expect([whole.exitCode, drift.exitCode], drift.output).toEqual([0, 3])
    const first = await runProgram(down, some)
    const again = await runProgram(good, ['--failed'])
    expect([first.exitCode, again.exitCode], again.output).toEqual([3, 0])
  })

  test('a selection without a clause is a mistake there too', async () => {
    const env = { BASE_URL: `${await httpServer(answeringAll(503))}/v5`, API_KEY: 'any' }
    const run = runProgram(env, ['--clauses', 'tsak.*'])
    await expect(run).rejects.toThrow('tsak.* matches no clause')
  })
})

test('after wrong settings every file of an earlier run stays', async () => {
  const dir = openTestFolder()
  const names = ['files/a.csv', 'junit.xml', 'repeat/a.sh', 'report.json']
  for (const name of names) {
    mkdirSync(join(dir, name, '..'), { recursive: true })
    writeFileSync(join(dir, name), 'earlier')
  }
  const BASE_URL = `${await httpServer(answeringAll(401))}/v5`
  const env = { BASE_URL, API_KEY: 'any', REPORTS_DIR: dir, BODIES: 'all' }
  await expect(runProgram(env)).rejects.toThrow('API_KEY is rejected')
  const left = readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()
  expect(left).toEqual(['files', 'repeat', ...names].sort())
  for (const name of names) expect(readFileSync(join(dir, name), 'utf8')).toBe('earlier')
})
