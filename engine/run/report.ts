import type { Exchange } from '../http/exchange.ts'
import type { Problem } from '../problem.ts'
import type { Area, Cause, Level, RunVerdict, Verdict, Waiver } from '../verdict.ts'

export type Report = {
  /** 1 had no causes */
  reportVersion: 1 | 2
  /** identifies the run in all its files */
  run?: string
  /** of the ids, levels and statements of its clauses */
  clausesSha256?: string
  suiteVersion: string
  suiteCommit?: string
  node?: string
  platform?: string
  /** `revision`: the value of the header REVISION_HEADER */
  target: { baseUrl: string; embedded: boolean; revision?: string }
  startedAt: string
  durationMs: number
  /** of this process, from its start to the end of the run */
  cpuMs?: number
  requests: number
  /** how many recorded exchanges were judged, if the run itself sent none */
  recorded?: number
  /** of a replay: when its run began, and where its order was left, if it was */
  replayed?: { of: string; departed?: { why: string; afterMs: number; missing: number } }
  /** the SHA-256 of each file of its record */
  record?: Record<string, string>
  seed: number
  /** a broken should fails */
  strict?: true
  /** no update was sent */
  readOnly?: true
  /** the settings that start the run again, besides BASE_URL; null: the report must not hold it */
  settings?: Record<string, string | null>
  /** which of them, and of BASE_URL, each file of settings set */
  settingsFiles?: Record<string, string[]>
  verdict: RunVerdict
  /** ended by a signal */
  interrupted?: true
  /** against the last report of this target: what is new, fixed or flipped, and since when the rest is broken */
  last?: {
    startedAt: string
    since: Record<string, string>
  } & Record<'new' | 'fixed' | 'flipped', string[]>
  /** the selection in the user's words */
  selection?: string
  /** when the run began whose clauses were carried over, and which clauses ran again */
  rerun?: { of: string; clauses: string[] }
  /** how many runs this report covers */
  times?: number
  flips?: Flip[]
  /** why the verdict is what it is, if the clauses alone do not show it */
  reasons: string[]
  notices: string[]
  /** what the run did besides checking; no action needed */
  details?: string[]
  /** how many tasks an update of ours put back */
  restored: number
  /**
   * tasks that were not put back as found; `gone`: the task no longer exists; `theirs`: another writer
   * changed it later
   */
  residue: { task: string; reason: string; gone?: true; theirs?: true }[]
  counts: Record<Level, Partial<Record<Verdict, number>>>
  exchanges: Exchange[]
  clauses: ClauseReport[]
  /** the areas in which the run has to decide something */
  areas?: Area[]
  exportFacts?: { readonly [fact: string]: unknown }
  /** breaches that were met and whose owners did not run */
  met?: Met[]
}

export type Flip = { id: string; of: 'verdict' | 'observed'; sides: Side[] }

/** Its value in some of the runs, and the exchanges of one of these that show it. */
export type Side = { value: unknown; runs: number[]; share: number; requests: number[] }

export type MadeBy = Pick<Report, 'suiteVersion' | 'suiteCommit' | 'node' | 'platform'>

export const describeSuite = ({ suiteVersion, suiteCommit, node, platform }: MadeBy): string =>
  [
    `version ${suiteVersion}${suiteCommit ? ` (${suiteCommit.slice(0, 12)})` : ''}`,
    ...(node ? [`Node ${node}`] : []),
    ...(platform ? [platform] : []),
  ].join(', ')

/** A breach that a clause met and another one owns. */
export type Met = Problem & { owner: string }

export type MetHere = Met & { exchanges: Exchange[] }

/** What a person says of a clause, or that they signed it off. */
export type Note = { text: string; who: string; when: string }

export const toldNote = ({ text, who, when }: Note): string => `${text} (${who}, ${when})`

/** What was judged, and the script that shows it again, or why there is none. */
export type Breach = Problem & {
  repeat?: string
  notRepeated?: string
  /** output of the --on-breach command, such as log lines of the service */
  log?: string
}

/**
 * The role of an exchange: judged, its control, what the judged one depends on besides, or the set-up before
 * and the put-back after.
 */
export const roles = ['control', 'judged', 'before', 'set-up', 'put-back'] as const

export type Role = (typeof roles)[number]

export type Evidence = { exchange: number; role: Role }

export type ClauseReport = {
  id: string
  level: Level
  statement: string
  section: string
  operation: string
  reading?: string
  verdict: Verdict
  reason?: string
  observed?: unknown
  varies?: string
  note?: string
  cause?: Cause
  /** the clauses that own the missing fact */
  owners?: string[]
  /** what NOT_PERMITTED may declare after a rejected request; default: the clause itself */
  declare?: string[]
  /** what is wrong with the reference, if no clause judged the fact */
  dangling?: string
  /** the --as-of version, if this clause is newer: it does not count */
  newerThan?: string
  /** a waiver of its failure, which then does not count */
  waiver?: Waiver
  /** what people say of it; notes do not change the verdict */
  notes?: Note[]
  /** of its exchanges, shared ones included */
  durationMs: number
  /** from start to end, waiting included */
  tookMs?: number
  breaches?: Breach[]
  evidence: Evidence[]
  /** how many exchanges were judged, if the evidence names only some of them */
  judgedBy?: number
}

/** What was tested, in words. */
export const targetOf = ({ target }: Pick<Report, 'target'>): string =>
  target.embedded ? 'the embedded reference service' : target.baseUrl

/** Whether the run itself left a task changed. */
export const isOwed = ({ gone, theirs }: Report['residue'][number]): boolean => !gone && !theirs

/** In the words of its reason. */
export const describeOwed = ({ task, reason }: Report['residue'][number]): string =>
  `task ${task} ${reason.startsWith('not known to be') ? 'is not known to be' : 'could not be'} put back`

export const nothingChecked = (clauses: readonly Pick<ClauseReport, 'level'>[]): string =>
  clauses.length > 0 && clauses.every(({ level }) => level === 'observe')
    ? 'there is nothing to judge: every clause of this run only observes'
    : 'nothing was checked: no must was decided'

const verdicts: Record<Level, Verdict[]> = {
  must: ['pass', 'fail', 'skip', 'inconclusive'],
  should: ['pass', 'fail', 'warn', 'skip', 'inconclusive'],
  observe: ['observed', 'skip', 'inconclusive'],
}

export function countsOf(clauses: readonly ClauseReport[]): Report['counts'] {
  const count = (level: Level) =>
    Object.fromEntries(
      verdicts[level].map((verdict) => [
        verdict,
        clauses.filter((clause) => clause.level === level && clause.verdict === verdict).length,
      ]),
    )
  return { must: count('must'), should: count('should'), observe: count('observe') }
}

export const isCounted = ({ newerThan }: Pick<ClauseReport, 'newerThan'>): boolean =>
  newerThan === undefined

/** The verdict in a word; a breach with a waiver is waived. */
export function toldVerdict(clause: ClauseReport): Verdict | 'waived' | 'not counted' {
  const { verdict, waiver } = clause
  if (!isCounted(clause)) return 'not counted'
  return (verdict === 'fail' || verdict === 'warn') && waiver ? 'waived' : verdict
}

export const toldWaiver = ({ reason, until, ticket }: Waiver): string =>
  `waived until ${until}${ticket ? ` (${ticket})` : ''}: ${reason}`
