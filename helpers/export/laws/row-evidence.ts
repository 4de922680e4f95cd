// What explains the events that a file has too many or lacks: those beside them, in rows.

import { type Multiset, minus, type Row } from '../../../engine/files/multiset.ts'
import { arrayParameters } from '../../contract/parameters.ts'
import type { KindColumn, RowsEvidence } from '../../findings/explanations.ts'
import { isIdentifier } from '../ask/query.ts'
import { nameMatch } from '../learn/columns.ts'
import type { Window } from '../learn/window.ts'

/** What is known of a file beside its rows. */
export type KnownOfRows = Omit<RowsEvidence, 'rows' | 'wrong' | 'right'>

/** Each row as often as it occurs. */
export const rowsIn = (events: Multiset): Row[] =>
  [...events].flatMap(([key, count]) => Array.from({ length: count }, (): Row => JSON.parse(key)))

export const extraRows = (
  extra: Multiset,
  found: Multiset,
  known: KnownOfRows = {},
): RowsEvidence => ({
  ...known,
  rows: 'extra',
  wrong: rowsIn(extra),
  right: rowsIn(minus(found, extra)),
})

export const missingRows = (
  missing: Multiset,
  wanted: Multiset,
  known: KnownOfRows = {},
): RowsEvidence => ({
  ...known,
  rows: 'missing',
  wrong: rowsIn(missing),
  right: rowsIn(minus(wanted, missing)),
})

/** The columns that classify events, by their titles: the stable columns of the window have these places. */
export const kindsIn = ({ header, columns }: Pick<Window, 'header' | 'columns'>): KindColumn[] =>
  [...arrayParameters]
    .sort((one, other) => Number(isIdentifier(one)) - Number(isIdentifier(other)))
    .flatMap((name) => {
      const place = columns.findIndex((column) => nameMatch(header?.[column] ?? '', name))
      return place === -1 ? [] : [{ name, column: place, isPersonal: isIdentifier(name) }]
    })
