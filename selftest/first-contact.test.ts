import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { handedOver } from '../program/embedded.ts'
import { listen } from '../reference/listen.ts'
import { createService } from '../reference/service.ts'
import { makeWorld } from '../reference/world.ts'
import { runProgram } from './prove.ts'

const id = '123e4567-e89b-12d3-a456-426614174000'
const settings = { API_KEY: 'a-key-that-is-long-enough', TASK_IDS: id, TIMEOUT_MS: '300' }

async function against<T>(answer: RequestListener, run: (baseUrl: string) => Promise<T>) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    return await run(`http://127.0.0.1:${port}/v5`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(body)

describe('a run that cannot be made ends with one sentence', () => {
  test.each<[string, RequestListener, RegExp]>([
    ['the key is refused', answering(401), /^API_KEY is refused: BASE_URL .* answered 401/],
    ['everything is 500', answering(500), /answers 500 to everything: the service is not up\.$/],
    ['everything is 503', answering(503), /answers 503 to everything/],
    ['everything is 429', answering(429, { 'retry-after': '100' }), /answers 429 to everything/],
    [
      'a redirect',
      answering(302, { location: 'https://login.example/' }),
      /redirects to https:\/\/login\.example\//,
    ],
    [
      'a login page',
      answering(200, { 'content-type': 'text/html' }, '<!doctype html>'),
      /an HTML page/,
    ],
    ['no id is known', answering(404), /answers 404 to every id of TASK_IDS/],
    ['no answer', () => {}, /cannot be reached: GET \/tasks\/\S+: no answer within/],
    ['a closed connection', (request) => request.socket.destroy(), /cannot be reached: /],
  ])('%s', async (_, answer, sentence) => {
    const run = (BASE_URL: string) => runProgram({ ...settings, BASE_URL })
    await expect(against(answer, run)).rejects.toThrow(sentence)
  })

  test('nobody listens', async () => {
    const BASE_URL = 'http://127.0.0.1:9/v5'
    const run = runProgram({ ...settings, BASE_URL })
    await expect(run).rejects.toThrow(/^BASE_URL .* cannot be reached: .* connection refused\.$/)
  })

  test('REPORTS_DIR is a file', async () => {
    const run = runProgram({ REPORTS_DIR: import.meta.filename })
    await expect(run).rejects.toThrow(/^REPORTS_DIR .* cannot be written to \(it is a file\)/)
  })
})

describe('a run that can be made', () => {
  const world = makeWorld(3)
  const given = () => handedOver(createService({ world }))
  const withService = async <T>(run: (baseUrl: string) => Promise<T>) => {
    const { baseUrl, close } = await listen(createService({ world }))
    try {
      return await run(baseUrl)
    } finally {
      await close()
    }
  }
  const clauses = ['--clauses', 'task.read.fields,assessment.read.fields,auth.missing-key.*']

  test('without /v5 the address is repaired, and the report says so', async () => {
    const { apiKey, taskIds } = given()
    await withService(async (baseUrl) => {
      const env = { API_KEY: apiKey, READ_TASK_IDS: taskIds[0] ?? '' }
      const checked = await runProgram({ ...env, BASE_URL: baseUrl.replace('/v5', '') }, clauses)
      expect(checked.report?.target.baseUrl).toBe(baseUrl)
      expect(checked.report?.notices.join()).toContain('does not end in /v5')
      expect(checked.exitCode, checked.told).toBe(0)
    })
  })

  test('ids that the service has not are left out and named', async () => {
    const { apiKey, taskIds } = given()
    await withService(async (BASE_URL) => {
      const env = {
        BASE_URL,
        API_KEY: apiKey,
        READ_TASK_IDS: `${id},${taskIds[0]}`,
        ASSESSMENT_IDS: id,
      }
      const { report } = await runProgram(env, clauses)
      expect(report?.notices).toContain(`the service has no task ${id} (404): it is left out`)
      const verdicts = Object.fromEntries(
        report?.clauses.map((c) => [c.id, [c.verdict, c.reason]]) ?? [],
      )
      expect(verdicts['task.read.fields']).toEqual(['pass', undefined])
      expect(verdicts['assessment.read.fields']).toEqual([
        'skip',
        'the service has none of ASSESSMENT_IDS (404)',
      ])
    })
  })

  test('with nothing but address and key the refusals are checked, and nothing else', async () => {
    await withService(async (BASE_URL) => {
      const checked = await runProgram({ BASE_URL, API_KEY: given().apiKey })
      const decided = checked.report?.clauses.filter(({ verdict }) => verdict === 'pass')
      expect(checked.exitCode, checked.told).toBe(0)
      expect(decided?.map(({ id }) => id)).toContain('auth.missing-key.task.read')
      expect(decided?.map(({ id }) => id)).toContain('task.read.not-found')
      expect(checked.told).toContain('set TASK_IDS or READ_TASK_IDS')
    })
  })
})
