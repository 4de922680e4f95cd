import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { Impossible } from '../../engine/impossible.ts'
import { readWaivers } from '../../program/input/people-files.ts'
import { runAgainst } from '../proofs/prove.ts'
import { openWorkerFolder } from '../test-end.ts'

const place = openWorkerFolder()
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

  // biome-ignore format: one mistake a line
  test.each<[string, unknown, string]>([
    ['cut short', '[{"clause":', ' is not JSON; write [{'],
    ['no list', { clause: 'a' }, ' does not hold a list; write [{'],
    ['an entry that is not an object', [waiver, 'a'], ', entry 2: it is not an object; write [{'],
    ['a misspelt member', [{ ...waiver, untill: '' }], ", entry 1: unknown member 'untill'; write [{"],
    ['no reason', [{ ...waiver, reason: ' ' }], ', entry 1: reason is missing or not a text; write'],
    ['no clause', [{ ...waiver, clause: 5 }], ', entry 1: clause is missing or not a text; write'],
    ['a glob', [{ ...waiver, clause: 'auth.*' }], ": clause is 'auth.*'; give the id of"],
    ['no day', [{ ...waiver, until: '31.12.2126' }], ", entry 1: until is '31.12.2126'; give a day"],
    ['an invalid day', [{ ...waiver, until: '2126-02-30' }], ", entry 1: until is '2126-02-3"],
    ['a ticket that is not a text', [{ ...waiver, ticket: 12 }], ', entry 1: ticket is missing or not a t'],
    ['one clause twice', [waiver, waiver], ': task.read.fields is waived twice; keep one of the'],
  ])('with %s: one sentence', (_, value, sentence) => {
    const read = () => readWaivers(write(value), place)
    expect(read).toThrow(Impossible)
    expect(read).toThrow(`--waivers ${path}${sentence}`)
    expect(read).not.toThrow(/\n/)
  })

  test('that is missing ends with one sentence', () => {
    expect(() => readWaivers('none.json', place)).toThrow(
      '--waivers none.json cannot be read (it does not exist); give a readable file.',
    )
  })
})

describe('a run with waivers', () => {
  const bent = { stated: { fieldIsShown: (at: { field: string }) => at.field !== 'status' } }
  const argv = ['--clauses', 'task.read.fields,task.read.identity', '--waivers']

  test('does not fail for a waived failure, and shows it', async () => {
    const { exitCode, report, output } = await runAgainst(bent, [...argv, write([waiver])])
    expect(exitCode, output).toBe(0)
    const { clause: _, ...shown } = waiver
    const failed = report?.clauses.find(({ id }) => id === waiver.clause)
    expect(failed).toMatchObject({ verdict: 'fail', waiver: shown })
    expect(report?.verdict).toBe('conformant')
    expect(output).toContain('1 waived')
  })

  test('fails for a stale waiver, with the advice to delete it', async () => {
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

  test('a bad file ends the run before the first request', async () => {
    const fieldIsShown = vi.fn(() => true)
    const given = [...argv, write('[')]
    await expect(runAgainst({ stated: { fieldIsShown } }, given)).rejects.toThrow('is not JSON')
    expect(fieldIsShown).not.toHaveBeenCalled()
  })
})
