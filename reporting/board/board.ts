import { createHash } from 'node:crypto'
import { type Report, toldVerdict } from '../../engine/run/report.ts'
import { type Compared, compare, type Facts, isUndecided } from '../comparison/compare.ts'
import { type Figures, figuresOf } from '../comparison/figures.ts'
import { groupedBy } from '../parts/grouped-by.ts'
import { present } from '../parts/present.ts'

export type FoundReport = { file: string; report: Report }

/** One run of a target, compared with the reference at that time. */
export type Run = FoundReport & { divergence: Figures; decided: number }

/** A verdict that changed and came back. */
export type Flip = { id: string; verdict: string; other: string; at: string }

export type Target = {
  name: string
  /** the name of its pages and badges, the same from board to board */
  slug: string
  runs: Run[]
  newest: Run
  /** the newest run compared with the newest of the reference */
  compared: Compared[]
  flips: Flip[]
}

export type Board = {
  reference: Target
  /** how the reference was chosen, as text after its name */
  chosen: string
  /** the reference first, the others by name */
  targets: Target[]
  clauses: Facts[]
  manifest: { clauses: number; sha256: string }
  /** the day from which the newest report of the reference is stale */
  staleOn: string
  isStale: boolean
  notices: string[]
}

export type HowMade = {
  manifest: readonly Facts[]
  nameOf: (found: FoundReport) => string
  /** the target that others are compared with, and how it was chosen */
  reference: string
  chosen: string
  staleAfterDays: number
  now: number
}

const day = 86_400_000

export const isWhole = ({ selection }: Report): boolean => selection === undefined

export const toldRun = ({ verdict, selection }: Report): string =>
  selection === undefined ? verdict : `${verdict} (${selection} alone)`

export function boardOf(found: readonly FoundReport[], how: HowMade): Board {
  const { manifest, nameOf, chosen, staleAfterDays, now } = how
  const byName = groupedBy(found, nameOf)
  const inTime = (name: string) =>
    (byName.get(name) ?? []).toSorted((a, b) => (a.report.startedAt < b.report.startedAt ? -1 : 1))
  const ofReference = inTime(how.reference)
  const comparedWith = (reference: FoundReport | undefined, { report }: FoundReport) =>
    compare((reference ?? (ofReference[0] as FoundReport)).report, report, {
      manifest,
      names: ['the reference', 'this target'],
    })
  const ids = new Set(manifest.map(({ id }) => id))
  const target = (name: string): Target => {
    const runs = inTime(name).map((one): Run => {
      const { startedAt, clauses } = one.report
      const earlier = ofReference.findLast(({ report }) => report.startedAt <= startedAt)
      const decided = clauses.filter((clause) => ids.has(clause.id) && !isUndecided(clause)).length
      return { ...one, divergence: figuresOf(comparedWith(earlier, one)), decided }
    })
    // A partial run represents a target only if there is no other.
    const newest = (runs.findLast(({ report }) => isWhole(report)) ?? runs.at(-1)) as Run
    const compared = comparedWith(ofReference.at(-1), newest)
    return { name, slug: slugOf(name), runs, newest, compared, flips: flipsIn(runs) }
  }
  const others = [...byName.keys()].filter((name) => name !== how.reference)
  // mock-2 before mock-10
  others.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const reference = target(how.reference)
  const targets = [reference, ...others.map(target)]
  const staleAt = Date.parse(reference.newest.report.startedAt) + staleAfterDays * day
  const levels = manifest.map(({ id, level }) => `${level} ${id}\n`).sort()
  const known = targets.flatMap(({ newest }): Facts[] => newest.report.clauses)
  // In the suite's order; clauses of other versions alone come last.
  const clauses = new Map([...manifest, ...known, ...manifest].map((facts) => [facts.id, facts]))
  return {
    reference,
    chosen,
    targets,
    clauses: [...clauses.values()],
    manifest: { clauses: manifest.length, sha256: sha256(levels.join('')) },
    staleOn: new Date(staleAt).toISOString().slice(0, 10),
    isStale: now >= staleAt,
    notices: targets.flatMap((each) => versionNotices(each, ids)),
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A name for files and links; equal ones are distinguished by their hash. */
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

function versionNotices({ name, newest: { report } }: Target, ids: Set<string>): string[] {
  const own = new Set(report.clauses.map(({ id }) => id))
  const unknown = [...own].filter((id) => !ids.has(id)).length
  const lacking = [...ids].filter((id) => !own.has(id)).length
  return present([
    unknown > 0 &&
      `${name} is of suite ${report.suiteVersion}: ${unknown} of its clauses are not in this suite, and ${lacking} of this suite are not in its report`,
  ])
}
