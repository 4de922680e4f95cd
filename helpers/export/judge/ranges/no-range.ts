// Exports without a range, beside the same with one that leaves nothing out.

import { instantAt, isoOf, second } from '../../../../engine/files/dates.ts'
import { sizeOf } from '../../../../engine/files/multiset.ts'
import { isAccepted } from '../../../../engine/http/answers.ts'
import type { Problem } from '../../../../engine/problem.ts'
import { isUsable } from '../../ask/exports.ts'
import { filterBy, type Query } from '../../ask/query.ts'
import type { Filters } from '../../learn/filters.ts'
import { farFuture, farPast } from '../../learn/spans.ts'
import type { Window } from '../../learn/window.ts'
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

async function ofOneEntity(filters: Filters): Promise<Query> {
  const known = await filters.needKnown('entity_id')
  const [fewest = known[0]] = known.toSorted((a, b) => sizeOf(a.events) - sizeOf(b.events))
  return filterBy(fewest.field, fewest.value)
}
