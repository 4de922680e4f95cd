// Every mutant of the reference service against every clause: npm run mutants
// [-- --only GLOB…] [--sample N --seed S]; a second start goes on where the first one stopped.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { matchesAny } from '../../engine/glob.ts'
import { root } from '../kept.ts'
import { sampleOf } from '../sample.ts'
import { commitOfMutants, kept, type Line } from './kept.ts'
import { runMutant } from './one.ts'
import type { Operator } from './operators/operator.ts'
import { operators } from './operators.ts'
import { type Baseline, baselineOf, judge, type Outcome } from './outcome.ts'
import { gapsIn, pageOf, unknownArguments } from './write.ts'

const atOnce = 2

/** The clauses that ask what an operator changes, by the operation that its id begins with. */
const near: Readonly<Record<string, string[]>> = {
  'task.read': ['task.*', 'assign.*', 'version.*'],
  'assign.update': ['task.read.*', 'assign.*', 'version.*', 'notify.*'],
  'assign.unassign': ['task.read.*', 'assign.*', 'version.*'],
  'assessment.read': ['assessment.*', 'auth.*.assessment.read'],
  'export.csv': ['export.*'],
  'export.pdf': ['export.*pdf*', 'auth.*.export'],
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})

const commit = commitOfMutants()
const lines = kept.read()
const isOutcome = (line: Line): line is Outcome => 'id' in line
/** The newest outcome of each mutant. */
const outcomes = new Map(lines.filter(isOutcome).map((line) => [line.id, line]))

const baseline = lines.flatMap((line) =>
  'baseline' in line && line.commit === commit ? [line.baseline] : [],
)[0]

const only = operators.filter(({ id }) => values.only.length === 0 || matchesAny(id, values.only))
const size = values.sample === undefined ? only.length : Number(values.sample)
const chosen = sampleOf(only, size, Number(values.seed))
const waiting = chosen.filter(({ id }) => outcomes.get(id)?.commit !== commit)
say(`${chosen.length} mutants, ${waiting.length} of them to run at ${commit}`)
if (waiting.length > 0) {
  const known = baseline ?? (await runBaseline())
  const queue = [...waiting]
  await Promise.all(Array.from({ length: atOnce }, () => work(queue, known)))
}

const found = chosen.flatMap(({ id }) => outcomes.get(id) ?? [])
const gaps = gapsIn(found)
const missed = found.filter(({ rank }) => rank === 'never applied')
for (const { id } of gaps) say(`gap: ${id}`)
for (const { id } of missed) say(`never applied: ${id}`)
for (const glob of unknownArguments(operators)) say(`argument for no mutant: ${glob}`)
const missing = operators.filter(({ id }) => !outcomes.has(id))
if (missing.length === 0) {
  const page = join(root, 'reports/mutants.md')
  writeFileSync(page, pageOf(operators, outcomes))
  say(`written: ${page}`)
} else say(`reports/mutants.md is written when every mutant has run: ${missing.length} have not`)
process.exit(gaps.length + missed.length > 0 ? 1 : 0)

/** Twice: what differs from run to run is not compared. */
async function runBaseline(): Promise<Baseline> {
  const [one, two] = [await runMutant(), await runMutant()]
  for (const { sight } of [one, two])
    if (sight.exitCode !== 0)
      throw new Error(`the reference service itself ends with ${sight.exitCode}: mend that first`)
  const made = baselineOf(one.sight, two.sight)
  kept.keep({ baseline: made, commit })
  return made
}

async function work(queue: Operator[], known: Baseline): Promise<void> {
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const start = performance.now()
    const { applied, ...judged } = await judgedOf(mutant, known)
    const seconds = Math.round((performance.now() - start) / 100) / 10
    const outcome = { id: mutant.id, commit, applied, seconds, ...judged }
    outcomes.set(mutant.id, outcome)
    kept.keep(outcome)
    say(`${outcome.rank} ${mutant.id} (applied ${applied}, ${seconds} s) ${outcome.by.slice(0, 3)}`)
  }
}

/** Most are killed by the clauses of their operation; all are asked only where these do not. */
async function judgedOf(mutant: Operator, known: Baseline) {
  const [operation = ''] = mutant.id.split('/')
  const first = await runMutant(mutant, near[operation])
  const judged = judge(first.sight, first.applied, known)
  if (judged.rank === 'killed') return { ...judged, applied: first.applied }
  const { sight, applied } = await runMutant(mutant)
  return { ...judge(sight, applied, known), applied }
}

function say(text: string) {
  console.log(text)
}
