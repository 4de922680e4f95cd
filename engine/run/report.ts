import type { Exchange } from '../http/exchange.ts'
import type { Problem } from '../problem.ts'
import type { Area, Cause, Level, RunVerdict, Verdict, Waiver } from '../verdict.ts'

/** What a run found: everything else that is reported is made from this. */
export type Report = {
  /** 1 had no causes */
  reportVersion: 1 | 2
  /** names the run: every file of it carries this */
  run?: string
  /** of the ids, levels and statements of its clauses */
  clausesSha256?: string
  suiteVersion: string
  /** the commit of the suite, where it is known */
  suiteCommit?: string
  /** what the run was made on */
  node?: string
  platform?: string
  /** `revision`: what the header of REVISION_HEADER said */
  target: { baseUrl: string; embedded: boolean; revision?: string }
  startedAt: string
  durationMs: number
  requests: number
  /** how many recorded exchanges it was judged from; the run itself sent none */
  recorded?: number
  seed: number
  /** a broken should fails */
  strict?: true
  /** the settings that start the run again, beside BASE_URL; null: a report may not hold its value */
  settings?: Record<string, string | null>
  verdict: RunVerdict
  /** ended by a signal */
  interrupted?: true
  /** what the run was asked for, where that is less than everything */
  selection?: string
  /** when the run began from which other clauses were carried over, and what was checked again */
  rerun?: { of: string; clauses: string[] }
  /** how many runs this report is of, where it is of several */
  times?: number
  /** what was not the same in all of them */
  flips?: Flip[]
  /** why the verdict is what it is, where the clauses alone do not tell */
  reasons: string[]
  notices: string[]
  /** what the run did beside checking, which asks nothing of anybody */
  details?: string[]
  /** how many tasks an update of ours had to put back */
  restored: number
  /** tasks that could not be put back as they were found; `gone`: there is nothing to put back; `theirs`: changed since by somebody else */
  residue: { task: string; reason: string; gone?: true; theirs?: true }[]
  counts: Record<Level, Partial<Record<Verdict, number>>>
  /** all that clauses rest on, each once */
  exchanges: Exchange[]
  clauses: ClauseReport[]
  /** what the run has to decide something of */
  areas?: Area[]
  /** what was found out about the files that the service gives */
  exportFacts?: { readonly [fact: string]: unknown }
  /** breaches that were met and whose clauses did not run here */
  met?: Met[]
}

/** A clause that was not the same in several runs on one service. */
export type Flip = { id: string; of: 'verdict' | 'observed'; sides: Side[] }

/** What it was in some of the runs, and the exchanges of one of these by which it is seen. */
export type Side = { value: unknown; runs: number[]; share: number; requests: number[] }

/** What a report says of the suite that made it. */
export type MadeBy = Pick<Report, 'suiteVersion' | 'suiteCommit' | 'node' | 'platform'>

/** The suite that made a report, as words. */
export const describeSuite = ({ suiteVersion, suiteCommit, node, platform }: MadeBy): string =>
  [
    `version ${suiteVersion}${suiteCommit ? ` (${suiteCommit.slice(0, 12)})` : ''}`,
    ...(node ? [`Node ${node}`] : []),
    ...(platform ? [platform] : []),
  ].join(', ')

/** A breach that a clause met and another one owns. */
export type Met = Problem & { owner: string }

/** The same in the run that met it. */
export type MetHere = Met & { exchanges: Exchange[] }

/** What a person says of a clause, or that they signed it off. */
export type Note = { text: string; who: string; when: string }

/** A note in words. */
export const toldNote = ({ text, who, when }: Note): string => `${text} (${who}, ${when})`

/** What was judged, and the script that shows it once more, or why there is none. */
export type Breach = Problem & {
  repeat?: string
  notRepeated?: string
  /** what the command of --on-breach printed, such as lines of the log of the service */
  log?: string
}

/** What an exchange is to a clause: judged, or beside what is judged; all else leads there, or back. */
export const roles = ['control', 'judged', 'set-up', 'put-back'] as const

export type Role = (typeof roles)[number]

/** One of the exchanges of a report, by its number. */
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
  /** with what the observed value varies though the service stays as it is */
  varies?: string
  /** what a reader of a pass should know */
  note?: string
  /** why it was not checked, of a clause that was skipped */
  cause?: Cause
  /** the clauses that own the fact that was missing */
  owners?: string[]
  /** what NOT_PERMITTED may declare, where the key was refused; left out: the clause itself */
  declare?: string[]
  /** what is wrong with that reference, where nobody has judged the fact */
  dangling?: string
  /** the version that the run counts clauses of, where this one is newer: nothing that it says counts */
  newerThan?: string
  /** a waiver of its failure, which then does not count */
  waiver?: Waiver
  /** what people say of it: its verdict does not go by that */
  notes?: Note[]
  /** in its exchanges, also those that it shares */
  durationMs: number
  /** from its beginning to its end, its waiting with it */
  tookMs?: number
  /** what was judged, of a clause that is broken */
  breaches?: Breach[]
  evidence: Evidence[]
}

/** Whether a task that is not as it was found was left so by the run. */
export const isOwed = ({ gone, theirs }: Report['residue'][number]): boolean => !gone && !theirs

/** The one reason that says nothing more than that no clause was decided. */
export const nothingChecked = (clauses: readonly Pick<ClauseReport, 'level'>[]): string =>
  clauses.length > 0 && clauses.every(({ level }) => level === 'observe')
    ? 'nothing was to be judged: every clause of this run only observes'
    : 'nothing was checked: no must was decided'

const verdicts: Record<Level, Verdict[]> = {
  must: ['pass', 'fail', 'skip', 'inconclusive'],
  should: ['pass', 'fail', 'warn', 'skip', 'inconclusive'],
  observe: ['observed', 'skip', 'inconclusive'],
}

/** How many clauses of each level got each verdict. */
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

/** Whether what a clause says counts for its run. */
export const isCounted = ({ newerThan }: Pick<ClauseReport, 'newerThan'>): boolean =>
  newerThan === undefined

/** The verdict in a word; a breach with a waiver is waived. */
export function toldVerdict(clause: ClauseReport): Verdict | 'waived' | 'not counted' {
  const { verdict, waiver } = clause
  if (!isCounted(clause)) return 'not counted'
  return (verdict === 'fail' || verdict === 'warn') && waiver ? 'waived' : verdict
}

/** The waiver of a clause as a sentence. */
export const toldWaiver = ({ reason, until, ticket }: Waiver): string =>
  `waived until ${until}${ticket ? ` (${ticket})` : ''}: ${reason}`
