// Exports without a range, beside the same with one that leaves nothing out.

import { instantAt, isoOf, second } from '../../../../engine/files/dates.ts'
import { countEntries } from '../../../../engine/files/entries.ts'
import { sizeOf } from '../../../../engine/files/multiset.ts'
import { isAccepted } from '../../../../engine/http/answers.ts'
import { type Problem, problem } from '../../../../engine/problem.ts'
import { isUsable, needPdf } from '../../ask/exports.ts'
import type { PdfExport } from '../../ask/pdf-export.ts'
import { filterBy, mergeQueries, type Query } from '../../ask/query.ts'
import { confirmed } from '../../learn/confirmed.ts'
import type { Filters } from '../../learn/filters.ts'
import { farFuture, farPast } from '../../learn/spans.ts'
import { spanOf, type Window } from '../../learn/window.ts'
import { learnPdfIdentity } from '../pdf-entries.ts'
import { maxRead, problemsOfPairs } from './range-relations.ts'

/** Without any parameter, read as far as files are compared. */
export const everything = [{ fileType: null }, { read: maxRead }] as const

/**
 * What is wrong with an export without a range: fewer events than with one that leaves nothing out. Where
 * all events are too many to be counted, those of one entity are.
 */
export async function problemsOfNoRange(filters: Filters, window: Window): Promise<Problem[]> {
  const { exports } = filters
  const found = await exports.csv(...everything)
  const open: Query =
    isUsable(found) && !found.csv?.cut ? everything[0] : await ofOneEntity(filters)
  const end = isoOf(instantAt(farFuture(exports)) + second)
  const both: Query = { ...open, start: farPast, end }
  // What is to come may be refused.
  const isTaken = isAccepted((await exports.csv(both, { read: maxRead })).answer)
  return problemsOfPairs(
    exports,
    window,
    [{ open, closed: isTaken ? both : { ...open, start: farPast } }],
    // Events that are recorded meanwhile are in the one that is asked for later.
    (without, within) => Math.max(...without) >= Math.min(...within),
  )
}

/** A PDF of one entity without a range, beside that of the window: fewer of the window's events. */
export async function problemsOfNoRangePdf(filters: Filters, window: Window): Promise<Problem[]> {
  const { exports } = filters
  const identity = await learnPdfIdentity(exports, window)
  const [known] = (await filters.known('entity_id')).slice(-1)
  if (!known) return []
  const open = filterBy(known.field, known.value)
  const closed = mergeQueries(spanOf(window), open)
  return confirmed(exports, window, async (fetch, { pdf }) => {
    const [without, within] = [await pdf(open), await pdf(closed)]
    // How long the range of a PDF may be is not shown.
    if (!isAccepted(without.answer) || !isAccepted(within.answer)) return []
    const rows = await fetch(closed)
    const countIn = async (found: PdfExport) =>
      countEntries((await needPdf(found, { text: true })).text ?? [], rows, identity).count
    const [left, count] = [await countIn(without), await countIn(within)]
    if (left >= count) return []
    const sentence = `a PDF without a range shows ${left} of the ${count} events that one from ${window.start} to ${window.end} shows`
    const facts = { expected: `${count} events`, got: `${left} events`, judged: without }
    return [problem(sentence, { ...facts, control: within })]
  })
}

async function ofOneEntity(filters: Filters): Promise<Query> {
  const known = await filters.needKnown('entity_id')
  const [fewest = known[0]] = known.toSorted((a, b) => sizeOf(a.events) - sizeOf(b.events))
  return filterBy(fewest.field, fewest.value)
}
