import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { afterAll, describe, expect, test } from 'vitest'
import { readEnvironment, SettingsError } from '../../../engine/settings/environment.ts'
import type { Environment } from '../../../engine/settings/table.ts'
import { type Overrides, readSettings } from '../../../helpers/settings/read.ts'
import { names, table } from '../../../helpers/settings/table.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

function folderWith(files: Record<string, string | Buffer> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

const cwd = folderWith({
  'ca.pem': '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
  'key.pem': '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n',
  'locked.pem': '-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n',
  'note.txt': 'no certificate',
})
const a = '123e4567-e89b-12d3-a456-42661417400a'
const b = '123e4567-e89b-12d3-a456-42661417400b'
const base = { BASE_URL: 'https://api.example.com/v5', API_KEY: 'key-123' }

const read = (env: Environment, flags?: Overrides) => readSettings(env, { cwd, flags })
const mistakesOf = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes
    throw error
  }
  return []
}

const idForm = 'give ids of the form 123e4567-e89b-12d3-a456-426614174000, separated by commas.'
const baseForm = 'give the base of the service, for example https://api.example.com/v5,'
const baseAlone = 'give the address alone, like https://api.example.com/v5.'
const scheme =
  'give an address that starts with https:// or http://, for example https://api.example.com/v5.'
const visible = 'give the key as one run of visible ASCII characters.'
const mailForm =
  'give pairs like 123e4567-e89b-12d3-a456-426614174000=ada@example.com;bob@example.com, ' +
  'separated by commas.'
const pairForm =
  'give pairs like tag=vip, separated by commas, with one of the keys entity_id, assessment_id, ' +
  'task_id, workflow_instance_id, screening_application_id, screening_config_id, match_id, ' +
  'inquiry_id, tag, cache_id or workflow_step.'
const hidden = '(a value that also stands in API_KEY)'

const mistaken: [Environment, string][] = [
  [
    { BASE_URL: ' ' },
    `BASE_URL is set but empty; ${baseForm} or unset it to test the embedded reference service.`,
  ],
  [
    { TASK_IDS: a },
    `BASE_URL is not set although TASK_IDS is; ${baseForm} or unset it to test the embedded reference service.`,
  ],
  [
    { API_KEY: 'k', TASK_IDS: a, TEAM_IDS: b },
    `BASE_URL is not set although API_KEY, TASK_IDS and TEAM_IDS are; ${baseForm} or unset them to test the embedded reference service.`,
  ],
  [
    { ...base, API_KEY: undefined },
    'API_KEY is not set although BASE_URL is; give the key of the service.',
  ],
  [{ ...base, API_KEY: '""' }, 'API_KEY is set but empty; give the key of the service.'],
  [{ API_KEY: '' }, 'API_KEY is set but empty; give the key of the service.'],
  [{ ...base, API_KEY: 'ab cd' }, `API_KEY holds a space at position 3; ${visible}`],
  [{ ...base, API_KEY: 'ab\ncd' }, `API_KEY holds a line break at position 3; ${visible}`],
  [{ ...base, API_KEY: 'a\tcd' }, `API_KEY holds a tab at position 2; ${visible}`],
  [{ ...base, API_KEY: 'a\u0007d' }, `API_KEY holds a control character at position 2; ${visible}`],
  [
    { ...base, API_KEY: 'abcé' },
    `API_KEY holds a character outside ASCII at position 4; ${visible}`,
  ],
  [
    { ...base, BASE_URL: 'api.example.com/v5' },
    'BASE_URL has no https:// in front; write https://api.example.com/v5.',
  ],
  [
    { ...base, BASE_URL: 'u:pw@api.example.org/v5?x=1' },
    'BASE_URL has no https:// in front; write https://api.example.org/v5.',
  ],
  [
    { ...base, BASE_URL: 'localhost:8080/v5' },
    'BASE_URL has no https:// in front; write http://localhost:8080/v5.',
  ],
  [
    { ...base, BASE_URL: 'Sk_live_51H' },
    'BASE_URL has no https:// in front; write https://api.example.com/v5.',
  ],
  [{ ...base, BASE_URL: 'ftp://h/v5' }, `BASE_URL starts with 'ftp://'; ${scheme}`],
  [
    { ...base, BASE_URL: 'https://u:pw@h/v5' },
    `BASE_URL holds a user name or password; ${baseAlone}`,
  ],
  [
    { ...base, BASE_URL: 'https://h/v5?token=x' },
    `BASE_URL holds a query or a fragment; ${baseAlone}`,
  ],
  [{ ...base, BASE_URL: 'https://h/v5#top' }, `BASE_URL holds a query or a fragment; ${baseAlone}`],
  [
    { ...base, BASE_URL: 'https://h\nx/v5' },
    'BASE_URL holds no valid address; give one like https://api.example.com/v5.',
  ],
  [
    { ...base, BASE_URL: 'https://h:port/v5' },
    'BASE_URL holds no valid address; give one like https://api.example.com/v5.',
  ],
  [{ ...base, TASK_IDS: 'abc' }, `TASK_IDS holds 'abc', which is no UUID; ${idForm}`],
  [
    { ...base, TASK_IDS: `x,${a},y z` },
    `TASK_IDS holds 'x' and 2 more that are no UUIDs; ${idForm}`,
  ],
  [{ ...base, TASK_IDS: 'key-123' }, `TASK_IDS holds ${hidden}, which is no UUID; ${idForm}`],
  [
    { ...base, ACTOR_ID: `${a},${b}` },
    `ACTOR_ID holds '${a},${b.slice(0, 23)}…', which is no UUID; give one id of the form 123e4567-e89b-12d3-a456-426614174000.`,
  ],
  [
    { ...base, USER_IDS: a, TEAM_IDS: `${b},${a.toUpperCase()}` },
    `USER_IDS holds '${a}', which stands in TEAM_IDS too; give each id as a user or as a team.`,
  ],
  [{ CONCURRENCY: '0' }, "CONCURRENCY holds '0'; give a whole number from 1 to 64."],
  [{ CONCURRENCY: '8.5' }, "CONCURRENCY holds '8.5'; give a whole number from 1 to 64."],
  [{ TIMEOUT_MS: '1e4' }, "TIMEOUT_MS holds '1e4'; give a whole number from 100 to 600000."],
  [{ SEED: '4294967296' }, "SEED holds '4294967296'; give a whole number from 0 to 4294967295."],
  [
    { REQUESTS_PER_SECOND: '0' },
    "REQUESTS_PER_SECOND holds '0'; give a number above 0 and up to 1000, for example 5 or 0.5.",
  ],
  [{ MAX_EXPORT_MB: '0x10' }, "MAX_EXPORT_MB holds '0x10'; give a whole number from 1 to 4096."],
  [{ SETTLE_MS: '-1' }, "SETTLE_MS holds '-1'; give a whole number from 0 to 60000."],
  [{ MAIL_WAIT_S: '3601' }, "MAIL_WAIT_S holds '3601'; give a whole number from 0 to 3600."],
  [{ AUDIT_WAIT_S: '1 s' }, "AUDIT_WAIT_S holds '1 s'; give a whole number from 0 to 3600."],
  [{ RUN_TIMEOUT_S: '0' }, "RUN_TIMEOUT_S holds '0'; give a whole number from 1 to 86400."],
  [{ MAX_WRITES: '100001' }, "MAX_WRITES holds '100001'; give a whole number from 0 to 100000."],
  [
    { READ_ONLY: 'maybe' },
    "READ_ONLY holds 'maybe'; give 1, true, yes or on, or 0, false, no or off.",
  ],
  [{ STRICT: '2' }, "STRICT holds '2'; give 1, true, yes or on, or 0, false, no or off."],
  [{ BODIES: 'some' }, "BODIES holds 'some'; give none, failed or all."],
  [
    { ARRAY_ENCODING: 'csv' },
    "ARRAY_ENCODING holds 'csv'; give auto, repeat, brackets, indices or comma.",
  ],
  [
    { CA_FILE: 'no.pem' },
    "CA_FILE names 'no.pem', which cannot be read (ENOENT); give the path of a readable PEM file.",
  ],
  [
    { CA_FILE: '.' },
    "CA_FILE names '.', which cannot be read (EISDIR); give the path of a readable PEM file.",
  ],
  [
    { CA_FILE: 'note.txt' },
    "CA_FILE names 'note.txt', which holds no PEM block; give a file with -----BEGIN CERTIFICATE-----.",
  ],
  [
    { CA_FILE: '-----BEGIN CERTIFICATE-----\nMIIB' },
    'CA_FILE holds PEM text; give the path of a file that holds it.',
  ],
  [
    { CLIENT_CERT_FILE: 'ca.pem' },
    'CLIENT_KEY_FILE is not set although CLIENT_CERT_FILE is; give both.',
  ],
  [
    { CLIENT_KEY_FILE: 'key.pem' },
    'CLIENT_CERT_FILE is not set although CLIENT_KEY_FILE is; give both.',
  ],
  [
    { CLIENT_CERT_FILE: 'ca.pem', CLIENT_KEY_FILE: 'locked.pem' },
    "CLIENT_KEY_FILE names 'locked.pem', which is encrypted; give a key without a passphrase.",
  ],
  [
    { PROXY_URL: 'proxy.example.com:3128' },
    'PROXY_URL has no https:// in front; write https://proxy.example.com:3128.',
  ],
  [
    { PROXY_URL: 'http://u:pw@proxy:3128/?x=secret' },
    'PROXY_URL holds a query or a fragment; give the address alone, like http://proxy.example.com:3128.',
  ],
  [
    { MAILBOX_URL: 'http://u:pw@mail:8025' },
    'MAILBOX_URL holds a user name or password; give the address alone, like http://localhost:8025.',
  ],
  [
    { ...base, WRONG_REGION_URL: 'https://API.example.com:443/v5/' },
    "WRONG_REGION_URL is the same address as BASE_URL; give another region's base.",
  ],
  [{ USER_MAILS: `${a}=ada` }, `USER_MAILS holds '${a}=ada'; ${mailForm}`],
  [{ TEAM_MAILS: 'ada@example.com' }, `TEAM_MAILS holds 'ada@example.com'; ${mailForm}`],
  [{ METADATA_VALUES: 'tag=vip,colour=red' }, `METADATA_VALUES holds 'colour=red'; ${pairForm}`],
  [{ METADATA_VALUES: 'tag=' }, `METADATA_VALUES holds 'tag='; ${pairForm}`],
  [
    { EXPORT_FROM: '2025-02-30T00:00:00Z' },
    "EXPORT_FROM holds '2025-02-30T00:00:00Z', which is no instant in UTC; give one like 2025-01-31T00:00:00Z.",
  ],
  [
    { EXPORT_TO: '2025-01-31T00:00:00+01:00' },
    "EXPORT_TO holds '2025-01-31T00:00:00+01:00', which is no instant in UTC; give one like 2025-01-31T00:00:00Z.",
  ],
  [
    { EXPORT_TO: '2999-01-01T00:00:00Z' },
    "EXPORT_TO holds '2999-01-01T00:00:00Z', which lies in the future; give an instant that has passed.",
  ],
  [
    { EXPORT_FROM: '2025-01-31T00:00:00Z', EXPORT_TO: '2025-01-01T00:00:00Z' },
    "EXPORT_FROM holds '2025-01-31T00:00:00Z', which is not before EXPORT_TO ('2025-01-01T00:00:00Z'); give the start of the window first.",
  ],
  [
    { EXPORT_FROM: '2025-01-01T00:00:00Z', EXPORT_TO: '2025-01-01T00:00Z' },
    "EXPORT_FROM holds '2025-01-01T00:00:00Z', which is not before EXPORT_TO ('2025-01-01T00:00Z'); give the start of the window first.",
  ],
  [{ TASKS_IDS: a }, 'TASKS_IDS is no setting; did you mean TASK_IDS?'],
  [{ TASK_ID: a }, 'TASK_ID is no setting; did you mean TASK_IDS?'],
  [{ API_KEYS: 'k' }, 'API_KEYS is no setting; did you mean API_KEY?'],
  [{ BASE_ULR: 'x' }, 'BASE_ULR is no setting; did you mean BASE_URL?'],
  [
    { REQUEST_PER_SECONDS: '5' },
    'REQUEST_PER_SECONDS is no setting; did you mean REQUESTS_PER_SECOND?',
  ],
]

describe('a wrong setting', () => {
  test.each(mistaken)('%j', (env, sentence) => {
    expect(mistakesOf(() => read(env))).toEqual([sentence])
  })

  test('does not hide another', () => {
    const env = { ...base, TASKS_IDS: a, TASK_IDS: 'x', CONCURRENCY: 'y', BODIES: 'z' }
    expect(mistakesOf(() => read(env)).map((sentence) => sentence.split(' ')[0])).toEqual([
      'TASKS_IDS',
      'TASK_IDS',
      'CONCURRENCY',
      'BODIES',
    ])
  })

  test('never shows the key, wherever it stands', () => {
    const secret = 'S3cr3t-k3y'
    const env = Object.fromEntries(names.map((name) => [name, secret]))
    expect(mistakesOf(() => read(env)).join('\n')).not.toContain(secret)
    const halves = { ...base, API_KEY: 'S3cr3t k3y-two', TASK_IDS: 'S3cr3t k3y-two' }
    expect(mistakesOf(() => read(halves)).join('\n')).not.toMatch(/S3cr3t|k3y-two/)
  })
})

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
      `READ_TASK_IDS holds '${a.toUpperCase()}', which stands in TASK_IDS too: the run may change it.`,
    ])
  })

  test('an empty list is as unset, and TASK_IDS says so', () => {
    const settings = read({ ...base, TASK_IDS: '', USER_IDS: ' ', CONCURRENCY: '', READ_ONLY: '' })
    expect(settings).toMatchObject({ taskIds: [], userIds: [], concurrency: 8, readOnly: false })
    expect(settings.notices).toEqual([
      'TASK_IDS is set but empty: clauses that change a task will skip.',
    ])
    expect(read({ TASK_IDS: '' })).toMatchObject({ embedded: true, notices: [] })
  })

  test('a base that does not end in /v5 is told', () => {
    expect(read({ ...base, BASE_URL: 'https://api.example.com/' })).toMatchObject({
      baseUrl: 'https://api.example.com',
      notices: ['BASE_URL does not end in /v5, as the base of the service normally does.'],
    })
  })
})

describe('what is read', () => {
  test('nothing: the defaults', () => {
    const { seed, ...settings } = read({})
    expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32).toBe(true)
    expect(settings).toEqual({
      baseUrl: '',
      embedded: true,
      apiKey: '',
      taskIds: [],
      readTaskIds: [],
      assessmentIds: [],
      userIds: [],
      teamIds: [],
      reportsDir: join(cwd, 'reports'),
      journalDir: join(cwd, 'journal'),
      arrayEncoding: 'auto',
      concurrency: 8,
      timeoutMs: 10_000,
      maxExportMb: 512,
      settleMs: 2000,
      mailWaitS: 30,
      auditWaitS: 30,
      runTimeoutS: 1800,
      userMails: {},
      teamMails: {},
      metadataValues: {},
      readOnly: false,
      strict: false,
      bodies: 'failed',
      notices: [],
    })
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

  test('is optional, and a folder of that name is none', () => {
    expect(readEnvironment(folderWith(), { SEED: '7' })).toEqual({ SEED: '7' })
  })

  test('gives way to the environment, also where that is empty', () => {
    const folder = folderWith({ '.env': 'BASE_URL=https://h/v5\nAPI_KEY=k\nSEED=7\n' })
    const env = readEnvironment(folder, { BASE_URL: '', SEED: undefined })
    expect(env).toEqual({ BASE_URL: '', API_KEY: 'k', SEED: '7' })
    expect(mistakesOf(() => readSettings(env, { cwd: folder }))[0]).toMatch(/^BASE_URL is set but/)
  })

  test('that is UTF-16 is told, for dotenv would read nothing of it', () => {
    const folder = folderWith({ '.env': Buffer.from('\uFEFFSEED=7\r\n', 'utf16le') })
    expect(mistakesOf(() => readEnvironment(folder, {}))).toEqual([
      '.env is no UTF-8 text; save it as UTF-8.',
    ])
  })

  test.each([
    ['BASEURL', 'BASE_URL'],
    ['base_url', 'BASE_URL'],
    ['APIKEY', 'API_KEY'],
    ['SEEDS', 'SEED'],
    ['MAIL_WAIT', 'MAIL_WAIT_S'],
    ['REPORT_DIR', 'REPORTS_DIR'],
    ['READONLY', 'READ_ONLY'],
    ['TASK_ID', 'TASK_IDS'],
  ])('is searched strictly for misspelt names: %s', (name, meant) => {
    const folder = folderWith({ '.env': `${name}=1\n` })
    const settings = () => readSettings(readEnvironment(folder, {}), { cwd: folder })
    expect(mistakesOf(settings)).toEqual([`${name} is no setting; did you mean ${meant}?`])
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

test('.env.example holds every setting with its meaning and example, and no other', () => {
  const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
  const shown = [...text.matchAll(/^# (.*)\n# ([A-Z_]+)=(.*)$/gm)].map(([, ...row]) => row)
  const expected = names.map((name) => [table[name].meaning, name, table[name].example])
  expect(shown.sort()).toEqual(expected.sort())
})

test('the examples of .env.example stand beside each other', () => {
  const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
  const env = parse(text.replace(/^# (?=[A-Z_]+=)/gm, ''))
  const files = /^(CA|CLIENT_CERT|CLIENT_KEY)_FILE names .* cannot be read/
  expect(mistakesOf(() => read(env)).filter((sentence) => !files.test(sentence))).toEqual([])
})
