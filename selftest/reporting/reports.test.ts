import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import type { ClauseReport, Report } from '../../engine/run/report.ts'
import { makers } from '../../program/run/contract.ts'
import { annotationsOf, azureLine, githubLine } from '../../reporting/annotations.ts'
import { consoleOf, takesColour } from '../../reporting/console.ts'
import { harOf } from '../../reporting/har.ts'
import { markdownOf } from '../../reporting/markdown.ts'
import { commandsOf, repeatingOf } from '../../reporting/parts/issue.ts'
import {
  breach,
  clause,
  exchange,
  hostileReport,
  reportWith,
  variedReport,
} from './sample-reports.ts'

test('a text in a log line cannot end the line or begin another', () => {
  expect(githubLine('error', 'a:b,c', '50 %\n::stop-commands::x')).toBe(
    '::error title=a%3Ab%2Cc::50 %25%0A::stop-commands::x',
  )
  expect(azureLine('warning', 'Contract', '50 %\r\n##vso[x]')).toBe(
    '##vso[task.logissue type=warning]Contract: 50 %AZP25%0D%0A##vso[x]',
  )
  for (const line of annotationsOf(hostileReport(), githubLine)) expect(line).not.toMatch(/[\r\n]/)
})

describe('the command that repeats a breach', () => {
  const own = clause('a', { verdict: 'fail', breaches: [breach('x', 1)] })
  const met = clause('b', { verdict: 'fail', breaches: [{ ...breach('x', 1), metBy: ['c', 'd'] }] })
  const settings = { API_KEY: null, TASK_IDS: 'a,b', METADATA_VALUES: "tag=it's" }
  const settingsFiles = { 'staging.env': ['BASE_URL', 'API_KEY', 'TASK_IDS', 'METADATA_VALUES'] }
  const long = Array(9).fill('1d88d0e0-b9a5').join()
  const many = Object.fromEntries([...'ABCDEF'].map((name) => [name, '1d88d0e0-b9a5-448e']))
  const BASE_URL = 'BASE_URL=https://eu.example.com/v5'
  const run = 'npm run contract -- --clauses a --seed 77'
  // biome-ignore format: one run a line
  test.each<[string, ClauseReport, Partial<Report>, string]>([
    ['names its settings', own, { settings }, `# needs, set as in this run: API_KEY\n${BASE_URL} TASK_IDS=a,b METADATA_VALUES='tag=it'\\''s' ${run}`],
    ['names the clauses that sent the requests', met, {}, `${BASE_URL} npm run contract -- --clauses b,c --seed 77`],
    ['names the file of its settings', own, { settings, settingsFiles }, 'npm run contract -- --env-file staging.env --clauses a --seed 77'],
    ['names what has a long value', own, { settings: { TASK_IDS: long } }, `# needs, set as in this run: TASK_IDS\n${BASE_URL} ${run}`],
    ['names all that have ids', own, { settings: many }, `# needs, set as in this run: A, B, C, D, E, F\n${BASE_URL} ${run}`],
    ['is as read-only', own, { readOnly: true }, `${BASE_URL} npm run contract -- --clauses a --read-only --seed 77`],
  ])('%s', (_, broken, given, command) => {
    expect(commandsOf(repeatingOf(broken, reportWith([own, met], given)))).toBe(command)
  })
})

const places = Array.from({ length: 300 }, (_, at) => at)
const failing = places.map((at) =>
  clause(`area.failing.${at}`, {
    verdict: 'fail',
    reason: `answer ${at} was wrong`,
    breaches: [{ ...breach(`answer ${at} was wrong`, at + 1), got: String(200 + at) }],
    evidence: [exchange(at, { path: `/tasks/${at}` })],
  }),
)
const skipped = places.map((at) =>
  clause(`area.skipped.${at}`, { verdict: 'skip', cause: 'data', reason: `no event ${at}` }),
)

test('at most ten of a kind are annotated, and the last one says how many more there are', () => {
  const report = reportWith(failing.slice(0, 30), { reasons: ['a reason of the run'] })
  const lines = annotationsOf(report, githubLine)
  expect(lines.length).toBe(12)
  expect(lines.at(-1)).toContain('and 21 more: see the report')
})

test.each([
  ['fail', failing, /… and \d+ clauses in \d+ more groups: see \/r\/index.html/],
  ['are skipped', skipped, /no event 0(?:.|\n)*more reasons: index.html#part=unchecked/],
])('300 clauses that %s, each for a reason of its own, fill at most a screen', (_, all, words) => {
  const files = ['/r/report.json', '/r/index.html']
  const lines = consoleOf(reportWith(all), { verbose: false, files }).trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(60)
  expect(lines.join('\n')).toMatch(words)
})

test('traffic.har is a valid HTTP Archive', () => {
  // Its own format of dates and addresses; ajv has none without another package.
  const ajv = new Ajv({
    strict: false,
    formats: {
      uri: (text) => URL.canParse(text),
      'date-time': (text) => !Number.isNaN(Date.parse(text)),
      ipv4: true,
      ipv6: true,
    },
  })
  ajv.addMetaSchema(draft06)
  // The package has no types.
  const schemas: Record<string, object> = createRequire(import.meta.url)('har-schema')
  for (const schema of Object.values(schemas)) ajv.addSchema(schema)
  const isHar = ajv.getSchema('har.json#')
  isHar?.(JSON.parse(harOf(variedReport())))
  expect(isHar?.errors).toBeNull()
})

describe('summary.md', () => {
  test('says the verdict first, then what failed, was lost, waived and not checked', () => {
    const text = markdownOf(variedReport())
    const order = [
      '## Contract: NONCONFORMANT (INTERRUPTED): 1 of 5 musts broken, 1 waived breach, 1 warning; 1 passes, 2 not checked',
      '`https://eu.example.com/v5`',
      '`a reason of the run`',
      '| must | 1 | 0 | 1 | 2 | 0 | 1 | 0 |',
      '### Broken: 1 failed, 1 warning, in 2 groups',
      'why it is fail',
      '--clauses task.read.fail --seed 77',
      '### Musts without a verdict: 2',
      '### Waivers\n',
      '### Not checked',
      '**2 musts inconclusive**: ',
      '**1 should needs a setting**: ',
    ].map((words) => text.indexOf(words))
    expect(order, text).not.toContain(-1)
    expect(order).toEqual([...order].sort((a, b) => a - b))
  })

  test('stays under 60 KB and says what it leaves out', () => {
    const long = failing.slice(0, 200).map((one) => ({ ...one, reason: 'é'.repeat(4000) }))
    const text = markdownOf(reportWith(long))
    expect(Buffer.byteLength(text)).toBeLessThan(60_000)
    expect(text).toMatch(/… and 1\d\d more: report.json contains all of them\.\n$/)
  })

  test('text of the service is code: it is not markup and mentions nobody', () => {
    const reason = '<img src=x> @everyone ```\n# big\n![x](http://evil) | `a` ````'
    const both = (['fail', 'skip'] as const).map((verdict) => clause(verdict, { verdict, reason }))
    const text = markdownOf(reportWith(both))
    const outside = text
      .replace(/(`{3,})[^`\n]*\n[\s\S]*?\n\1/g, '')
      .replace(/(`+)[^\n]*?[^`]\1(?!`)/g, '')
    expect(outside).not.toMatch(/img|everyone|big|evil/)
  })
})

describe('the console', () => {
  test('is quiet when all is well; details of the run need --verbose', () => {
    const more = { verdict: 'conformant' as const, details: ['a detail'] }
    const report = reportWith([clause('a'), clause('b')], more)
    const output = consoleOf(report, { verbose: false })
    const line = '  tested: https://eu.example.com/v5\n\nCONFORMANT: 2 of 2 musts pass\n'
    expect(output.split('\n').length).toBeLessThan(15)
    expect(output).toContain(line)
    expect(output).not.toMatch(/not checked|a detail/)
    expect(consoleOf(report, { verbose: true })).toContain('a detail')
  })

  test('a failure in a few lines: id, statement, fact, command, evidence', () => {
    const files = ['/r/report.json', '/r/index.html']
    const output = consoleOf(variedReport(), { verbose: false, files })
    const [block] = output.trim().split('\n\n')
    expect(block?.split('\n').map((line) => line.trim())).toEqual([
      'FAIL task.read.fail  (must, Errors): what task.read.fail states',
      'why it is fail',
      'again: BASE_URL=https://eu.example.com/v5 npm run contract -- --clauses task.read.fail --seed 77',
    ])
    expect(output).toContain('evidence: /r/index.html#part=breaches')
    expect(output).toContain('version.waived  waived until 2027-01-31 (T-1): known since May')
  })

  test('what was not checked stands together where one setting is missing, in one line where all lack it', () => {
    const skip = (id: string, reason: string, ...set: string[]) =>
      clause(id, { verdict: 'skip', reason, settings: { set } })
    const said = (clauses: ClauseReport[]) => consoleOf(reportWith(clauses), { verbose: false })
    const [one, two] = ['set USER_IDS: users to assign to', 'set USER_IDS: two users or more']
    const users = [
      skip('a', one, 'USER_IDS'),
      skip('b', two, 'USER_IDS'),
      skip('c', 'set TEAM_IDS: a team', 'TEAM_IDS'),
    ]
    expect(said(users)).toContain(`    3 musts need a setting: set TEAM_IDS, USER_IDS
      ${one} (a, b)
      set TEAM_IDS: a team (c)
`)
    const mail = (at: number) => skip(`m.n${at}`, 'set MAILBOX_URL: mails', 'MAILBOX_URL')
    const mails = said(places.slice(0, 18).map(mail))
    expect(mails).toContain('    18 musts need a setting: set MAILBOX_URL: mails (18 clauses)\n')
    expect(mails).not.toContain('m.n')
  })

  test('is coloured if the stream supports colours, or on demand', () => {
    const report = variedReport()
    expect(consoleOf(report, { verbose: false })).not.toContain('\u001b')
    expect(consoleOf(report, { verbose: false, colour: true })).toContain('\u001b[31mFAIL\u001b[0m')
    const takes = (isTTY: boolean, env = {}) => takesColour({ write: () => {}, isTTY }, env)
    expect([takes(false), takes(true), takes(false, { FORCE_COLOR: '1' })]).toEqual([
      false,
      true,
      true,
    ])
    for (const env of [{ NO_COLOR: '1', FORCE_COLOR: '1' }, { FORCE_COLOR: '0' }])
      expect(takes(true, env)).toBe(false)
  })

  test('prints no CI log commands', () => {
    const reason = '::add-mask::x\n  ::error::y\n##[group]z ##vso[task.complete]'
    const report = reportWith([clause('a', { verdict: 'fail', reason })])
    const output = consoleOf(report, { verbose: true })
    expect(output).not.toMatch(/^\s*::|##\[|##vso/m)
  })
})

test('every file of an interrupted run says so', () => {
  for (const [name, make] of Object.entries(makers))
    expect(make(variedReport()).toLowerCase(), name).toContain('interrupted')
})
