import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../engine/http/retry.ts'
import type { Report } from '../../engine/run/report.ts'
import { judge } from '../../program/judge.ts'
import { verified, verify } from '../../program/verify.ts'
import { makeEvents } from '../../reference/calls/events.ts'
import { stated } from '../../reference/rules/stated.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { jsonOf } from '../../reporting/all.ts'
import { allClauses } from '../all-clauses.ts'
import { isLong } from '../long.ts'
import { runAgainst } from '../proofs/prove.ts'
import { openWorkerFolder } from '../test-end.ts'
import { inShortTime, useService } from './client.ts'
import { writeHar } from './har.ts'

const dir = openWorkerFolder()

const broken = { ...stated, versionMatches: () => true }

let whole: Report
const reports: Report[] = []
beforeAll(async () => {
  const world = makeWorld(1, { events: 30 })
  const events = makeEvents(world)
  const recorded = await inShortTime(() =>
    useService(createService({ world, events, stated: broken }), events, 'tasks'),
  )
  const judged = async (part: typeof recorded) => {
    const { report } = await judge({
      argv: [writeHar(join(dir, 'traffic.har'), part)],
      env: { BODIES: 'all' },
      cwd: dir,
      out: { write: () => {} },
      makers: {},
      collect: allClauses,
    })
    return report as Report
  }
  whole = await judged(recorded)
  // HONEST=100 makes as many as the issue asks for.
  for (let at = 0; at < Number(process.env.HONEST ?? 5); at += 1)
    reports.push(await judged(recorded.slice(at * 3, at * 3 + 30)))
  const run = await runAgainst({ events: 300, env: { BODIES: 'all' } }, [], { makers: {} })
  reports.push(run.report as Report)
}, 300_000)

type Written = Report & { line: string; seal?: unknown }
const writtenOf = (report: Report): Written => JSON.parse(jsonOf(report))
const check = (written: Written) => verified(written, written, join(dir, 'files'))

test('of honest reports, of recordings and of a run, no verdict is called contradicted', async () => {
  for (const report of reports) {
    const { whole, clauses } = await check(writtenOf(report))
    expect([...whole, ...clauses.filter(({ word }) => word === 'contradicted')]).toEqual([])
  }
})

/** Changes a report in one place. */
const tamperings: Record<string, (report: Written, pick: <T>(list: readonly T[]) => T) => void> = {
  'a verdict': ({ clauses }, pick) => {
    const clause = pick(clauses.filter(({ verdict }) => verdict === 'pass'))
    clause.verdict = 'fail'
  },
  'a verdict made good': ({ clauses }, pick) => {
    const clause = pick(clauses.filter(({ breaches }) => breaches))
    clause.verdict = 'pass'
  },
  'a status': ({ exchanges }, pick) => {
    const exchange = pick(exchanges)
    exchange.status = exchange.status === 200 ? 404 : 200
  },
  'a body': ({ exchanges }, pick) => {
    const exchange = pick(exchanges.filter(({ body = '' }) => body.length > 10))
    exchange.body = exchange.body?.replace(/[0-9a-f]/, (sign) => (sign === '0' ? '1' : '0'))
  },
  'a count': ({ counts }, pick) => {
    counts.must[pick(['pass', 'fail', 'skip'] as const)] = 7
  },
  'a missing exchange': (report, pick) => {
    const gone = pick(report.exchanges)
    report.exchanges = report.exchanges.filter((each) => each !== gone)
  },
  'an exchange of another run': ({ exchanges }, pick) => {
    const at = exchanges.indexOf(pick(exchanges))
    const other = pick(reports[3]?.exchanges ?? [])
    exchanges[at] = { ...other, number: exchanges[at]?.number ?? 0, status: 200 }
  },
  'the verdict of the run': (report) => {
    report.verdict = 'conformant'
  },
}

// Two of each kind take some seconds.
const tampered = isLong ? 50 : 16

test.each([true, false])(
  `${tampered} reports that were changed in one place are found; with their seal: %s`,
  async (isSealed) => {
    const random = seededRandom(63)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const names = Object.keys(tamperings)
    const missed: string[] = []
    const honest = writtenOf(whole)
    if (!isSealed) delete honest.seal
    const before = await check(honest)
    for (let at = 0; at < tampered; at += 1) {
      const name = names[at % names.length] as string
      const written = writtenOf(whole)
      if (!isSealed) delete written.seal
      tamperings[name]?.(written, pick)
      const { whole: sentences, clauses } = await check(written)
      const isFound =
        sentences.length > 0 ||
        clauses.some(
          ({ word, id }) =>
            word === 'contradicted' ||
            (word === 'not checkable' &&
              before.clauses.some((each) => each.id === id && each.word === 'confirmed')),
        )
      if (!isFound) missed.push(name)
    }
    // Without a seal, what no law looks at stays unseen: that verdict is named as not checkable.
    if (isSealed) expect(missed).toEqual([])
    else expect(missed.length).toBeLessThanOrEqual(0.4 * tampered)
  },
  300_000,
)

test('says what is wrong, and ends with 1', async () => {
  const written = writtenOf(whole)
  const clause = written.clauses.find(({ verdict }) => verdict === 'pass')
  if (clause) Object.assign(clause, { verdict: 'fail', reason: 'it broke' })
  const file = join(dir, 'report.json')
  writeFileSync(file, JSON.stringify(written))
  const output: string[] = []
  const out = { write: (text: string) => output.push(text) }
  expect(await verify({ argv: [file], env: {}, cwd: dir, out })).toBe(1)
  expect(output.join('')).toContain(`contradicted   ${clause?.id}: it is not as it was written`)
})
