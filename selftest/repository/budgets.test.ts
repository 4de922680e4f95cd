import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The most lines of each room, with the rooms in it. Lower a number when its room has become smaller. */
const budgets = {
  engine: 7_200,
  'helpers/service': 2_000,
  'helpers/settings': 600,
  'helpers/history': 850,
  'helpers/loans': 1_400,
  'helpers/reads': 600,
  'helpers/updates': 3_150,
  'helpers/access': 400,
  'helpers/export': 8_900,
  'helpers/trail': 1_750,
  helpers: 20_400,
  suites: 5_700,
  reporting: 4_550,
  'reference/learn': 900,
  reference: 3_850,
  program: 3_850,
  packaging: 550,
  selftest: 43_200,
  bench: 1_000,
}

const root = join(import.meta.dirname, '../..')
const counted = (file: string) => /\.(ts|mjs|js|py)$/.test(file) && existsSync(join(root, file))
const files = execFileSync('git', ['ls-files'], { cwd: root }).toString().split('\n')
const lines = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length - 1

test.each(Object.entries(budgets))('%s has at most %d lines', (room, most) => {
  const own = files.filter((file) => file.startsWith(`${room}/`) && counted(file))
  const count = own.reduce((total, file) => total + lines(file), 0)
  const advice = `${room} has ${count} lines; delete or fold some. Whoever raises its budget names the sentence of the contract, or the line of an issue, that needs it.`
  expect(count, advice).toBeLessThanOrEqual(most)
})
