import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { describe, expect, test } from 'vitest'
import { readEnvironment } from '../../../engine/settings/environment.ts'
import type { Environment } from '../../../engine/settings/table.ts'
import { readSettings } from '../../../helpers/settings/read.ts'
import { names, removedSettings } from '../../../helpers/settings/table.ts'
import { wordsOf } from '../../long.ts'
import { a, b, base, cwd, folderWith, mistakesOf, read } from './folder-with.ts'

describe('what is repaired', () => {
  test.each([
    ['https://api.example.com/v5', 'https://api.example.com/v5'],
    ['  https://API.example.com:443/v5//\n', 'https://api.example.com/v5'],
    ['"http://localhost:8080/v5/"', 'http://localhost:8080/v5'],
  ])('BASE_URL %j', (text, baseUrl) => {
    const found = { baseUrl, embedded: false, notices: [] }
    expect(read({ ...base, BASE_URL: text })).toMatchObject(found)
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
      maxWrites: 0,
    })
  })

  test('flags win, but a flag that was not given turns nothing off', () => {
    const [on, off] = [true, false].map((each) => ({ strict: each, readOnly: each }))
    expect(read({ SEED: '1' }, { seed: 2, ...on })).toMatchObject({ seed: 2, ...on })
    expect(read({ READ_ONLY: '1' }, off)).toMatchObject({ strict: false, readOnly: true })
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

  test('is not read beside --env-file; of two such files the later one wins', () => {
    const files = { 'one.env': 'SEED=1\nTASK_IDS=a\n', 'two.env': 'SEED=2\n' }
    const folder = folderWith({ '.env': 'API_KEY=k\n', ...files })
    expect(readEnvironment(folder, {}, Object.keys(files))).toEqual({ SEED: '2', TASK_IDS: 'a' })
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
    const others = 'DATABASE_URL=x\nDEBUG=1\nPORT=1\nNODE_ENV=test\nVITEST=1\n'
    const folder = folderWith({ '.env': others })
    expect(() => readSettings(readEnvironment(folder, {}), { cwd: folder })).not.toThrow()
  })
})

test('innocent names of CI machines stop nothing', () => {
  const innocent = wordsOf(`
    VITEST TEST CI SEEDS BODY BASEURL APIKEY TASKID APP_KEY APP_URL API_URL TEAM_ID TASK_ID USER_ID
    DATABASE_URL BUILD_URL JOB_URL GIT_URL CI_API_KEY VITE_API_KEY VITE_BASE_URL NODE_API_KEY
    GITHUB_BASE_URL npm_config_read_only HTTP_PROXY NODE_OPTIONS SSL_CERT_FILE RUNNER_TEMP BUILD_ID
    RUN_ID CI_FILE DB_FILE TEST_IDS MAIL_WAIT REPORTS OUTPUT_DIR TIMEOUT CURL_CA_BUNDLE GITLAB_USER_ID
    SYSTEM_TEAMPROJECTID AGENT_ID JENKINS_URL RUN_DISPLAY_URL VITEST_POOL_ID XDG_DATA_DIR LC_ALL
  `)
  const env = Object.fromEntries(innocent.map((name) => [name, 'x1']))
  expect(() => read(env)).not.toThrow()
})

test('the examples of .env.example stand beside each other', () => {
  const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
  const env = parse(text.replace(/^# (?=[A-Z_]+=)/gm, ''))
  const files = /^(CA_FILE|CLIENT_CERT_FILE|CLIENT_KEY_FILE) names .* cannot be read/
  expect(mistakesOf(() => read(env)).filter((sentence) => !files.test(sentence))).toEqual([])
})

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
const hidden = '(a value that is also in API_KEY)'

// biome-ignore format: one mistake a line
const mistaken: Record<string, string> = {
  'EXTRA_HEADERS=x-gateway-key: secret': 'contains something that is not a header; give pairs like x-gateway-key=value, separated by commas.',
  'EXTRA_HEADERS=x-a=1,If-Match=2': 'names if-match, which the suite sets itself; leave it out.',
  'REVISION_HEADER=X Revision': "is 'X Revision', which is not the name of a header; give a name like x-revision.",
  'API_KEY=""': 'is set but empty; give the key of the service.',
  [`API_KEY=${'k'.repeat(100_000)}`]: 'has 100000 characters, and servers reject headers of more than 8 kB; give the key alone.',
  'TASK_IDS= ,': 'is set but empty; give ids of tasks, or unset it.',
  'ACTOR_ID= ': 'is set but empty; give the id of a user, or unset it.',
  'MAILBOX_URL=': 'is set but empty; give the address of the mailbox, or unset it.',
  'NOT_PERMITTED=': 'is set but empty; give operations or ids of clauses, or unset it.',
  'API_KEY=ab cd': `contains a space at position 3; ${visible}`,
  'API_KEY=ab\ncd': `contains a line break at position 3; ${visible}`,
  'API_KEY=a\tcd': `contains a tab at position 2; ${visible}`,
  'API_KEY=a\u0007d': `contains a control character at position 2; ${visible}`,
  'API_KEY=abcé': `contains a character outside ASCII at position 4; ${visible}`,
  'BASE_URL=api.example.com/v5': 'has no https:// in front; write https://api.example.com/v5.',
  'BASE_URL=u:pw@api.example.org/v5?x=1': 'has no https:// in front; write https://api.example.org/v5.',
  'BASE_URL=localhost:8080/v5': 'has no https:// in front; write http://localhost:8080/v5.',
  'BASE_URL=Sk_live_51H': 'has no https:// in front; write an address such as https://api.example.com/v5.',
  'BASE_URL=ftp://h/v5': `starts with 'ftp://'; ${scheme}`,
  'BASE_URL=https://u:pw@h/v5': `contains a user name or password; ${baseAlone}`,
  'BASE_URL=https://h/v5?token=x': `contains a query or a fragment; ${baseAlone}`,
  'BASE_URL=https://h\nx/v5': 'is not a valid address; give one like https://api.example.com/v5.',
  'TASK_IDS=abc': `contains 'abc', which is not a UUID; ${idForm}`,
  [`TASK_IDS=x,${a},y z`]: `contains 'x' and 2 more that are not UUIDs; ${idForm}`,
  'TASK_IDS=key-123': `contains ${hidden}, which is not a UUID; ${idForm}`,
  [`ACTOR_ID=${a},${b}`]: `is '${a},${b.slice(0, 23)}…', which is not a UUID; give one id of the form 123e4567-e89b-12d3-a456-426614174000.`,
  'TIMEOUT_MS=1e4': "is '1e4'; give a whole number from 100 to 600000.",
  'REQUESTS_PER_SECOND=0': "is '0'; give a number above 0 and up to 1000, for example 5 or 0.5.",
  'AUDIT_WAIT_S=1 s': "is '1 s'; give a whole number from 0 to 3600.",
  'READ_ONLY=maybe': "is 'maybe'; give 1, true, yes or on, or 0, false, no or off.",
  'BODIES=some': "is 'some'; give none, failed or all.",
  'ARRAY_ENCODING=csv': "is 'csv'; give auto, repeat, brackets, indices or comma.",
  'ARRAY_ENCODING=Pipe': "is 'Pipe'; give auto, which finds this form.",
  'CA_FILE=no.pem': "names 'no.pem', which cannot be read (ENOENT); give the path of a readable PEM file.",
  'CA_FILE=note.txt': "names 'note.txt', which contains no PEM block; give a file with -----BEGIN CERTIFICATE-----.",
  'CA_FILE=-----BEGIN CERTIFICATE-----\nMIIB': 'contains PEM text; give the path of a file that contains it.',
  'PROXY_URL=proxy.example.com:3128': 'has no https:// in front; write https://proxy.example.com:3128.',
  'PROXY_URL=http://u:pw@proxy:3128/?x=secret': 'contains a query or a fragment; give the address alone, like http://proxy.example.com:3128.',
  'MAILBOX_URL=http://u:pw@mail:8025': 'contains a user name or password; give the address alone, like http://localhost:8025.',
  'WRONG_REGION_URL=https://API.example.com:443/v5/': "is the same address as BASE_URL; give another region's base.",
  [`USER_MAILS=${a}=ada`]: `contains '${a}=ada'; ${mailForm}`,
  'TEAM_MAILS=ada@example.com': `contains 'ada@example.com'; ${mailForm}`,
  'METADATA_VALUES=tag=vip,colour=red': `contains 'colour=red'; ${pairForm}`,
  'METADATA_VALUES=tag=': `contains 'tag='; ${pairForm}`,
  'EXPORT_FROM=2025-02-30T00:00:00Z': "is '2025-02-30T00:00:00Z', which is not a time that ends in Z; give one like 2025-01-31T00:00:00Z.",
  'EXPORT_TO=2025-01-31T00:00:00+01:00': "is '2025-01-31T00:00:00+01:00', which is not a time that ends in Z; give one like 2025-01-31T00:00:00Z.",
  'EXPORT_TO=2999-01-01T00:00:00Z': "is '2999-01-01T00:00:00Z', which lies in the future; give an instant that has passed.",
  [`TASKS_IDS=${a}`]: 'is not a setting; did you mean TASK_IDS?',
  'REQUEST_PER_SECONDS=5': 'is not a setting; did you mean REQUESTS_PER_SECOND?',
}

// biome-ignore format: one mistake a line
const apart: [Environment, string][] = [
  [{ ...base, USER_IDS: a, TEAM_IDS: `${b},${a.toUpperCase()}` }, `USER_IDS contains '${a}', which is also in TEAM_IDS; give each id as a user or as a team.`],
  [{ ...base, SETTLE_MS: '60000', RUN_TIMEOUT_S: '60' }, "SETTLE_MS is '60000', and RUN_TIMEOUT_S lets the whole run take 60 s; give a SETTLE_MS of a few seconds, or a longer RUN_TIMEOUT_S."],
  [{ ...base, EXPORT_FROM: '2025-01-31T00:00:00Z', EXPORT_TO: '2025-01-01T00:00:00Z' }, "EXPORT_FROM is '2025-01-31T00:00:00Z', which is not before EXPORT_TO ('2025-01-01T00:00:00Z'); give the start of the window first."],
  [{ ...base, EXPORT_FROM: '2025-01-01T00:00:00Z', EXPORT_TO: '2025-01-01T00:00Z' }, "EXPORT_FROM is '2025-01-01T00:00:00Z', which is not before EXPORT_TO ('2025-01-01T00:00Z'); give the start of the window first."],
  [{ BASE_URL: ' ' }, `BASE_URL is set but empty; ${baseForm} or unset it to test the embedded reference service.`],
  [{ TASK_IDS: a }, `BASE_URL is not set although TASK_IDS is; ${baseForm} or unset it to test the embedded reference service.`],
  [{ API_KEY: 'k', TASK_IDS: a, TEAM_IDS: b }, `BASE_URL is not set although API_KEY, TASK_IDS and TEAM_IDS are; ${baseForm} or unset them to test the embedded reference service.`],
  [{ ...base, API_KEY: undefined }, 'API_KEY is not set although BASE_URL is; give the key of the service.'],
  [{ CLIENT_CERT_FILE: 'ca.pem' }, 'CLIENT_KEY_FILE is not set although CLIENT_CERT_FILE is; give both.'],
  [{ CLIENT_KEY_FILE: 'key.pem' }, 'CLIENT_CERT_FILE is not set although CLIENT_KEY_FILE is; give both.'],
  [{ CLIENT_CERT_FILE: 'ca.pem', CLIENT_KEY_FILE: 'locked.pem' }, "CLIENT_KEY_FILE names 'locked.pem', which is encrypted; give a key without a passphrase."],
]

/** What the kind of a setting says of a value. */
const saidOf = (name: (typeof names)[number], value: string) =>
  mistakesOf(() => read({ ...base, [name]: value }))

describe('a removed setting', () => {
  test.each(Object.entries(removedSettings))('%s is named with what to do', (name, instead) => {
    const sentence = `${name} is not a setting; ${instead}.`
    expect(mistakesOf(() => read({ ...base, [name]: '1' }))).toEqual([sentence])
    const folder = folderWith({ '.env': `${name}=1\n` })
    expect(mistakesOf(() => readSettings(readEnvironment(folder, {}), { cwd: folder }))).toEqual([
      sentence,
    ])
    expect(() => read({ ...base, [name]: '' })).not.toThrow()
  })
})

describe('a wrong setting', () => {
  test.each(names)('%s says its bounds, and whether it may be empty', (name) => {
    const [, from = '', to = ''] =
      /whole number from (\d+) to (\d+)/.exec(`${saidOf(name, '-')}`) ?? []
    const bounds = `give a whole number from ${from} to ${to}.`
    for (const value of from
      ? [`${Number(from) - 1}`, `${Number(to) + 1}`, `${to}.5`, '1e1', '0x10']
      : [])
      expect(saidOf(name, value)).toEqual([`${name} is '${value}'; ${bounds}`])
    for (const value of ['', '\n', "''"]) {
      const [said] = saidOf(name, value)
      if (/_IDS?$/.test(name)) expect(said).toMatch(`${name} is set but empty; give `)
    }
  })

  test.each(Object.entries(mistaken))('%s', (line, sentence) => {
    const [name = '', value] = line.split(/=(.*)/s)
    expect(mistakesOf(() => read({ ...base, [name]: value }))).toEqual([`${name} ${sentence}`])
  })

  test.each(apart)('%j', (env, sentence) => {
    expect(mistakesOf(() => read(env))).toEqual([sentence])
  })

  test('does not hide another', () => {
    const env = { ...base, TASKS_IDS: a, TASK_IDS: 'x', CONCURRENCY: 'y', BODIES: 'z' }
    const named = mistakesOf(() => read(env)).map((sentence) => sentence.split(' ')[0])
    expect(named).toEqual(['TASKS_IDS', 'TASK_IDS', 'CONCURRENCY', 'BODIES'])
  })

  test('never shows the key, wherever it stands', () => {
    const secret = 'S3cr3t-k3y'
    const env = Object.fromEntries(names.map((name) => [name, secret]))
    expect(mistakesOf(() => read(env)).join('\n')).not.toContain(secret)
    const halves = { ...base, API_KEY: 'S3cr3t k3y-two', TASK_IDS: 'S3cr3t k3y-two' }
    expect(mistakesOf(() => read(halves)).join('\n')).not.toMatch(/S3cr3t|k3y-two/)
  })
})
