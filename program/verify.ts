import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { isObject } from '../engine/http/answers.ts'
import { countsOf, type Report } from '../engine/run/report.ts'
import { runVerdictOf } from '../engine/verdict.ts'
import { jsonOf } from '../reporting/all.ts'
import { cut, present, printable } from '../reporting/parts/texts.ts'
import { brokenIn, type Seal } from '../reporting/seal.ts'
import { check } from './check.ts'
import { type Call, readFlags } from './input/read-flags.ts'
import { readReport, reportFileAt } from './input/read-report.ts'
import { createInterruption } from './run/interruption.ts'
import { digestsOf } from './run/record.ts'

type Verified = {
  id: string
  word: 'confirmed' | 'contradicted' | 'not in the record'
  why: string
}

/** 0: no verdict is contradicted, 1: some are */
export async function verify({
  replay = replayOf,
  ...call
}: Call & { replay?: typeof replayOf }): Promise<number> {
  const flags = readFlags('verify', call)
  const given = resolve(call.cwd, flags.words[0] ?? '')
  const report = readReport(given)
  const file = reportFileAt(given)
  const written = JSON.parse(readFileSync(file, 'utf8'))
  const beside = join(dirname(file), 'record')
  const found = existsSync(join(beside, 'record.json')) ? beside : undefined
  const record = flags.record ? resolve(call.cwd, flags.record) : found
  const whole = problemsOfWhole(report, written)
  const again = record
    ? comparedAs(written, await replay(record, report.strict), digestsOf(record))
    : { whole: [], clauses: [] }
  const say = (text: string) => call.out.write(`${printable(text)}\n`)
  for (const sentence of [...whole, ...again.whole]) say(`contradicted   the report: ${sentence}`)
  for (const { id, word, why } of again.clauses)
    if (word === 'contradicted' || flags.verbose) say(`${word.padEnd(17)} ${id}: ${why}`)
  const count = (word: Verified['word']) =>
    again.clauses.filter((each) => each.word === word).length
  const isBad = whole.length + again.whole.length + count('contradicted') > 0
  if (!('seal' in written))
    say('the report has no seal: a change since it was written is found by the replay alone')
  const waived = report.clauses.filter(({ waiver }) => waiver).length
  if (waived > 0)
    say(`the verdict of the report leaves out ${waived} waived: records contain no waivers`)
  const word = isBad ? 'CONTRADICTED' : 'NOT CONTRADICTED'
  say(
    record
      ? `${word} by the replay of ${record}: ${count('confirmed')} verdicts confirmed, ${count('contradicted')} contradicted, ${count('not in the record')} not in the record${flags.verbose ? '' : '; --verbose says why'}`
      : `${word}: seal, counts and references were compared; no verdict was reached again, because there is no record of the run (--record DIR)`,
  )
  return isBad ? 1 : 0
}

/** What does not agree within a report: its seal, its counts, and what its clauses refer to. */
function problemsOfWhole(report: Report, written: Report & { seal?: Seal }): string[] {
  const { clauses, counts, exchanges, verdict, requests } = report
  const changed = isObject(written.seal) ? brokenIn(written, written.seal) : undefined
  const numbers = new Set(exchanges.map(({ number }) => number))
  const own = runVerdictOf(clauses, report.areas)
  const isStated =
    own === verdict ||
    (own === 'conformant' && verdict !== 'nonconformant') ||
    report.reasons.length > 0 ||
    report.interrupted
  const missing = clauses.flatMap(({ id, evidence }) =>
    evidence
      .filter(({ exchange }) => !numbers.has(exchange))
      .map(({ exchange }) => `exchange ${exchange}, on which ${id} depends, is missing`),
  )
  return present([
    changed?.rest && 'it changed since it was written, beside its clauses and exchanges',
    changed?.exchanges.map((each) => `exchange ${each} changed since it was written`),
    changed?.clauses.map((id) => `clause ${id} changed since it was written`),
    JSON.stringify(countsOf(clauses)) !== JSON.stringify(counts) &&
      'its counts are not those of its clauses',
    !isStated && `its verdict is ${verdict}, and its clauses make it ${own}`,
    numbers.size < exchanges.length && 'it has two exchanges of one number',
    !report.rerun &&
      Math.max(...numbers) > requests &&
      'it has exchanges with numbers beyond its requests',
    [...new Set(missing)],
  ])
}

/** What flags that judge and report add to a report; a replay has other ones. */
const byFlags = new Set(['waiver', 'drift', 'newerThan', 'repeat'])

/** The members of a report that say what the run did. */
const ofTheRun = [
  ...['target', 'startedAt', 'durationMs', 'requests', 'seed', 'settings', 'interrupted'],
  ...['restored', 'residue', 'areas', 'met'],
] as const satisfies (keyof Report)[]

export async function replayOf(record: string, isStrict = false): Promise<Report> {
  const reports = mkdtempSync(join(tmpdir(), 'contract-verify-'))
  try {
    const { report } = await check({
      argv: ['--replay', record, ...(isStrict ? ['--strict'] : [])],
      env: { REPORTS_DIR: reports },
      cwd: reports,
      out: { write: () => {} },
      interruption: createInterruption(),
      makers: {},
    })
    return JSON.parse(jsonOf(report as Report)) as Report
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
}

function comparedAs(then: Report, now: Report, digests: Record<string, string>) {
  const files = then.record ?? {}
  const changed = then.record
    ? Object.keys({ ...files, ...digests })
        .filter((name) => files[name] !== digests[name])
        .map((name) => `${name} of the record changed since the run`)
    : ['it names no record: this one may be of another run']
  const departed = now.replayed?.departed
  // Other flags of a replay judge otherwise.
  const isJudgedAlike =
    !then.clauses.some(({ waiver, newerThan }) => waiver || newerThan) &&
    !(then.strict && then.baseline?.file !== undefined)
  const compared = isJudgedAlike ? ([...ofTheRun, 'verdict', 'reasons'] as const) : ofTheRun
  const suiteOf = ({ suiteVersion, suiteCommit }: Report) => `${suiteVersion} ${suiteCommit}`
  // Once it asks for other things than the run did, times and numbers differ.
  const others = departed
    ? suiteOf(then) === suiteOf(now)
      ? [`the record is not of this run, which the same suite made: ${departed.why}`]
      : []
    : compared.flatMap((name) => differenceOf(then[name], now[name], name))
  return { whole: [...changed, ...others], clauses: comparedClauses(then, now, !departed) }
}

function comparedClauses(then: Report, now: Report, isExact: boolean): Verified[] {
  const exchangesOf = ({ exchanges }: Report) =>
    new Map(exchanges.map((each) => [each.number, each]))
  const [before, after] = [exchangesOf(then), exchangesOf(now)]
  const ids = new Set([...then.clauses, ...now.clauses].map(({ id }) => id))
  return [...ids].map((id): Verified => {
    const find = (report: Report) => report.clauses.find((clause) => clause.id === id)
    const [one, other] = [find(then), find(now)]
    if (!one) return { id, word: 'contradicted', why: 'the report lacks it' }
    if (!other) return { id, word: 'contradicted', why: 'the replay does not have it' }
    if (other.missing === 'response')
      return { id, word: 'not in the record', why: other.reason ?? '' }
    const exact = one.evidence.flatMap(({ exchange }) =>
      differenceOf(before.get(exchange), after.get(exchange), `exchange ${exchange}`),
    )
    const apart = isExact || one.verdict !== other.verdict ? differenceOf(one, other, '') : []
    const [why] = isExact ? [...apart, ...exact] : apart
    if (why) return { id, word: 'contradicted', why }
    return { id, word: 'confirmed', why: `it is ${other.verdict} in the replay too` }
  })
}

/** What a breach of an earlier report lacks, which has words alone. */
const ofFindings = new Set(['finding', 'times', 'again'])

/** What a clause of an earlier report lacks, whose reason has words alone. */
const ofReasons = new Set(['settings', 'missing', 'ownError', 'otherWriter', 'more', 'unsure'])

function differenceOf(then: unknown, now: unknown, place: string): string[] {
  if (JSON.stringify(then) === JSON.stringify(now)) return []
  const isOtherList = Array.isArray(then) && Array.isArray(now) && then.length !== now.length
  const [one, other] = [then, now] as Record<string, unknown>[]
  const hasParts = typeof then === 'object' && typeof now === 'object' && one && other
  const isInWords = one?.sentence !== undefined && one.finding === undefined
  const names = hasParts && !isOtherList ? Object.keys({ ...one, ...other }) : []
  const parts = names
    .filter((name) => !byFlags.has(name) && !(isInWords && ofFindings.has(name)))
    .filter((name) => one?.[name] !== undefined || !ofReasons.has(name))
    .flatMap((name) => differenceOf(one?.[name], other?.[name], place ? `${place}, ${name}` : name))
  if (names.length > 0) return parts.slice(0, 1)
  const shown = (value: unknown) => cut(JSON.stringify(value) ?? 'nothing', 80)
  return [`${place} is ${shown(then)} in the report, and ${shown(now)} in the replay`]
}
