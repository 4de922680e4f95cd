// npm run proofs                  every proof with the clauses of its area, in simulated time
//   --everything                  with all clauses
//   --share 0.1 --seed 7          a share of them, drawn by a seed
//   --only GLOB                   those of a name
//   --schedule 3                  which of several answers comes first is drawn by this seed (1)
//   --usual-waits                 with SETTLE_MS, AUDIT_WAIT_S and MAIL_WAIT_S as users have them
//   --jobs 2                      processes
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { matchesAny } from '../../engine/glob.ts'
import { root } from '../kept.ts'
import { sampleOf } from '../sample.ts'
import { doAsTold, doInProcesses, isTold } from '../simulated/processes.ts'
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
const areaOf = ([first = 'all clauses', ...more]: readonly string[]) =>
  more.length > 0 ? `${first} and ${more.length} more` : first
const say = (text: string) => process.stdout.write(`${text}\n`)

/** A process's result of a trial, and its CPU time; `later`: another schedule makes it green. */
type ProofResult = { problems: string[]; later: boolean; cpuMs: number }

if (isTold) doAsTold(prove)
else process.exit(await proveAll())

async function prove(at: number): Promise<ProofResult> {
  const before = process.cpuUsage()
  const trial = trials[at] as Trial
  process.env.SCHEDULE = values.schedule
  const problems = await problemsOf(trial)
  // Some faults can be seen only where others are not in the way, which is a matter of who comes first. A
  // lawful variant is condemned by no schedule.
  process.env.SCHEDULE = String(Number(values.schedule) + 1)
  const isWorthAnother = problems.length > 0 && trial.kind !== 'variant'
  const later = isWorthAnother && (await problemsOf(trial)).length === 0
  const { user, system } = process.cpuUsage(before)
  return { problems: later ? [] : problems, later, cpuMs: (user + system) / 1000 }
}

async function problemsOf(trial: Trial): Promise<string[]> {
  try {
    return await trial.problems()
  } catch (error) {
    return [`it cannot be run: ${error instanceof Error ? error.stack : error}`]
  }
}

/** A share, drawn by a seed; and for each must and should that it leaves out, a fault which that has to find. */
function draw(named: number[], share: number, seed: number): number[] {
  const drawn = new Set(sampleOf(named, Math.ceil(named.length * share), seed))
  const snapshot = join(root, 'selftest/repository/__snapshots__/clauses.test.ts.snap')
  const listed = readFileSync(snapshot, 'utf8').matchAll(/^"?(\S+) {2}(?:must|should) [\d.]+: /gm)
  const ids = [...listed].map(([, id = '']) => id)
  if (ids.length === 0) throw new Error(`${snapshot} lists no must and no should`)
  const found = named.map((at) => {
    const { by, breaks = [] } = trials[at] as Trial
    const isRun = (id: string) => by.length === 0 || matchesAny(id, by)
    return { at, own: ids.filter((id) => matchesAny(id, breaks) && isRun(id)) }
  })
  const left = new Set(ids)
  const take = ({ at, own }: (typeof found)[number]) => {
    drawn.add(at)
    for (const id of own) left.delete(id)
  }
  for (const each of found) if (drawn.has(each.at)) take(each)
  for (;;) {
    const covered = ({ own }: (typeof found)[number]) => own.filter((id) => left.has(id)).length
    const best = found.reduce((a, b) => (covered(b) > covered(a) ? b : a))
    if (covered(best) === 0) return named.filter((at) => drawn.has(at))
    take(best)
  }
}

/** Has processes prove all that is drawn, and says what was proven. */
async function proveAll(): Promise<number> {
  const named = trials.map((_, at) => at).filter((at) => matchesAny(nameOf(at), values.only))
  if (named.length === 0) {
    say(`no proof has a name like ${values.only.join(' or ')}`)
    return 2
  }
  const drawn = draw(named, Number(values.share), Number(values.seed))
  const began = performance.now()
  if (values['usual-waits']) process.env.WAITS = 'usual'
  const wrong: number[] = []
  const proven = { fault: 0, variant: 0, 'dead thing': 0 }
  let done = 0
  let cpuMs = 0
  const { lost } = await doInProcesses<ProofResult>(drawn, Number(values.jobs), (at, told) => {
    const { kind, by } = trials[at] as Trial
    done += 1
    cpuMs += told.cpuMs
    if (told.problems.length === 0) proven[kind] += 1
    else {
      wrong.push(at)
      say(`NOT PROVEN  ${nameOf(at)} [${by.join(' ')}]\n  ${told.problems.join('\n  ')}`)
    }
    if (told.later)
      say(
        `proven by schedule ${Number(values.schedule) + 1}, not by ${values.schedule}: ${nameOf(at)}`,
      )
    if (done % 20 === 0) say(`${done} of ${drawn.length} proofs, now of ${areaOf(by)}`)
  })
  for (const at of lost) say(`NOT PROVEN  ${nameOf(at)}: its process ended`)
  say(
    `${proven.fault} faults condemned, ${proven.variant} lawful variants not, ${proven['dead thing']} dead things noticed; ` +
      `${wrong.length + lost.length} not proven (seed ${values.seed}, schedule ${values.schedule}); ` +
      `${Math.round((performance.now() - began) / 1000)} s, ${(cpuMs / 1000 / done).toFixed(2)} s of CPU each`,
  )
  for (const at of [...wrong, ...lost])
    say(`again: npm run proofs -- --only '${nameOf(at)}' --schedule ${values.schedule}`)
  return done === drawn.length && wrong.length === 0 ? 0 : 1
}
