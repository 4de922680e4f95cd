import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isObject } from '../engine/http/answers.ts'
import type { Exchange } from '../engine/http/exchange.ts'
import { type Breach, type ClauseReport, countsOf, type Report } from '../engine/run/report.ts'
import { runVerdictOf } from '../engine/verdict.ts'
import type { Finding } from '../helpers/recorded/findings.ts'
import { createJudgement } from '../helpers/recorded/judge.ts'
import { type Recorded, seenAs } from '../helpers/recorded/recorded.ts'
import { verdictLine } from '../reporting/parts/count.ts'
import { printable } from '../reporting/parts/printable.ts'
import { brokenIn, type Seal } from '../reporting/seal.ts'
import { type Call, readFlags } from './input/read-flags.ts'
import { readReport } from './input/read-report.ts'

/** What the evidence says of the verdict on a clause. */
export type Verified = {
  id: string
  word: 'confirmed' | 'contradicted' | 'not checkable'
  why: string
}

/** Computes the verdicts of a report again from its evidence; 0: none is contradicted, 1: some are. */
export async function verify(call: Call): Promise<number> {
  const flags = readFlags('verify', call)
  if (!flags) return 0
  const given = resolve(call.cwd, flags.words[0] ?? '')
  const report = readReport(given)
  const file =
    existsSync(given) && statSync(given).isDirectory() ? join(given, 'report.json') : given
  const written: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const { whole, clauses } = await verified(report, written, join(dirname(file), 'files'))
  const say = (text: string) => call.out.write(`${printable(text)}\n`)
  for (const sentence of whole) say(`contradicted   the report: ${sentence}`)
  for (const { id, word, why } of clauses)
    if (word === 'contradicted' || flags.verbose) say(`${word.padEnd(14)} ${id}: ${why}`)
  const count = (word: Verified['word']) => clauses.filter((each) => each.word === word).length
  const isBad = whole.length + count('contradicted') > 0
  if (!isObject(written) || !('seal' in written))
    say(
      'the report has no seal: what was changed since it was written is found by its evidence alone',
    )
  say(
    `${isBad ? 'CONTRADICTED' : 'NOT CONTRADICTED'}: ${count('confirmed')} verdicts confirmed, ${count('contradicted')} contradicted, ${count('not checkable')} not checkable from what the report keeps`,
  )
  return isBad ? 1 : 0
}

/** What is wrong with a report as a whole, and with its verdicts. */
export async function verified(
  report: Report,
  written: unknown,
  files: string,
): Promise<{ whole: string[]; clauses: Verified[] }> {
  const seal = isObject(written) && isObject(written.seal) ? (written.seal as Seal) : undefined
  const changed = seal
    ? brokenIn(written as object, seal)
    : { exchanges: [], clauses: [], rest: false }
  const exchanges = new Map(report.exchanges.map((each) => [each.number, each]))
  const found = await judgedAgain(report, files)
  const gone = changed.exchanges.filter((number) => !exchanges.has(number))
  return {
    whole: [
      ...problemsOfWhole(report, written),
      ...(changed.rest ? ['it is not as it was written, beside its clauses and exchanges'] : []),
      ...changed.exchanges.map(
        (number) =>
          `exchange ${number} ${gone.includes(number) ? 'is missing' : 'is not as it was written by this run'}`,
      ),
      ...changed.clauses
        .filter((id) => !report.clauses.some((clause) => clause.id === id))
        .map((id) => `clause ${id} is missing`),
    ],
    clauses: report.clauses.map((clause) => {
      const { id, evidence } = clause
      const altered = evidence.find(({ exchange }) => changed.exchanges.includes(exchange))
      if (changed.clauses.includes(id))
        return { id, word: 'contradicted', why: 'it is not as it was written' }
      if (altered)
        return {
          id,
          word: 'not checkable',
          why: `exchange ${altered.exchange} is not as it was written`,
        }
      return { id, ...wordOn(clause, exchanges, found.get(id)) }
    }),
  }
}

/** Judges the exchanges of a report as recorded traffic. */
async function judgedAgain(
  { exchanges, settings }: Report,
  files: string,
): Promise<ReadonlyMap<string, Finding>> {
  const ordered = exchanges
    .filter(({ base, trouble }) => base === undefined && !trouble)
    .map((each) => recordedOf(each, files))
    .sort((a, b) => a.start - b.start || a.number - b.number)
  const judgement = createJudgement({
    actorId: settings?.ACTOR_ID ?? undefined,
    bodyOf: (number) => ordered.find((each) => each.number === number)?.body,
  })
  for (const each of ordered) {
    const seen = seenAs(each, [])
    // A key of another kind is named by words; of all others one is the configured key.
    if (seen) await judgement.see(seen)
  }
  return (await judgement.end()).all
}

/** An exchange of a report as one that was recorded, with the file that was kept of it. */
function recordedOf(exchange: Exchange, files: string): Recorded {
  const {
    number,
    start,
    milliseconds,
    method,
    path,
    requestHeaders,
    requestBody,
    status = 0,
    headers = {},
  } = exchange
  const { body, bodyBytes, bodySha256 = '' } = exchange
  const kept = join(files, bodySha256)
  const isWhole = body !== undefined && bodyBytes !== undefined
  const whole = isWhole
    ? Buffer.from(body)
    : bodySha256 && existsSync(kept)
      ? readFileSync(kept)
      : bodyBytes === 0
        ? Buffer.alloc(0)
        : undefined
  return {
    number,
    recorder: 0,
    start: Date.parse(start),
    end: Date.parse(start) + milliseconds,
    method,
    path,
    requestHeaders,
    ...(requestBody === undefined || /^\(\d+ bytes, /.test(requestBody) ? {} : { requestBody }),
    status,
    headers,
    ...(whole === undefined ? {} : { body: whole }),
  }
}

/** What does not agree in a report, whatever its evidence shows. */
function problemsOfWhole(report: Report, written: unknown): string[] {
  const { clauses, counts, exchanges, verdict, areas, requests, startedAt, durationMs } = report
  const line = isObject(written) ? written.line : undefined
  const numbers = exchanges.map(({ number }) => number)
  const twice = numbers.find((number, at) => numbers.indexOf(number) < at)
  const known = new Set(numbers)
  const missing = clauses.flatMap(({ id, evidence }) =>
    evidence
      .filter(({ exchange }) => !known.has(exchange))
      .map(({ exchange }) => `exchange ${exchange}, which ${id} rests on, is missing`),
  )
  const [from, to] = [Date.parse(startedAt) - 60_000, Date.parse(startedAt) + durationMs + 60_000]
  const strange = report.rerun
    ? []
    : exchanges.filter(({ start }) => Date.parse(start) < from || Date.parse(start) > to)
  const own = runVerdictOf(clauses, areas)
  const isStated =
    own === verdict ||
    (own === 'conformant' && verdict !== 'nonconformant') ||
    report.reasons.length > 0 ||
    report.interrupted
  return [
    ...(JSON.stringify(countsOf(clauses)) === JSON.stringify(counts)
      ? []
      : ['its counts are not those of its clauses']),
    ...(isStated ? [] : [`its verdict is ${verdict}, and its clauses make it ${own}`]),
    ...(line === undefined || line === verdictLine(report)
      ? []
      : ["its verdict's line is not that of its clauses"]),
    ...(twice === undefined ? [] : [`exchange ${twice} stands there twice`]),
    ...(Math.max(0, ...numbers) > Math.max(requests, report.recorded ?? 0) &&
    !report.rerun &&
    report.recorded === undefined
      ? ['it has exchanges with numbers beyond its requests']
      : []),
    ...strange.map(({ number }) => `exchange ${number} was not made during this run`),
    ...new Set(missing),
  ]
}

type Word = Omit<Verified, 'id'>

/** Whether what is kept of the evidence of a clause leads to its verdict. */
function wordOn(
  clause: ClauseReport,
  exchanges: ReadonlyMap<number, Exchange>,
  found: Finding | undefined,
): Word {
  const { verdict, breaches = [], evidence, level } = clause
  const rests = new Set(evidence.map(({ exchange }) => exchange))
  const against = found?.problems.find(
    ({ judged }) => judged.length > 0 && judged.every((number) => rests.has(number)),
  )
  const isBroken = verdict === 'fail' || verdict === 'warn'
  const contradicted = (why: string): Word => ({ word: 'contradicted', why })
  if (!isBroken && breaches.length > 0) return contradicted(`it is ${verdict}, and names breaches`)
  if (!isBroken && against && level !== 'observe')
    return contradicted(`it is ${verdict}, and its evidence shows: ${against.sentence}`)
  if (level === 'must' && verdict === 'warn') return contradicted('a must does not warn')
  if (level !== 'observe' && verdict === 'observed') return contradicted('it does not observe')
  if (verdict === 'skip' && clause.cause === undefined)
    return contradicted('it was skipped without a cause')
  if (verdict === 'pass' && (found?.witnesses.some((number) => rests.has(number)) ?? false))
    return { word: 'confirmed', why: 'its evidence shows that it holds' }
  if (isBroken) return wordOnBreaches(breaches, exchanges, found)
  return { word: 'not checkable', why: `${verdict}: the evidence that is kept does not show it` }
}

function wordOnBreaches(
  breaches: readonly Breach[],
  exchanges: ReadonlyMap<number, Exchange>,
  found: Finding | undefined,
): Word {
  if (breaches.length === 0)
    return { word: 'contradicted', why: 'it is broken, and names no breach' }
  const words = breaches.map((breach) => wordOnBreach(breach, exchanges, found))
  return (
    words.find(({ word }) => word === 'contradicted') ??
    words.find(({ word }) => word === 'confirmed') ??
    (words[0] as Word)
  )
}

const fits = (status: number, wanted: string) =>
  /^\dxx$/.test(wanted) ? String(status)[0] === wanted[0] : String(status) === wanted

/** A breach of a status is read off the exchange; another one is judged again. */
function wordOnBreach(
  { sentence, expected, got, judged }: Breach,
  exchanges: ReadonlyMap<number, Exchange>,
  found: Finding | undefined,
): Word {
  const own = judged.map((number) => exchanges.get(number))
  const lost = judged.find((number) => !exchanges.has(number))
  if (lost !== undefined)
    return { word: 'contradicted', why: `exchange ${lost}, which it judges, is missing` }
  if (/^(\dxx|\d{3})$/.test(expected) && /^\d{3}$/.test(got)) {
    const statuses = own.flatMap((each) => each?.status ?? [])
    const isSo = statuses.some((status) => fits(status, got) && !fits(status, expected))
    return isSo
      ? {
          word: 'confirmed',
          why: `exchange ${judged.join(', ')} was answered ${got}, not ${expected}`,
        }
      : {
          word: 'contradicted',
          why: `exchange ${judged.join(', ')} was answered ${statuses.join(', ')}, and the breach names ${got}`,
        }
  }
  const same = found?.problems.find(
    (each) => each.got === got && each.judged.some((number) => judged.includes(number)),
  )
  if (same) return { word: 'confirmed', why: `its evidence shows it again: ${same.sentence}` }
  return { word: 'not checkable', why: `what it judges is not kept: ${sentence}` }
}
