import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Impossible } from '../../engine/impossible.ts'
import { waive } from '../../engine/run/waive.ts'
import { formerIds } from '../../helpers/contract/former-ids.ts'
import { readSettings } from '../../helpers/settings/read.ts'
import { listClauses } from '../../program/clauses.ts'
import { compareReports } from '../../program/compare.ts'
import { readOrder } from '../../program/input/order.ts'
import { readFlags } from '../../program/input/read-flags.ts'
import { printPlan } from '../../program/plan.ts'
import { withBaseline } from '../../program/report/baseline.ts'
import { environmentFor } from '../../program/stand-in/settings-for.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { runAgainst } from '../proofs/prove.ts'
import { clause, reportWith } from '../reporting/sample-reports.ts'
import { fileWith, openTestFolder } from '../test-end.ts'

const [former, present, retired] = ['task.read.every-field', 'task.read.fields', 'task.read.mood']
const renamedTold = `${former} is called ${present} since 0.3: its name said too little`
const retiredTold = `${retired} is retired since 0.3: tasks have no mood any more`

beforeAll(() => {
  formerIds[former] = { since: '0.3', replacedBy: present, why: 'its name said too little' }
  formerIds[retired] = { since: '0.3', why: 'tasks have no mood any more' }
})
afterAll(() => {
  delete formerIds[former]
  delete formerIds[retired]
})

const lent = { BASE_URL: 'https://api.example.com/v5', ...environmentFor({ world: makeWorld(1) }) }

function ordered(argv: string[], env: Record<string, string> = {}) {
  const cwd = openTestFolder()
  const flags = readFlags('check', { argv, env: {} })
  const settings = readSettings({ ...lent, ...env }, { cwd, flags })
  return { settings, order: readOrder(flags, cwd, settings) }
}

const waiverOf = (id: string) => ({ clause: id, reason: 'known', until: '2999-12-31' })

function waiversOf(...ids: string[]) {
  const file = join(openTestFolder(), 'waivers.json')
  writeFileSync(file, JSON.stringify(ids.map(waiverOf)))
  return file
}

function listedBy(...argv: string[]) {
  const output: string[] = []
  const out = { write: (text: string) => output.push(text) }
  return listClauses({ argv, env: {}, cwd: '.', out }).then(() => output.join(''))
}

describe('a renamed clause', () => {
  test.each(['--clauses', '--require'] as const)('is found by its former id in %s', (flag) => {
    const { order } = ordered([flag, `${former},task.read.types`])
    expect(flag === '--clauses' ? order.clauses : order.require).toEqual([
      present,
      'task.read.types',
    ])
    expect(order.notices).toEqual([`${flag}: ${renamedTold}`])
  })

  test('is found by a glob of its former id, with a notice if the present id does not match', () => {
    const { order } = ordered(['--clauses', 'task.read.e*,task.read.types'])
    expect(order.clauses).toEqual(['task.read.e*', present, 'task.read.types'])
    expect(order.notices).toEqual([`--clauses: ${renamedTold}`])
    expect(ordered(['--clauses', 'task.read.*']).order.notices).toEqual([])
  })

  test('is listed and planned, with a notice', async () => {
    const listed = await listedBy('--clauses', former)
    expect(listed).toMatch(/^must +task\.read\.fields /)
    expect(listed).toContain(`notice: --clauses: ${renamedTold}\n`)
    const output: string[] = []
    printPlan({ ...ordered(['--clauses', former]), out: { write: (text) => output.push(text) } })
    expect(output.join('')).toContain('would run   1 of 1 clauses')
    expect(output.join('')).toContain(`notice: --clauses: ${renamedTold}\n`)
  })

  test('is checked, and stays waived in the report', async () => {
    const file = waiversOf(former)
    const bent = { stated: { fieldIsShown: (at: { field: string }) => at.field !== 'status' } }
    const { exitCode, report } = await runAgainst(bent, ['--clauses', former, '--waivers', file])
    expect(report?.clauses.map(({ id, waiver }) => [id, waiver?.reason])).toEqual([
      [present, 'known'],
    ])
    expect(exitCode).toBe(0)
    expect(report?.notices).toEqual(
      expect.arrayContaining([`--clauses: ${renamedTold}`, `--waivers ${file}: ${renamedTold}`]),
    )
  })

  test('may be declared in NOT_PERMITTED', () => {
    const { settings } = ordered([], { NOT_PERMITTED: former })
    expect(settings.notPermitted).toEqual([present])
    expect(settings.notices).toContain(`NOT_PERMITTED: ${renamedTold}`)
  })

  test('stays waived', () => {
    const file = waiversOf(former)
    const { order } = ordered(['--waivers', file])
    expect(order.waived).toEqual([waiverOf(present)])
    expect(order.notices).toEqual([`--waivers ${file}: ${renamedTold}`])
    const twice = () => ordered(['--waivers', waiversOf(former, present)])
    expect(twice).toThrow(`${present} is waived twice; keep one of the two.`)
  })

  test('is checked again by --failed, as its present id', () => {
    const report = reportWith([
      clause(former, { verdict: 'fail', reason: 'r' }),
      clause('task.read.types'),
    ])
    const { order } = ordered(['--failed', fileWith(report)])
    expect(order.only).toEqual([present])
    expect(order.earlier?.report.clauses[0]?.id).toBe(present)
    expect(order.notices).toEqual([renamedTold])
  })

  test('is compared with a baseline, and is broken since its first run', () => {
    const [then, first] = ['2025-01-02T00:00:00.000Z', '2025-01-01T00:00:00.000Z']
    const fails = { verdict: 'fail', reason: 'r' } as const
    const listsOfIds = { new: [], fixed: [], flipped: [], differing: [] }
    const report = reportWith([clause(former, fails), clause(retired)], {
      startedAt: then,
      baseline: { startedAt: first, compared: 1, since: { [former]: first }, ...listsOfIds },
    })
    const now = reportWith([clause(present, fails)])
    const byClause = 'the baseline and this run have no findings: breaches are matched by clause id'
    const { baseline, notices } = withBaseline(now, { file: 'a.json', report }, true)
    expect(baseline).toMatchObject({ compared: 1, since: { [present]: first }, new: [] })
    expect(notices).toEqual([`baseline: ${renamedTold}`, `baseline: ${retiredTold}`, byClause])
  })

  test('is compared between reports', async () => {
    const [one, other] = [
      reportWith([clause(former), clause(retired)], { startedAt: '2025-01-01T00:00:00.000Z' }),
      reportWith([clause(present, { verdict: 'fail', reason: 'r' })]),
    ]
    const output: string[] = []
    const out = { write: (text: string) => output.push(text) }
    const argv = [one, other].map((report) => fileWith(report))
    expect(await compareReports({ argv, env: {}, cwd: '.', out })).toBe(1)
    const text = output.join('')
    expect(text).toContain(`A: ${renamedTold}`)
    expect(text).toContain(`A: ${retiredTold}`)
    expect(text).toContain(`${present}  (must`)
  })
})

describe('a retired clause', () => {
  test('ends a command that names it, and says since when', async () => {
    const sentence = `--clauses: ${retiredTold}; leave it out.`
    expect(() => ordered(['--clauses', retired])).toThrow(new Impossible(sentence))
    expect(() => ordered(['--require', retired])).toThrow(`--require: ${retiredTold}`)
    await expect(listedBy('--clauses', retired)).rejects.toThrow(new Impossible(sentence))
    const declared = () => ordered([], { NOT_PERMITTED: retired })
    expect(declared).toThrow(`NOT_PERMITTED contains ${retiredTold}; leave it out.`)
  })

  test('makes its waiver stale, which says why', () => {
    const { order } = ordered(['--waivers', waiversOf(retired)])
    const { stale } = waive([], order.waived, { declared: [], now: new Date() })
    expect(stale.map(({ fact, details }) => `${fact}${details}`)).toEqual([
      `the waiver of ${retired} is stale: the clause is retired since 0.3: tasks have no mood any more; delete it`,
    ])
  })
})
