import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { makers } from '../../program/run/contract.ts'
import { consoleOf, takesColour } from '../../reporting/console.ts'
import { harOf } from '../../reporting/har.ts'
import { markdownOf } from '../../reporting/markdown.ts'
import { clause, exchange, largeReport, reportWith, variedReport } from './sample-reports.ts'

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

  test.each([
    ['of everything', variedReport()],
    ['of a large report', largeReport()],
  ])('%s is a valid HTTP Archive', (_, report) => {
    isHar?.(JSON.parse(harOf(report)))
    expect(isHar?.errors).toBeNull()
  })

  test('has each exchange once, with the body that any clause kept', () => {
    const { body, ...bare } = exchange(1)
    const report = reportWith([
      clause('a', { evidence: [bare, exchange(2)] }),
      clause('b', { evidence: [exchange(1)] }),
    ])
    const { entries } = JSON.parse(harOf(report)).log
    expect(entries.map((e: { comment: string }) => e.comment)).toEqual(['a, b', 'a'])
    expect(entries[0].response.content.text).toBe(body)
    expect(JSON.parse(harOf(largeReport())).log.entries).toHaveLength(700)
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
      '### Waived: 1',
      '### Not checked',
      '**2 musts inconclusive**: ',
      '**1 should needs a setting**: ',
    ].map((words) => text.indexOf(words))
    expect(order, text).not.toContain(-1)
    expect(order).toEqual([...order].sort((a, b) => a - b))
  })

  test('stays under 60 KB and says what it leaves out', () => {
    const reason = 'é'.repeat(4000)
    const failing = Array.from({ length: 200 }, (_, at) =>
      clause(`task.read.n${at}`, { verdict: 'fail', reason }),
    )
    const text = markdownOf(reportWith(failing))
    expect(Buffer.byteLength(text)).toBeLessThan(60_000)
    expect(text).toMatch(/… and 1\d\d more: report.json contains all of them\.\n$/)
  })

  test('text of the service is code: it is not markup and mentions nobody', () => {
    const reason = '<img src=x> @everyone ```\n# big\n![x](http://evil) | `a` ````'
    const text = markdownOf(
      reportWith([
        clause('a', { verdict: 'fail', reason }),
        clause('b', { verdict: 'skip', reason }),
      ]),
    )
    const outside = text
      .replace(/(`{3,})[^`\n]*\n[\s\S]*?\n\1/g, '')
      .replace(/(`+)[^\n]*?[^`]\1(?!`)/g, '')
    expect(outside).not.toMatch(/img|everyone|big|evil/)
  })
})

describe('the console', () => {
  test('is quiet when all is well', () => {
    const report = reportWith([clause('a'), clause('b')], { verdict: 'conformant' })
    const output = consoleOf(report, { verbose: false })
    expect(output.split('\n').length).toBeLessThan(15)
    expect(output).toContain(
      '  tested: https://eu.example.com/v5\n\nCONFORMANT: 2 of 2 musts pass\n',
    )
    expect(output).not.toContain('not checked')
  })

  test('a failure in a few lines: id, statement, fact, command, evidence', () => {
    const output = consoleOf(variedReport(), {
      verbose: false,
      files: ['/r/report.json', '/r/index.html'],
    })
    const block = output
      .split('\n\n')
      .find((text) => /^\s*FAIL task\.read\.fail/.test(text))
      ?.trim()
    expect(block?.split('\n').map((line) => line.trim())).toEqual([
      'FAIL task.read.fail  (must, Errors): what task.read.fail states',
      'why it is fail',
      'again: BASE_URL=https://eu.example.com/v5 npm run contract -- --clauses task.read.fail --seed 77',
    ])
    const blocks = output.trim().split('\n\n')
    expect(blocks[0]).toMatch(/^FAIL task\.read\.fail/)
    expect(output).toContain('evidence: /r/index.html#part=breaches')
    expect(output).toContain('version.waived  waived until 2027-01-31 (T-1): known since May')
  })

  test('what was not checked stands together where one setting is missing, in one line where all lack it', () => {
    const skip = (id: string, reason: string) => clause(id, { verdict: 'skip', reason })
    const [user, users, team] = [
      skip('a', 'set USER_IDS: users to assign to'),
      skip('b', 'set USER_IDS: two or more users to assign to'),
      skip('c', 'set TEAM_IDS: a team'),
    ]
    const said = (clauses: ReturnType<typeof clause>[]) =>
      consoleOf(reportWith(clauses), { verbose: false })
    expect(said([user, users, team])).toContain(
      '    3 musts need a setting: set TEAM_IDS, USER_IDS\n' +
        '      set USER_IDS: users to assign to (a, b)\n      set TEAM_IDS: a team (c)\n',
    )
    const mails = Array.from({ length: 18 }, (_, at) => skip(`m.n${at}`, 'set MAILBOX_URL: mails'))
    expect(said(mails)).toContain(
      '    18 musts need a setting: set MAILBOX_URL: mails (18 clauses)\n',
    )
    expect(said(mails)).not.toContain('m.n')
  })

  test('indents every line of a text', () => {
    const report = reportWith([clause('a', { verdict: 'skip', reason: 'one\ntwo' })], {
      reasons: ['first\nsecond'],
      notices: ['a notice\nthat goes on'],
      residue: [{ task: 't1', reason: 'answered\n403' }],
    })
    const output = consoleOf(report, { verbose: true })
    expect(output).toContain('\n  first\n      second\n')
    expect(output).toContain('\n  notice: a notice\n      that goes on\n')
    expect(output).toContain('\n    task t1: answered\n        403\n')
    expect(output).toContain('\n  skip         a  one\n      two\n')
  })

  test('on a terminal of 60 columns no word is cut, and a command stays one', () => {
    const text = consoleOf(variedReport(), { verbose: false, columns: 60 })
    for (const line of text.split('\n'))
      expect(line.length <= 60 || !line.trim().includes(' '), line).toBe(true)
    const flat = text.replace(/ \\\n +/g, ' ')
    expect(flat).toContain('npm run contract -- --clauses task.read.fail --seed 77\n')
  })

  test('is coloured if the stream supports colours, or on demand', () => {
    const report = variedReport()
    expect(consoleOf(report, { verbose: false })).not.toContain('\u001b')
    expect(consoleOf(report, { verbose: false, colour: true })).toContain('\u001b[31mFAIL\u001b[0m')
    const out = { write: () => {} }
    expect(takesColour(out, {})).toBe(false)
    expect(takesColour({ ...out, isTTY: true }, {})).toBe(true)
    expect(takesColour({ ...out, isTTY: true }, { NO_COLOR: '1', FORCE_COLOR: '1' })).toBe(false)
    expect(takesColour(out, { FORCE_COLOR: '1' })).toBe(true)
    expect(takesColour({ ...out, isTTY: true }, { FORCE_COLOR: '0' })).toBe(false)
  })

  test('details of the run need --verbose', () => {
    const report = reportWith([clause('a')], { details: ['a detail'] })
    expect(consoleOf(report, { verbose: false })).not.toContain('a detail')
    expect(consoleOf(report, { verbose: true })).toContain('a detail')
  })

  test('prints no CI log commands', () => {
    const reason = '::add-mask::x\n  ::error::y\n##[group]z ##vso[task.complete]'
    const output = consoleOf(reportWith([clause('a', { verdict: 'fail', reason })]), {
      verbose: true,
    })
    expect(output).not.toMatch(/^\s*::|##\[|##vso/m)
  })
})

test('every file of an interrupted run says so', () => {
  for (const [name, make] of Object.entries(makers))
    expect(make(variedReport()).toLowerCase(), name).toContain('interrupted')
})
