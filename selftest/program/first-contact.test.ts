import { describe, expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { readSettings } from '../../helpers/settings/read.ts'
import { firstContact } from '../../program/run/first-contact.ts'
import { settingsFor } from '../../program/stand-in/settings-for.ts'
import { listen } from '../../reference/listen.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { harOf } from '../../reporting/har.ts'
import { junitOf } from '../../reporting/junit.ts'
import { markdownOf } from '../../reporting/markdown.ts'
import { httpServer } from '../engine/http/servers.ts'
import { runProgram } from '../proofs/prove.ts'
import { htmlOf } from '../reporting/sample-reports.ts'
import { openTestFolder, untilTestEnd } from '../test-end.ts'

const id = '123e4567-e89b-12d3-a456-426614174000'

describe('a run that can be made', () => {
  const world = makeWorld(3, { events: 200 })
  const given = () => settingsFor(createService({ world }))
  const start = async () => untilTestEnd(await listen(createService({ world }))).baseUrl
  const clauses = ['--clauses', 'task.read.fields,assessment.read.fields,auth.missing-key.*']

  test.each<[string, string, string[], Record<string, string>]>([
    ['with ids', '', ['task.read.fields'], { READ_TASK_IDS: given().taskIds[0] ?? '' }],
    ['without any id', '/', ['task.read.not-found'], {}],
  ])('an address without /v5 is repaired, and the report says so: %s', async (_, end, ids, env) => {
    const { apiKey } = given()
    const baseUrl = await start()
    const BASE_URL = baseUrl.replace('/v5', end)
    const checked = await runProgram({ ...env, API_KEY: apiKey, BASE_URL }, ['--clauses', ...ids])
    expect(checked.report?.target.baseUrl).toBe(baseUrl)
    expect(checked.report?.notices.join()).toContain('does not end in /v5')
    expect(checked.exitCode, checked.output).toBe(0)
  })

  test('says which revision of the service it met, and by which suite', async () => {
    const { apiKey } = given()
    const service = createService({ world })
    const fetch = async (request: Request) => {
      const answer = await service.fetch(request)
      answer.headers.set('X-Revision', '7.2.1 <b>')
      return answer
    }
    const { baseUrl } = untilTestEnd(await listen({ ...service, fetch }))
    const env = { API_KEY: apiKey, BASE_URL: baseUrl, REVISION_HEADER: 'X-Revision' }
    const { report } = await runProgram(env, ['--clauses', 'task.read.not-found'])
    expect(report?.target.revision).toBe('7.2.1 <b>')
    expect(report?.node).toBe(process.versions.node)
    const made = [htmlOf, junitOf, markdownOf, harOf].map((make) => make(report as Report))
    for (const text of made) expect(text).toMatch(/7\.2\.1 (<b>|&lt;b|&#60;b)/)
    const without = await runProgram({ ...env, REVISION_HEADER: 'x-none' }, clauses)
    expect(without.report?.notices).toContain(
      'no response has the header x-none of REVISION_HEADER',
    )
  })

  test('a gateway that refuses unknown headers leads to TRACE', async () => {
    const service = createService({ world })
    const fetch = async (request: Request) =>
      request.headers.has('traceparent')
        ? new Response('unknown header', { status: 400 })
        : service.fetch(request)
    const { baseUrl } = untilTestEnd(await listen({ ...service, fetch }))
    const env = { API_KEY: given().apiKey, BASE_URL: baseUrl }
    await expect(runProgram(env, clauses)).rejects.toThrow(
      'responds 400 to a request with the header traceparent, and 404 without it; set TRACE=0.',
    )
    const borne = await runProgram({ ...env, TRACE: '0' }, ['--clauses', 'task.read.not-found'])
    expect(borne.exitCode, borne.output).toBe(0)
  })

  test('unknown ids are left out and named', async () => {
    const { apiKey, taskIds } = given()
    const BASE_URL = await start()
    const env = {
      BASE_URL,
      API_KEY: apiKey,
      READ_TASK_IDS: `${id},${taskIds[0]}`,
      ASSESSMENT_IDS: id,
    }
    const { report } = await runProgram(env, clauses)
    expect(report?.notices).toContain(`the service has no task ${id} (404): the run skips this id`)
    const verdicts = Object.fromEntries(
      report?.clauses.map((c) => [c.id, [c.verdict, c.reason]]) ?? [],
    )
    expect(verdicts['task.read.fields']).toEqual(['pass', undefined])
    expect(verdicts['assessment.read.fields']).toEqual([
      'skip',
      'none of the ids of ASSESSMENT_IDS is found (404): correct ASSESSMENT_IDS',
    ])
  })

  test.each([
    ['TASK_IDS', 'assessments', 'tasks'],
    ['READ_TASK_IDS', 'assessments', 'tasks'],
    ['ASSESSMENT_IDS', 'tasks', 'assessments'],
  ] as const)('ids of %s that are %s: it cannot be made', async (name, are, should) => {
    const { apiKey, taskIds, assessmentIds } = given()
    const [first = '', second = ''] = are === 'tasks' ? taskIds : assessmentIds
    const others =
      are === 'tasks' ? { READ_TASK_IDS: taskIds[2] } : { ASSESSMENT_IDS: assessmentIds[2] }
    // After an unknown id, and with various separators.
    const env = { API_KEY: apiKey, ...others, [name]: `${id}; ${first} ${second}` }
    await expect(runProgram({ ...env, BASE_URL: await start() }, clauses)).rejects.toThrow(
      `${name} contains ids of ${are}, such as ${first}; give the ids of ${should}.`,
    )
  })

  test('with nothing but address and key the refusals are checked, and nothing else', async () => {
    const BASE_URL = await start()
    const env = { BASE_URL, API_KEY: given().apiKey }
    const argv = ['--clauses', 'auth.missing-key.*,task.read.*,assign.unassigned-*']
    const checked = await runProgram(env, argv)
    const decided = checked.report?.clauses.filter(({ verdict }) => verdict === 'pass')
    expect(checked.exitCode, checked.output).toBe(0)
    expect(decided?.map(({ id }) => id)).toContain('auth.missing-key.task.read')
    expect(decided?.map(({ id }) => id)).toContain('task.read.not-found')
    expect(checked.output).toContain('set TASK_IDS or READ_TASK_IDS')
  })

  test('a base that answers 404 to every path is a mistake in BASE_URL', async () => {
    const asked: string[] = []
    const origin = await httpServer(({ url = '', headers }, response) => {
      asked.push(`${'apikey' in headers ? 'with' : 'without'} key ${url.split(/[/?]/)[2]}`)
      response.writeHead(404).end()
    })
    const env = { BASE_URL: `${origin}/v5`, API_KEY: given().apiKey }
    await expect(runProgram(env)).rejects.toThrow(
      `BASE_URL ${origin}/v5 responds 404 to every path, with the key and without: the service is missing there; give its regional address, ending in /v5.`,
    )
    expect(asked).toEqual([
      'with key tasks',
      'without key tasks',
      'without key audit-sentinel',
      'with key audit-sentinel',
    ])
  })

  test.each<[string, Partial<Record<string, number>>, number]>([
    ['one that asks for the key', { 'without tasks': 401 }, 2],
    ['one that looks for the task first', { 'without audit-sentinel': 401 }, 3],
    ['one that asks for no key', { 'with audit-sentinel': 200 }, 4],
    ['one that answers anything else', { 'with tasks': 403 }, 1],
  ])('%s is there, which takes %j: %i requests', async (_, statuses, requests) => {
    const origin = await httpServer(({ url = '', headers }, response) => {
      const kind = `${'apikey' in headers ? 'with' : 'without'} ${url.split(/[/?]/)[2]}`
      response.writeHead(statuses[kind] ?? 404).end()
    })
    const env = { BASE_URL: `${origin}/v5`, API_KEY: given().apiKey, TRACE: '0' }
    const settings = readSettings(env, { cwd: openTestFolder() })
    const contact = await firstContact(settings, new AbortController().signal)
    expect(contact.requests).toBe(requests)
  })
})
