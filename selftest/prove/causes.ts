// One cause, one group: each fault alone, with all clauses of its area, is one group, and two faults at once are two.
//   causes --share 0.1           a tenth of the faults, and of the hundred pairs
//   causes --only GLOB           these faults alone, and pairs of them
import { randomFor } from '../../engine/random.ts'
import type { ClauseReport, Report } from '../../engine/run/report.ts'
import { groupsOf } from '../../reporting/parts/groups.ts'
import { symptomsOf } from '../../reporting/parts/symptoms-of-breach.ts'
import { areas } from '../proofs/areas.ts'
import type { Bent, Fault } from '../proofs/fault.ts'
import { runClauses } from '../proofs/prove.ts'
import { chosen, type Flags, type Kind, say, shareOf, type TryAll, type Wrong } from './kind.ts'

/** A fault with the clauses of its area. */
type Target = { name: string; by: readonly string[]; fault: Fault }

/** The places of one target or of two, whose faults are bent together. */
type Task = readonly number[]

type GroupOfRun = { title: string; clauses: string[]; keys: string[] }

type GroupsOfRun = { groups: GroupOfRun[] }

/** A target alone makes one group. */
type Single = { at: number; clauses: readonly string[] }

const targets: readonly Target[] = areas.flatMap(({ by, faults = [] }) =>
  faults.map((fault) => ({ name: fault.name, by, fault })),
)

const leastShareOfFaults = 0.95
const leastShareOfPairs = 0.9
const pairsOfAll = 100
/** the share of pairs whose faults are of one area */
const shareOfOneArea = 0.3

export const causes: Kind<Task, GroupsOfRun> = {
  sources: ['reporting'],
  nameOf: (places) => describePlaces(places),
  async act(places) {
    const { report } = await runClauses(bentTogether(places), clausesFor(places))
    return { groups: report ? groupsIn(report) : [] }
  },
  async prove(flags, tryAll) {
    const of = new Set(chosen(targets, flags))
    const named = [...targets.keys()].filter((at) => of.has(targetAt(at)))
    const alone = new Map<number, GroupOfRun[]>()
    await tryAll(
      shareOf(named, flags).map((at) => [at]),
      ([at = 0], { groups }) => void alone.set(at, groups),
    )
    const faults = resultOfFaults(alone)
    const singles = [...alone].sort(([at], [other]) => at - other).flatMap(singleOf)
    const pairs = await resultOfPairs(singles, flags, tryAll)
    return {
      wrong: [
        ...wrongOfShare('faults that are one group', faults, leastShareOfFaults, flags),
        ...wrongOfShare('pairs that are two groups', pairs, leastShareOfPairs, flags),
      ],
      figure: `${faults.some} of ${faults.all} faults are one group, ${pairs.some} of ${pairs.all} pairs two`,
    }
  },
}

const targetAt = (at: number): Target => targets[at] as Target

const describePlaces = (places: Task): string => places.map((at) => targetAt(at).name).join(' + ')

const clausesFor = (places: Task): string[] => [...new Set(places.flatMap((at) => targetAt(at).by))]

function groupsIn(report: Report): GroupOfRun[] {
  const clauseOf = (id: string) => report.clauses.find((clause) => clause.id === id)
  return groupsOf(report).map(({ title, clauses }) => ({
    title,
    clauses,
    keys: [...new Set(clauses.flatMap((id) => keysOf(clauseOf(id), report)))],
  }))
}

const keysOf = (clause: ClauseReport | undefined, report: Report): string[] =>
  (clause?.breaches ?? []).flatMap((breach) => symptomsOf(breach, report)).map(({ key }) => key)

type Share = { some: number; all: number }

/** Says which faults of one area are not one group. What is found in several areas, or nowhere, does not count. */
function resultOfFaults(alone: ReadonlyMap<number, GroupOfRun[]>): Share {
  const result: Share = { some: 0, all: 0 }
  for (const [at, groups] of alone) {
    if (areaNamesOf(groups).length !== 1) continue
    result.all += 1
    if (groups.length === 1) result.some += 1
    else describeGroups(targetAt(at).name, groups).forEach(say)
  }
  return result
}

/** The first words of the ids. */
const areaNamesOf = (groups: readonly GroupOfRun[]): string[] => [
  ...new Set(groups.flatMap(({ clauses }) => clauses.map((id) => id.replace(/\..*/, '')))),
]

const describeGroups = (name: string, groups: readonly GroupOfRun[]): string[] => [
  `${groups.length} groups: ${name}`,
  ...groups.flatMap(({ title, clauses, keys }) => [
    `    ${title}`,
    `      ${clauses.join(' ')}`,
    ...keys.map((key) => `      = ${key}`),
  ]),
]

function singleOf([at, groups]: [number, GroupOfRun[]]): Single[] {
  const [group, ...others] = groups
  return group && others.length === 0 ? [{ at, clauses: group.clauses }] : []
}

type Pair = readonly [Single, Single]

const placesOf = (pair: Pair): Task => pair.map(({ at }) => at)

/** Of pairs of faults that are drawn by the seed; a part of them is of one area. */
async function resultOfPairs(
  singles: readonly Single[],
  { share, seeds: [seed = 1] }: Flags,
  tryAll: TryAll<Task, GroupsOfRun>,
): Promise<Share> {
  const { shuffle } = randomFor(seed, 'pairs').helpers
  const all = singles.flatMap((single, at) =>
    singles.slice(at + 1).map((other): Pair => [single, other]),
  )
  const drawn = shuffle(all.filter(canBeBentTogether))
  const count = Math.ceil(pairsOfAll * share)
  const countOfOneArea = Math.ceil(count * shareOfOneArea)
  const ofOneArea = await resultOf(drawn.filter(isOfOneArea), countOfOneArea, tryAll)
  const isOfTwoAreas = (pair: Pair) => !isOfOneArea(pair)
  const others = await resultOf(drawn.filter(isOfTwoAreas), count - ofOneArea.all, tryAll)
  return { some: ofOneArea.some + others.some, all: ofOneArea.all + others.all }
}

/** Says which pairs are not two groups. Where a fault hides what the other breaks, the next pair is tried. */
async function resultOf(
  drawn: readonly Pair[],
  count: number,
  tryAll: TryAll<Task, GroupsOfRun>,
): Promise<Share> {
  const result: Share = { some: 0, all: 0 }
  const left = [...drawn]
  while (result.all < count && left.length > 0) {
    const pairs = left.splice(0, count - result.all)
    await tryAll(pairs.map(placesOf), (places, { groups }) => {
      const pair = pairs.find((each) => placesOf(each).join() === places.join())
      if (!pair || !doShow(groups, pair)) return
      result.all += 1
      if (areSeparate(groups, pair)) result.some += 1
      else describeGroups(describePlaces(places), groups).forEach(say)
    })
  }
  return result
}

/** Whether all that each fault breaks alone is broken. */
function doShow(groups: readonly GroupOfRun[], pair: Pair): boolean {
  const broken = new Set(groups.flatMap(({ clauses }) => clauses))
  return pair.every(({ clauses }) => clauses.every((id) => broken.has(id)))
}

const isOfOneArea = ([single, other]: Pair): boolean =>
  targetAt(single.at).by === targetAt(other.at).by

/** Two faults that bend one rule, or both need something of their own beside the service, exclude each other. */
function canBeBentTogether([single, other]: Pair): boolean {
  const bent = bentIn(targetAt(single.at).fault)
  return !bentIn(targetAt(other.at).fault).some((name) => bent.includes(name))
}

const bentIn = ({ stated = {}, open = {}, env = {}, ...bent }: Bent): string[] => [
  ...[stated, open, env].flatMap((rules) => Object.keys(rules)),
  ...(['held', 'surroundings', 'front', 'pdfLimit'] as const).filter((name) => bent[name]),
]

/** The rules of all; no number of events, which is the usual one, stands above a smaller one. */
function bentTogether(places: Task): Bent {
  const faults = places.map((at) => targetAt(at).fault)
  const [fault = {}, ...others] = faults
  if (others.length === 0) return fault
  const { events: _, ...bent }: Bent = Object.assign({}, ...faults)
  const counts = faults.flatMap(({ events = 0 }) => events)
  return {
    ...bent,
    stated: Object.assign({}, ...faults.map(({ stated }) => stated)),
    open: Object.assign({}, ...faults.map(({ open }) => open)),
    env: Object.assign({}, ...faults.map(({ env }) => env)),
    ...(counts.includes(0) ? {} : { events: Math.max(...counts) }),
  }
}

/** Each fault has a group with all clauses that it has alone, and with none that the other alone has. */
function areSeparate(groups: readonly GroupOfRun[], [single, other]: Pair): boolean {
  const [group, second, ...more] = groups
  if (!group || !second || more.length > 0) return false
  const isGroupOf = ({ clauses }: GroupOfRun, fault: Single, beside: Single) =>
    fault.clauses.every((id) => clauses.includes(id)) &&
    !clauses.some((id) => beside.clauses.includes(id) && !fault.clauses.includes(id))
  const areGroups = (first: GroupOfRun, last: GroupOfRun) =>
    isGroupOf(first, single, other) && isGroupOf(last, other, single)
  return areGroups(group, second) || areGroups(second, group)
}

function wrongOfShare(what: string, { some, all }: Share, least: number, flags: Flags): Wrong[] {
  if (some >= all * least) return []
  const { share, seeds, only } = flags
  const again = [
    'npm run prove -- causes',
    ...(share === 1 ? [] : [`--share ${share}`]),
    ...seeds.map((seed) => `--seed ${seed}`),
    ...only.filter((name) => name !== '*').map((name) => `--only '${name}'`),
  ]
  return [
    {
      what,
      expected: `at least ${100 * least} %`,
      got: `${some} of ${all}`,
      again: again.join(' '),
    },
  ]
}
