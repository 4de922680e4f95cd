import { caseOrWhy, type Unasked } from '../../../engine/clause/law.ts'
import {
  isEqual,
  type Multiset,
  minus,
  multisetOf,
  sizeOf,
} from '../../../engine/files/multiset.ts'
import { anew } from '../../../engine/origin.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type CsvExport, type Exports, type Fetching, needCsv } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { eventRows, recordsAs, type Window } from './window.ts'

/** Fetches the events of an export as rows, or all its records; they know their exchange. */
export type Fetch = (query: Query, options?: Fetching) => Promise<string[][]>

const maxTries = 3

/** The records of an export; ends the clause if they are too many to keep. */
export const wholeRecords = (found: CsvExport) => {
  const { records, count } = needCsv(found)
  if (count > records.length)
    throw new NotDecidable(
      'setting',
      `set EXPORT_FROM and EXPORT_TO to a shorter window: ${count} records are too many to compare`,
    )
  return records
}

/** The events of an export, or all its records, to compare. */
export const rowsOf = (window: Window, found: CsvExport, part: Part = 'events') =>
  part === 'events'
    ? eventRows(window, wholeRecords(found), found.csv?.cut)
    : recordsAs(window, wholeRecords(found))

type Part = 'events' | 'records'

export const rowsFrom =
  (port: Exports, window: Window, part?: Part): Fetch =>
  async (...asked) =>
    rowsOf(window, await port.csv(...asked), part)

/**
 * Asks for a case on shared files. If its law suspects it, it is asked for on fresh ones, between two equal
 * looks at the window: data moves in a shared environment. The same applies before a fact is left to another clause.
 */
export async function gathered<Case extends object>(
  exports: Exports,
  window: Window,
  ask: (fetch: Fetch, exports: Exports, isSuspected: boolean) => Promise<Case>,
  part?: Part,
): Promise<Case | Unasked> {
  const askOn = (port: Exports) => ask(rowsFrom(port, window, part), port, port !== exports)
  const one = await caseOrWhy(askOn(exports))
  const isLeft = one instanceof NotDecidable && one.why.cause === 'clause'
  // The same reason may be given for other cases, which are asked for otherwise.
  const own = isLeft
    ? new NotDecidable('clause', one.message, ...(one.why.owners as [string]))
    : one
  return anew(own, () => askOn(exports.fresh), { stoodStill: looksAt(exports, window) })
}

/** Whether the window is the same as at the last look. */
function looksAt(exports: Exports, window: Window): () => Promise<boolean> {
  let before: Multiset | undefined
  let moved = 0
  return async () => {
    const { start, end } = window
    const now = multisetOf(rowsOf(window, await exports.fresh.csv({ start, end })), window.columns)
    const last = before ?? now
    before = now
    if (isEqual(last, now)) return true
    moved += 1
    if (moved < maxTries) return false
    throw new NotDecidable(
      'data',
      `two exports of ${start} to ${end} differed in each of ${maxTries} tries (in the last, ${sizeOf(minus(last, now))} rows of the first are not in the second, ${sizeOf(minus(now, last))} the other way round); exports that change by themselves cannot be compared`,
    )
  }
}

/** A case of shared files, and of fresh ones if its law suspects it. */
export const askOnce = async <Case extends object>(
  exports: Exports,
  ask: (exports: Exports) => Promise<Case>,
): Promise<Case> => anew(await ask(exports), () => ask(exports.fresh))
