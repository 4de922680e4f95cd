// Lines for programs: one for each breach (brief), or one for each event (schemas/events.schema.json).
import { type Exchange, traceIdOf } from '../engine/http/exchange.ts'
import type { Problem } from '../engine/problem.ts'
import { type ClauseReport, type Report, toldVerdict } from '../engine/run/report.ts'
import type { Judged } from '../engine/run/run-clauses.ts'
import { verdictOf } from '../engine/verdict.ts'
import { embedded, type Out } from './console.ts'
import { blocksOf, textOf } from './parts/blocks.ts'
import { summaryOf } from './parts/summary.ts'
import { escaped, present, printable } from './parts/texts.ts'

export const formats = ['text', 'brief', 'ndjson'] as const

export type Format = (typeof formats)[number]

export type Teller = {
  started(run: Pick<Report, 'target' | 'seed' | 'suiteVersion' | 'selection'>): void
  judged(clause: Judged, strict: boolean): void
  ended(report: Report, exitCode: number, file: string): void
}

export const silent: Teller = { started() {}, judged() {}, ended() {} }

export function tellerIn(format: Format, out: Out): Teller {
  if (format === 'text') return silent
  if (format === 'brief')
    return { ...silent, ended: (report) => void out.write(`${briefLines(report).join('\n')}\n`) }
  const told = new Map<string, string>()
  const sayEvent = (event: object) => void out.write(`${jsonLine(event)}\n`)
  // Breaches met by other clauses and flips are known at the end: such a clause is reported again.
  const sayJudged = (event: ReturnType<typeof eventOf>) => {
    const text = JSON.stringify(event)
    if (told.get(event.id) !== text) sayEvent(event)
    told.set(event.id, text)
  }
  return {
    started: (run) => sayEvent({ event: 'started', ...run }),
    judged: (clause, strict) => sayJudged(eventOfJudged(clause, strict)),
    ended: (report, exitCode, file) => {
      for (const clause of report.clauses)
        sayJudged(eventOf({ ...clause, verdict: toldVerdict(clause) }, report.exchanges))
      const { verdict, reasons, notices, requests, durationMs } = report
      const summary = summaryOf(report)
      const { line, figures: counts } = summary
      const numbers = { exitCode, counts, requests, durationMs }
      sayEvent({
        event: 'verdict',
        line,
        verdict,
        ...numbers,
        reasons,
        notices,
        summary,
        report: file,
      })
    },
  }
}

function briefLines(report: Report): string[] {
  const broken = report.clauses.flatMap((clause) =>
    (clause.breaches ?? []).map(({ sentence, expected, got, judged }) => {
      const [request = 'no request'] = requestsOf(judged, report.exchanges)
      const head = `${toldVerdict(clause).toUpperCase()} ${clause.id} (${clause.level}): ${sentence}`
      return [head, request, `expected ${expected}`, `got ${got}`].map(oneLine).join(' | ')
    }),
  )
  const reasons = report.reasons.map((each) => `  ${oneLine(each)}`)
  return [...broken, summaryOf(report).line, ...reasons].map(printable)
}

/** JSON on one line without commands to a CI log or direction marks. */
const jsonLine = (event: object) =>
  JSON.stringify(event).replace(/\p{Bidi_Control}|#(?=#(\[|vso\[|teamcity\[))/gu, escaped)

const oneLine = (text: string) => text.replace(/\s+/g, ' ')

const requestsOf = (numbers: readonly number[], exchanges: readonly Exchange[]): string[] =>
  exchanges.flatMap(({ number, method, path }) =>
    numbers.includes(number) ? [`${method} ${path}`] : [],
  )

type Said = Pick<ClauseReport, 'id' | 'level' | 'reason' | 'cause' | 'observed' | 'waiver'> & {
  verdict: string
  breaches?: readonly Problem[]
}

const eventOfJudged = ({ facts, outcome, evidence }: Judged, strict: boolean) => {
  const verdict = verdictOf(facts.level, outcome, strict)
  const isBroken = outcome.kind === 'broken' && facts.level !== 'observe'
  const said: Said = {
    ...{ ...facts, verdict, ...(verdict === 'skip' && { cause: 'data' as const }), ...outcome },
    ...('observed' in outcome && { observed: outcome.observed ?? null }),
    breaches: isBroken ? outcome.breaches : [],
  }
  return eventOf(said, evidence)
}

function eventOf(
  { id, level, verdict, cause, reason, observed, waiver, breaches = [] }: Said,
  exchanges: readonly Exchange[],
) {
  const found = breaches.map(({ sentence, expected, got, judged }) => {
    const those = exchanges.filter(({ number }) => judged.includes(number))
    const traces = those.flatMap((each) => traceIdOf(each) ?? [])
    return { sentence, expected, got, requests: requestsOf(judged, exchanges), traces }
  })
  return {
    event: 'judged' as const,
    ...{ id, level, verdict, cause, reason, observed, waiver },
    ...(found.length > 0 && { breaches: found }),
  }
}

/** What people still have to know when programs read the result. */
export const besideLines = (report: Report, dir: string): string[] =>
  present([
    textOf(blocksOf(report, false)),
    `  reports: ${dir}`,
    report.target.embedded && `  tested: ${embedded}`,
  ])
