import { describe, expect, test } from 'vitest'
import { check } from '../../program/check.ts'
import { createInterruption } from '../../program/run/interruption.ts'
import { faults } from '../proofs/faults/all.ts'
import { runAgainst } from '../proofs/prove.ts'
import { sampleOf } from '../sample.ts'
import { openTestFolder } from '../test-end.ts'
import { unlisted, unlistedIn } from './listed.ts'

const whatFails = sampleOf(faults, 8, Number(process.env.PROVE_SEED ?? 1))

describe.concurrent('what is said stands in docs/messages.md', () => {
  test.for(whatFails)('$name', async (fault) => {
    const argv = fault.breaks.flatMap((id) => ['--clauses', id])
    const { report } = await runAgainst(fault, argv, { makers: {} })
    expect(report && unlistedIn(report)).toEqual([])
  })

  test('where next to nothing can be checked', async () => {
    const env = { READ_ONLY: '1', NOT_PERMITTED: 'export', SEED: '1' }
    const { report } = await runAgainst({ env }, [], { makers: {} })
    expect(report && unlistedIn(report)).toEqual([])
  })

  const set = { BASE_URL: 'https://api.example.com/v5', API_KEY: 'k' }
  test.for<[Record<string, string>, string[]]>([
    [{ ...set, BASE_URL: '' }, []],
    [{ ...set, BASE_URL: 'api.example.com' }, []],
    [{ API_KEY: 'k' }, []],
    [{ ...set, TASK_IDS: 'one,two' }, []],
    [{ ...set, ACTOR_ID: 'me' }, []],
    [{ ...set, API_KEY: 'a key' }, []],
    [{ ...set, TIMEOUT_MS: 'soon', STRICT: 'maybe', USER_MAILS: 'x' }, []],
    [{ ...set, EXPORT_FROM: 'now', CA_FILE: 'nowhere.pem' }, []],
    [{ ...set, TASK_ID: '1' }, []],
    [{ BASE_URL: 'http://127.0.0.1:9/v5', API_KEY: 'k' }, []],
    [{}, ['--seeds', '1']],
    [{}, ['task.read']],
    [{}, ['--seed']],
    [{}, ['--strict=1']],
    [{}, ['--clauses', 'tsak.*']],
    [{}, ['--waivers', 'none.json']],
    [{}, ['--rerun', 'none.json']],
    [{}, ['--shard', '5/4']],
  ])('%o %o', async ([env, argv]) => {
    const given = { argv, env, cwd: openTestFolder(), out: { write() {} } }
    const said = await check({ ...given, interruption: createInterruption() }).then(
      () => 'it ran',
      (error: Error) => error.message,
    )
    expect(unlisted(said)).toEqual([])
  })
})
