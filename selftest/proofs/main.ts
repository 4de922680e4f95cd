// npm run proofs                  every proof with the clauses of its area, in simulated time
//   --everything                  with all clauses
//   --share 0.1 --seed 7          a share of them, drawn by a seed
//   --only GLOB                   those of a name
//   --schedule 3                  which of several answers comes first is drawn by this seed (1)
//   --usual-waits                 with SETTLE_MS, AUDIT_WAIT_S and MAIL_WAIT_S as users have them
//   --jobs 2                      processes
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { matchesAny } from '../../engine/glob.ts'
import { sampleOf } from '../sample.ts'
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
const say = (text: string) => process.stdout.write(`${text}\n`)

/** What a process tells of a trial, and how long it computed; `later`: it is green by another schedule. */
type Told = { at: number; problems: string[]; later: boolean; cpuMs: number }

if (process.send) prove(process.send.bind(process))
else process.exit(await proveAll())

/** Proves what it is told to, one after another. */
function prove(tell: (told: Told) => void): void {
  process.on('message', async (at: number) => {
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
    tell({ at, problems: later ? [] : problems, later, cpuMs: (user + system) / 1000 })
  })
}

async function problemsOf(trial: Trial): Promise<string[]> {
  try {
    return await trial.problems()
  } catch (error) {
    return [`it cannot be run: ${error instanceof Error ? error.stack : error}`]
  }
}

/** Has processes prove all; those of one area in one process, which then has read most of their files. */
async function proveAll(): Promise<number> {
  const chosen = trials
    .map((_, at) => at)
    .filter((at) => matchesAny(trials[at]?.name ?? '', values.only))
  if (chosen.length === 0) {
    say(`no proof has a name like ${values.only.join(' or ')}`)
    return 2
  }
  const drawn = sampleOf(
    chosen,
    Math.ceil(chosen.length * Number(values.share)),
    Number(values.seed),
  )
  const queue = [...drawn]
  const began = performance.now()
  const wrong: Told[] = []
  const done: Told[] = []
  const hear = (told: Told) => {
    done.push(told)
    const { name = '', by = [] } = trials[told.at] ?? {}
    if (told.problems.length > 0) {
      wrong.push(told)
      say(`NOT PROVEN  ${name} [${by.join(' ')}]\n  ${told.problems.join('\n  ')}`)
    }
    if (told.later)
      say(`proven by schedule ${Number(values.schedule) + 1}, not by ${values.schedule}: ${name}`)
    if (done.length % 50 === 0) say(`${done.length} of ${drawn.length} proofs, now ${by.join(' ')}`)
  }
  const jobs = Array.from({ length: Number(values.jobs) }, (_, n) => {
    const next = n % 2 === 0 ? () => queue.shift() : () => queue.pop()
    return work(next, hear)
  })
  await Promise.all(jobs)

  const proven = (kind: Trial['kind']) =>
    done.filter(({ at, problems }) => trials[at]?.kind === kind && problems.length === 0).length
  const cpuS = done.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1000
  say(
    `${proven('fault')} faults condemned, ${proven('variant')} lawful variants not, ${proven('dead thing')} dead things noticed; ` +
      `${wrong.length} not proven (seed ${values.seed}, schedule ${values.schedule}); ` +
      `${Math.round((performance.now() - began) / 1000)} s, ${(cpuS / done.length).toFixed(2)} s of CPU each`,
  )
  for (const { at } of wrong)
    say(`again: npm run proofs -- --only '${trials[at]?.name}' --schedule ${values.schedule}`)
  return wrong.length === 0 && done.length === drawn.length ? 0 : 1
}

/** One process, as long as there is something to do. */
function work(next: () => number | undefined, hear: (told: Told) => void): Promise<void> {
  const { SIMULATED_BUNDLE = '' } = process.env
  const child: ChildProcess = fork(SIMULATED_BUNDLE, process.argv.slice(2), {
    execArgv: ['--max-semi-space-size=64'],
    env: { ...process.env, ...(values['usual-waits'] && { WAITS: 'usual' }) },
  })
  return new Promise((resolve) => {
    let at: number | undefined
    const send = () => {
      at = next()
      if (at === undefined) child.disconnect()
      else child.send(at)
    }
    child.on('message', (told: Told) => {
      hear(told)
      send()
    })
    child.on('exit', (code) => {
      if (at !== undefined) say(`a process ended with ${code} at ${trials[at]?.name}`)
      resolve()
    })
    send()
  })
}
