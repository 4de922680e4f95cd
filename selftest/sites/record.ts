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
  /** the sentences that were said, of each template the first that this process met */
  said: string[]
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

/** A sentence with its values cut out, but not the statuses in it. */
const templateOf = (sentence: string): string =>
  sentence
    .replace(/"[^"]*"|'[^']*'|‘[^’]*’|“[^”]*”/g, '…')
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '…')
    .replace(/\d[\d.:,T+-]{3,}Z?/g, '…')

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
  const reasons = ended.flatMap(({ reason }) => reason.split('\n'))
  const said = [...reasons, ...handed.map(({ sentence }) => sentence)]
  const isNew = (sentence: string) => {
    const template = templateOf(sentence)
    return !saidBefore.has(template) && saidBefore.add(template)
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
    said: said.filter(isNew).map((sentence) => sentence.slice(0, 400)),
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
