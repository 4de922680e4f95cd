import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The most lines of each room, subfolders included. Lower a number when its room has become smaller. */
const budgets = {
  // 78 the one door, records and replays; 79.1 law.ts beside the old shape, 79.2 roles; 62.1 sections and levels, 62.4 flips, 62.6 versions, 63.4 --keep-files, 64.1 headers, 64.8 encodings, 64.10 pace; 81.2 asked anew, 81.3 smaller, inTurn, taken from helpers/export; 81.8 events that look alike in a PDF; 84.4, 84.6 members of a report; 83.4 counted
  engine: 8_503,
  // 64.1 paths and headers, 64.2 texts; 85 what services of others hide; 81.7 one row for a metadata key, from helpers/export
  'helpers/service': 1_749,
  // 78 RECORD_DIR, RECORD; 62.1 profiles, 62.6 versions, 62.7 --env-file; 84.6 files of settings
  'helpers/settings': 686,
  // 64.9 what an invalid request wrote; what refused updates seem to have done; 80.3 which versions updates have replaced, their first sights and what reads show otherwise, from helpers/service
  'helpers/history': 1_211,
  'helpers/loans': 1_218,
  // 79.4 asks and laws apart; 85 what services of others hide; 84.3 what a 401 reveals, by name
  'helpers/reads': 663,
  // 64.2 texts and halves; 79.4 asks and laws apart, beside the old shape; 85 what services of others hide
  'helpers/updates': 3_174,
  // 85 what services of others hide
  'helpers/access': 425,
  // 64.3, 64.4, 64.8, 64.12; 60.2 what the run sent may stand in a PDF; 81.1, 81.2, 81.4 asks and laws apart, laws of zones, from suites
  'helpers/export': 8_927,
  // 64.5 to 64.7, 64.12 the run's own events; 82.1 asks and laws apart; 85 what services of others hide
  'helpers/trail': 2_023,
  // 63.1, 63.2 clauses that recorded traffic decides, in time that grows with its length; what refused updates left; 79.4 moments, for the laws of clauses; 81.1 cases of exports
  'helpers/recorded': 1_867,
  // 85 what services of others hide; 80.4 the exchanges that a sentence speaks of
  helpers: 22_691,
  // 64.1 to 64.8; 79.4 seen, needs and look beside each clause; 80.2 laws of races and walks, from helpers; 85 what services of others hide; 80.4 whom a race names
  suites: 5_120,
  // 62.3 lines for programs, 62.4 several runs as one, 63.4 the seal, 63.5 the statement; 82.4, 84.1 the summary and its groups, the first screen; 84.1 the first screen, 84.2 symptoms, 84.4 the last run, 84.6 commands and issues
  reporting: 5_611,
  'reference/learn': 877,
  reference: 3_580,
  // 78 record, replay, verify by replay; 63.1 judge, 63.3 its proxy; 62.1 costs of profiles, 62.2 contractTests, 62.3 --watch, 62.4 --times, 62.5 --on-breach, 64.10 how long it takes; 84.4 the last run
  program: 5_866,
  packaging: 476,
  // 85 what services of others hide; 81.2 cases asked anew
  'selftest/helpers': 4_428,
  // 62 what a profile notices; 64: faults and variants of each class; 81.8 events that look alike; 85 what services of others hide; 80.4 what bears out a sentence
  'selftest/proofs': 10_882,
  // 60.4 disarm, mutants of our own code; 60 golden matrix in real time: fronts on ports; 63.1, 63.2, 63.5: recorded exports and effects, notes, the statement; 64 mutants of the service in Python; 77.4 laws.test.ts; 78 selftest/records; 78 records, what verify finds, secrets in them; 79.2, 79.3, 79.5 laws with made-up cases, purity, moments, evidence, shape; 80.4 explanations; 81.2, 81.3 made-up cases; 84.1 chips; 85 what services of others hide; 84.1 chips, 84.2 groups, 84.4 the last run, 84.5 renderings compared; 82.3 the agreement of a run with its traffic; 80.4 what bears out a sentence
  selftest: 36_918,
  bench: 951,
}

const root = join(import.meta.dirname, '../..')
const counted = (file: string) => /\.(ts|mjs|js|py)$/.test(file) && existsSync(join(root, file))
const files = execFileSync('git', ['ls-files'], { cwd: root }).toString().split('\n')
const lines = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length - 1

test.each(Object.entries(budgets))('%s has at most %d lines', (room, most) => {
  const own = files.filter((file) => file.startsWith(`${room}/`) && counted(file))
  const count = own.reduce((total, file) => total + lines(file), 0)
  const advice = `${room} has ${count} lines; delete or fold some, or raise the budget in budgets.test.ts and name the sentence of the contract, or the line of an issue, that needs it.`
  expect(count, advice).toBeLessThanOrEqual(most)
})
