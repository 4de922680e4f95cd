// The clauses on tasks by 1,000 schedules against lawful services, and by 100 against each fault that lets an update be lost:
// no verdict flips, and each such fault is found.
//   steady --share 0.2 --only GLOB       a fifth of the schedules, against the services of a name
//   steady --seed 37 --seed 38           these schedules alone; a flip needs two
//   steady curve                         how likely one run notices such a fault, at each distance
import { matchesAny } from '../../engine/glob.ts'
import { grouped } from '../../engine/grouped.ts'
import { runClauses } from '../proofs/prove.ts'
import { cells } from '../steady/curve.ts'
import { flipsIn, type Sight, sightOf } from '../steady/flips.ts'
import { lawfulTargets, lostUpdates, type Target } from '../steady/targets.ts'
import { chosen, type Flags, type Kind, say, type Wrong, wrongOf } from './kind.ts'

/** The default settings of a user. */
const shipped = { SETTLE_MS: '2000', AUDIT_WAIT_S: '30', MAIL_WAIT_S: '30', TIMEOUT_MS: '10000' }

type Item = { target: string; schedule: number }

const allOf = ({ words }: Flags): Target[] =>
  words[0] === 'curve' ? cells : [...lawfulTargets, ...lostUpdates]

export const steady: Kind<Item, Sight> = {
  sources: ['selftest/steady'],
  nameOf: ({ target }) => target,

  /** A schedule decides the order of events and the random draws. */
  async act({ target: name, schedule }, flags) {
    const target = allOf(flags).find((each) => each.name === name) as Target
    process.env.SCHEDULE = String(schedule)
    // Every second schedule starts the clauses in another order.
    process.env.ORDER = schedule % 2 === 0 ? String(schedule) : ''
    const { env, ...bent } = target.bent(schedule)
    const checked = await runClauses(
      { ...bent, env: { ...shipped, ...env, SEED: String(schedule) } },
      flags.everything ? [] : target.by,
    )
    return sightOf(checked, schedule, target)
  },

  async prove(flags, tryAll) {
    const targets = chosen(allOf(flags), flags)
    const items = itemsFor(targets, flags)
    const sights: [string, Sight][] = []
    await tryAll(items, ({ target }, sight) => void sights.push([target, sight]))
    const byTarget = grouped(sights, ([target]) => target)
    const sightsOf = ({ name }: Target) =>
      (byTarget.get(name) ?? []).map(([, sight]) => sight).sort((a, b) => a.schedule - b.schedule)
    const isCurve = flags.words[0] === 'curve'
    for (const cell of isCurve ? targets : []) {
      const noticed = sightsOf(cell).filter((each) => isCondemned(cell, each)).length
      say(`${cell.name}: noticed in ${noticed} of ${sightsOf(cell).length} runs`)
    }
    const wrong = isCurve
      ? []
      : targets.flatMap((target) => reportOn(target, sightsOf(target), flags))
    return { wrong, figure: `${sights.length} schedules of ${targets.length} services` }
  },
}

/** Schedules are distributed over the lawful services in turn; each fault has its own. */
function itemsFor(targets: readonly Target[], { seeds, share }: Flags): Item[] {
  if (seeds.length > 0)
    return targets.flatMap(({ name }) => seeds.map((schedule) => ({ target: name, schedule })))
  const lawful = targets.filter(({ breaks }) => !breaks)
  const numbers = (count: number) =>
    Array.from({ length: Math.ceil(count * share) }, (_, n) => n + 1)
  const ofFaults = targets.filter(({ breaks }) => breaks)
  return [
    ...(lawful.length === 0 ? [] : numbers(1_000)).map((n) => ({
      target: lawful[n % lawful.length]?.name ?? '',
      schedule: n,
    })),
    // An early stop still covers some of each.
    ...numbers(100).flatMap((n) => ofFaults.map(({ name }) => ({ target: name, schedule: n }))),
  ]
}

/** Says how the runs on a target ended, and returns what is wrong. */
function reportOn(target: Target, sights: readonly Sight[], flags: Flags): Wrong[] {
  if (sights.length === 0) return []
  const { name, breaks } = target
  const exits = [...grouped(sights, ({ exitCode }) => exitCode)].sort(([a], [b]) => a - b)
  const counted = exits.map(([code, all]) => `${code} (${all.length})`)
  const unsettled = sights.reduce((sum, each) => sum + each.unsettled.length, 0)
  const flips = breaks ? '' : `, ${flipsIn(sights).length} flips, ${unsettled} verdicts unsettled`
  say(`${name}: ${sights.length} schedules, exits ${counted.join(', ')}${flips}`)
  return breaks ? wrongOfFault(target, sights, flags) : wrongOfLawful(target, sights, flags)
}

/** A lawful service is not condemned, and no clause flips. */
function wrongOfLawful(
  { name, disturbed }: Target,
  sights: readonly Sight[],
  flags: Flags,
): Wrong[] {
  const exits = disturbed ? [0, 3] : [0]
  const ended = sights.filter(
    ({ exitCode, broken }) => !exits.includes(exitCode) && broken.length === 0,
  )
  const wrong = (expected: string, got: string, schedules: number[]) =>
    wrongOf(flags, [name], expected, got, schedules)
  return [
    ...sights.flatMap(({ broken, schedule }) =>
      broken.map((each) => wrong('no breach', each, [schedule])),
    ),
    ...ended.map(({ exitCode, unsettled, schedule }) => {
      const expected = `it ends with ${exits.join(' or ')}`
      return wrong(expected, `${exitCode}: ${unsettled.join('; ')}`, [schedule])
    }),
    ...flipsIn(sights).map(({ id, said }) => {
      const got = said.map(([text, by]) => `${text.slice(0, 200)} (${by.length})`).join(', ')
      const schedules = said.flatMap(([, [first = 0]]) => first)
      return wrong(`${id} says the same by each schedule`, got, schedules)
    }),
  ]
}

function isCondemned({ breaks = [] }: Target, { said }: Sight): boolean {
  return Object.entries(said).some(([id, text]) => text === 'fail' && matchesAny(id, breaks))
}

/** One of its clauses condemns a fault in 99 of 100 schedules. */
function wrongOfFault(target: Target, sights: readonly Sight[], flags: Flags): Wrong[] {
  const [first, ...more] = sights.filter((each) => !isCondemned(target, each))
  if (!first || more.length < sights.length / 100) return []
  const got = `not condemned in ${more.length + 1} of ${sights.length} schedules`
  return [wrongOf(flags, [target.name], 'it is condemned', got, [first.schedule])]
}
