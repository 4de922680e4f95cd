import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { showInCi } from '../../program/report/in-ci.ts'
import { makers } from '../../program/run/contract.ts'
import { createInterruption } from '../../program/run/interruption.ts'
import { annotationsOf, githubLine } from '../../reporting/annotations.ts'
import { summaryOf } from '../../reporting/console.ts'
import { figuresOf, verdictLine } from '../../reporting/parts/count.ts'
import { lendService } from '../helpers/loans/lent-service.ts'
import { runAgainst, runProgram } from '../proofs/prove.ts'
import { clause, reportWith } from './sample-reports.ts'
import { named, parsed } from './xml.ts'

const place = mkdtempSync(join(tmpdir(), 'contract-'))
afterAll(() => rmSync(place, { recursive: true }))

const chosen = (...ids: string[]) => ['--clauses', ids.join()]
const withoutStatus = {
  stated: { fieldIsShown: ({ field }: { field: string }) => field !== 'status' },
}
const malformed = { open: { malformedIdStatus: () => 400 } }

const waivers = join(place, 'waivers.json')
writeFileSync(
  waivers,
  JSON.stringify([{ clause: 'task.read.fields', reason: 'known', until: '2126-12-31' }]),
)

type Ran = { exitCode: number; report?: Report; output: string }

/** Each run with its verdict's line; what is free in it, such as how many clauses there are, is a `#`. */
const runs: [name: string, line: string, run: () => Promise<Ran>][] = [
  [
    'passed',
    'CONFORMANT: 2 of 3 musts hold; 1 not checked (1 needs data)',
    async () => ({
      exitCode: 0,
      output: '',
      report: reportWith(
        [
          clause('a'),
          clause('b'),
          clause('c', { verdict: 'skip', cause: 'data' }),
          clause('d', { level: 'should' }),
          clause('e', { level: 'observe', verdict: 'observed' }),
        ],
        { verdict: 'conformant' },
      ),
    }),
  ],
  [
    'failed',
    'NONCONFORMANT: 1 of 2 musts of --clauses task.read.fields,task.read.types broken; 1 holds',
    () => runAgainst(withoutStatus, chosen('task.read.fields', 'task.read.types')),
  ],
  [
    'waived',
    'CONFORMANT but for 1 waived breach: 1 of 2 musts of --clauses task.read.fields,task.read.types holds',
    () =>
      runAgainst(withoutStatus, [
        ...chosen('task.read.fields', 'task.read.types'),
        '--waivers',
        waivers,
      ]),
  ],
  [
    'warned',
    'CONFORMANT with 1 warning: 1 of 1 must of --clauses task.read.fields,task.read.malformed-id.status holds',
    () => runAgainst(malformed, chosen('task.read.fields', 'task.read.malformed-id.status')),
  ],
  [
    'inconclusive',
    'INCONCLUSIVE: 1 of 2 musts of --clauses task.read.fields,assessment.read.fields holds; 1 not checked (1 inconclusive; no must of assessment was decided)',
    async () => {
      const { env } = await lendService({
        between: async (request, next) =>
          request.url.includes('/assessments/')
            ? new Response('', { status: 503, headers: { 'retry-after': '0' } })
            : next(request),
      })
      return runProgram(env, chosen('task.read.fields', 'assessment.read.fields'))
    },
  ],
  [
    'skipped',
    'CONFORMANT: 1 of 2 musts of --clauses task.read.fields,task.read.types holds; 1 not checked (1 needs a setting)',
    () =>
      runAgainst(
        { env: { NOT_PERMITTED: 'task.read.types' } },
        chosen('task.read.fields', 'task.read.types'),
      ),
  ],
  [
    'selected',
    'CONFORMANT: # of # musts of --clauses assessment.read.* hold',
    () => runAgainst({}, chosen('assessment.read.*')),
  ],
  [
    'interrupted',
    'INCONCLUSIVE (INTERRUPTED): # of # musts of --clauses assessment.read.* hold; # not checked (# inconclusive)',
    async () => {
      const interruption = createInterruption()
      let requests = 0
      const { env } = await lendService({
        between: async (request, next) => {
          requests += 1
          if (requests < 40) return next(request)
          interruption.by = 'SIGINT'
          interruption.end('the run was interrupted (SIGINT)')
          return next(request)
        },
      })
      return runProgram(env, chosen('assessment.read.*'), { interruption })
    },
  ],
  [
    'nothing decided',
    'INCONCLUSIVE: nothing was checked; 0 of 1 must of --clauses task.read.types hold; 1 not checked (1 needs a setting; no must of task was decided)',
    () => runAgainst({ env: { NOT_PERMITTED: 'task.read.types' } }, chosen('task.read.types')),
  ],
  [
    'observing only',
    'INCONCLUSIVE: nothing of --clauses task.read.nulls,task.read.*-headers was to be judged; 2 observations',
    () => runAgainst({}, chosen('task.read.nulls', 'task.read.*-headers')),
  ],
]

const textOf = (page: string) =>
  page
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')

/** The verdict's line as each report of a run shows it. */
async function linesOf(report: Report, exitCode: number): Promise<Record<string, string>> {
  const made = (name: string) => makers[name]?.(report) ?? ''
  const output = join(place, 'output')
  writeFileSync(output, '')
  showInCi(
    { exitCode, report },
    place,
    { GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: output },
    {
      write: () => {},
    },
  )
  const outputs = readFileSync(output, 'utf8')
  const [run] = named(parsed(made('junit.xml')), 'testsuite')
  const [properties] = named(run as NonNullable<typeof run>, 'properties')
  const property = properties?.inside.find(({ at }) => at.name === 'line')
  const console = summaryOf(report, { verbose: false })
  return {
    console: /^[A-Z]+\b.*:.*$/m.exec(console)?.[0] ?? console,
    'report.json': JSON.parse(made('report.json')).line,
    'index.html': textOf(/<h1[^>]*>.*?<\/span> (.*?)<\/h1>/s.exec(made('index.html'))?.[1] ?? ''),
    'summary.md': (made('summary.md').split('\n')[0] ?? '')
      .replace('## Contract: ', '')
      .replace(/\\(.)/g, '$1'),
    'junit.xml': property?.at.value ?? '',
    annotation: (annotationsOf(report, githubLine)[0] ?? '').replace(/^.*title=Contract::/, ''),
    output: /^line=(.*)$/m.exec(outputs)?.[1] ?? '',
    badge: JSON.parse(made('badge.json')).message,
  }
}

describe.each(runs)('a run that %s', (name, line, run) => {
  test('has the same numbers in every report', async () => {
    const { report, exitCode, output } = await run()
    if (!report) throw new Error(output)
    const { badge = '', ...lines } = await linesOf(report, exitCode)
    const wanted = verdictLine(report)
    const pattern = line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('#', '\\d+')
    expect(wanted, name).toMatch(new RegExp(`^${pattern}$`))
    for (const [where, shown] of Object.entries(lines)) expect(shown, where).toBe(wanted)
    const isEmbedded = report.target.embedded
    expect(badge.toLowerCase()).toBe(
      `${isEmbedded ? 'the embedded service: ' : ''}${wanted.replace(/ \([^I][^)]*\)$/, '')}`.toLowerCase(),
    )
    expectFigures(report, exitCode)
  })
})

/** Counted once more, from the verdicts alone. */
function expectFigures(report: Report, exitCode: number) {
  const musts = report.clauses.filter(({ level }) => level === 'must')
  const { passed, failed, waived, warned, 'not-checked': open } = figuresOf(report)
  const waivedMusts = musts.filter(({ waiver }) => waiver).length
  expect(passed + failed + waivedMusts + open).toBe(musts.length)
  const { must, should } = report.counts
  expect([passed, failed + waivedMusts, open]).toEqual([
    must.pass,
    must.fail,
    (must.skip ?? 0) + (must.inconclusive ?? 0),
  ])
  expect(waived + warned).toBe(waivedMusts + (should.warn ?? 0) + (should.fail ?? 0))
  const output = join(place, 'output')
  const outputs = Object.fromEntries(
    readFileSync(output, 'utf8')
      .trim()
      .split('\n')
      .map((each) => each.split(/=(.*)/s).slice(0, 2)),
  )
  expect(outputs).toMatchObject({
    verdict: report.verdict,
    'exit-code': String(exitCode),
    passed: String(passed),
    failed: String(failed),
    waived: String(waived),
    warned: String(warned),
    'not-checked': String(open),
  })
  const suites = named(parsed(makers['junit.xml']?.(report) ?? ''), 'testsuite').slice(1)
  const sum = (what: string) => suites.reduce((all, { at }) => all + Number(at[what]), 0)
  expect([sum('tests'), sum('failures'), sum('errors')]).toEqual([
    report.clauses.length,
    failed + (should.fail ?? 0),
    must.inconclusive,
  ])
}

describe('the line', () => {
  const fail = { verdict: 'fail', reason: 'r' } as const
  const waiver = { reason: 'known', until: '2126-12-31' }
  const should = { level: 'should' } as const

  test.each<[string, Parameters<typeof reportWith>]>([
    [
      'NONCONFORMANT: 1 of 2 musts and 1 should broken; 1 holds',
      [[clause('a', fail), clause('b'), clause('c', { ...should, ...fail })], { strict: true }],
    ],
    [
      'NONCONFORMANT: 1 should broken; 1 of 1 must holds',
      [[clause('b'), clause('c', { ...should, ...fail })], { strict: true }],
    ],
    [
      'NONCONFORMANT: 1 of 3 musts broken, 2 waived breaches, 1 warning; 1 holds',
      [
        [
          clause('a', fail),
          clause('b'),
          clause('c', { ...fail, waiver }),
          clause('d', { ...should, verdict: 'warn', waiver }),
          clause('e', { ...should, verdict: 'warn' }),
        ],
      ],
    ],
    [
      'NONCONFORMANT: the waiver of a is stale; 2 of 2 musts hold',
      [
        [clause('a'), clause('b')],
        { reasons: ['the waiver of a is stale: the clause passes; delete it'] },
      ],
    ],
    [
      'INCONCLUSIVE: task t could not be put back, 1 warning; 1 of 1 must holds',
      [
        [clause('a'), clause('b', { ...should, verdict: 'warn' })],
        { verdict: 'inconclusive', reasons: ['task t could not be put back'] },
      ],
    ],
    [
      'CONFORMANT with 1 warning: 1 of 2 shoulds holds',
      [
        [clause('a', should), clause('b', { ...should, verdict: 'warn' })],
        { verdict: 'conformant' },
      ],
    ],
    [
      'CONFORMANT: 1 of 2 musts holds; 1 not checked (1 left open by the contract; no must of export was decided)',
      [
        [clause('task.a'), clause('export.a', { verdict: 'skip', cause: 'freedom' })],
        { verdict: 'conformant', areas: [{ name: 'export', clauses: ['export.*'] }] },
      ],
    ],
    ['INCONCLUSIVE: nothing was checked', [[], { verdict: 'inconclusive', reasons: ['x'] }]],
  ])('%s', (line, given) => {
    expect(verdictLine(reportWith(...given))).toBe(line)
  })
})
