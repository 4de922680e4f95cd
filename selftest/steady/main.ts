// npm run steady                  runs the clauses on tasks by 1,000 schedules against lawful services, in simulated
//                                 time, and by 100 against each fault that lets an update be lost
//   --schedules 200 --each 20     so many schedules in all, and so many of each such fault
//   --only GLOB                   the services of a name
//   --all                         with all clauses
//   --schedule 37                 this schedule alone; a flip needs two: give the flag twice
//   --minutes 4                   stops then; a start at the same commit goes on
//   --jobs 2                      processes
//   --curve                       how likely one run notices such a fault: 100 runs at each distance
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { matchesAny } from '../../engine/glob.ts'
import { commitOf, createKept, product } from '../kept.ts'
import { runClauses } from '../proofs/prove.ts'
import { doInProcesses, doJobs, isWorker } from '../simulated/processes.ts'
import { cells, tableOf } from './curve.ts'
import { flipsIn, type Sight, sightOf } from './flips.ts'
import { lawfulTargets, lostUpdates, type Target } from './targets.ts'

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '1000' },
    each: { type: 'string', default: '100' },
    all: { type: 'boolean', default: false },
    curve: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: ['*'] },
    schedule: { type: 'string', multiple: true, default: [] as string[] },
    minutes: { type: 'string', default: 'Infinity' },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
})

/** The default settings of a user. */
const shipped = { SETTLE_MS: '2000', AUDIT_WAIT_S: '30', MAIL_WAIT_S: '30', TIMEOUT_MS: '10000' }

type Item = { target: string; schedule: number }
type Result = Sight & { cpuMs: number }

const all: Target[] = values.curve ? cells : [...lawfulTargets, ...lostUpdates]
const targets = all.filter(({ name }) => matchesAny(name, values.only))
const isNamed = values.schedule.length > 0
const say = (text: string) => process.stdout.write(`${text}\n`)

const items = wanted()
const began = performance.now()
const isOver = () => performance.now() - began > 60_000 * Number(values.minutes)

// When the time is over, workers do nothing more.
if (isWorker) doJobs(async (at) => (isOver() ? undefined : runItem(items[at] as Item)))
else process.exit(await runAll())

/** Runs the clauses on a target by a schedule, which decides the order of events and the random draws. */
async function runItem({ target: name, schedule }: Item): Promise<Result> {
  const target = all.find((each) => each.name === name) as Target
  const before = process.cpuUsage()
  process.env.SCHEDULE = String(schedule)
  // Every second schedule starts the clauses in another order.
  process.env.ORDER = schedule % 2 === 0 ? String(schedule) : ''
  const { env, ...bent } = target.bent(schedule)
  const checked = await runClauses(
    { ...bent, env: { ...shipped, ...env, SEED: String(schedule) } },
    values.all ? [] : target.by,
  )
  const { user, system } = process.cpuUsage(before)
  return { ...sightOf(checked, schedule, target), cpuMs: (user + system) / 1000 }
}

/** Schedules are distributed over the lawful services in turn; each fault has its own. */
function wanted(): Item[] {
  if (isNamed)
    return targets.flatMap(({ name }) =>
      values.schedule.map((schedule) => ({ target: name, schedule: Number(schedule) })),
    )
  const lawful = targets.filter(({ breaks }) => !breaks)
  const share = lawful.length === 0 ? 0 : Number(values.schedules)
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
  const ofFaults = targets.filter(({ breaks }) => breaks)
  return [
    ...numbers(share).map((n) => ({ target: lawful[n % lawful.length]?.name ?? '', schedule: n })),
    // An early stop still covers some of each.
    ...numbers(Number(values.each)).flatMap((n) =>
      ofFaults.map(({ name }) => ({ target: name, schedule: n })),
    ),
  ]
}

async function runAll(): Promise<number> {
  if (items.length === 0) {
    say(`no service has a name like ${values.only.join(' or ')}`)
    return 2
  }
  const commit = commitOf(...product, 'selftest/steady', 'selftest/proofs', 'selftest/simulated')
  const kept = createKept<Item & { commit: string; told: Result }>(
    values.all ? 'steady-all.jsonl' : 'steady.jsonl',
  )
  const keyOf = ({ target, schedule }: Item) => `${target} ${schedule}`
  const before = isNamed ? [] : kept.read().filter((each) => each.commit === commit)
  const results = new Map(before.map((each) => [keyOf(each), each.told]))
  const queue = [...items.keys()].filter((at) => !results.has(keyOf(items[at] as Item)))
  const { lost } = await doInProcesses<Result | undefined>(
    queue,
    Number(values.jobs),
    (at, told) => {
      if (!told) return
      const item = items[at] as Item
      results.set(keyOf(item), told)
      if (!isNamed) kept.keep({ ...item, commit, told })
      if (results.size % 100 === 0) say(`${results.size} of ${items.length} schedules`)
    },
  )
  for (const at of isOver() ? [] : lost)
    say(`WRONG  the process ended: ${keyOf(items[at] as Item)}`)
  const done = items.flatMap((item) => results.get(keyOf(item)) ?? [])
  const sightsOf = ({ name }: Target) =>
    items.flatMap((item) => (item.target === name ? (results.get(keyOf(item)) ?? []) : []))
  const wrong = targets.flatMap((target) => {
    const sights = sightsOf(target)
    return sights.length === 0 || values.curve ? [] : reportOn(target, sights)
  })
  if (values.curve) {
    const percentOf = (cell: Target) => {
      const sights = sightsOf(cell)
      const noticed = sights.filter((each) => isCondemned(cell, each)).length
      return sights.length > 0 ? Math.round((100 * noticed) / sights.length) : undefined
    }
    say(tableOf(percentOf))
  }
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  const cpuS = done.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1000
  say(
    `${done.length} of ${items.length} schedules, ${wrong.length} wrong; ${minutes} min, ` +
      `${(cpuS / done.length).toFixed(2)} s of CPU each`,
  )
  return wrong.length === 0 && done.length === items.length ? 0 : 1
}

/** Reports the runs on a target, and returns what is wrong. */
function reportOn(target: Target, sights: readonly Sight[]): string[] {
  const { name, breaks } = target
  const again = (...schedules: number[]) =>
    `\n  again: npm run steady -- ${values.all ? '--all ' : ''}--only '${name}' --schedule ${schedules.join(' --schedule ')}`
  const wrong = breaks
    ? problemsOfFault(target, sights, again)
    : problemsOfLawful(target, sights, again)
  const exits = [...new Set(sights.map(({ exitCode }) => exitCode))].sort()
  const counted = exits.map(
    (code) => `${code} (${sights.filter(({ exitCode }) => exitCode === code).length})`,
  )
  const unsettled = sights.reduce((sum, each) => sum + each.unsettled.length, 0)
  const flips = breaks ? '' : `, ${flipsIn(sights).length} flips, ${unsettled} verdicts unsettled`
  say(`${name}: ${sights.length} schedules, exits ${counted.join(', ')}${flips}`)
  for (const each of wrong) say(`WRONG  ${each}`)
  return wrong
}

type Again = (...schedules: number[]) => string

/** A lawful service is not condemned, and no clause flips. */
function problemsOfLawful({ disturbed }: Target, sights: readonly Sight[], again: Again): string[] {
  const exits = disturbed ? [0, 3] : [0]
  return [
    ...sights.flatMap(({ broken, schedule }) => broken.map((each) => each + again(schedule))),
    ...sights
      .filter(({ exitCode, broken }) => !exits.includes(exitCode) && broken.length === 0)
      .map(
        ({ exitCode, unsettled, schedule }) =>
          `a run ended with ${exitCode}: ${unsettled.join('; ')}${again(schedule)}`,
      ),
    ...flipsIn(sights).map(
      ({ id, said }) =>
        `${id} flips: ${said.map(([text, by]) => `${text.slice(0, 200)} (${by.length})`).join(', ')}` +
        again(...said.flatMap(([, [first = 0]]) => first)),
    ),
  ]
}

function isCondemned({ breaks = [] }: Target, { said }: Sight): boolean {
  return Object.entries(said).some(([id, text]) => text === 'fail' && matchesAny(id, breaks))
}

/** One of its clauses condemns a fault in 99 of 100 schedules. */
function problemsOfFault(target: Target, sights: readonly Sight[], again: Again): string[] {
  const missed = sights.filter((each) => !isCondemned(target, each))
  return missed.length > sights.length / 100
    ? [
        `not condemned in ${missed.length} of ${sights.length} schedules${again(missed[0]?.schedule ?? 0)}`,
      ]
    : []
}
