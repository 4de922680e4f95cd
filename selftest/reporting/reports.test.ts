import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' }
import { validate } from 'ctrf'
import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { makers } from '../../reporting/all.ts'
import { summaryOf } from '../../reporting/console.ts'
import { ctrfOf } from '../../reporting/ctrf.ts'
import { harOf } from '../../reporting/har.ts'
import { junitOf } from '../../reporting/junit.ts'
import { markdownOf } from '../../reporting/markdown.ts'
import type { Report } from '../../reporting/report.ts'
import { lendService, start } from '../helpers/loans/lent-service.ts'
import {
  clause,
  exchange,
  hostileReport,
  largeReport,
  reportWith,
  variedReport,
} from './sample-reports.ts'

type Element = {
  name: string
  at: Record<string, string>
  text: string
  inside: Element[]
}

/** Reads XML strictly: what is not well-formed throws. */
function parsed(xml: string): Element {
  const root: Element = { name: '', at: {}, text: '', inside: [] }
  const path = [root]
  const here = () => path.at(-1) as Element
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, at: attributes as Record<string, string>, text: '', inside: [] }
    here().inside.push(element)
    path.push(element)
  })
  parser.on('text', (text) => {
    here().text += text
  })
  parser.on('closetag', () => path.pop())
  parser.write(xml).close()
  return root.inside[0] as Element
}

const named = (element: Element, name: string) => element.inside.filter((e) => e.name === name)

const casesOf = (report: Report) => {
  const suites = named(parsed(junitOf(report)), 'testsuite')
  const cases = suites.flatMap((suite) => named(suite, 'testcase'))
  const caseOf = (name: string) => cases.find((one) => one.at.name === name) as Element
  return { suites, cases, caseOf }
}

describe('junit.xml', () => {
  test('a suite for each operation, a case for each clause, and counts that agree', () => {
    const report = variedReport()
    const root = parsed(junitOf(report))
    const { suites, cases } = casesOf(report)
    expect(suites.map(({ at }) => at.name)).toEqual([
      'The run',
      'Retrieve a task',
      'Optimistic concurrency',
      'Export audit events',
    ])
    const names = cases.map(({ at }) => `${at.classname} ${at.name}`)
    expect(names.slice(1).sort()).toEqual(
      report.clauses.map(({ id, operation }) => `${operation} ${id}`).sort(),
    )
    expect(new Set(names).size).toBe(names.length)
    for (const suite of suites) {
      const ended = (kind: string) => named(suite, 'testcase').filter((c) => named(c, kind).length)
      expect(suite.at).toMatchObject({
        tests: String(named(suite, 'testcase').length),
        failures: String(ended('failure').length),
        errors: String(ended('error').length),
        skipped: String(ended('skipped').length),
      })
    }
    const sum = (name: string) => suites.reduce((n, { at }) => n + Number(at[name]), 0)
    for (const name of ['tests', 'failures', 'errors'])
      expect(root.at[name]).toBe(String(sum(name)))
  })

  test('properties tell what was tested, and that the run was interrupted', () => {
    for (const suite of casesOf(variedReport()).suites) {
      const [properties] = named(suite, 'properties')
      const output = properties?.inside.map(({ at }) => [at.name, at.value])
      expect(Object.fromEntries(output ?? [])).toEqual({
        target: 'https://eu.example.com/v5',
        seed: '77',
        version: '1.2.3',
        verdict: 'nonconformant',
        interrupted: 'true',
      })
    }
  })

  test('a failure with statement, fact, exchanges and a command; a skip with its reason', () => {
    const { caseOf } = casesOf(variedReport())
    const [failure] = named(caseOf('task.read.fail'), 'failure')
    expect(failure?.at).toEqual({ message: 'why it is fail', type: 'must' })
    expect(failure?.text).toContain('must what task.read.fail states (Errors)\nwhy it is fail')
    expect(failure?.text).toMatch(/GET \/tasks\/\S+ → 404 in 3 ms, attempt 2\n\ncurl .*\$API_KEY/)
    expect(caseOf('task.read.skip').inside).toMatchObject([
      { name: 'skipped', at: { message: 'why it is skip' }, text: 'why it is skip' },
    ])
    expect(caseOf('task.read.pass').inside).toEqual([])
    expect(caseOf('task.read.warn').inside).toMatchObject([{ name: 'system-out' }])
  })

  test('trouble is an error for a must alone; a waived failure is skipped and says why', () => {
    const { caseOf } = casesOf(variedReport())
    expect(caseOf('task.read.inconclusive').inside[0]?.name).toBe('error')
    const should = clause('a', { level: 'should', verdict: 'inconclusive', reason: 'r' })
    expect(casesOf(reportWith([should])).caseOf('a').inside[0]?.name).toBe('skipped')
    const [waived] = caseOf('version.waived').inside
    expect(waived?.name).toBe('skipped')
    expect(waived?.text).toBe(
      'waived until 2027-01-31 (T-1): known since May; answered 200, not 409',
    )
  })

  test('what clauses do not tell, such as a stale waiver, fails a case of its own', () => {
    const report = reportWith([clause('a')], { reasons: ['the waiver of b is stale'] })
    const run = casesOf(report).caseOf('verdict')
    expect(run.inside).toMatchObject([{ name: 'failure', text: 'the waiver of b is stale' }])
    const lost = reportWith([clause('a')], { reasons: ['r'], verdict: 'inconclusive' })
    expect(casesOf(lost).caseOf('verdict').inside[0]?.name).toBe('error')
    expect(casesOf(reportWith([clause('a')])).caseOf('verdict').inside).toEqual([])
  })

  test('tasks that could not be put back are told where a CI looks, and fail nothing', () => {
    const residue = [{ task: 't1', reason: 'answered 403' }]
    const run = casesOf(reportWith([clause('a')], { residue })).caseOf('verdict')
    expect(run.inside).toMatchObject([
      { name: 'system-out', text: 'NOT AS FOUND: task t1: answered 403' },
    ])
  })

  test('what XML forbids is removed, everything else stays as it was', () => {
    const text =
      'a\u0000\u001b[31mb\ud800\ufffe ]]> <![CDATA[ & é👩‍🚀 "\' \t\r\n[[ATTACHMENT|/etc/passwd]]'
    const report = reportWith([clause('a', { verdict: 'fail', reason: text })])
    const [failure] = named(casesOf(report).caseOf('a'), 'failure')
    expect(failure?.text).toContain(
      'a[31mb ]]> <![CDATA[ & é👩‍🚀 "\' \t\r\n[[ATTACHMENT |/etc/passwd]]',
    )
    expect(() => parsed(junitOf(hostileReport()))).not.toThrow()
  })
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
      clause('b', { evidence: [exchange(1), exchange(1)] }),
    ])
    const { entries } = JSON.parse(harOf(report)).log
    expect(entries.map((e: { comment: string }) => e.comment)).toEqual(['a, b', 'a'])
    expect(entries[0].response.content.text).toBe(body)
    expect(JSON.parse(harOf(largeReport())).log.entries).toHaveLength(700)
  })
})

describe('ctrf.json', () => {
  test.each([
    ['of everything', variedReport()],
    ['of a large report', largeReport()],
    ['of a shard', reportWith([], { shard: { index: 1, of: 4 } })],
  ])('%s is a valid Common Test Report', (_, report) => {
    expect(validate(JSON.parse(ctrfOf(report)))).toMatchObject({ valid: true })
  })

  test('counts and statuses', () => {
    const { summary, tests, environment } = JSON.parse(ctrfOf(variedReport())).results
    expect(summary).toMatchObject({ tests: 8, passed: 2, failed: 1, skipped: 2, other: 3 })
    const waived = tests.find(({ name }: { name: string }) => name === 'version.waived')
    expect(waived).toMatchObject({ status: 'skipped', rawStatus: 'waived' })
    expect(environment.extra.interrupted).toBe(true)
  })

  test('what the run has to say, tasks that could not be put back with it', () => {
    const given = {
      reasons: ['a reason'],
      notices: ['a notice'],
      residue: [{ task: 't1', reason: 'answered 403' }],
    }
    const ctrf = JSON.parse(ctrfOf(reportWith([clause('a')], given)))
    expect(ctrf.results.environment.extra).toMatchObject(given)
    expect(validate(ctrf)).toMatchObject({ valid: true })
  })
})

describe('summary.md', () => {
  test('says the verdict first, then what failed, was lost, waived and not checked', () => {
    const text = markdownOf(variedReport())
    const order = [
      '## Contract: NONCONFORMANT (interrupted)',
      '`https://eu.example.com/v5`',
      '`a reason of the run`',
      '| must | 1 | 1 | 1 | 0 | 2 | 0 | 0 |',
      '### Failed: 1',
      'why it is fail',
      '"apikey: $API_KEY"',
      '### Not decided, though it must be: 2',
      '### Waived: 1',
      '### Warnings: 1',
      '### Not checked',
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
    expect(text).toMatch(/… and 1\d\d more: report.json has them all\.\n$/)
  })

  test('what came from the service is code: it is no markup and names nobody', () => {
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
    const output = summaryOf(report, { verbose: false })
    expect(output.split('\n').length).toBeLessThan(15)
    expect(output).toContain('not checked: nothing, every clause of this run was')
  })

  test('a failure in a few lines: id, statement, fact, command, evidence', () => {
    const output = summaryOf(variedReport(), {
      verbose: false,
      files: ['/r/report.json', '/r/index.html'],
    })
    const block = output.split('\n\n').find((text) => text.startsWith('  FAIL task.read.fail'))
    expect(block?.split('\n').map((line) => line.trim())).toEqual([
      'FAIL task.read.fail  (must, Errors)',
      'what task.read.fail states',
      'why it is fail',
      expect.stringMatching(/^curl -sS -i .*"apikey: \$API_KEY"$/),
      'evidence: /r/index.html#clause=task.read.fail',
    ])
    expect(output).toContain('version.waived  waived until 2027-01-31 (T-1): known since May')
  })

  test('what was not checked stands together where one setting is missing', () => {
    const skip = (id: string, reason: string) => clause(id, { verdict: 'skip', reason })
    const output = summaryOf(
      reportWith([
        skip('a', 'set USER_IDS: users to assign to'),
        skip('b', 'set USER_IDS: two or more users to assign to'),
        skip('c', 'set TEAM_IDS: a team'),
      ]),
      { verbose: false },
    )
    expect(output).toContain('skip: set USER_IDS: users to assign to\n      a, b\n')
  })

  test('a text of several lines stays within its block', () => {
    const report = reportWith([clause('a', { verdict: 'skip', reason: 'one\ntwo' })], {
      reasons: ['first\nsecond'],
      notices: ['a notice\nthat goes on'],
      residue: [{ task: 't1', reason: 'answered\n403' }],
    })
    const output = summaryOf(report, { verbose: true })
    expect(output).toContain('\n  first\n      second\n  notice: a notice\n      that goes on\n')
    expect(output).toContain('\n    task t1: answered\n        403\n')
    expect(output).toContain('\n  skip         a  one\n      two\n')
  })

  test('gives no orders to the CI that reads along', () => {
    const reason = '::add-mask::x\n  ::error::y\n##[group]z ##vso[task.complete]'
    const output = summaryOf(reportWith([clause('a', { verdict: 'fail', reason })]), {
      verbose: true,
    })
    expect(output).not.toMatch(/^\s*::|##\[|##vso/m)
  })
})

describe('all of them', () => {
  test('an interrupted run leaves whole files that say so', async () => {
    let updates = 0
    const lent = await lendService({
      bent: { delay: () => 20 },
      between: async (request, next) => {
        if (request.method === 'PUT') updates += 1
        if (request.method === 'PUT' && updates === 8) run.child.kill('SIGINT')
        return next(request)
      },
    })
    const run = start('directly', 'check', lent.env)
    const { code, output } = await run.ended
    expect(code, output).toBe(130)
    const read = (name: string) => readFileSync(join(lent.env.REPORTS_DIR, name), 'utf8')
    for (const name of Object.keys(makers)) {
      expect(existsSync(join(lent.env.REPORTS_DIR, name)), name).toBe(true)
      expect(read(name).toLowerCase(), name).toContain('interrupted')
    }
    expect(parsed(read('junit.xml')).name).toBe('testsuites')
    for (const name of ['report.json', 'traffic.har', 'ctrf.json']) JSON.parse(read(name))
  })
})
