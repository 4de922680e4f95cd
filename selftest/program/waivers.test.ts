import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { Impossible } from '../../engine/impossible.ts'
import { waive } from '../../engine/run/waive.ts'
import { readWaivers } from '../../program/input/waivers.ts'
import { runAgainst } from '../proofs/prove.ts'
import { clause } from '../reporting/sample-reports.ts'

const place = mkdtempSync(join(tmpdir(), 'contract-'))
afterAll(() => rmSync(place, { recursive: true }))

const path = join(place, 'waivers.json')
const write = (value: unknown) => {
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

const until = '2126-12-31'
const waiver = { clause: 'task.read.fields', reason: 'being repaired', until, ticket: 'AB-12' }

describe('a file of waivers', () => {
  test('is read', () => {
    const { ticket: _, ...plain } = waiver
    write([waiver, { ...plain, clause: 'b' }])
    expect(readWaivers('waivers.json', place)).toEqual([waiver, { ...plain, clause: 'b' }])
    expect(readWaivers(write([]), place)).toEqual([])
  })

  test.each<[string, unknown, string]>([
    ['cut short', '[{"clause":', ' is not JSON; write [{'],
    ['no list', { clause: 'a' }, ' does not hold a list; write [{'],
    ['an entry that is none', [waiver, 'a'], ', entry 2: it is not an object; write {"clause", '],
    [
      'a misspelt member',
      [{ ...waiver, untill: '' }],
      ", entry 1: unknown member 'untill'; use clause, ",
    ],
    [
      'no reason',
      [{ ...waiver, reason: ' ' }],
      ', entry 1: reason is missing or not a text; say why',
    ],
    [
      'no clause',
      [{ ...waiver, clause: 5 }],
      ', entry 1: clause is missing or not a text; give the',
    ],
    [
      'a glob',
      [{ ...waiver, clause: 'auth.*' }],
      ", entry 1: clause holds 'auth.*'; give the id of",
    ],
    [
      'no day',
      [{ ...waiver, until: '31.12.2126' }],
      ", entry 1: until holds '31.12.2126'; give the",
    ],
    [
      'a day that is none',
      [{ ...waiver, until: '2126-02-30' }],
      ", entry 1: until holds '2126-02-3",
    ],
    [
      'a ticket that is no text',
      [{ ...waiver, ticket: 12 }],
      ', entry 1: ticket is missing or not a t',
    ],
    ['one clause twice', [waiver, waiver], ': task.read.fields is waived twice; keep one of the'],
  ])('with %s: one sentence', (_, value, sentence) => {
    const read = () => readWaivers(write(value), place)
    expect(read).toThrow(Impossible)
    expect(read).toThrow(`--waivers ${path}${sentence}`)
    expect(read).not.toThrow(/\n/)
  })

  test('that is not there: one sentence', () => {
    expect(() => readWaivers('none.json', place)).toThrow(
      '--waivers none.json cannot be read (it is not there): give a file that can.',
    )
  })
})

describe('a waiver', () => {
  const now = new Date('2026-06-15T23:59:59Z')
  const waived = (
    verdict: 'fail' | 'warn' | 'pass' | 'skip' | 'inconclusive',
    day = '2026-06-15',
  ) =>
    waive([clause('a', { verdict })], [{ clause: 'a', reason: 'r', until: day }], {
      declared: ['a', 'b'],
      now,
    })
  const [laid, none] = [[{ reason: 'r', until: '2026-06-15' }], [undefined]]

  test.each([
    ['fail', laid],
    ['warn', laid],
    ['skip', none],
    ['inconclusive', none],
  ] as const)('of a clause that ends as %s', (verdict, expected) => {
    const { clauses, stale, notices } = waived(verdict)
    expect(clauses.map((each) => each.waiver)).toEqual(expected)
    expect(clauses[0]?.verdict).toBe(verdict)
    expect([stale, notices]).toEqual([[], []])
  })

  test('holds through its last day, and no longer', () => {
    const { clauses, notices, stale } = waived('fail', '2026-06-14')
    expect(clauses[0]?.waiver).toBeUndefined()
    expect(notices).toEqual(['the waiver of a expired after 2026-06-14: it counts again'])
    expect(stale).toEqual([])
  })

  test('of a clause that passes is stale, expired or not', () => {
    for (const day of ['2026-06-14', '2026-06-15'])
      expect(waived('pass', day).stale).toEqual([
        'the waiver of a is stale: the clause passes; delete it',
      ])
  })

  test('of no clause at all is stale; of one that did not run it is not', () => {
    const of = (id: string, declared?: string[]) =>
      waive([], [{ clause: id, reason: 'r', until: '2026-06-15' }], { declared, now }).stale
    expect(of('c', ['a'])).toEqual(['the waiver of c is stale: no clause has this id; delete it'])
    expect(of('a', ['a'])).toEqual([])
    expect(of('c', undefined)).toEqual([])
  })
})

describe('a run with waivers', () => {
  const bent = { stated: { fieldIsShown: (at: { field: string }) => at.field !== 'status' } }
  const argv = ['--clauses', 'task.read.fields,task.read.identity', '--waivers']

  test('is not failed by a failure that is waived, and shows it', async () => {
    const { exitCode, report, output } = await runAgainst(bent, [...argv, write([waiver])])
    expect(exitCode, output).toBe(0)
    const { clause: _, ...shown } = waiver
    const failed = report?.clauses.find(({ id }) => id === waiver.clause)
    expect(failed).toMatchObject({ verdict: 'fail', waiver: shown })
    expect(report?.verdict).toBe('conformant')
    expect(output).toContain('1 waived')
  })

  test('is failed by one that is stale, with the advice to delete it', async () => {
    const idle = { ...waiver, clause: 'task.read.identity' }
    const lost = { ...waiver, clause: 'task.read.gone' }
    const given = write([waiver, idle, lost, { ...waiver, clause: 'version.history' }])
    const { exitCode, report } = await runAgainst(bent, [...argv, given])
    expect(exitCode).toBe(1)
    expect(report?.reasons).toEqual([
      'the waiver of task.read.identity is stale: the clause passes; delete it',
      'the waiver of task.read.gone is stale: no clause has this id; delete it',
    ])
  })

  test('is failed by one that has expired', async () => {
    const given = write([{ ...waiver, until: '2025-01-31' }])
    expect((await runAgainst(bent, [...argv, given])).exitCode).toBe(1)
  })

  test('a file that is bad ends it before the first request', async () => {
    const fieldIsShown = vi.fn(() => true)
    const given = [...argv, write('[')]
    await expect(runAgainst({ stated: { fieldIsShown } }, given)).rejects.toThrow('is not JSON')
    expect(fieldIsShown).not.toHaveBeenCalled()
  })
})
