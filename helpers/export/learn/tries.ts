// The results of requesting values of a field, and what they say about the filter.

import { type Multiset, sizeOf } from '../../../engine/files/multiset.ts'
import { grouped } from '../../../engine/grouped.ts'
import { isRefused } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import type { Encoding } from '../../service/operations.ts'
import { type Exports, isUsable } from '../ask/exports.ts'
import { type Field, filterBy } from '../ask/query.ts'
import { eventsSeen } from './relations.ts'
import { spanOf, type Window } from './window.ts'

/** A value to request; known to occur if the file shows it under the field's name, or it is declared. */
export type Candidate = { value: string; known?: 'shown' | 'declared' }

export type Try = {
  value: string
  known?: Candidate['known']
  answer: Downloaded
  effect: 'some' | 'none' | 'all' | 'refused' | 'unusable'
  events: Multiset
}

export async function tryValue(
  exports: Exports,
  window: Window,
  { field, value, known, encoding }: TryOf,
): Promise<Try> {
  const query = { ...spanOf(window), ...filterBy(field, value) }
  const found = await exports.csv(query, encoding && { encoding })
  const { answer } = found
  const events = eventsSeen(window, found)
  const size = sizeOf(events)
  const effectOf = (): Try['effect'] => {
    if (isRefused(answer)) return 'refused'
    if (!isUsable(found)) return 'unusable'
    if (size === 0) return 'none'
    return size < window.rows.length ? 'some' : 'all'
  }
  return { value, known, answer, effect: effectOf(), events }
}

type TryOf = Candidate & { field: Field; encoding?: Encoding }

export type FormTried = { encoding: Encoding; tries: Try[]; unknownValue: Try }

/**
 * The effect of a filter. `understood`: in some form a value narrows, or an unknown one gives no event.
 * `refused`: no form works, and the first refuses every value. `ignored`: no effect in any form. `unclear`:
 * the values prove neither.
 */
export type FilterState =
  | { kind: 'understood'; as: Encoding; forms: FormTried[] }
  | { kind: 'ignored' | 'refused' | 'unclear'; forms: FormTried[] }

export function stateOf(forms: FormTried[]): FilterState {
  const understood = forms.find(isUnderstood)
  if (understood) return { kind: 'understood', as: understood.encoding, forms }
  const all = forms.flatMap(triesIn)
  if (all.some(({ effect }) => effect === 'unusable')) return { kind: 'unclear', forms }
  // The first form is the plain name, or the one that works for another parameter.
  if (forms[0] && isRefusedIn(forms[0])) return { kind: 'refused', forms }
  // If no value is known to occur, a form that refuses all of them may still work.
  const isSure = all.every(({ effect }) => effect !== 'refused') || all.some(({ known }) => known)
  return { kind: isSure ? 'ignored' : 'unclear', forms }
}

export const isRefusedIn = (form: FormTried): boolean =>
  triesIn(form).every(({ effect }) => effect === 'refused')

/** Every tried value of a form, the unknown one last. */
export const triesIn = ({ tries, unknownValue }: FormTried): Try[] => [...tries, unknownValue]

const isUnderstood = ({ tries, unknownValue }: FormTried): boolean =>
  tries.some(({ effect }) => effect === 'some') ||
  unknownValue.effect === 'none' ||
  (unknownValue.effect === 'refused' &&
    tries.some(({ effect }) => ['none', 'all'].includes(effect)))

export function describeTries(tries: readonly Try[]): string {
  const groups = grouped(tries, ({ effect, answer }) =>
    effect === 'refused' ? `responded ${answer.status}` : effects[effect],
  )
  return [...groups]
    .map(([what, alike]) => `${listed(alike.map(({ value }) => value))} ${what}`)
    .join(', ')
}

const effects = {
  some: 'returned some events',
  none: 'returned no event of the window',
  all: 'returned all events of the window',
  unusable: 'returned no file that can be compared',
}

const maxListed = 3

/** The first values and their number: exported values are personal data. */
const listed = (values: string[]): string =>
  values.length > maxListed
    ? `${values.slice(0, maxListed).join(', ')} and ${values.length - maxListed} more`
    : values.join(', ')
