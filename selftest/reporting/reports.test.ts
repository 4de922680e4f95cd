import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { makers } from '../../program/run/contract.ts'
import { annotationsOf, azureLine, githubLine } from '../../reporting/annotations.ts'
import { consoleOf, takesColour } from '../../reporting/console.ts'
import { harOf } from '../../reporting/har.ts'
import { markdownOf } from '../../reporting/markdown.ts'
import { repeatingOf } from '../../reporting/parts/issue.ts'
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

test('at most ten of a kind are annotated, and the last one says how many more there are', () => {
  const [clause] = variedReport().clauses.filter(({ verdict }) => verdict === 'fail')
  if (!clause) throw new Error('there is none')
  const clauses = Array.from({ length: 30 }, (_, at) => ({ ...clause, id: `c${at}` }))
  const lines = annotationsOf({ ...variedReport(), verdict: 'conformant', clauses }, githubLine)
  expect(lines.length).toBe(12)
  expect(lines.at(-1)).toContain('and 21 more: see the report')
})

test('the command that repeats a breach names the clause that sent the requests, and its settings', () => {
  const own = clause('a', { verdict: 'fail', breaches: [breach('x', 1)] })
  const met = clause('b', { verdict: 'fail', breaches: [{ ...breach('x', 1), metBy: ['c', 'd'] }] })
  const settings = { API_KEY: null, TASK_IDS: 'a,b', METADATA_VALUES: "tag=it's" }
  const report = reportWith([own, met], { settings })
  expect(repeatingOf(own, report).run).toMatch(/--clauses a --seed 77$/)
  expect(repeatingOf(met, report).run).toMatch(/--clauses b,c --seed 77$/)
  const settingsFiles = { 'staging.env': ['BASE_URL', 'API_KEY', 'TASK_IDS', 'METADATA_VALUES'] }
  expect(repeatingOf(own, { ...report, settingsFiles }).run).toBe(
    'npm run contract -- --env-file staging.env --clauses a --seed 77',
  )
  const many = { ...report, settings: { TASK_IDS: Array(9).fill('1d88d0e0-b9a5').join() } }
  expect(repeatingOf(own, many).run).toContain(' TASK_IDS="$TASK_IDS" npm run')
  expect(repeatingOf(own, report).run).toBe(
    `BASE_URL=https://eu.example.com/v5 TASK_IDS=a,b METADATA_VALUES='tag=it'\\''s' API_KEY="$API_KEY" npm run contract -- --clauses a --seed 77`,
  )
  const lists = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => [name, '1d88d0e0-b9a5-448e'] as const)
  const exported = repeatingOf(own, { ...report, settings: Object.fromEntries(lists) })
  const run = 'BASE_URL=https://eu.example.com/v5 npm run contract -- --clauses a --seed 77'
  expect(exported.run).toBe(run)
  expect(repeatingOf(own, { ...report, readOnly: true }).run).toContain('--clauses a --read-only')
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

test.each([
  ['fail', failing, /… and \d+ clauses in \d+ more groups: see \/r\/index.html/],
  ['are skipped', skipped, /no event 0(?:.|\n)*more reasons: index.html#part=unchecked/],
])('300 clauses that %s, each for a reason of its own, fill at most a screen', (_, all, words) => {
  const files = ['/r/report.json', '/r/index.html']
  const lines = consoleOf(reportWith(all), { verbose: false, files }).trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(60)
  expect(lines.join('\n')).toMatch(words)
})

describe('traffic.har', () => {
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

  test('is a valid HTTP Archive', () => {
    isHar?.(JSON.parse(harOf(variedReport())))
    expect(isHar?.errors).toBeNull()
  })

  test('has each exchange once, with the body that any clause kept', () => {
    const { body, ...bare } = exchange(1)
    const a = clause('a', { evidence: [bare, exchange(2)] })
    const report = reportWith([a, clause('b', { evidence: [exchange(1)] })])
    const { entries } = JSON.parse(harOf(report)).log
    expect(entries.map((e: { comment: string }) => e.comment)).toEqual(['a, b', 'a'])
    expect(entries[0].response.content.text).toBe(body)
  })
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
    const skip = (id: string, reason: string) => clause(id, { verdict: 'skip', reason })
    const said = (...clauses: ReturnType<typeof clause>[]) =>
      consoleOf(reportWith(clauses), { verbose: false })
    expect(
      said(
        skip('a', 'set USER_IDS: users to assign to'),
        skip('b', 'set USER_IDS: two or more users to assign to'),
        skip('c', 'set TEAM_IDS: a team'),
      ),
    ).toContain(
      '    3 musts need a setting: set TEAM_IDS, USER_IDS\n' +
        '      set USER_IDS: users to assign to (a, b)\n      set TEAM_IDS: a team (c)\n',
    )
    const mails = said(
      ...places.slice(0, 18).map((at) => skip(`m.n${at}`, 'set MAILBOX_URL: mails')),
    )
    expect(mails).toContain('    18 musts need a setting: set MAILBOX_URL: mails (18 clauses)\n')
    expect(mails).not.toContain('m.n')
  })

  test('indents every line of a text', () => {
    const report = reportWith([clause('a', { verdict: 'skip', reason: 'one\ntwo' })], {
      reasons: ['first\nsecond'],
      notices: ['a notice\nthat goes on'],
      residue: [{ task: 't1', reason: 'answered\n403' }],
    })
    const output = consoleOf(report, { verbose: true })
    expect(output).toContain('\n  first\n      second\n')
    expect(output).toContain('\n  Notices\n    a notice\n        that goes on\n')
    expect(output).toContain('\n    task t1: answered\n        403\n')
    expect(output).toContain('\n  skip         a  one\n      two\n')
  })

  test('is coloured if the stream supports colours, or on demand', () => {
    const report = variedReport()
    expect(consoleOf(report, { verbose: false })).not.toContain('\u001b')
    expect(consoleOf(report, { verbose: false, colour: true })).toContain('\u001b[31mFAIL\u001b[0m')
    const takes = (isTTY: boolean, env = {}) => takesColour({ write: () => {}, isTTY }, env)
    expect([takes(false), takes(false, { FORCE_COLOR: '1' }), takes(true)]).toEqual([
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
