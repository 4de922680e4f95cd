import type { Level } from '../engine/verdict.ts'
import { grouped } from './console.ts'
import { printable } from './parts/printable.ts'

/** What a run would do, as far as that can be known beforehand. */
export type Plan = {
  target: { baseUrl: string; embedded: boolean }
  notices: string[]
  seed: number
  /** reads that were made to find out, and that the run will make again */
  firstContact: number
  clauses: PlannedClause[]
  cost: Record<Counted, number>
  /** how long the run takes where everything is answered as fast as the fastest of these reads */
  time: { latencyMs: number; runMs: number }
  /** MAX_WRITES, where it is set */
  bound?: number
  /** a MAX_WRITES that holds nothing back */
  sufficientBound: number
  teamsOfUnknownSize: number
}

export type PlannedClause = {
  id: string
  level: Level
  /** lost: something of this run itself would keep it from being decided, such as MAX_WRITES */
  fate: 'run' | 'skip' | 'lost'
  reason?: string
  requests: number
  /** that are accepted */
  updates: number
}

type Counted =
  | 'requests'
  | 'taskReads'
  | 'assessmentReads'
  | 'exports'
  | 'updates'
  | 'acceptedUpdates'
  | 'auditEvents'
  | 'mails'
  | 'elsewhere'

/** The plan for the terminal: what would be tested, what it costs, what would be skipped and why. */
export function planText(plan: Plan, { verbose }: { verbose: boolean }): string {
  const { target, clauses, notices, firstContact, seed } = plan
  const what = target.embedded
    ? 'the EMBEDDED REFERENCE SERVICE (no BASE_URL is set: your service would not be tested)'
    : target.baseUrl
  const lines = [
    '',
    `PLAN  would test: ${what}`,
    `  made from ${count(firstContact, 'read')} of it and a rehearsal on a stand-in; no update was sent`,
    ...notices.map((notice) => `  notice: ${notice}`),
    '',
    `  would run   ${of(clauses, 'run')}`,
    `  would skip  ${of(clauses, 'skip')}`,
    ...(clauses.some(({ fate }) => fate === 'lost')
      ? [`  would be inconclusive  ${of(clauses, 'lost')}`]
      : []),
    '',
    ...costOf(plan),
    ...unknown(plan),
    ...reasonsOf(clauses, 'lost', 'would not be decided'),
    ...reasonsOf(clauses, 'skip', 'would be skipped'),
    ...(verbose ? everyClause(clauses) : []),
    '',
    `  seed ${seed}: SEED=${seed} makes the run draw the same values`,
  ]
  return `${lines.map(printable).join('\n')}\n`
}

const of = (clauses: readonly PlannedClause[], fate: PlannedClause['fate']) => {
  const these = clauses.filter((clause) => clause.fate === fate)
  const levels = (['must', 'should', 'observe'] as const)
    .map((level) => [these.filter((clause) => clause.level === level).length, level] as const)
    .filter(([number]) => number > 0)
    .map(([number, level]) => `${number} ${level}`)
  const which = levels.length > 0 ? `: ${levels.join(', ')}` : ''
  return `${these.length} of ${count(clauses.length, 'clause')}${which}`
}

function costOf({ cost, firstContact, bound, sufficientBound, time }: Plan): string[] {
  const { acceptedUpdates, updates, elsewhere } = cost
  const other = cost.requests - cost.taskReads - cost.assessmentReads - cost.exports - updates
  const kinds = [
    `${number(firstContact)} at first contact`,
    count(cost.taskReads, 'read of a task', 'reads of tasks'),
    count(cost.assessmentReads, 'read of an assessment', 'reads of assessments'),
    count(cost.exports, 'export'),
    count(updates, 'update'),
    ...(other > 0 ? [count(other, 'other')] : []),
  ]
  const sent =
    updates > 0 ? `accepted of ${number(updates)} sent, including those that put tasks back` : ''
  const rows = [
    ['requests', cost.requests + firstContact, ''],
    ['exports', cost.exports, ''],
    ['assignment updates', acceptedUpdates, sent],
    ['audit events', cost.auditEvents, 'one for each update that is accepted'],
    ['mails', cost.mails, 'one to each user, or member of a team, that a task is assigned to'],
  ] as const
  const width = Math.max(...rows.map(([, n]) => number(n).length))
  const lines = rows.map(([name, n, note]) =>
    `    ${name.padEnd(19)}${number(n).padStart(width)}  ${note}`.trimEnd(),
  )
  const room =
    bound === undefined
      ? `MAX_WRITES=${sufficientBound} would be enough, with room for updates that are repeated`
      : `MAX_WRITES=${bound} is set`
  return [
    '  what it would cost',
    ...lines.slice(0, 1),
    `      ${kinds.join(', ')}`,
    ...lines.slice(1),
    ...(elsewhere > 0
      ? [`    and ${count(elsewhere, 'request')} to another region or through a proxy`]
      : []),
    ...(updates > 0 ? [`    ${room}`] : []),
    `    time: about ${seconds(time.runMs)} where all is answered as fast as the fastest of these reads`,
    `    (${Math.round(time.latencyMs)} ms); otherwise at least that`,
  ]
}

/** What no rehearsal shows. */
const unknown = ({ teamsOfUnknownSize, cost }: Plan) => [
  '',
  '  not known beforehand: requests repeated for trouble or a 429, updates repeated because',
  '  somebody else changes the same tasks, who wins where several updates are sent at once, and',
  '  what follows where the service takes another way than the reference service, although the',
  '  contract leaves both free',
  ...(teamsOfUnknownSize > 0 && cost.mails > 0
    ? [
        `  ${count(teamsOfUnknownSize, 'team')} of TEAM_IDS without TEAM_MAILS: a mail to it is counted`,
        '  as one, and goes to each of its members',
      ]
    : []),
]

function reasonsOf(
  clauses: readonly PlannedClause[],
  fate: PlannedClause['fate'],
  heading: string,
): string[] {
  const these = clauses.filter((clause) => clause.fate === fate)
  if (these.length === 0) return []
  return ['', `  ${heading}: ${these.length}`, ...grouped(these, ({ reason }) => reason ?? '')]
}

const everyClause = (clauses: readonly PlannedClause[]) => [
  '',
  '  clause by clause; what several share is counted for the first',
  ...clauses.map(({ fate, id, requests, updates }) => {
    const cost = [
      ...(requests ? [count(requests, 'request')] : []),
      ...(updates ? [count(updates, 'update')] : []),
    ]
    return `  ${fate.padEnd(5)} ${id}  ${cost.join(', ')}`.trimEnd()
  }),
]

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`

const number = (n: number) => n.toLocaleString('en')

const count = (n: number, one: string, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`
