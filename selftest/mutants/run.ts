// npm run mutants                    the reference service behind a proxy that changes requests or answers
//   -- --only GLOB                   these mutants
//   -- --sample 20 --seed 7          so many, drawn by a seed
//   -- --files                       files of exports are changed instead: files/run.ts
//   -- --python                      the service in Python is changed: ../python-service/mutants.ts
// A second start goes on where the first one stopped.
import { parseArgs } from 'node:util'
import { matchesAny } from '../../engine/glob.ts'
import { commitOf, createKept, product } from '../kept.ts'
import { sampleOf } from '../sample.ts'
import { argumentFor, unknownArguments } from './arguments.ts'
import { runMutant, type Sight } from './one.ts'
import type { Operator } from './operators/operator.ts'
import { operators } from './operators.ts'

const { values } = parseArgs({
  options: {
    files: { type: 'boolean', default: false },
    python: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: ['*'] },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})
const say = (text: string) => console.log(text)
for (const flag of ['files', 'only', 'python'])
  if (process.env[`npm_config_${flag}`]) {
    say(`npm took --${flag} for itself; run npm run mutants -- --${flag}`)
    process.exit(2)
  }
const drawn = <T>(list: readonly T[]): T[] =>
  sampleOf(list, Number(values.sample ?? list.length), Number(values.seed))

if (values.python) {
  const { runPython } = await import('../python-service/mutants.ts')
  process.exit(await runPython(drawn))
}
if (values.files) {
  const { runFiles } = await import('./files/run.ts')
  // Threads that read PDFs are kept for the next one.
  process.exit(await runFiles(drawn))
}

/** The results of a mutant, from the best to the worst. */
const ranks = ['killed', 'stopped', 'warned', 'observed', 'survived', 'never applied'] as const
type Rank = (typeof ranks)[number]
type Outcome = { id: string; commit: string; rank: Rank; applied: number; by: string[] }

/** The clauses for a mutant, by the operation in its id. */
const near: Readonly<Record<string, string[]>> = {
  'task.read': ['task.*', 'assign.*', 'version.*'],
  'assign.update': ['task.read.*', 'assign.*', 'version.*', 'notify.*'],
  'assign.unassign': ['task.read.*', 'assign.*', 'version.*'],
  'assessment.read': ['assessment.*', 'auth.*.assessment.read'],
  'export.csv': ['export.*'],
  'export.pdf': ['export.*pdf*', 'auth.*.export'],
}

const commit = commitOf(...product, 'selftest/mutants', ':!selftest/mutants/arguments.ts')
const kept = createKept<Outcome>('mutants.jsonl')
const before = new Map(kept.read().map((each) => [`${each.id} ${each.commit}`, each]))
const chosen = drawn(operators.filter(({ id }) => matchesAny(id, values.only)))
const queue = chosen.filter(({ id }) => !before.has(`${id} ${commit}`))
say(`${chosen.length} mutants, ${queue.length} of them to run at ${commit}`)

/** The results that two runs of the service itself share. */
let same = new Map<string, string>()
if (queue.length > 0) {
  const [one, two] = [saidBy((await runMutant()).sight), saidBy((await runMutant()).sight)]
  same = new Map([...one].filter(([id, said]) => two.get(id) === said))
}
const work = async () => {
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const outcome = await outcomeOf(mutant)
    before.set(`${mutant.id} ${commit}`, outcome)
    kept.keep(outcome)
    say(`${outcome.rank} ${mutant.id} (applied ${outcome.applied}) ${outcome.by.slice(0, 4)}`)
  }
}
await Promise.all([work(), work()])

const outcomes = chosen.flatMap(({ id }) => before.get(`${id} ${commit}`) ?? [])
const of = (rank: Rank) => outcomes.filter((each) => each.rank === rank)
const gaps = of('survived').filter(({ id }) => argumentFor(id) === undefined)
for (const { id } of of('survived')) say(`${id}: ${argumentFor(id) ?? 'a gap'}`)
for (const glob of unknownArguments(operators)) say(`argument for no mutant: ${glob}`)
say(ranks.map((rank) => `${of(rank).length} ${rank}`).join(', '))
process.exit(gaps.length + of('never applied').length > 0 ? 1 : 0)

/** The clauses of its operation kill most mutants; the others are asked only if these do not. */
async function outcomeOf(mutant: Operator): Promise<Outcome> {
  const first = await runMutant(mutant, near[mutant.operation])
  const outcome = (ran: typeof first) => ({ id: mutant.id, commit, ...ran, ...judged(ran) })
  const { sight: _, ...found } = outcome(
    judged(first).rank === 'killed' ? first : await runMutant(mutant),
  )
  return found
}

function judged({
  sight,
  applied,
}: {
  sight: Sight
  applied: number
}): Pick<Outcome, 'rank' | 'by'> {
  const { exitCode, clauses, reasons } = sight
  const others = [...saidBy(sight)].filter(([id, said]) => same.get(id) !== said)
  const ids = (verdict: string, list = others) =>
    list.flatMap(([id, said]) => (said.startsWith(verdict) ? [id] : [])).sort()
  if (applied === 0) return { rank: 'never applied', by: [] }
  if (exitCode === 1) return { rank: 'killed', by: ids('fail') }
  if (exitCode !== 0) {
    const open = clauses.filter(({ verdict }) => verdict === 'inconclusive')
    const causes = reasons.length > 0 ? reasons : open.map(({ id, reason }) => `${id}: ${reason}`)
    return {
      rank: 'stopped',
      by: [`exit ${exitCode}`, ...causes.map((each) => each.slice(0, 160))],
    }
  }
  // Results that vary between runs of the service itself say nothing.
  const known = others.filter(([id]) => same.has(id))
  const [warned, observed] = [ids('warn'), ids('observed', known)]
  if (warned.length > 0) return { rank: 'warned', by: warned }
  return { rank: observed.length > 0 ? 'observed' : 'survived', by: observed }
}

/** The result of each clause: its verdict and observed value. */
function saidBy({ clauses }: Sight): Map<string, string> {
  return new Map(
    clauses.map(({ id, verdict, observed }) => [
      id,
      `${verdict} ${JSON.stringify(observed ?? null)}`,
    ]),
  )
}
