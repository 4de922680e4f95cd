import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Impossible } from '../../engine/impossible.ts'
import { mainSettings } from '../../helpers/settings/table.ts'
import { check } from '../../program/check.ts'
import { listClauses } from '../../program/clauses.ts'
import { compareReports } from '../../program/compare.ts'
import {
  type Command,
  type CommandName,
  commands,
  removedCommands,
} from '../../program/input/commands.ts'
import { describeCommand, describeProgram } from '../../program/input/help.ts'
import type { Call } from '../../program/input/read-flags.ts'
import { readFlags } from '../../program/input/read-flags.ts'
import { restore } from '../../program/restore.ts'
import { createInterruption } from '../../program/run/interruption.ts'
import { serve } from '../../program/serve.ts'
import { setup } from '../../program/setup.ts'
import { verify } from '../../program/verify.ts'
import { builtProgram, cleanEnv } from '../built.ts'
import { deadUrl, httpServer } from '../engine/http/servers.ts'
import { lendService } from '../helpers/loans/lent-service.ts'
import { warm } from '../proofs/threads/warm-threads.ts'
import { reportWith } from '../reporting/sample-reports.ts'
import { openTestFolder } from '../test-end.ts'

const key = 'S3cr3t-k3y_51Hq9'
const id = '123e4567-e89b-12d3-a456-426614174000'
const set = { BASE_URL: 'https://api.example.com/v5', API_KEY: key }

const checking = (call: Call) =>
  check({ ...call, interruption: createInterruption(), runner: warm })
const run: Record<CommandName, (call: Call) => Promise<unknown>> = {
  check: checking,
  compare: compareReports,
  restore,
  serve,
  setup,
  clauses: listClauses,
  verify,
}

const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): RequestListener =>
  (_, answer) =>
    answer.writeHead(status, headers).end(body)

async function mistakeOf(
  words: string | string[],
  env: Record<string, string>,
  cwd = openTestFolder(),
) {
  const [name, ...argv] = typeof words === 'string' ? words.split(' ') : words
  const call = { argv, env, cwd, out: { write: () => {} } }
  const error = await run[name as CommandName](call).catch((error) => error)
  expect(error).toBeInstanceOf(Impossible)
  return (error as Impossible).message
}

type Row = [command: string, sentence: string | RegExp, env?: Record<string, string>]

const lists = 'npm run contract -- --help lists the flags.'
const none = 'matches no clause: npm run clauses lists the ids.'
const number = 'give a whole number from 0 to 4294967295.'

// biome-ignore format: one mistake a line
const rows: Row[] = [
  ['check --strickt', 'unknown flag --strickt; did you mean --strict?'],
  ['check --readOnly', 'unknown flag --readOnly; did you mean --read-only?'],
  ['check --clause auth.*', 'unknown flag --clause; did you mean --clauses?'],
  ['check -strict', 'unknown flag -strict; did you mean --strict?'],
  ['check --dry-run', `unknown flag --dry-run; ${lists}`],
  ['check --strict=yes', '--strict has no value; write --strict alone.'],
  ['check --clauses', '--clauses needs a value; write --clauses GLOB.'],
  ['check --clauses=', '--clauses needs a value; write --clauses GLOB.'],
  ['check --require ,', '--require needs a value; write --require GLOB.'],
  ['check --clauses --strict', '--clauses needs a value; write --clauses GLOB.'],
  ['check --seed 1e3', `--seed is '1e3'; ${number}`],
  ['check --seed=-1', `--seed is '-1'; ${number}`],
  ['check --seed -1', `--seed is '-1'; ${number}`],
  ['check --seed 1 --seed=2', '--seed is given twice, with 1 and with 2; give it once.'],
  ['check --profile smok', "--profile is 'smok'; did you mean 'smoke'?"],
  ['check --profile everything', "--profile is 'everything'; write full, smoke, reads, updates or export."],
  ['check', 'PROFILE is not a setting; write --profile NAME.', { PROFILE: 'smoke' }],
  ['check --level shall', "--level is 'shall'; write must, should or observe."],
  ['check --section Eror', "--section is 'Eror'; did you mean 'Errors'?"],
  ['check --as-of 9.9', /^--as-of is '9\.9'; write 0\.1\b.*\.$/],
  ['check --env-file none.env', '--env-file none.env cannot be read (ENOENT); give a readable file.'],
  ['check --waivers none.json', '--waivers none.json cannot be read (it does not exist); give a readable file.'],
  ['check --profile smoke --section Limits', /^--profile smoke --section 'Limits' selects no clause; .*lists the clauses\.$/],
  ['check auth.*', `unexpected argument 'auth.*'; ${lists}`],
  ['check --strict yes', `unexpected argument 'yes'; ${lists}`],
  ['check --clauses tsak.*', `tsak.* ${none}`],
  ['check --require tsak.*', '--require is given but BASE_URL is not set: your service would not be tested; set BASE_URL.'],
  ['check --clauses auth', 'auth matches no clause; did you mean auth.*? npm run clauses lists the ids.'],
  ['check --clauses task.read.fields', /^NOT_PERMITTED contains 'task\.reed', which is neither an operation nor the id/, { NOT_PERMITTED: 'task.reed' }],
  ['check --clauses task.read.fields', /^NOT_PERMITTED contains .*; did you mean version\.stale\.\*\?/, { NOT_PERMITTED: 'version.stale' }],
  ['clauses --strict', 'unknown flag --strict; npm run clauses -- --help lists the flags.'],

  ['compare', /^compare needs two or more reports and got none; write npm run compare -- real\//],
  ['compare a', /^compare needs two or more reports and got 1; /],
  ['compare a b --fail-on all', "--fail-on is 'all'; write contract, any or none."],
  ['compare a b any', 'npm kept --fail-on for itself; write: npm run compare -- a b --fail-on any', { npm_config_fail_on: 'true' }],
  ['serve', "PORT is 'x'; give a whole number from 0 to 65534.", { PORT: 'x' }],
  ['serve 4010', "unexpected argument '4010'; npm run serve -- --help lists the flags."],
  ['serve 4010', 'npm kept --port for itself; write: npm run serve -- --port 4010', { npm_config_port: 'true' }],
  ['serve --world fine.json --seed 2', '--world excludes --seed, because both define the world; leave one of the two out.'],
  ['restore now', "unexpected argument 'now'; npm run restore -- --help lists the flags."],
  ['setup', 'setup needs a terminal; give --base-url, --api-key and --yes, or copy .env.example to .env.'],
]

// What npm 11.19 was seen to hand on and to keep of `npm run contract …`; --help it answers itself.
// biome-ignore format: one command a line
const keptByNpm: [handedOn: string, kept: Record<string, string>, meant: string, names?: string][] = [
  ['check', { strict: 'true' }, '--strict'],
  ['check', { read_only: 'true' }, '--read-only'],
  ['check', { parseable: 'true', long: 'true', all: 'true' }, '--plan'],
  ['check auth.*', { clauses: 'true' }, "--clauses 'auth.*'"],
  ['check', { clauses: 'auth.*' }, "--clauses 'auth.*'"],
  ['check', { clauses: 'true' }, '--clauses GLOB'],
  ['check', { clauses: '' }, '--clauses GLOB'],
  ['check', { require: 'a\n\nb' }, '--require a --require b'],
  ['check b', { require: 'a\n\ntrue' }, '--require a --require b'],
  ['check 5', { seed: 'true' }, '--seed 5'],
  ['check', { seed: '5' }, '--seed 5'],
  ['check 5', { strict: 'true', seed: 'true' }, '--strict --seed 5', '--strict and --seed'],
  ['check a b', { clauses: 'true', require: 'true' }, '--clauses GLOB --require GLOB', '--clauses and --require'],
  ['check a', { clauses: 'true', require: 'true' }, '--clauses GLOB --require GLOB', '--clauses and --require'],
  ['check a --strict', { clauses: 'true' }, '--strict --clauses a', '--clauses'],
]

// What settings alone say stands in selftest/helpers/settings/settings.test.ts.
// biome-ignore format: one mistake a line
const settings: Row[] = [
  ['check', 'BASE_URL contains a query or a fragment; give the address alone, like https://api.example.com/v5.', { ...set, BASE_URL: `${set.BASE_URL}?apikey=${key}` }],
  ['check', /^TASK_IDS contains \(a value that is also in API_KEY\), which is not a UUID; give ids of the form/, { ...set, TASK_IDS: key }],
  ['check', /^REPORTS_DIR .+ cannot be written to \(it is a file\); give a writable directory\.$/, { REPORTS_DIR: import.meta.filename }],
  ['check', /^BASE_URL \S+ cannot be reached: GET \S+: the host name (is not known|could not be looked up)\.$/, { ...set, BASE_URL: `http://${'x'.repeat(64)}.example/v5` }],
]

describe('one sentence for each mistake', () => {
  test.for([...rows, ...settings])('%s: %s', async ([command, sentence, env = {}]) => {
    const said = await mistakeOf(command, env)
    if (typeof sentence === 'string') expect(said).toBe(sentence)
    else expect(said).toMatch(sentence)
    expect(said).not.toMatch(/S3cr3t|51Hq9|\n/)
  })

  test.for(keptByNpm)('%s, where npm kept %j: write %s', async ([command, kept, meant, names]) => {
    const env = Object.fromEntries(
      Object.entries(kept).map(([flag, value]) => [`npm_config_${flag}`, value]),
    )
    const [first] = meant.split(' ')
    const sentence = `npm kept ${names ?? first} for itself; write: npm run contract -- ${meant}`
    expect(await mistakeOf(command, env)).toBe(sentence)
  })

  test('a .env that is not UTF-8, or cannot be read', async () => {
    const cwd = openTestFolder()
    writeFileSync(join(cwd, '.env'), Buffer.from('\uFEFFSEED=7\r\n', 'utf16le'))
    expect(await mistakeOf('check', {}, cwd)).toBe('.env is not UTF-8 text; save it as UTF-8.')
    const other = openTestFolder()
    symlinkSync('.env', join(other, '.env'))
    const unread = '.env cannot be read (ELOOP); make it readable or remove it.'
    expect(await mistakeOf('check', {}, other)).toBe(unread)
  })

  test('an address without a listener, and unknown ids', async () => {
    const dead = { ...set, BASE_URL: `${await deadUrl()}/v5` }
    const refused = /^BASE_URL \S+ cannot be reached: GET \S+: connection refused\.$/
    expect(await mistakeOf('check', dead)).toMatch(refused)
    const url = await httpServer((_, answer) => answer.writeHead(404).end())
    const empty = { ...set, BASE_URL: `${url}/v5`, TASK_IDS: id }
    const absent = ' responds 404 to every id of TASK_IDS, READ_TASK_IDS and ASSESSMENT_IDS: '
    expect(await mistakeOf('check', empty)).toContain(absent)
  })

  // biome-ignore format: one service a line
  test.for<[string, RequestListener, RegExp]>([
    ['401', answering(401), /^API_KEY is rejected: BASE_URL \S+ responded 401/],
    ['a login page', answering(200, { 'content-type': 'text/html' }, '<!doctype html>'), /an HTML page/],
    ['a redirect', answering(307, { location: '/\u009b2J' }), /redirects to \/\S+: give the address/],
    ['JSON without end', answering(200, {}, `{"id":[${'1,'.repeat(1 << 21)}`), /the response is larger than 2 MB/],
  ])('a service that answers %s to everything', async ([, listener, sentence]) => {
    const BASE_URL = `${await httpServer(listener)}/v5`
    expect(await mistakeOf('check', { ...set, BASE_URL, READ_TASK_IDS: id })).toMatch(sentence)
  })

  test('names globs that contradict each other or match nothing, where a service is given', async () => {
    const { env } = await lendService()
    const required = 'check --clauses task.* --require export.csv.status'
    const contradiction = 'export.csv.status is required, but --clauses task.* leaves it out.'
    expect(await mistakeOf(required, env)).toBe(contradiction)
    expect(await mistakeOf('check --require tsak.*', env)).toBe(`tsak.* ${none}`)
  })

  test('names a port that is taken', async () => {
    const { port } = new URL(await httpServer(() => {}))
    expect(await mistakeOf(`serve --port ${port}`, {})).toContain(
      `port ${port} cannot be used (EADDRINUSE)`,
    )
  })
})

const help = /^(node|npx) \S+ compare .*/
test.each<[string, number, RegExp, RegExp]>([
  ['check --strickt', 2, /^$/, /^unknown flag --strickt; did you mean --strict\?\n$/],
  ['compare --json --strickt --help', 0, help, /^$/],
  ['--strict --version', 0, /^version \d+\.\d+\.\d+ .*\n$/, /^$/],
])('the program prints one thing, and ends: %s', (command, code, out, err) => {
  const given = { cwd: openTestFolder(), env: cleanEnv(), encoding: 'utf8' } as const
  const args = [builtProgram(), ...command.split(' ')]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, given)
  expect(stdout).toMatch(out)
  expect([status, stderr]).toEqual([code, expect.stringMatching(err)])
})

test('a run that could not be made says at last whose reports there are', () => {
  const folder = openTestFolder()
  const linesOf = (flags: readonly string[], env: Record<string, string>) => {
    const given = {
      cwd: folder,
      env: { ...cleanEnv(), BASE_URL: undefined, ...env },
      encoding: 'utf8',
    } as const
    const { stderr } = spawnSync(process.execPath, [builtProgram(), ...flags], given)
    return stderr.trimEnd().split('\n')
  }
  const mistake = expect.stringMatching(/^SEED is 'x'; /)
  expect(linesOf(['check'], { SEED: 'x' })).toEqual([mistake])

  const reports = join(folder, 'earlier')
  const report = reportWith([])
  mkdirSync(reports)
  writeFileSync(join(reports, 'report.json'), JSON.stringify(report))
  writeFileSync(join(folder, '.env'), 'REPORTS_DIR=earlier\n')
  const earlier = `The reports in ${reports} are of an earlier run, which began ${report.startedAt}.`
  expect(linesOf(['check'], { SEED: 'x' })).toEqual([mistake, earlier])
  expect(linesOf(['--strickt'], {}).at(-1)).toBe(earlier)
  expect(linesOf(['check', '--plan'], { SEED: 'x' })).toEqual([mistake])
  writeFileSync(join(folder, '.env'), 'not a setting\n')
  expect(linesOf(['check'], { REPORTS_DIR: reports }).at(-1)).toBe(earlier)
})

test('a flag that was removed is named with what to do instead, and is in no help', async () => {
  for (const [name, { instead = {} }] of Object.entries<Command>(commands))
    for (const [flag, advice] of Object.entries(instead)) {
      const sentence = `--${flag} is not a flag; ${advice}.`
      for (const form of [`--${flag} 1`, `--${flag}=1`])
        expect(await mistakeOf(`${name} ${form}`, {})).toBe(sentence)
      expect(describeCommand(name as CommandName)).not.toContain(`--${flag} `)
    }
})

test('a command that was removed is named with what to do instead, and is in no help', () => {
  const given = { cwd: openTestFolder(), env: cleanEnv(), encoding: 'utf8' } as const
  for (const name of Object.keys(removedCommands)) {
    const args = [builtProgram(), name, 'a.har', '--help']
    const { status, stdout, stderr } = spawnSync(process.execPath, args, given)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(new RegExp(`^${name} is not a command; \\S.+\\.\n$`))
    expect(describeProgram()).not.toMatch(new RegExp(`^ +${name} `, 'm'))
  }
})

const read = (argv: string[], env: Record<string, string>) => readFlags('check', { argv, env })

describe('flags', () => {
  const unset = { words: [], strict: false, readOnly: false, plan: false, verbose: false }
  test.each([
    ['', { clauses: [], require: [], failed: undefined, seed: undefined }],
    ['--strict --read-only', { strict: true, readOnly: true }],
    ['--clauses=a,b --clauses c --require a,b,', { clauses: ['a', 'b', 'c'], require: ['a', 'b'] }],
    ['--seed 0 --plan', { seed: 0, plan: true }],
    ['--seed=4294967295 --seed 4294967295', { seed: 4294967295 }],
    ['--baseline a.json --waivers=w.json', { baseline: 'a.json', waivers: 'w.json' }],
    ['--failed=a.json --verbose', { failed: 'a.json', verbose: true }],
    ['--failed --strict', { failed: '', strict: true }],
  ])('%s', (line, expected) => {
    expect(read(line.split(' ').filter(Boolean), {})).toMatchObject({ ...unset, ...expected })
  })

  test('the help of the program shows settings, examples and exit codes', () => {
    const help = describeProgram()
    for (const name of [...Object.keys(commands), ...mainSettings])
      expect(help).toMatch(new RegExp(`^ +${name} {2,}\\S`, 'm'))
    expect(help.match(/^ {4}npm run .* {2}\S/gm)?.length).toBe(3)
    for (const code of ['0', '1', '2', '3', '130, 143'])
      expect(help).toMatch(new RegExp(`^ {4}${code} {2,}\\S`, 'm'))
    expect(describeCommand('check')).toContain(help.slice(help.indexOf('  settings that matter')))
  })
})

describe('what npm keeps', () => {
  test.each([
    ['a flag given on both sides of --', ['--strict'], { npm_config_strict: 'true' }],
    ['--no-strict', [], { npm_config_strict: '' }],
    ['--long --all', [], { npm_config_long: 'true', npm_config_all: 'true' }],
    ['what npm sets by itself', [], { npm_config_yes: '', npm_config_cache: '/root/.npm' }],
  ])('stops nothing: %s', (_, argv, env) => {
    expect(read(argv, env)?.strict).toBe(argv.length > 0)
  })

  test('--verbose works although npm turns it into its log level', () => {
    expect(read([], { npm_config_loglevel: 'verbose' })?.verbose).toBe(true)
    expect(read([], { npm_config_loglevel: 'silent' })?.verbose).toBe(false)
  })
})
