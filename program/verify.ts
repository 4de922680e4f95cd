import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isObject } from '../engine/http/answers.ts'
import type { Exchange } from '../engine/http/exchange.ts'
import { type Breach, type ClauseReport, countsOf, type Report } from '../engine/run/report.ts'
import { runVerdictOf } from '../engine/verdict.ts'
import type { Finding } from '../helpers/recorded/findings.ts'
import { createJudgement } from '../helpers/recorded/judge.ts'
import { type Recorded, seenAs } from '../helpers/recorded/recorded.ts'
import { printable } from '../reporting/parts/printable.ts'
import { brokenIn, type Seal } from '../reporting/seal.ts'
import { type Call, readFlags } from './input/read-flags.ts'
import { readReport } from './input/read-report.ts'

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
    `${isBad ? 'CONTRADICTED' : 'NOT CONTRADICTED'}: ${count('confirmed')} verdicts confirmed, ${count('contradicted')} contradicted, ${count('not checkable')} not checkable from what the report keeps${flags.verbose ? '' : '; --verbose says why'}`,
  )
  return isBad ? 1 : 0
}

export async function verified(
  report: Report,
  written: unknown,
  files: string,
): Promise<{ whole: string[]; clauses: Verified[] }> {
  const seal = isObject(written) && isObject(written.seal) ? (written.seal as Seal) : undefined
  const none = { exchanges: [], clauses: [], rest: false }
  const changed = seal ? brokenIn(written as object, seal) : none
  const exchanges = new Map(report.exchanges.map((each) => [each.number, each]))
  const found = await judgedAgain(report, files)
  const altered = changed.exchanges.map((number) =>
    exchanges.has(number)
      ? `exchange ${number} is not as it was written by this run`
      : `exchange ${number} is missing`,
  )
  const gone = changed.clauses.filter((id) => !report.clauses.some((clause) => clause.id === id))
  const isRest = changed.rest
    ? ['it is not as it was written, beside its clauses and exchanges']
    : []
  return {
    whole: [
      ...problemsOfWhole(report),
      ...isRest,
      ...altered,
      ...gone.map((id) => `clause ${id} is missing`),
    ],
    clauses: report.clauses.map((clause) => {
      const { id, evidence } = clause
      const other = evidence.find(({ exchange }) => changed.exchanges.includes(exchange))?.exchange
      if (changed.clauses.includes(id))
        return { id, ...contradicted('it is not as it was written') }
      if (other !== undefined)
        return { id, ...notCheckable(`exchange ${other} is not as it was written`) }
      return { id, ...wordOn(clause, exchanges, found.get(id)) }
    }),
  }
}

/** Judges the exchanges of a report as recorded traffic. */
async function judgedAgain({ exchanges, settings }: Report, files: string) {
  const recorded = exchanges
    .filter(({ base, trouble }) => base === undefined && !trouble)
    .map((each) => recordedOf(each, files))
    .sort((a, b) => a.start - b.start || a.number - b.number)
  const bodies = new Map(recorded.map(({ number, body }) => [number, body]))
  const actorId = settings?.ACTOR_ID ?? undefined
  const judgement = createJudgement({ actorId, bodyOf: (number) => bodies.get(number) })
  for (const each of recorded) {
    const seen = seenAs(each, [])
    // A key of another kind is named by words; of all others one is the configured key.
    if (seen) await judgement.see(seen)
  }
  return (await judgement.end()).all
}

/** An exchange of a report as one that was recorded, with the file that was kept of it. */
function recordedOf(exchange: Exchange, files: string): Recorded {
  const { number, start, milliseconds, method, path, requestHeaders } = exchange
  const { requestBody, status = 0, headers = {}, body, bodyBytes, bodySha256 = '' } = exchange
  const isKept = bodySha256 !== '' && existsSync(join(files, bodySha256))
  const bytes =
    body !== undefined && bodyBytes !== undefined
      ? Buffer.from(body)
      : isKept
        ? readFileSync(join(files, bodySha256))
        : bodyBytes === 0
          ? Buffer.alloc(0)
          : undefined
  const isShown = requestBody !== undefined && !/^\(\d+ bytes, /.test(requestBody)
  return {
    number,
    recorder: 0,
    start: Date.parse(start),
    end: Date.parse(start) + milliseconds,
    method,
    path,
    requestHeaders,
    ...(isShown ? { requestBody } : {}),
    status,
    headers,
    ...(bytes ? { body: bytes } : {}),
  }
}

/** What does not agree in a report, its evidence aside. */
function problemsOfWhole(report: Report): string[] {
  const { clauses, counts, exchanges, verdict, requests, startedAt, durationMs } = report
  const numbers = exchanges.map(({ number }) => number)
  const missing = clauses.flatMap(({ id, evidence }) =>
    evidence
      .filter(({ exchange }) => !numbers.includes(exchange))
      .map(({ exchange }) => `exchange ${exchange}, on which ${id} depends, is missing`),
  )
  const [from, to] = [Date.parse(startedAt) - 60_000, Date.parse(startedAt) + durationMs + 60_000]
  const isStrange = ({ start }: Exchange) => Date.parse(start) < from || Date.parse(start) > to
  const own = runVerdictOf(clauses, report.areas)
  const isStated =
    own === verdict ||
    (own === 'conformant' && verdict !== 'nonconformant') ||
    report.reasons.length > 0 ||
    report.interrupted
  const isOwn = !report.rerun && report.recorded === undefined
  const sentences: [boolean, string][] = [
    [
      JSON.stringify(countsOf(clauses)) !== JSON.stringify(counts),
      'its counts are not those of its clauses',
    ],
    [!isStated, `its verdict is ${verdict}, and its clauses make it ${own}`],
    [new Set(numbers).size < numbers.length, 'it has two exchanges of one number'],
    [
      isOwn && numbers.some((number) => number > requests),
      'it has exchanges with numbers beyond its requests',
    ],
    ...exchanges.map((each): [boolean, string] => [
      !report.rerun && isStrange(each),
      `exchange ${each.number} was not made during this run`,
    ]),
  ]
  return [...sentences.flatMap(([is, sentence]) => (is ? [sentence] : [])), ...new Set(missing)]
}

type Word = Omit<Verified, 'id'>
const contradicted = (why: string): Word => ({ word: 'contradicted', why })
const confirmed = (why: string): Word => ({ word: 'confirmed', why })
const notCheckable = (why: string): Word => ({ word: 'not checkable', why })

type Exchanges = ReadonlyMap<number, Exchange>

/** Whether what is kept of the evidence of a clause leads to its verdict. */
function wordOn(clause: ClauseReport, exchanges: Exchanges, found: Finding | undefined): Word {
  const { verdict, breaches = [], evidence, level, cause } = clause
  const isPart = (number: number) => evidence.some(({ exchange }) => exchange === number)
  const against = found?.problems.find(({ judged }) => judged.length > 0 && judged.every(isPart))
  const isBroken = verdict === 'fail' || verdict === 'warn'
  if (!isBroken && breaches.length > 0) return contradicted(`it is ${verdict}, and names breaches`)
  if (verdict === 'pass' && against)
    return contradicted(`it is pass, and its evidence shows: ${against.sentence}`)
  if (level === 'must' && verdict === 'warn') return contradicted('a must does not warn')
  if (level !== 'observe' && verdict === 'observed') return contradicted('it does not observe')
  if (verdict === 'skip' && cause === undefined)
    return contradicted('it was skipped without a cause')
  if (isBroken) {
    const words = breaches.map((breach) => wordOnBreach(breach, exchanges, found))
    const [first] = words.sort((a, b) => weights.indexOf(a.word) - weights.indexOf(b.word))
    return first ?? contradicted('it is broken, and names no breach')
  }
  if (verdict === 'pass' && found?.witnesses.some(isPart))
    return confirmed('its evidence shows that it holds')
  return notCheckable(`${verdict}: the evidence that is kept does not show it`)
}

const weights: Verified['word'][] = ['contradicted', 'confirmed', 'not checkable']

const fits = (status: number, wanted: string) =>
  /^\dxx$/.test(wanted) ? String(status)[0] === wanted[0] : String(status) === wanted

/** A breach of a status is read off the exchange; another one is judged again. */
function wordOnBreach(
  { sentence, expected, got, judged }: Breach,
  exchanges: Exchanges,
  found: Finding | undefined,
): Word {
  const lost = judged.find((number) => !exchanges.has(number))
  if (lost !== undefined) return contradicted(`exchange ${lost}, which it judges, is missing`)
  if (/^(\dxx|\d{3})$/.test(expected) && /^\d{3}$/.test(got)) {
    const statuses = judged.flatMap((number) => exchanges.get(number)?.status ?? [])
    const which = `exchange ${judged.join(', ')} was answered`
    return statuses.some((status) => fits(status, got) && !fits(status, expected))
      ? confirmed(`${which} ${got}, not ${expected}`)
      : contradicted(`${which} ${statuses.join(', ')}, and the breach names ${got}`)
  }
  const same = found?.problems.find(
    (each) => each.got === got && each.judged.some((number) => judged.includes(number)),
  )
  return same
    ? confirmed(`its evidence shows it again: ${same.sentence}`)
    : notCheckable(`what it judges is not kept: ${sentence}`)
}
