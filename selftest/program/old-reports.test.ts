import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { makeBoard } from '../../program/board.ts'
import { compareReports } from '../../program/compare.ts'
import { readReport } from '../../program/input/read-report.ts'
import { runAgainst } from '../proofs/prove.ts'
import {
  asVersion1,
  clause,
  inlined,
  reportWith,
  withOldMembers,
} from '../reporting/sample-reports.ts'
import { openTestFolder } from '../test-end.ts'

const [fields, identity] = ['task.read.fields', 'task.read.identity']
const manifest = async () => [clause(fields), clause(identity)]

/** A report in which one clause fails, of a day before today. */
const report = reportWith([clause(fields, { verdict: 'fail', reason: 'r' }), clause(identity)], {
  target: { baseUrl: 'https://old.example.com/v5', embedded: false },
})

describe.each<[string, unknown]>([
  ['of version 1', inlined(asVersion1(report))],
  ['of version 1, with members of old', inlined(asVersion1(withOldMembers(report)))],
  ['of version 2, with members of old', withOldMembers(report)],
])('a report %s', (_, old) => {
  /** A folder with that report, and one of today. */
  const files = () => {
    const cwd = openTestFolder()
    mkdirSync(join(cwd, 'reports'))
    writeFileSync(join(cwd, 'reports/old.json'), JSON.stringify(old))
    const now = reportWith([clause(fields), clause(identity)])
    writeFileSync(join(cwd, 'reports/now.json'), JSON.stringify(now))
    const said: string[] = []
    const call = { env: {}, cwd, out: { write: (text: string) => said.push(text) }, manifest }
    return { cwd, path: join(cwd, 'reports/old.json'), call, said: () => said.join('') }
  }

  test('is compared', async () => {
    const { call, said } = files()
    const argv = ['reports/now.json', 'reports/old.json']
    expect(await compareReports({ ...call, argv })).toBe(1)
    expect(said()).toContain(fields)
    expect(said()).toContain('1 of them agree (50.0 %).')
  })

  test('has its place on a board', async () => {
    const { call, cwd, said } = files()
    expect(
      await makeBoard({ ...call, argv: ['reports', '--reference', 'https://eu.example.com/v5'] }),
    ).toBe(0)
    expect(said()).toContain('2 reports of 2 targets')
    const board = JSON.parse(readFileSync(join(cwd, 'board/board.json'), 'utf8'))
    expect(board.targets.map(({ name }: { name: string }) => name)).toContain(
      'https://old.example.com/v5',
    )
  })

  test('is a baseline', async () => {
    const { path } = files()
    const ids = ['--clauses', `${fields},${identity}`]
    const { exitCode, report: now } = await runAgainst({}, [...ids, '--baseline', path])
    expect(exitCode).toBe(0)
    expect(now?.notices.filter((notice) => notice.startsWith('drift: '))).toEqual([
      expect.stringContaining(`drift: ${fields}: `),
    ])
  })

  test('is what --failed goes on with', async () => {
    const { path } = files()
    const { suiteVersion, target } = (await runAgainst({}, ['--clauses', identity]))
      .report as Report
    const { shard: _, ...whole } = old as Report & { shard?: unknown }
    writeFileSync(path, JSON.stringify({ ...whole, suiteVersion, target }))
    const again = await runAgainst({}, ['--failed', path])
    expect(again.exitCode).toBe(0)
    expect(again.report?.rerun?.clauses).toEqual([fields])
    expect(again.report?.clauses.map(({ id }) => id)).toEqual([fields, identity])
    // What no run writes any more is handed on by none.
    for (const member of ['merged', 'slim']) expect(again.report).not.toHaveProperty(member)
  })

  test('keeps its verdicts when it is read', () => {
    const { path } = files()
    const { clauses, verdict } = readReport(path)
    expect(verdict).toBe('nonconformant')
    expect(clauses.map(({ id, verdict }) => [id, verdict])).toEqual([
      [fields, 'fail'],
      [identity, 'pass'],
    ])
  })
})
