import { readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type Debt,
  JournalError,
  openJournal,
  owedElsewhere,
} from '../../../helpers/loans/journal.ts'
import { openTestFolder } from '../../test-end.ts'

const target = 'https://one.example/v5'
const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`

const debt = (n: number, more: Partial<Debt> = {}): Debt => ({
  task: id(n),
  target,
  found: '2025-01-01T00:00:00.000Z',
  before: null,
  run: { pid: 1, host: 'here' },
  ...more,
})

const assigned = { assigned_by_id: id(7), assigned_to_id: id(8), assigned_to_type: 'USER' as const }

test('what is owed is read by the next run, until it is settled', () => {
  const dir = openTestFolder()
  const journal = openJournal(dir, target)
  journal.owe(debt(1))
  journal.owe(debt(2, { before: assigned }))
  expect(openJournal(dir, target).open()).toEqual([debt(1), debt(2, { before: assigned })])
  journal.settle(id(1))
  journal.settle(id(1))
  expect(openJournal(dir, target).open()).toEqual([debt(2, { before: assigned })])
})

test('the first finding stands', () => {
  const journal = openJournal(openTestFolder(), target)
  journal.owe(debt(1, { before: assigned }))
  expect(journal.owe(debt(1)).before).toEqual(assigned)
  expect(journal.open()).toEqual([debt(1, { before: assigned })])
})

test('ids of either letter case are the same task', () => {
  const journal = openJournal(openTestFolder(), target)
  const upper = 'ABCDEF00-0000-4000-8000-000000000000'
  journal.owe(debt(1, { task: upper, before: assigned }))
  expect(journal.owe(debt(1, { task: upper.toLowerCase() })).before).toEqual(assigned)
  journal.settle(upper.toLowerCase())
  expect(journal.open()).toEqual([])
})

test('a draft that was never finished owes nothing', () => {
  const journal = openJournal(openTestFolder(), target)
  journal.owe(debt(1))
  writeFileSync(join(journal.dir, `${id(2)}.json.0000.draft`), '{"task":')
  expect(journal.open()).toEqual([debt(1)])
  expect(readdirSync(journal.dir)).toHaveLength(2)
})

test.each([
  ['cut short', '{"task":"0000'],
  ['empty', ''],
  ['of something else', '{"name":"x"}'],
  ['null', 'null'],
  ['without what was found', JSON.stringify({ ...debt(1), before: undefined })],
  ['with an assignment that names nobody', JSON.stringify({ ...debt(1), before: {} })],
  ['of another task', JSON.stringify(debt(2))],
])('an entry that is %s is reported, not skipped', (_, text) => {
  const journal = openJournal(openTestFolder(), target)
  journal.owe(debt(3))
  writeFileSync(join(journal.dir, `${id(1)}.json`), text)
  expect(() => journal.open()).toThrow(JournalError)
  expect(() => journal.owe(debt(1))).toThrow(
    `JOURNAL_DIR: ${join(journal.dir, `${id(1)}.json`)} is cut short or was not written by this suite`,
  )
})

test('an entry of another target is named', () => {
  const dir = openTestFolder()
  const other = openJournal(dir, 'https://two.example/v5')
  const ours = openJournal(dir, target)
  other.owe(debt(1, { target: 'https://two.example/v5' }))
  ours.owe(debt(2))
  renameSync(join(other.dir, `${id(1)}.json`), join(ours.dir, `${id(1)}.json`))
  expect(() => ours.open()).toThrow('belongs to another target (https://two.example/v5)')
})

test('debts to other targets are found by address', () => {
  const dir = openTestFolder()
  const elsewhere = debt(1, { target: 'https://two.example/v5' })
  openJournal(dir, 'https://two.example/v5').owe(elsewhere)
  openJournal(dir, target).owe(debt(2))
  expect([...owedElsewhere(dir, target)]).toEqual([['https://two.example/v5', [elsewhere]]])
  expect([...owedElsewhere(join(dir, 'nothing'), target)]).toEqual([])
})
