import type { Law } from '../../../engine/clause/law.ts'
import { isEqual, minus, multisetOf, sizeOf } from '../../../engine/files/multiset.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import type { Problem } from '../../../engine/problem.ts'
import { type CsvExport, type Exports, type Fetching, needCsv } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { eventRows, recordsAs, type Window } from './window.ts'

/** Fetches the events of an export as rows, or all its records; they know their exchange. */
export type Fetch = (query: Query, options?: Fetching) => Promise<string[][]>

const maxTries = 3

/**
 * Judges relations between exports on shared files. A suspected breach is judged again on fresh
 * files, between two looks at the window: data moves in a shared environment, so only a breach in an
 * unchanged window counts. The same applies before a fact is left to another clause.
 */
export async function confirmed(
  exports: Exports,
  window: Window,
  judge: (fetch: Fetch, exports: Exports) => Promise<Problem[]>,
  part: 'events' | 'records' = 'events',
): Promise<Problem[]> {
  const recordsOf = (found: CsvExport) => {
    const { records, count } = needCsv(found)
    if (count > records.length)
      throw new NotDecidable(
        'setting',
        `set EXPORT_FROM and EXPORT_TO to a shorter window: ${count} records are too many to compare`,
      )
    return records
  }
  const rowsOf = (found: CsvExport) => eventRows(window, recordsOf(found), found.csv?.cut)
  const allOf = (found: CsvExport) => recordsAs(window, recordsOf(found))
  const take = part === 'events' ? rowsOf : allOf
  const judgedOn = (port: Exports) =>
    judged(() => judge(async (...asked) => take(await port.csv(...asked)), port))
  if (isNone(await judgedOn(exports))) return []

  const look = async () =>
    multisetOf(
      rowsOf(await exports.fresh.csv({ start: window.start, end: window.end })),
      window.columns,
    )
  let seen = ''
  for (let attempt = 1; attempt <= maxTries; attempt += 1) {
    const before = await look()
    const found = await judgedOn(exports.fresh)
    if (isNone(found)) return []
    const after = await look()
    if (isEqual(before, after)) {
      if (found instanceof NotDecidable) throw found
      return found
    }
    seen = `${sizeOf(minus(before, after))} rows of the first are not in the second, ${sizeOf(minus(after, before))} the other way round`
  }
  throw new NotDecidable(
    'data',
    `two exports of ${window.start} to ${window.end} differed in each of ${maxTries} tries (in the last, ${seen}); exports that change by themselves cannot be compared`,
  )
}

/** A case of shared files if its law does not suspect it, else one of fresh files that the law may judge. */
export async function confirmedCase<Case>(
  exports: Exports,
  window: Window,
  law: Law<Case>,
  ask: (fetch: Fetch) => Promise<Case>,
): Promise<Case> {
  let last!: Case
  await confirmed(exports, window, async (fetch) => {
    last = await ask(fetch)
    return [...law(last)]
  })
  return last
}

/** Problems on shared files that also show on fresh ones. */
export async function confirmedOnce(
  exports: Exports,
  judge: (exports: Exports) => Promise<Problem[]>,
): Promise<Problem[]> {
  const suspected = await judge(exports)
  return suspected.length === 0 ? [] : judge(exports.fresh)
}

/** The problems, or the clause that owns the fact. */
const judged = (judge: () => Promise<Problem[]>): Promise<Problem[] | NotDecidable> =>
  judge().catch((error: unknown) => {
    if (error instanceof NotDecidable && error.why.cause === 'clause') return error
    throw error
  })

const isNone = (found: Problem[] | NotDecidable) => Array.isArray(found) && found.length === 0
