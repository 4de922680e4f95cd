import type { Finding } from '../findings/finding.ts'
import type { Words } from '../findings/kind.ts'
import type { Symptom } from '../findings/symptom.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Problem } from '../problem.ts'
import type {
  Area,
  Cause,
  Level,
  Missing,
  NeededSettings,
  RunVerdict,
  Verdict,
  Waiver,
} from '../verdict.ts'
import { type DueStatuses, type Operations, operationsAt } from './contract.ts'

export type Report = {
  reportVersion: 1 | 2
  run?: string
  clausesSha256?: string
  suiteVersion: string
  suiteCommit?: string
  node?: string
  platform?: string
  target: { baseUrl: string; embedded: boolean; revision?: string }
  startedAt: string
  durationMs: number
  requests: number
  /** of a replay: when its run began, and where its order was left, if it was */
  replayed?: { of: string; departed?: { why: string; afterMs: number; missing: number } }
  record?: Record<string, string>
  seed: number
  strict?: true
  readOnly?: true
  settings?: Record<string, string | null>
  settingsFiles?: Record<string, string[]>
  verdict: RunVerdict
  interrupted?: true
  /** against an earlier run: what is new, fixed, flipped or observed otherwise, and since when the rest is broken */
  baseline?: {
    /** as it was named; default: the report that lay in REPORTS_DIR */
    file?: string
    startedAt: string
    /** its seed, if this run has another */
    seed?: number
    /** how many clauses were judged in both */
    compared: number
    /** none in older reports */
    causes?: CauseChange[]
    since: Record<string, string>
  } & Record<'new' | 'fixed' | 'flipped' | 'differing', string[]>
  selection?: string
  /** when the run began whose clauses were carried over, and which clauses ran again */
  rerun?: { of: string; clauses: string[] }
  reasons: string[]
  /** the first of them without its details, which may be the service's words */
  shortReason?: string
  /** the run ended before its clauses could begin: its reason is that of each */
  endedEarly?: true
  notices: string[]
  details?: string[]
  restored: number
  residue: Residue[]
  counts: Record<Level, Partial<Record<Verdict, number>>>
  exchanges: Exchange[]
  clauses: ClauseReport[]
  areas?: Area[]
  /** what the requests of the run ask for, by the paths of the contract */
  operations?: Operations
  statuses?: DueStatuses
  met?: Met[]
}

/** What became of a cause since an earlier run on the same service. */
export type CauseChange = {
  /**
   * passing: all its clauses pass, under another seed. not decided: some of its clauses are not decided.
   * replaced: all are decided, and some are broken by another cause.
   */
  change: 'new' | 'still' | 'fixed' | 'passing' | 'not decided' | 'replaced'
  title: string
  /** those that show the change */
  clauses: string[]
  /** of a cause that is still there: the clauses that it breaks now, and that passed then */
  passedThen?: string[]
  /** the clauses that it broke then, and that pass although it is still there, or not decided */
  passNow?: string[]
  /** of a cause that is still there: when the run began that found it first */
  since?: string
}

/** A task that is not as it was found, or not known to be. */
export type Residue = {
  task: string
  reason: string
  gone?: true
  /** another writer changed it later */
  theirs?: true
  /** no read shows what it was */
  unknown?: true
  /** it may be put back, but nothing shows it */
  unsure?: true
}

/** Why a verdict is what it is: the fact, and its details, which may be the service's words. */
export type Reason = { fact: string; details?: string }

export const describeReason = ({ fact, details = '' }: Reason): string => `${fact}${details}`

export type MadeBy = Pick<Report, 'suiteVersion' | 'suiteCommit' | 'node' | 'platform'>

export const describeSuite = ({ suiteVersion, suiteCommit, node, platform }: MadeBy): string =>
  [
    `version ${suiteVersion}${suiteCommit ? ` (${suiteCommit.slice(0, 12)})` : ''}`,
    ...(node ? [`Node ${node}`] : []),
    ...(platform ? [platform] : []),
  ].join(', ')

/** A problem with its words. Reports of earlier versions have these alone. */
type WordedProblem = Omit<Problem, 'finding'> & Words & { finding?: Finding }

export type Met = WordedProblem & { owner: string }

export type MetHere = Problem & { owner: string; exchanges: Exchange[] }

export type Breach = WordedProblem & {
  /** of a kind of this service; reports know those of the other kinds */
  symptoms?: readonly Symptom[]
  repeat?: string
  notRepeated?: string
}

const roles = ['control', 'judged', 'before', 'set-up', 'put-back'] as const

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
  owners?: string[]
  /** what NOT_PERMITTED may declare after a rejected request; default: the clause itself */
  declare?: string[]
  settings?: NeededSettings
  missing?: Missing
  dangling?: string
  /** the code of the clause threw */
  ownError?: true
  /** another writer changed its task */
  otherWriter?: true
  /** the --as-of version, if this clause is newer: it does not count */
  newerThan?: string
  waiver?: Waiver
  durationMs: number
  tookMs?: number
  breaches?: Breach[]
  /** how many other breaches were found, which are not kept */
  more?: number
  evidence: Evidence[]
  judgedBy?: number
}

/** Whether an accepted answer to the request is a file. */
export const asksForFile = (
  request: Pick<Exchange, 'method' | 'path'>,
  { operations = {} }: Pick<Report, 'operations'>,
): boolean => operationsAt(operations, request).some((operation) => operations[operation]?.file)

export const targetOf = ({ target }: Pick<Report, 'target'>): string =>
  target.embedded ? 'the embedded reference service' : target.baseUrl

export const isOwed = ({ gone, theirs }: Residue): boolean => !gone && !theirs

/** One task by its id, several by their number: `residue` names each, with its reason. */
export function describeOwed(residue: readonly Residue[]): string[] {
  const owed = residue.filter(isOwed)
  const unknown = owed.filter(({ unknown, unsure }) => unknown || unsure)
  const left = owed.filter((task) => !unknown.includes(task))
  const verb = unknown.length === 1 ? 'is' : 'are'
  return [
    ...(left.length > 0 ? [`${namedTasks(left)} could not be put back`] : []),
    ...(unknown.length > 0 ? [`${namedTasks(unknown)} ${verb} not known to be put back`] : []),
  ]
}

const namedTasks = (tasks: readonly Residue[]): string =>
  tasks.length === 1 ? `task ${tasks[0]?.task}` : `${tasks.length} tasks`

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

export function toldVerdict(clause: ClauseReport): Verdict | 'waived' | 'not counted' {
  const { verdict, waiver } = clause
  if (!isCounted(clause)) return 'not counted'
  return (verdict === 'fail' || verdict === 'warn') && waiver ? 'waived' : verdict
}

export const toldWaiver = ({ reason, until, ticket }: Waiver): string =>
  `waived until ${until}${ticket ? ` (${ticket})` : ''}: ${reason}`
