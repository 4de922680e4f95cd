import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { describe, expect, test } from 'vitest'
import { readEnvironment } from '../../../engine/settings/environment.ts'
import { readSettings } from '../../../helpers/settings/read.ts'
import { names } from '../../../helpers/settings/table.ts'
import { a, b, base, cwd, folderWith, mistakesOf, read } from './folder-with.ts'

describe('what is repaired', () => {
  test.each([
    ['https://api.example.com/v5', 'https://api.example.com/v5'],
    ['  https://API.example.com:443/v5//\n', 'https://api.example.com/v5'],
    ['"http://localhost:8080/v5/"', 'http://localhost:8080/v5'],
  ])('BASE_URL %j', (text, baseUrl) => {
    expect(read({ ...base, BASE_URL: text })).toMatchObject({
      baseUrl,
      embedded: false,
      notices: [],
    })
  })

  test.each([' key ', 'key\r\n', '"key"', "' key '\n"])('API_KEY %j', (text) => {
    expect(read({ ...base, API_KEY: text }).apiKey).toBe('key')
  })

  test('lists: separators, empty items and repetitions', () => {
    const { taskIds } = read({ ...base, TASK_IDS: ` ${a},,${b};\n${a.toUpperCase()} ` })
    expect(taskIds).toEqual([a, b])
  })

  test('a task that may be changed need not be read as well', () => {
    const settings = read({ ...base, TASK_IDS: a, READ_TASK_IDS: `${a.toUpperCase()},${b}` })
    expect(settings).toMatchObject({ taskIds: [a], readTaskIds: [b] })
    expect(settings.notices).toEqual([
      `READ_TASK_IDS contains '${a.toUpperCase()}', which is also in TASK_IDS; the run may change it.`,
    ])
  })

  test('an empty setting that loses nothing counts as unset', () => {
    const settings = read({ ...base, CONCURRENCY: '', READ_ONLY: '', EXPORT_FROM: ' ' })
    expect(settings).toMatchObject({ concurrency: 8, readOnly: false, notices: [] })
  })

  test('a base that does not end in /v5 gets a notice', () => {
    expect(read({ ...base, BASE_URL: 'https://api.example.com/' })).toMatchObject({
      baseUrl: 'https://api.example.com',
      notices: ['BASE_URL does not end in /v5, as the base of the service normally does.'],
    })
  })
})

describe('names the source of settings', () => {
  test.each([
    ['API_KEY=k', 'it sets API_KEY'],
    ['DATABASE_URL=x', 'it sets nothing that this suite knows'],
  ])('.env with %s', (text, told) => {
    const folder = folderWith({ '.env': text })
    const { notices } = readSettings(base, { cwd: folder })
    expect(notices).toEqual([`${join(folder, '.env')} was read: ${told}`])
  })

  test('and a proxy variable that is not used', () => {
    const told =
      'HTTPS_PROXY is set and is not used; set PROXY_URL to reach the service through a proxy'
    const env = { ...base, HTTPS_PROXY: 'http://proxy:1' }
    expect(read(env).notices).toEqual([told])
    expect(read({ ...env, PROXY_URL: 'http://proxy:1' }).notices).toEqual([])
  })
})

describe('what is read', () => {
  test('no setting, which tests the embedded service', () => {
    const { seed, ...settings } = read({})
    expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32).toBe(true)
    const none = { baseUrl: '', apiKey: '', taskIds: [], userMails: {}, given: {}, notices: [] }
    expect(settings).toMatchObject({ embedded: true, ...none })
  })

  test('pairs, paths, proxies and words', () => {
    const env = {
      USER_MAILS: `${a}=ada@x.io;bob@x.io, ${b}=eve@x.io ${a}=ADA@x.io`,
      METADATA_VALUES: 'tag=vip, tag=a=b,workflow_step=first step',
      REPORTS_DIR: 'out/reports',
      CA_FILE: 'ca.pem',
      CLIENT_CERT_FILE: 'ca.pem',
      CLIENT_KEY_FILE: join(cwd, 'key.pem'),
      PROXY_URL: 'http://u:pw@proxy:3128/',
      REQUESTS_PER_SECOND: '0.5',
      BODIES: 'All',
      READ_ONLY: 'YES',
      STRICT: 'off',
      MAX_WRITES: '0',
    }
    expect(read(env)).toMatchObject({
      userMails: { [a]: ['ada@x.io', 'bob@x.io'], [b]: ['eve@x.io'] },
      metadataValues: { tag: ['vip', 'a=b'], workflow_step: ['first step'] },
      reportsDir: join(cwd, 'out/reports'),
      journalDir: join(cwd, 'out/journal'),
      caFile: join(cwd, 'ca.pem'),
      clientKeyFile: join(cwd, 'key.pem'),
      proxyUrl: 'http://u:pw@proxy:3128',
      requestsPerSecond: 0.5,
      bodies: 'all',
      readOnly: true,
      strict: false,
      maxWrites: 0,
    })
  })

  test('flags win, but a flag that was not given turns nothing off', () => {
    expect(read({ SEED: '1' }, { seed: 2, strict: true, readOnly: true })).toMatchObject({
      seed: 2,
      strict: true,
      readOnly: true,
    })
    const off = { strict: false, readOnly: false }
    expect(read({ STRICT: '1', READ_ONLY: '1' }, off)).toMatchObject({
      strict: true,
      readOnly: true,
    })
  })
})

describe('.env', () => {
  test.each([
    ['plain', 'SEED=7\nAPI_KEY="a b"\n'],
    ['with BOM, CRLF and export', '\uFEFFexport SEED=7\r\nexport API_KEY="a b"\r\n'],
  ])('%s', (_, text) => {
    const before = { ...process.env }
    expect(readEnvironment(folderWith({ '.env': text }), {})).toEqual({ SEED: '7', API_KEY: 'a b' })
    expect(process.env).toEqual(before)
  })

  test('is optional, and a folder of that name is ignored', () => {
    expect(readEnvironment(folderWith(), { SEED: '7' })).toEqual({ SEED: '7' })
  })

  test('gives way to the environment, also where that is empty', () => {
    const folder = folderWith({ '.env': 'BASE_URL=https://h/v5\nAPI_KEY=k\nSEED=7\n' })
    const env = readEnvironment(folder, { BASE_URL: '', SEED: undefined })
    expect(env).toEqual({ BASE_URL: '', API_KEY: 'k', SEED: '7' })
    expect(mistakesOf(() => readSettings(env, { cwd: folder }))[0]).toMatch(/^BASE_URL is set but/)
  })

  test('sets nothing where it is empty, as in a copied example', () => {
    const lines = names.map((name) => `${name}=\n`).join('')
    const folder = folderWith({ '.env': `${lines}SEED=7\nTASK_IDS=" "\n` })
    const env = readEnvironment(folder, {})
    expect(env).toEqual({ SEED: '7' })
    expect(readSettings(env, { cwd: folder })).toMatchObject({ embedded: true, taskIds: [] })
  })

  test('with lines that dotenv would ignore is rejected: without = no service would be tested', () => {
    const file =
      '# ours\nBASE_URL https://h/v5\r\n\nAPI_KEY=k\nMADE="one\ntwo"\nSEED: 7\nexport X\n'
    expect(mistakesOf(() => readEnvironment(folderWith({ '.env': file }), {}))).toEqual([
      '.env sets nothing in line 2; write NAME=value, or # before it.',
      '.env sets nothing in line 8; write NAME=value, or # before it.',
    ])
  })

  test.each([
    ['BASEURL', 'BASE_URL'],
    ['MAIL_WAIT', 'MAIL_WAIT_S'],
    ['TASK_ID', 'TASK_IDS'],
  ])('is searched strictly for misspelt names: %s', (name, meant) => {
    const folder = folderWith({ '.env': `${name}=1\n` })
    const settings = () => readSettings(readEnvironment(folder, {}), { cwd: folder })
    expect(mistakesOf(settings)).toEqual([`${name} is not a setting; did you mean ${meant}?`])
  })

  test('may hold names of others', () => {
    const folder = folderWith({
      '.env': 'DATABASE_URL=x\nDEBUG=1\nPORT=1\nNODE_ENV=test\nVITEST=1\n',
    })
    expect(() => readSettings(readEnvironment(folder, {}), { cwd: folder })).not.toThrow()
  })
})

test('innocent names of CI machines stop nothing', () => {
  const innocent =
    'VITEST TEST CI SEEDS BODY BASEURL APIKEY TASKID APP_KEY APP_URL API_URL TEAM_ID TASK_ID USER_ID ' +
    'DATABASE_URL BUILD_URL JOB_URL GIT_URL CI_API_KEY VITE_API_KEY VITE_BASE_URL NODE_API_KEY ' +
    'GITHUB_BASE_URL npm_config_read_only HTTP_PROXY HTTPS_PROXY NO_PROXY NODE_ENV NODE_OPTIONS ' +
    'SSL_CERT_FILE NODE_EXTRA_CA_CERTS RUNNER_TEMP WORKSPACE BUILD_ID RUN_ID JOB_ID TEST_SEED ' +
    'CI_FILE DB_FILE TEST_IDS MAIL_WAIT REPORTS OUTPUT_DIR HOME_DIR TIMEOUT CURL_CA_BUNDLE DRONE_BUILD_EVENT GITLAB_USER_ID ' +
    'SYSTEM_TEAMPROJECTID AGENT_ID JENKINS_URL RUN_DISPLAY_URL VITEST_POOL_ID XDG_DATA_DIR LC_ALL'
  const env = Object.fromEntries(innocent.split(' ').map((name) => [name, 'x1']))
  expect(() => read(env)).not.toThrow()
})

test('the examples of .env.example stand beside each other', () => {
  const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
  const env = parse(text.replace(/^# (?=[A-Z_]+=)/gm, ''))
  const files = /^(CA_FILE|CLIENT_CERT_FILE|CLIENT_KEY_FILE|EXPORT_FACTS) names .* cannot be read/
  expect(mistakesOf(() => read(env)).filter((sentence) => !files.test(sentence))).toEqual([])
})
