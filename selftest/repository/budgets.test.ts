import { expect, test } from 'vitest'
import { read, tree } from './tree.ts'

/** The most lines of each room, subfolders included, and what needs them. Lower a number when its room has become smaller. */
const budgets = {
  // clauses and their laws; runs and reports; HTTP with retries, records and replays; reading CSVs and PDFs
  engine: 7_886,
  // the four operations: what is sent, what of an answer is judged, which clause owns it
  'helpers/service': 1_846,
  // every setting with its bounds, and the sentence for each mistake
  'helpers/settings': 667,
  // what was sent about tasks, and what later answers show of it: pure laws
  'helpers/history': 1_036,
  // tasks that one clause has to itself, are put back, and are owed if a run is killed
  'helpers/loans': 1_105,
  // the clauses that read: asks and laws
  'helpers/reads': 724,
  // attempts, sequences, races and walks: asks and laws
  'helpers/updates': 2_212,
  // keys, regions and addresses
  'helpers/access': 428,
  // asking for files, learning what they show, and the laws of filters, ranges, zones and PDFs
  'helpers/export': 7_296,
  // events and emails of this run's updates
  'helpers/trail': 2_068,
  // the rooms above, and what a run gives its clauses
  helpers: 18_704,
  // some 390 clauses: statement, section, law and body of each
  suites: 5_870,
  // a report as page, console, Markdown, JUnit, badge, board, comparison, scripts and statement
  reporting: 4_793,
  'reference/learn': 823,
  reference: 3_316,
  // the commands: check, compare, board, replay, verify, serve, setup, restore, plan
  program: 5_184,
  packaging: 472,
  // laws with made-up cases, told by a model of the history; loans; settings and their mistakes
  'selftest/helpers': 3_432,
  // some 1,900 proofs: faults, lawful variants, dead things, and what bears out a sentence
  'selftest/proofs': 9_243,
  // tests of each room, the proofs and their runner, simulated time, the service in Python, hostile services
  selftest: 29_946,
  bench: 586,
}

const counted = tree.filter((file) => /\.(ts|mjs|js|py)$/.test(file))
const lines = (file: string) => read(file).split('\n').length - 1

test.each(Object.entries(budgets))('%s has at most %d lines', (room, most) => {
  const own = counted.filter((file) => file.startsWith(`${room}/`))
  const count = own.reduce((total, file) => total + lines(file), 0)
  const advice = `${room} has ${count} lines; delete or fold some, or raise the budget in budgets.test.ts and say above it what needs the lines.`
  expect(count, advice).toBeLessThanOrEqual(most)
})
