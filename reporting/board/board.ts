import { createHash } from 'node:crypto'
import { type ClauseReport, type Report, toldVerdict } from '../../engine/run/report.ts'
import { type Compared, compare, type Facts } from '../comparison/compare.ts'
import { targetOf } from '../comparison/remarks.ts'
import { type Figures, figuresOf } from '../comparison/summary.ts'
import { groupedBy } from '../parts/grouped-by.ts'

/** A report that was found, and where. */
export type Found = { file: string; report: Report }

/** One run of a target, held against the reference of its time. */
export type Run = Found & { divergence: Figures; decided: number }

/** A verdict that changed and came back. */
export type Flip = { id: string; verdict: string; other: string; at: string }

export type Target = {
  name: string
  /** what its pages and badges are called: it stays the same from board to board */
  slug: string
  /** the oldest first */
  runs: Run[]
  newest: Run
  /** the newest run beside the newest of the reference */
  compared: Compared[]
  flips: Flip[]
}

export type Board = {
  reference: Target
  /** the reference first, the others by name */
  targets: Target[]
  clauses: Facts[]
  manifest: { clauses: number; sha256: string }
  /** the day from which on the newest report of the reference is stale */
  staleOn: string
  isStale: boolean
  notices: string[]
}

export type HowMade = {
  manifest: readonly Facts[]
  /** how a target is named that a report is of */
  nameOf?: (found: Found) => string
  /** the name of the target that others are measured by; left out: that of the first report */
  reference?: string
  staleAfterDays: number
  now: number
}

const day = 86_400_000

/** Puts reports together by their targets. At least one is needed. */
export function boardOf(found: readonly Found[], how: HowMade): Board {
  const { manifest, nameOf = ({ report }) => targetOf(report), staleAfterDays, now } = how
  const byName = groupedBy(found, nameOf)
  const [first = ''] = byName.keys()
  const referenceName = how.reference ?? first
  const ofReference = inTime(byName.get(referenceName) ?? [])
  const held = (report: Report): Compared[] => {
    const reference = ofReference.findLast((one) => one.report.startedAt <= report.startedAt)
    return heldAgainst(reference ?? (ofReference[0] as Found), report, manifest)
  }
  const target = (name: string): Target => {
    const runs = inTime(byName.get(name) ?? []).map(
      (one): Run => ({
        ...one,
        divergence: figuresOf(held(one.report)),
        decided: decidedIn(one.report, manifest),
      }),
    )
    const newest = runs.at(-1) as Run
    const compared = heldAgainst(ofReference.at(-1) as Found, newest.report, manifest)
    return { name, slug: slugOf(name), runs, newest, compared, flips: flipsIn(runs) }
  }
  const others = [...byName.keys()].filter((name) => name !== referenceName).sort(byReading)
  const targets = [referenceName, ...others].map(target)
  const reference = targets[0] as Target
  const staleAt = Date.parse(reference.newest.report.startedAt) + staleAfterDays * day
  return {
    reference,
    targets,
    clauses: clausesOf(manifest, targets),
    manifest: { clauses: manifest.length, sha256: hashOf(manifest) },
    staleOn: new Date(staleAt).toISOString().slice(0, 10),
    isStale: now >= staleAt,
    notices: versionNotices(targets, manifest),
  }
}

// mock-2 before mock-10.
const byReading = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })

const inTime = (found: readonly Found[]) =>
  found.toSorted((a, b) => (a.report.startedAt < b.report.startedAt ? -1 : 1))

const heldAgainst = (reference: Found, report: Report, manifest: readonly Facts[]) =>
  compare(reference.report, report, { manifest, names: ['the reference', 'this target'] })

const isDecided = ({ verdict }: ClauseReport) => verdict !== 'skip' && verdict !== 'inconclusive'

/** How many clauses of the manifest a run decided. */
function decidedIn({ clauses }: Report, manifest: readonly Facts[]): number {
  const ids = new Set(manifest.map(({ id }) => id))
  return clauses.filter((clause) => ids.has(clause.id) && isDecided(clause)).length
}

/** The suite's clauses, and behind them those that only reports of other versions have. */
function clausesOf(manifest: readonly Facts[], targets: readonly Target[]): Facts[] {
  const all = new Map(manifest.map((facts) => [facts.id, facts]))
  for (const { newest } of targets)
    for (const { id, level, statement, section, operation } of newest.report.clauses)
      if (!all.has(id)) all.set(id, { id, level, statement, section, operation })
  return [...all.values()]
}

const hashOf = (manifest: readonly Facts[]) =>
  createHash('sha256')
    .update(
      manifest
        .map(({ id, level }) => `${level} ${id}\n`)
        .sort()
        .join(''),
    )
    .digest('hex')

/** A name for files and links; two names that read alike there are told apart by their hash. */
export function slugOf(name: string): string {
  const readable = name
    .replace(/^https?:\/\//, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '')
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 6)
  return [readable, digest].filter(Boolean).join('-')
}

function flipsIn(runs: readonly Run[]): Flip[] {
  const states = new Map<string, { verdict: string; at: string }[]>()
  for (const { report } of runs)
    for (const clause of report.clauses) {
      if (!isDecided(clause)) continue
      const verdict = toldVerdict(clause)
      const earlier = states.get(clause.id) ?? []
      if (earlier.at(-1)?.verdict !== verdict)
        states.set(clause.id, [...earlier, { verdict, at: report.startedAt }])
    }
  return [...states].flatMap(([id, changes]) =>
    changes.flatMap(({ verdict, at }, n): Flip[] => {
      const [before, between] = [changes[n - 2], changes[n - 1]]
      return before?.verdict === verdict && between
        ? [{ id, verdict, other: between.verdict, at }]
        : []
    }),
  )
}

function versionNotices(targets: readonly Target[], manifest: readonly Facts[]): string[] {
  const ids = new Set(manifest.map(({ id }) => id))
  const [reference] = targets
  return targets.flatMap(({ name, newest: { report } }) => {
    const own = new Set(report.clauses.map(({ id }) => id))
    const unknown = [...own].filter((id) => !ids.has(id))
    const lacking = [...ids].filter((id) => !own.has(id))
    const other = reference?.newest.report.suiteVersion
    const version =
      report.suiteVersion === other
        ? ''
        : ` (suite ${report.suiteVersion}, the reference's ${other})`
    return [
      ...(unknown.length > 0
        ? [`${name}${version}: ${listed(unknown)} not of this suite, and not compared with it`]
        : []),
      ...(lacking.length > 0 && version
        ? [`${name}${version}: its report lacks ${listed(lacking)}, which cannot be compared`]
        : []),
    ]
  })
}

const listed = (ids: readonly string[]) => {
  const some = ids.slice(0, 6).join(', ')
  return ids.length > 6 ? `${some} and ${ids.length - 6} more clauses` : some
}
