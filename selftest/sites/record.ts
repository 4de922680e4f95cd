import { matchesAny } from '../../engine/glob.ts'
import type { Report } from '../../engine/run/report.ts'
import { commitOf, createKept, product } from '../kept.ts'
import type { Ending } from './watch.ts'
import type { Watched } from './watched.ts'

/** What sites did in one proof, and what the run left undecided. */
export type Recorded = {
  /** fault or variant, and its name */
  proof: string
  /** the clauses that judged it; none: all */
  by: string[]
  commit: string
  seconds: number
  ended: [clause: string, kind: Ending, sites: string[]][]
  /** those of them that only observe */
  observing: string[]
  handed: [owner: string, site: string][]
  spoke: string[]
  /** what was said, by site, each template the first time that this process met it */
  said: [site: string, template: string][]
  /** the musts of the area, and those that were not decided, by cause */
  musts: number
  lost: [clause: string, cause: string][]
}

export const recordedSites = createKept<Recorded>('sites.jsonl')

/** What watches sites: another way of it makes other records. */
const watching = ['instrument', 'record', 'runtime', 'site', 'watch'].map(
  (name) => `selftest/sites/${name}.ts`,
)

/** Only what can change the deeds of a site makes another commit of them. */
export const commitOfProofs = (): string => commitOf(...product, 'selftest/proofs', ...watching)

/** A sentence with its values cut out. */
export const templateOf = (sentence: string): string =>
  (sentence.split('\n')[0] ?? '')
    .replace(/"[^"]*"|'[^']*'|‘[^’]*’|“[^”]*”/g, '…')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '…')
    .replace(/\/[\w/{}…-]+(\?\S*)?/g, '…')
    .replace(/\d[\d.:,TZ+-]*/g, '…')
    .replace(/…([ ,]*…)+/g, '…')
    .slice(0, 200)

/** A proof is the same where the same clauses judge it. */
export const keyOf = (proof: string, by: readonly string[]): string => [proof, ...by].join('\n')

let commit: string | undefined
let known: Set<string> | undefined

/** Keeps what sites did in a proof that is green, once for each commit. */
export function keepSites(proof: string, by: readonly string[], watched: Watched): Recorded {
  commit ??= commitOfProofs()
  known ??= new Set(
    recordedSites
      .read()
      .flatMap((line) => (line.commit === commit ? [keyOf(line.proof, line.by)] : [])),
  )
  const recorded = recordOf(proof, by, watched, commit)
  const key = keyOf(proof, by)
  if (!known.has(key)) recordedSites.keep(recorded)
  known.add(key)
  return recorded
}

const saidBefore = new Set<string>()

function recordOf(
  proof: string,
  by: readonly string[],
  { watch, checked, seconds }: Watched,
  commit: string,
): Recorded {
  const { ended, handed, spoke } = watch.deeds
  const said = ended.flatMap(({ sites, reason }) =>
    sites.map((site): [string, string] => [site, templateOf(reason)]),
  )
  const isNew = ([site, template]: [string, string]) => {
    const key = `${site} ${template}`
    return !saidBefore.has(key) && saidBefore.add(key)
  }
  return {
    proof,
    by: [...by],
    commit,
    seconds: Math.round(seconds * 100) / 100,
    ended: ended.map(({ clause, kind, sites }) => [clause, kind, sites]),
    observing: ended.map(({ clause }) => clause).filter((id) => isObserving(id, checked.report)),
    handed: handed.map(({ owner, site }) => [owner, site]),
    spoke,
    said: said.filter(isNew),
    ...lossesOf(checked.report, by),
  }
}

const isObserving = (id: string, report: Report | undefined) =>
  report?.clauses.find((clause) => clause.id === id)?.level === 'observe'

function lossesOf(
  report: Report | undefined,
  by: readonly string[],
): Pick<Recorded, 'musts' | 'lost'> {
  const musts = (report?.clauses ?? []).filter(
    ({ id, level }) => level === 'must' && (by.length === 0 || matchesAny(id, by)),
  )
  const lost = musts.filter(({ verdict }) => verdict === 'skip' || verdict === 'inconclusive')
  return {
    musts: musts.length,
    lost: lost.map(({ id, cause, verdict }) => [id, cause ?? verdict]),
  }
}
