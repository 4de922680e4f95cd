import type { Unasked } from '../../../engine/clause/case.ts'
import { caseOrWhy } from '../../../engine/clause/law.ts'
import {
  isEqual,
  type Multiset,
  minus,
  multisetOf,
  sizeOf,
} from '../../../engine/files/multiset.ts'
import { anew, from, type Origin } from '../../../engine/origin.ts'
import { NotDecidable, toSet, type Why } from '../../../engine/outcome.ts'
import type { Problem } from '../../../engine/problem.ts'
import { premise } from '../../service/answers.ts'
import { type CsvExport, type Exports, type Fetching, needCsv } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { unlessUndecided } from './ranges.ts'
import { eventRows, type Window } from './window.ts'

export type Fetch = (query: Query, options?: Fetching) => Promise<string[][]>

const maxTries = 3

export const wholeRecords = (found: CsvExport) => {
  const { records, count } = needCsv(found)
  const tooMany = ` to a shorter window: ${count} records are too many to compare`
  premise(count <= records.length, ...toSet(['EXPORT_FROM', 'EXPORT_TO'], tooMany))
  return records
}

export const rowsOf = (window: Window, found: CsvExport): string[][] =>
  eventRows(window, wholeRecords(found))

export const rowsFrom =
  (port: Exports, window: Window): Fetch =>
  async (...asked) =>
    rowsOf(window, await port.csv(...asked))

/** A suspected case is asked for anew, of fresh files, between two equal looks at the window. */
export async function gathered<Case extends object>(
  exports: Exports,
  window: Window,
  ask: (fetch: Fetch, exports: Exports, isSuspected: boolean) => Promise<Case>,
): Promise<Case | Unasked> {
  const askOn = (port: Exports) => ask(rowsFrom(port, window), port, port !== exports)
  const result = await caseOrWhy(askOn(exports))
  const isLeftToOwner = result instanceof NotDecidable && result.why.cause === 'clause'
  // The same reason may be given for other cases, which are asked for otherwise.
  const ownResult = isLeftToOwner
    ? new NotDecidable('clause', result.message, ...(result.why.owners as [string]))
    : result
  return anew(ownResult, () => askOn(exports.fresh), { stoodStill: looksAt(exports, window) })
}

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
    const moving = `two exports of ${start} to ${end} differed in each of ${maxTries} tries (in the last, ${sizeOf(minus(last, now))} rows of the first are not in the second, ${sizeOf(minus(now, last))} the other way round); exports that change by themselves cannot be compared`
    premise(moved < maxTries, 'data', moving)
    return false
  }
}

export const askOnce = async <Case extends object>(
  exports: Exports,
  ask: (exports: Exports) => Promise<Case>,
): Promise<Case> => anew(await ask(exports), () => ask(exports.fresh))

type At = { fetch: Fetch; port: Exports }

export type Dialogue<Found> = Generator<(at: At) => Promise<unknown>, Found, unknown>

export function* ask<Came>(question: (at: At) => Promise<Came>): Dialogue<Came> {
  return (yield question) as Came
}

export function* ifDecided<Found>(dialogue: Dialogue<Found>): Dialogue<Found | undefined> {
  try {
    return yield* dialogue
  } catch (error) {
    return unlessUndecided(error)
  }
}

export type Held<Found = readonly Problem[]> = { hold(): Dialogue<Found>; replies: unknown[] }

/** Asks what a dialogue asks, and keeps the replies: the law holds the same dialogue again, without the service. */
async function heldWith<Found>(hold: () => Dialogue<Found>, at: At): Promise<Held<Found>> {
  const replies: unknown[] = []
  const dialogue = hold()
  try {
    let next = dialogue.next()
    while (!next.done) {
      const [reply] = await Promise.allSettled([next.value(at)])
      if (reply.status === 'fulfilled') {
        replies.push(reply.value)
        next = dialogue.next(reply.value)
      } else {
        if (!(reply.reason instanceof NotDecidable)) throw reply.reason
        replies.push(reply.reason)
        next = dialogue.throw(reply.reason)
      }
    }
  } catch (error) {
    // The law says so as well.
    if (!(error instanceof NotDecidable)) throw error
  }
  return from({ hold, replies }, ...(replies as Origin[]))
}

export function foundIn<Found>({ hold, replies }: Held<Found>): Found {
  const dialogue = hold()
  let next = dialogue.next()
  for (const reply of replies)
    next = reply instanceof NotDecidable ? dialogue.throw(reply) : dialogue.next(reply)
  return next.value as Found
}

export const problemsOfHeld = (held: Held): readonly Problem[] => foundIn(held)

/** For a clause whose statement has two parts, each with a case. */
export const lacksPart = ({ length }: readonly unknown[]): Why | undefined =>
  length < 2 ? ['freedom', 'one of two parts cannot be seen in these files'] : undefined

type Hold<Found> = (isSuspected: boolean) => Dialogue<Found>

export const held = <Found>(exports: Exports, window: Window, hold: Hold<Found>) =>
  gathered(exports, window, (fetch, port, isSuspected) =>
    heldWith(() => hold(isSuspected), { fetch, port }),
  )

/** For what does not depend on the window. */
export const heldOnce = <Found>(exports: Exports, hold: Hold<Found>) =>
  askOnce(exports, (port) => heldWith(() => hold(port !== exports), { fetch: noFetch, port }))

const noFetch: Fetch = async () => {
  throw new Error('rows are fetched of a window, and this dialogue has none')
}
