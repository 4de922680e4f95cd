import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { check } from '../../program/check.ts'
import { createInterruption } from '../../program/run/interruption.ts'
import { deadUrl, httpServer } from '../engine/http/servers.ts'
import { lendService } from '../helpers/loans/lent-service.ts'
import { warm } from '../proofs/threads/warm-threads.ts'
import { openTestFolder } from '../test-end.ts'

const key = 'S3cr3t-k3y_51Hq9'
const id = '123e4567-e89b-12d3-a456-426614174000'
const BASE_URL = 'https://api.example.com/v5'

type Given = { env?: Record<string, string>; dotenv?: string | Buffer; argv?: string[] }

/** What somebody is told who starts the program like this: the sentences of a run that is not made. */
async function outputFor({ env = {}, dotenv, argv = [] }: Given) {
  const cwd = openTestFolder()
  if (dotenv !== undefined) writeFileSync(join(cwd, '.env'), dotenv)
  const output: string[] = []
  const out = { write: (text: string) => output.push(text) }
  return check({ argv, env, cwd, out, interruption: createInterruption(), runner: warm() }).then(
    ({ exitCode, report }) => ({ exitCode, report, output: output.join('') }),
    (error: Error) => ({ exitCode: 2, report: undefined, output: error.message }),
  )
}

const set = { BASE_URL, API_KEY: key }
const address = 'like https://api.example.com/v5.'
const visible = 'give the key as one run of visible ASCII characters.'

describe('one sentence for each mistake', () => {
  test.for<[string, Given, string | RegExp]>([
    [
      '--require where every variable is lost',
      { argv: ['--require', 'task.*'] },
      '--require is given but BASE_URL is not set: your service would not be tested; set BASE_URL.',
    ],
    [
      'an address without scheme',
      { env: { ...set, BASE_URL: 'api.example.com/v5' } },
      'BASE_URL has no https:// in front; write https://api.example.com/v5.',
    ],
    [
      'an address with another scheme',
      { env: { ...set, BASE_URL: 'ws://api.example.com/v5' } },
      /^BASE_URL starts with 'ws:\/\/'; give an address that starts with https:\/\//,
    ],
    [
      'an address with credentials',
      { env: { ...set, BASE_URL: `https://me:${key}@api.example.com/v5` } },
      `BASE_URL holds a user name or password; give the address alone, ${address}`,
    ],
    [
      'an address with a query',
      { env: { ...set, BASE_URL: `${BASE_URL}?apikey=${key}` } },
      `BASE_URL holds a query or a fragment; give the address alone, ${address}`,
    ],
    [
      'an address that is set but empty',
      { env: { ...set, BASE_URL: '' } },
      /^BASE_URL is set but empty; give the base of the service/,
    ],
    [
      'a secret that was lost',
      { env: { TASK_IDS: id } },
      /^BASE_URL is not set although TASK_IDS is; /,
    ],
    [
      'a host name that cannot be',
      { env: { ...set, BASE_URL: `http://${'x'.repeat(64)}.example/v5` } },
      /^BASE_URL \S+ cannot be reached: GET \S+: the host name (is not known|could not be looked up)\.$/,
    ],
    [
      'no key',
      { env: { BASE_URL } },
      'API_KEY is not set although BASE_URL is; give the key of the service.',
    ],
    [
      'an empty key',
      { env: { ...set, API_KEY: '' } },
      'API_KEY is set but empty; give the key of the service.',
    ],
    [
      'a list of ids that was lost',
      { env: { ...set, TASK_IDS: '' } },
      'TASK_IDS is set but empty; give ids of tasks, or unset it.',
    ],
    [
      'a key with a space',
      { env: { ...set, API_KEY: `${key} x` } },
      `API_KEY holds a space at position 17; ${visible}`,
    ],
    [
      'a key with a line break',
      { env: { ...set, API_KEY: `S3cr3t\n${key}` } },
      `API_KEY holds a line break at position 7; ${visible}`,
    ],
    [
      'a key that is not ASCII',
      { env: { ...set, API_KEY: `é${key}` } },
      `API_KEY holds a character outside ASCII at position 1; ${visible}`,
    ],
    [
      'the key in a list of ids',
      { env: { ...set, TASK_IDS: key } },
      /^TASK_IDS holds \(a value that is also in API_KEY\), which is not a UUID; give ids of the form/,
    ],
    [
      'a list with what is no UUID',
      { env: { ...set, TASK_IDS: `${id}, task-7` } },
      /^TASK_IDS holds 'task-7', which is not a UUID; give ids of the form/,
    ],
    [
      'a number that is none',
      { env: { TIMEOUT_MS: '10s' } },
      "TIMEOUT_MS holds '10s'; give a whole number from 100 to 600000.",
    ],
    [
      'a misspelt name',
      { env: { ...set, TASKS_IDS: id } },
      'TASKS_IDS is not a setting; did you mean TASK_IDS?',
    ],
    [
      'a misspelt name in .env',
      { dotenv: 'BASEURL=x\n' },
      'BASEURL is not a setting; did you mean BASE_URL?',
    ],
    [
      'a .env in UTF-16',
      { dotenv: Buffer.from('\uFEFFSEED=7\r\n', 'utf16le') },
      '.env is not UTF-8 text; save it as UTF-8.',
    ],
    [
      'a flag that npm kept',
      { env: { npm_config_read_only: 'true' } },
      'npm kept --read-only for itself; write: npm run contract -- --read-only',
    ],
    ['a misspelt flag', { argv: ['--strickt'] }, 'unknown flag --strickt; did you mean --strict?'],
    [
      'a flag without its value',
      { argv: ['--clauses'] },
      '--clauses needs a value; write --clauses GLOB.',
    ],
    [
      'a glob that matches nothing',
      { argv: ['--clauses', 'tasks.*'] },
      'tasks.* matches no clause: npm run clauses lists the ids.',
    ],
    [
      'a certificate that is not there',
      { env: { ...set, CA_FILE: 'ca.pem' } },
      "CA_FILE names 'ca.pem', which cannot be read (ENOENT); give the path of a readable PEM file.",
    ],
    [
      'a folder for reports that is a file',
      { env: { REPORTS_DIR: import.meta.filename } },
      /^REPORTS_DIR \S+ cannot be written to \(it is a file\); give a writable directory\.$/,
    ],
  ])('%s', async ([, given, sentence]) => {
    const { exitCode, output } = await outputFor(given)
    expect(exitCode, output).toBe(2)
    if (typeof sentence === 'string') expect(output).toBe(sentence)
    else expect(output).toMatch(sentence)
    expect(output).not.toMatch(/S3cr3t|51Hq9|\n/)
  })

  test('a .env that cannot be read', async () => {
    const cwd = openTestFolder()
    symlinkSync('.env', join(cwd, '.env'))
    const call = { argv: [], env: {}, cwd, out: { write: () => {} } }
    await expect(check({ ...call, interruption: createInterruption() })).rejects.toThrow(
      '.env cannot be read (ELOOP); make it readable or remove it.',
    )
  })

  test('an address where nobody listens', async () => {
    const { output } = await outputFor({ env: { ...set, BASE_URL: `${await deadUrl()}/v5` } })
    expect(output).toMatch(/^BASE_URL \S+ cannot be reached: GET \S+: connection refused\.$/)
  })

  test('ids that the service has not', async () => {
    const url = await httpServer((_, answer) => answer.writeHead(404).end())
    const { output } = await outputFor({ env: { ...set, BASE_URL: `${url}/v5`, TASK_IDS: id } })
    expect(output).toMatch(
      / answers 404 to every id of TASK_IDS, READ_TASK_IDS and ASSESSMENT_IDS: /,
    )
  })
})

test('what is harmless is repaired and not spoken of', async () => {
  const lent = await lendService()
  const [one, two] = lent.env.TASK_IDS.split(',')
  const dotenv = [
    `\uFEFFexport BASE_URL="${lent.env.BASE_URL}/"`,
    `API_KEY='${lent.env.API_KEY}'`,
    `export TASK_IDS = ${one} ,, ${two},${one?.toUpperCase()} ;`,
    'STRICT= no ',
    '# TIMEOUT_MS=1',
    '',
  ].join('\r\n')
  const argv = ['--clauses', 'task.read.identity']
  const { exitCode, output, report } = await outputFor({ dotenv, argv })
  expect(exitCode, output).toBe(0)
  expect(report?.notices).toEqual([
    expect.stringMatching(/\.env was read: it sets BASE_URL, API_KEY, TASK_IDS, STRICT$/),
  ])
  expect(report?.selection).toBe('--clauses task.read.identity')
  expect(report?.target.baseUrl).toBe(lent.baseUrl)
})

test('globs that contradict', async () => {
  const lent = await lendService()
  const argv = ['--clauses', 'task.*', '--require', 'export.csv.status']
  const { exitCode, output } = await outputFor({ env: lent.env, argv })
  expect(output).toBe('export.csv.status is required, but --clauses leaves it out.')
  expect(exitCode).toBe(2)
})
