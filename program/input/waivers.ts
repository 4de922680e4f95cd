import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { reasonOf } from '../../engine/journal/disk.ts'
import type { Waiver } from '../../engine/verdict.ts'
import { isObject } from '../../helpers/service/answers.ts'
import type { ClauseReport } from '../../reporting/report.ts'
import { UsageError } from './flags.ts'

/** One entry of a file of waivers. */
export type Waived = Waiver & { clause: string }

const members = ['clause', 'reason', 'until', 'ticket']

/** Reads a file of waivers, or throws the first thing that is wrong with it. */
export function readWaivers(file: string, cwd: string): Waived[] {
  const mistake = (rest: string): never => {
    throw new UsageError(`--waivers ${file}${rest}`)
  }
  const list = parsed(textOf(resolve(cwd, file), mistake), mistake)
  const waivers = list.map((entry, at) =>
    waiverOf(entry, (rest) => mistake(`, entry ${at + 1}: ${rest}`)),
  )
  const twice = waivers.find((one, at) => waivers.findIndex((w) => w.clause === one.clause) < at)
  return twice ? mistake(`: ${twice.clause} is waived twice; keep one of the two.`) : waivers
}

type Mistake = (rest: string) => never

function textOf(path: string, mistake: Mistake): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return mistake(` cannot be read (${reasonOf(error)}): give a file that can.`)
  }
}

function parsed(text: string, mistake: Mistake): unknown[] {
  const wanted = 'write [{"clause": "…", "reason": "…", "until": "2026-12-31"}].'
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list : mistake(` holds no list: ${wanted}`)
  } catch (error) {
    if (error instanceof UsageError) throw error
    return mistake(` is no JSON: ${wanted}`)
  }
}

function waiverOf(entry: unknown, mistake: Mistake): Waived {
  if (!isObject(entry)) return mistake('it is no object; write {"clause", "reason", "until"}.')
  const odd = Object.keys(entry).find((name) => !members.includes(name))
  if (odd !== undefined) return mistake(`'${odd}' is no member; ${members.join(', ')} are.`)
  const textAt = (name: string) => {
    const value = entry[name]
    return typeof value === 'string' && value.trim() !== ''
      ? value.trim()
      : mistake(`${name} is missing or no text; ${advice[name]}.`)
  }
  const clause = textAt('clause')
  if (/[*?,]/.test(clause)) return mistake(`clause holds '${clause}'; give the id of one clause.`)
  const until = textAt('until')
  if (!isDay(until)) return mistake(`until holds '${until}'; ${advice.until}.`)
  const reason = textAt('reason')
  return { clause, reason, until, ...(entry.ticket !== undefined && { ticket: textAt('ticket') }) }
}

const advice: Record<string, string> = {
  clause: 'give the id of one clause',
  reason: 'say why the failure is borne with',
  until: 'give the last day that it holds, such as 2026-12-31',
  ticket: 'leave it out, or name the ticket',
}

const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)

/** Clauses with their waivers, and what is to be said of waivers. */
export type Waiving = {
  clauses: ClauseReport[]
  /** sentences on waivers that are of no use any more; each fails the run */
  stale: string[]
  notices: string[]
}

/**
 * Lays waivers over the clauses of a run. One that has expired no longer counts; one whose clause
 * passes, or does not exist, is stale. `declared` has the ids of all clauses, where they are known.
 */
export function waive(
  clauses: readonly ClauseReport[],
  waivers: readonly Waived[],
  { declared, now }: { declared?: readonly string[]; now: Date },
): Waiving {
  const today = now.toISOString().slice(0, 10)
  const verdictOf = new Map(clauses.map(({ id, verdict }) => [id, verdict]))
  const broken = ({ clause }: Waived) => ['fail', 'warn'].includes(verdictOf.get(clause) ?? '')
  const live = waivers.filter(({ until }) => until >= today)
  return {
    clauses: clauses.map((clause) => {
      const waived = live.find((waiver) => waiver.clause === clause.id && broken(waiver))
      if (!waived) return clause
      const { clause: _, ...waiver } = waived
      return { ...clause, waiver }
    }),
    stale: waivers.flatMap(({ clause }) => {
      const why = whyStale(verdictOf.get(clause), declared?.includes(clause) ?? true)
      return why ? [`the waiver of ${clause} is stale, for ${why}: delete it`] : []
    }),
    notices: waivers
      .filter((waiver) => !live.includes(waiver) && broken(waiver))
      .map(
        ({ clause, until }) => `the waiver of ${clause} expired after ${until}: it counts again`,
      ),
  }
}

function whyStale(verdict: ClauseReport['verdict'] | undefined, exists: boolean) {
  if (verdict === 'pass' || verdict === 'observed') return 'the clause passes'
  return verdict === undefined && !exists ? 'there is no such clause' : undefined
}
