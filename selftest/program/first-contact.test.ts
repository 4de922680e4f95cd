import { describe, expect, test } from 'vitest'
import { settingsFor } from '../../program/stand-in/settings-for.ts'
import { listen } from '../../reference/listen.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { runProgram } from '../proofs/prove.ts'
import { untilTestEnd } from '../test-end.ts'

const id = '123e4567-e89b-12d3-a456-426614174000'

describe('a run that can be made', () => {
  const world = makeWorld(3, { events: 1_200 })
  const given = () => settingsFor(createService({ world }))
  const start = async () => untilTestEnd(await listen(createService({ world }))).baseUrl
  const clauses = ['--clauses', 'task.read.fields,assessment.read.fields,auth.missing-key.*']

  test('without /v5 the address is repaired, and the report says so', async () => {
    const { apiKey, taskIds } = given()
    const baseUrl = await start()
    const env = { API_KEY: apiKey, READ_TASK_IDS: taskIds[0] ?? '' }
    const checked = await runProgram({ ...env, BASE_URL: baseUrl.replace('/v5', '') }, clauses)
    expect(checked.report?.target.baseUrl).toBe(baseUrl)
    expect(checked.report?.notices.join()).toContain('does not end in /v5')
    expect(checked.exitCode, checked.output).toBe(0)
  })

  test('without /v5 and without any id it is repaired too', async () => {
    const baseUrl = await start()
    const env = { API_KEY: given().apiKey, BASE_URL: baseUrl.replace('/v5', '/') }
    const { report } = await runProgram(env, ['--clauses', 'task.read.not-found'])
    expect(report?.target.baseUrl).toBe(baseUrl)
    expect(report?.clauses[0]?.verdict).toBe('pass')
  })

  test('ids that the service has not are left out and named', async () => {
    const { apiKey, taskIds } = given()
    const BASE_URL = await start()
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
      'none of the ids of ASSESSMENT_IDS is found (404): correct ASSESSMENT_IDS',
    ])
  })

  test('with nothing but address and key the refusals are checked, and nothing else', async () => {
    const BASE_URL = await start()
    const checked = await runProgram({ BASE_URL, API_KEY: given().apiKey })
    const decided = checked.report?.clauses.filter(({ verdict }) => verdict === 'pass')
    expect(checked.exitCode, checked.output).toBe(0)
    expect(decided?.map(({ id }) => id)).toContain('auth.missing-key.task.read')
    expect(decided?.map(({ id }) => id)).toContain('task.read.not-found')
    expect(checked.output).toContain('set TASK_IDS or READ_TASK_IDS')
  })
})
