import { expect, test } from 'vitest'
import type { Measured } from './measure.ts'
import { pageOf } from './page.ts'
import { withoutReason } from './reasons.ts'
import { createResumed } from './resumed.ts'

const measured = (name: string, stays: string[] = []): Measured => ({
  name,
  before: 4,
  after: stays.length,
  compared: 80,
  decided: 100,
  stays,
})

test('what was measured at this commit is not measured again', async () => {
  const lines = [
    { name: 'slow', commit: 'a', found: measured('slow') },
    { name: 'old', commit: 'b', found: measured('old') },
  ]
  const resumed = createResumed({ read: () => lines, keep: (line) => lines.push(line) }, 'a')
  const made: string[] = []
  for (const name of ['slow', 'old', 'new'])
    await resumed(name, async () => {
      made.push(name)
      return measured(name)
    })
  expect(made).toEqual(['old', 'new'])
  expect(lines.map(({ name, commit }) => `${name} ${commit}`)).toEqual([
    'slow a',
    'old b',
    'old a',
    'new a',
  ])
})

test('what stays has a reason, and one without is named', () => {
  const stays = ['export.dates: 1: service nothing', 'export.moons: service two, mock one']
  expect(withoutReason(stays)).toEqual(['export.moons'])
  const all = { command: 'x', all: 9, chosen: 3, alone: [], mixtures: [] }
  const page = pageOf({ ...all, elsewhere: [measured('A', stays), measured('B')] })
  expect(page).toContain('Why: a column of numbers in a row')
  expect(page).toContain(
    '- 2 services that others wrote, with all clauses: divergence 5.0 % before,',
  )
  expect(page).toContain('  1.3 % after; 80.0 % of the clauses known of the service')
  expect(page).toContain('A 2 of 80, 2.5 %; B 0 of 80')
})
