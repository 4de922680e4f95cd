// npm run proofs                  every proof with the clauses of its area, in simulated time
//   --everything                  with all clauses
//   --share 0.1 --seed 7          a share of them, drawn by a seed
//   --only GLOB                   those of a name
//   --schedule 3                  the seed that draws which of several answers comes first (1)
//   --usual-waits                 with SETTLE_MS, AUDIT_WAIT_S and MAIL_WAIT_S as users have them
//   --jobs 2                      processes
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { matchesAny } from '../../engine/glob.ts'
import { root } from '../kept.ts'
import { sampleOf } from '../sample.ts'
import { doInProcesses, doJobs, isWorker } from '../simulated/processes.ts'
import { type Trial, trialsOf } from './trials.ts'

const { values } = parseArgs({
  options: {
    everything: { type: 'boolean', default: false },
    share: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: ['*'] },
    schedule: { type: 'string', default: '1' },
    'usual-waits': { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
})
const trials = trialsOf(values.everything)
const nameOf = (at: number) => trials[at]?.name ?? ''
const snapshot = join(root, 'selftest/repository/__snapshots__/clauses.test.ts.snap')
/** Every must and should. */
const ids = [
  ...readFileSync(snapshot, 'utf8').matchAll(/^"?(\S+) {2}(?:must|should) [\d.]+: /gm),
].map(([, id = '']) => id)
if (ids.length === 0) throw new Error(`${snapshot} lists no must and no should`)
/** The clauses that have to find the breach. */
const findersOf = ({ by, breaks = [] }: Trial) =>
  ids.filter((id) => matchesAny(id, breaks) && (by.length === 0 || matchesAny(id, by)))
const areaOf = ([first = 'all clauses', ...more]: readonly string[]) =>
  more.length > 0 ? `${first} and ${more.length} more` : first
const say = (text: string) => process.stdout.write(`${text}\n`)

/** A trial; `only`: some of its clauses judge it. */
type Drawn = { at: number; only?: string[] }

/** A process's result of a trial, and its CPU time; `later`: another schedule makes it green. */
type ProofResult = { problems: string[]; later: boolean; cpuMs: number }

if (isWorker) doJobs(prove)
else process.exit(await proveAll())

async function prove({ at, only }: Drawn): Promise<ProofResult> {
  const before = process.cpuUsage()
  const trial = trials[at] as Trial
  process.env.SCHEDULE = values.schedule
  // A clause that judges the whole run may need the updates of other clauses.
  const isProven = only !== undefined && (await problemsOf(trial, only)).length === 0
  const problems = isProven ? [] : await problemsOf(trial)
  // Some faults show only if requests arrive in a certain order. No order may condemn a variant.
  process.env.SCHEDULE = String(Number(values.schedule) + 1)
  const isWorthAnother = problems.length > 0 && trial.kind !== 'variant'
  const later = isWorthAnother && (await problemsOf(trial)).length === 0
  const { user, system } = process.cpuUsage(before)
  return { problems: later ? [] : problems, later, cpuMs: (user + system) / 1000 }
}

async function problemsOf(trial: Trial, only?: string[]): Promise<string[]> {
  try {
    return await trial.problems(only)
  } catch (error) {
    return [`it cannot be run: ${error instanceof Error ? error.stack : error}`]
  }
}

/**
 * Draws a share by a seed. Then adds faults until every must and should has one to find: few faults, each
 * run with those clauses alone.
 */
function draw(named: number[], share: number, seed: number): Drawn[] {
  const drawn = sampleOf(named, Math.ceil(named.length * share), seed)
  const found = named.map((at) => ({ at, own: findersOf(trials[at] as Trial) }))
  const left = new Set(found.flatMap(({ own }) => own))
  for (const { at, own } of found) if (drawn.includes(at)) for (const id of own) left.delete(id)
  const more: Drawn[] = []
  while (left.size > 0) {
    const choices = found.map(({ at, own }) => ({ at, only: own.filter((id) => left.has(id)) }))
    const best = choices.reduce((a, b) => (b.only.length > a.only.length ? b : a))
    for (const id of best.only) left.delete(id)
    more.push(best)
  }
  return [...drawn.map((at) => ({ at })), ...more].sort((a, b) => a.at - b.at)
}

async function proveAll(): Promise<number> {
  const named = trials.map((_, at) => at).filter((at) => matchesAny(nameOf(at), values.only))
  if (named.length === 0) {
    say(
      `no proof has a name like ${values.only.join(' or ')}; give a name or a glob of names in selftest/proofs. What dead/free.ts allows is not proven.`,
    )
    return 2
  }
  const drawn = draw(named, Number(values.share), Number(values.seed))
  const began = performance.now()
  if (values['usual-waits']) process.env.WAITS = 'usual'
  const wrong: Drawn[] = []
  const proven = { fault: 0, variant: 0, 'dead thing': 0 }
  let done = 0
  let cpuMs = 0
  const { lost } = await doInProcesses<ProofResult, Drawn>(
    drawn,
    Number(values.jobs),
    (task, told) => {
      const { at } = task
      const { kind, by } = trials[at] as Trial
      done += 1
      cpuMs += told.cpuMs
      if (told.problems.length === 0) proven[kind] += 1
      else {
        wrong.push(task)
        say(`NOT PROVEN  ${nameOf(at)} [${by.join(' ')}]\n  ${told.problems.join('\n  ')}`)
      }
      if (told.later)
        say(
          `proven by schedule ${Number(values.schedule) + 1}, not by ${values.schedule}: ${nameOf(at)}`,
        )
      if (done % 20 === 0) say(`${done} of ${drawn.length} proofs, now of ${areaOf(by)}`)
    },
  )
  for (const { at } of lost) say(`NOT PROVEN  ${nameOf(at)}: its process ended`)
  say(
    `${proven.fault} faults condemned, ${proven.variant} lawful variants not, ${proven['dead thing']} dead things noticed; ` +
      `${wrong.length + lost.length} not proven (seed ${values.seed}, schedule ${values.schedule}); ` +
      `${Math.round((performance.now() - began) / 1000)} s, ${(cpuMs / 1000 / done).toFixed(2)} s of CPU each`,
  )
  const flags = process.argv.slice(2).filter((each) => /^--(everything|usual-waits)$/.test(each))
  for (const { at } of [...wrong, ...lost])
    say(
      `again: npm run proofs -- ${[...flags, '--only'].join(' ')} '${nameOf(at)}' --schedule ${values.schedule}`,
    )
  return done === drawn.length && wrong.length === 0 ? 0 : 1
}
