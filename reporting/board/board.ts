import { createHash } from 'node:crypto'
import { Impossible } from '../../engine/impossible.ts'
import { type Report, toldVerdict } from '../../engine/run/report.ts'
import {
  type Compared,
  compare,
  type Facts,
  figuresOf,
  isUndecided,
} from '../comparison/compare.ts'
import { versionRemarks } from '../comparison/comparison.ts'
import { groupedBy } from '../parts/texts.ts'

export type FoundReport = { file: string; report: Report }

export type Run = FoundReport & { divergence: ReturnType<typeof figuresOf>; decided: number }

export type Flip = { id: string; verdict: string; other: string; at: string }

export type Target = {
  name: string
  /** the name of its pages and badges, the same from board to board */
  slug: string
  runs: Run[]
  newest: Run
  compared: Compared[]
  flips: Flip[]
}

export type Board = {
  reference: Target
  /** how the reference was chosen, as text after its name */
  chosen: string
  targets: Target[]
  clauses: Facts[]
  manifest: { clauses: number; sha256: string }
  /** the day from which the newest report of the reference is stale */
  staleOn: string
  isStale: boolean
  notices: string[]
}

type HowMade = {
  manifest: readonly Facts[]
  nameOf: (found: FoundReport) => string
  /** the target that others are compared with; default: the newest conformant one */
  reference?: string | undefined
  /** any reference will do: a gate answers for all */
  isGate?: boolean
  staleDays: number
  now: number
}

export const isWhole = ({ selection }: Report): boolean => selection === undefined

export const toldRun = ({ verdict, selection }: Report): string =>
  selection === undefined ? verdict : `${verdict} (${selection} alone)`

const inTime = (a: FoundReport, b: FoundReport) =>
  a.report.startedAt < b.report.startedAt ? -1 : 1

/** A whole run represents a target; a partial run does where no whole run is there. */
const newestOf = <Found extends FoundReport>(runs: readonly Found[]) =>
  (runs.findLast(({ report }) => isWhole(report)) ?? runs.at(-1)) as Found

export function boardOf(found: readonly FoundReport[], how: HowMade): Board {
  const { manifest, nameOf, staleDays, now } = how
  const byName = groupedBy(found.toSorted(inTime), nameOf)
  const [chosenName, chosen] = referenceOf(byName, how)
  const ofReference = byName.get(chosenName) ?? []
  const comparedWith = (reference: FoundReport | undefined, { report }: FoundReport) =>
    compare((reference ?? (ofReference[0] as FoundReport)).report, report, {
      manifest,
      names: ['the reference', 'this target'],
    })
  const ids = new Set(manifest.map(({ id }) => id))
  const target = (name: string): Target => {
    const runs = (byName.get(name) ?? []).map((one): Run => {
      const { startedAt, clauses } = one.report
      const earlier = ofReference.findLast(({ report }) => report.startedAt <= startedAt)
      const decided = clauses.filter((clause) => ids.has(clause.id) && !isUndecided(clause)).length
      return { ...one, divergence: figuresOf(comparedWith(earlier, one)), decided }
    })
    const newest = newestOf(runs)
    const compared = comparedWith(ofReference.at(-1), newest)
    return { name, slug: slugOf(name), runs, newest, compared, flips: flipsIn(runs) }
  }
  const others = [...byName.keys()].filter((name) => name !== chosenName)
  // numeric: mock-2 precedes mock-10
  others.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const reference = target(chosenName)
  const targets = [reference, ...others.map(target)]
  const staleAt = Date.parse(reference.newest.report.startedAt) + staleDays * 86_400_000
  const levels = manifest.map(({ id, level }) => `${level} ${id}\n`).sort()
  const known = targets.flatMap(({ newest }): Facts[] => newest.report.clauses)
  // In the suite's order; clauses of other versions alone come last.
  const clauses = new Map([...manifest, ...known, ...manifest].map((facts) => [facts.id, facts]))
  return {
    ...{ reference, chosen, targets, clauses: [...clauses.values()] },
    manifest: { clauses: manifest.length, sha256: sha256(levels.join('')) },
    staleOn: new Date(staleAt).toISOString().slice(0, 10),
    isStale: now >= staleAt,
    notices: targets.flatMap(({ name, newest, compared }) =>
      versionRemarks([reference.newest.report, newest.report], compared, [reference.name, name]),
    ),
  }
}

/** The name of the reference, and how it was chosen. */
function referenceOf(
  byName: ReadonlyMap<string, FoundReport[]>,
  { reference: given, isGate }: HowMade,
): [name: string, chosen: string] {
  const names = [...byName.keys()]
  const conformant = [...byName.values()]
    .map(newestOf)
    .filter(({ report }) => report.verdict === 'conformant' && isWhole(report))
    .toSorted(inTime)
    .at(-1)
  if (given !== undefined && !byName.has(given))
    throw new Impossible(
      `--reference ${given}: no report tests this target; give one of ${names.join(', ')}.`,
    )
  if (given !== undefined) return [given, 'which --reference names']
  const [first = ''] = names
  if (names.length === 1) return [first, 'the only target']
  const isOf = (runs: readonly FoundReport[]) => conformant && runs.includes(conformant)
  const newest = names.find((name) => isOf(byName.get(name) ?? []))
  if (newest !== undefined) return [newest, 'the newest conformant target']
  if (isGate) return [first, 'the first target; none is conformant']
  throw new Impossible(
    `no target is conformant in its newest report; choose one with --reference: ${names.join(', ')}.`,
  )
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** equal names are distinguished by their hash */
export function slugOf(name: string): string {
  const readable = name
    .replace(/^https?:\/\//, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '')
  return [readable, sha256(name).slice(0, 6)].filter(Boolean).join('-')
}

function flipsIn(runs: readonly Run[]): Flip[] {
  const states = new Map<string, string[]>()
  return runs.flatMap(({ report }) =>
    report.clauses.flatMap((clause): Flip[] => {
      const [id, verdict, seen] = [clause.id, toldVerdict(clause), states.get(clause.id) ?? []]
      const other = seen.at(-1)
      if (isUndecided(clause) || other === verdict) return []
      states.set(id, [...seen, verdict])
      if (other === undefined || seen.at(-2) !== verdict) return []
      return [{ id, verdict, other, at: report.startedAt }]
    }),
  )
}
